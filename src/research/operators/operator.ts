import { isAbortError, reportError } from '#base';
import type { IndexCoverage, Passage, PassageChain, Question, QuestionClassification, Retriever } from '#search';
import type { Reading } from '../answer/reading.ts';
import { type Budget, BudgetExhaustedError, type ResearchOptions } from '../context/research-options.ts';
import type { SentPrompt, UnstampedRecord } from '../context/node-record.ts';
import type { Answer, SubAnswer } from '../domain/answer.ts';
import type { OperatorName, PlanStep } from '../domain/plan.ts';
import type { StepEnd, UnstampedEvent } from '../domain/research-event.ts';
import type { RunNotice } from '../domain/run-notices.ts';
import type { EvidenceLedger, Lane } from '../evidence/ledger.ts';
import { isOfOneReply, ModelTimeoutError } from '../language-model/errors.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import type { ToolContext } from '../tools/tool.ts';

/** A question that an earlier run was split into sub-questions for: an example in prompts. */
export interface DecompositionExample {
  question: string;
  /** In order; at least one. */
  steps: readonly string[];
}

/** What every operator gets: one per run. */
export interface OperatorContext {
  readonly runId: string;
  readonly options: ResearchOptions;
  readonly signal: AbortSignal;
  readonly retriever: Retriever;
  /** undefined: no language model; operators that need one are not planned then. */
  readonly model: LanguageModel | undefined;
  readonly question: Question;
  readonly classification: QuestionClassification;
  /** All that was seen of the files in this run; repeated retrievals are answered from it. */
  readonly ledger: EvidenceLedger;
  readonly budget: Budget;
  /** Numbers of what is shown, where other operators run beside this one. */
  readonly lane?: Lane;
  /** As the last retrieval told it. */
  readonly coverage: IndexCoverage;
  /** Sub-answers kept so far, oldest first. */
  readonly subAnswers: readonly SubAnswer[];
  /** The files of the index; undefined: nobody can list them. */
  files?: ToolContext['files'];
  emit(event: UnstampedEvent): void;
  nextStepId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Keeps a sub-answer, with the reading that it came from: later operators see it. */
  keep(subAnswer: SubAnswer, reading?: Reading): void;
  noteCoverage(coverage: IndexCoverage): void;
  /** Tells people something; the same only once. `about`: what makes it the same, if not all its details do. */
  notice(notice: RunNotice, about?: string): void;
  /** Decompositions of earlier questions like this one, the most alike last; undefined when nobody has learnt any. */
  examples?(question: string): Promise<readonly DecompositionExample[]>;
  /** Keeps a node, a split or the answer for learning, when the options allow it. */
  record(record: UnstampedRecord): void;
}

export interface SeenAnswer {
  by: string;
  answer: string;
  /** From files, and not from memory. */
  lookedUp: boolean;
}

export interface OperatorTask {
  /** The question to answer: the run's own, unless a strategy asks another. */
  question: string;
  /** True when this step's answer is the run's: it is streamed while it is written. */
  final: boolean;
  /** Of the plan: what to search for beside the question, and the sub-questions to ask. */
  queries?: readonly string[];
  subQuestions?: PlanStep['subQuestions'];
  split?: SentPrompt | undefined;
  /** What others answered to the same question, for graphs of agents: seen, not believed. */
  seen?: readonly SeenAnswer[];
}

export interface OperatorResult {
  operator: OperatorName;
  stepId: string;
  /** undefined: looked, and found nothing. `none` within it: the model says that there is no answer. */
  reading?: Reading;
  /** The trail that was retrieved for the question; no hops when nothing was. */
  chain: PassageChain;
  /** Passages that were shown, best first. */
  evidence: Passage[];
  /** The whole answer, of the operator that makes one without a model. */
  answer?: Answer;
}

/** One of BELLE's operators (arXiv 2505.11811, §3.2), RISE's loop, or quotes: a way through the tool loop. */
export interface Operator<Name extends string = OperatorName> {
  readonly name: Name;
  readonly needsModel: boolean;
  /** False for one that only thinks about what others found. */
  readonly retrieves: boolean;
  /** What a planner is told: what it does, and when it is good. */
  readonly whenToUse: { readonly does: string; readonly goodFor: string };
  /** Calls and tokens, about; no `mostCalls`: only the budget ends it. A reply asked for again counts once. */
  readonly cost: { readonly leastCalls: number; readonly mostCalls?: number; readonly tokens: number };
  /** Splits a question: what its nodes ask are sub-questions. */
  readonly splits?: true;
  /** Emits its steps; rejects with AbortError, BudgetExhaustedError or a model's error. */
  run(context: OperatorContext, task: OperatorTask): Promise<OperatorResult>;
}

export const emptyChain: PassageChain = { hops: [], score: 0, completeness: 0 };

export interface Step {
  stepId: string;
  parentStepId?: string;
}

/** Whether an error is one call's alone: the next may fare better. */
export const endsOneCall = (error: unknown): boolean => isOfOneReply(error) || error instanceof ModelTimeoutError;

/** Tells that a step failed and the others go on. @throws the error where it is not one call's alone */
export function goOnWithout(context: OperatorContext, error: unknown): void {
  if (context.signal.aborted || !endsOneCall(error)) throw error;
  context.notice({ code: 'step-failed', details: { said: reportError(error).message } });
}

/** A step with its start and its end, whatever happens between; a run that is out of budget skips it. */
export async function withStep<T>(
  context: OperatorContext,
  step: Step,
  task: { operator: OperatorName; question: string; dependsOn: readonly string[] },
  body: () => Promise<{ outcome: StepEnd['outcome']; value: T }>,
): Promise<T> {
  const { operator, question, dependsOn } = task;
  context.emit({ type: 'step-start', ...step, operator, question, dependsOn: [...dependsOn] });
  try {
    const { outcome, value } = await body();
    context.emit({ type: 'step-end', ...step, outcome });
    return value;
  } catch (error) {
    if (error instanceof BudgetExhaustedError) context.emit({ type: 'step-end', ...step, outcome: 'skipped' });
    else if (!isAbortError(error))
      context.emit({ type: 'step-end', ...step, outcome: 'failed', error: reportError(error) });
    throw error;
  }
}

/** An operator whose work is a step, which has answered where there is a reading that is no "none". */
export const asStep = <Name extends OperatorName>({
  work,
  ...operator
}: Omit<Operator<Name>, 'run'> & {
  work(context: OperatorContext, task: OperatorTask, step: Step): Promise<OperatorResult>;
}): Operator<Name> => ({
  ...operator,
  run(context, task) {
    const step = { stepId: context.nextStepId() };
    const told = { operator: operator.name, question: task.question, dependsOn: [] };
    return withStep(context, step, told, async () => {
      const value = await work(context, task, step);
      const answered = value.reading ? !value.reading.none : value.answer?.abstained === false;
      return { outcome: answered ? 'answered' : 'nothing-found', value };
    });
  },
});
