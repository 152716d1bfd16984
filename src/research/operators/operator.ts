import type { Answer, SubAnswer } from '../domain/answer.ts';
import type {
  IndexCoverage,
  Passage,
  PassageChain,
  Question,
  QuestionClassification,
  Reading,
  Retriever,
} from '#search';
import type { OperatorName } from '../domain/plan.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import type { UnstampedNode, UnstampedSplit } from '../context/node-record.ts';
import type { DecompositionExample } from './prompts/decompose.ts';
import type { RunNotice } from '../domain/run-notices.ts';
import { type ResearchOptions, type Budget, BudgetExhaustedError } from '../context/research-options.ts';
import type { PassageLedger } from '../context/passage-ledger.ts';
import type { ChatMessage, LanguageModel } from '../language-model/language-model.ts';
import { isOfOneReply, ModelTimeoutError } from '../language-model/errors.ts';
import { isAbortError, reportError } from '#base';
import type { StepEnd, UnstampedEvent } from '../domain/research-event.ts';

/** What every operator gets: one per run. */
export interface OperatorContext {
  readonly runId: string;
  readonly options: ResearchOptions;
  readonly signal: AbortSignal;
  readonly retriever: Retriever;
  /** undefined: no language model; operators that need one are not planned then. */
  readonly model: LanguageModel | undefined;
  /** Those that a plan may be made of. */
  readonly operators: Operators;
  readonly question: Question;
  readonly classification: QuestionClassification;
  /**
   * Every passage retrieved in this run, numbered for prompts and citations; repeated retrievals are answered from it.
   */
  readonly ledger: PassageLedger;
  readonly budget: Budget;
  /** Sub-answers kept so far, oldest first. */
  readonly subAnswers: readonly SubAnswer[];
  emit(event: UnstampedEvent): void;
  /** Fresh id for a step. */
  nextStepId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Keeps a sub-answer: later operators see it. */
  keep(subAnswer: SubAnswer): void;
  /** What the last retrieval said about the index. */
  noteCoverage(coverage: IndexCoverage): void;
  /** Tells people something; the same only once. `about`: what makes it the same, if not all its details do. */
  notice(notice: RunNotice, about?: string): void;
  /** Decompositions of earlier questions like this one, the most alike last; undefined when nobody has learnt any. */
  examples?(question: string): Promise<readonly DecompositionExample[]>;
  /** Keeps a node for learning, when the options allow it. */
  record(node: UnstampedNode): void;
  /** The same for a question that was split into sub-questions. */
  recordSplit(split: UnstampedSplit): void;
}

/** What somebody else answered. */
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
  /** In a plan of several steps: what was found is thought about, and nothing is answered from memory. */
  foundOnly?: boolean;
  /** The step that runs this operator as a part of itself. */
  parentStepId?: string;
  /** What others answered to the same question, for graphs of agents: seen, not believed. */
  seen?: readonly SeenAnswer[];
}

/** What an operator found. */
export interface OperatorResult {
  operator: OperatorName;
  stepId: string;
  /** undefined: looked, and found nothing. */
  draft?: AnswerDraft;
  /** Why nothing was found, for people. */
  reason?: string;
  /** Parts of the question were answered, and none of them answers it: a later step may draw the conclusion. */
  partial?: true;
  /** The trail behind the draft; no hops when nothing was retrieved. */
  chain: PassageChain;
  /** Passages that were read for the draft, best first. */
  evidence: Passage[];
  /**
   * The whole answer, when the operator makes one that needs no assembly: quotes are checked by being cut from the
   * passage.
   */
  answer?: Answer;
  /** The extractive reading of that evidence; undefined when it was not read that way. */
  reading?: Reading;
}

/**
 * Language-model calls that one run of an operator makes. A reply that is asked for a second time, because it could not
 * be read, counts once.
 */
interface OperatorCost {
  /** The fewest with which it answers: it makes fewer only where it finds nothing to read, or nothing to ask. */
  readonly leastCalls: number;
  /** The most without critique; undefined: only the run's budget ends it. */
  readonly mostCalls?: number;
  /**
   * So many more at most where runs are criticised: verdicts on nodes, and what is asked in the place of rejected ones.
   */
  readonly critiqueCalls?: number;
  /** Input and output together: about as many as runs with a small model took on average. */
  readonly tokens: number;
}

/**
 * One of BELLE's operators (arXiv 2505.11811, §3.2) or the extractive one. Each can be run alone. Its name and titles
 * stand in `domain/plan.ts`, itself in `operator-registry.ts`: flags, labels, what `auto` chooses among and what a
 * planner is told follow from that.
 */
export interface Operator<Name extends string = OperatorName> {
  readonly name: Name;
  readonly needsModel: boolean;
  /** False for one that only thinks about what others found. */
  readonly retrieves: boolean;
  /** What a debater is told besides the cost: what it does, and when it is good. */
  readonly whenToUse: { readonly does: string; readonly goodFor: string };
  /** What one run of it may cost: debaters, people and the choice of plans are told by it. */
  readonly cost: OperatorCost;
  /**
   * Its own prompts with nothing put in: of a call that is recorded, what stands in none of them came from people,
   * files and models. Prompts of reading and critique, which operators share, stand in `operator-registry.ts`.
   */
  readonly prompts: readonly ChatMessage[];
  /** Splits a question: what its nodes ask are sub-questions. */
  readonly splits?: true;
  /** Emits its steps; rejects with AbortError, BudgetExhaustedError or a model's error. */
  run(context: OperatorContext, task: OperatorTask): Promise<OperatorResult>;
}

/** Operators by name, in the order in which lists show them. */
export type Operators = ReadonlyMap<string, Operator>;

export const emptyChain: PassageChain = { hops: [], score: 0, completeness: 0 };

/** A step, and the one that it is a part of. */
export interface Step {
  stepId: string;
  parentStepId?: string;
}

/** What tells a step from others, of whatever else is known of it. */
export const idsOf = ({ stepId, parentStepId }: Step): Step => ({
  stepId,
  ...(parentStepId !== undefined && { parentStepId }),
});

/** A new step that works on a task. */
export const stepFor = (context: OperatorContext, { parentStepId }: OperatorTask): Step =>
  idsOf({ stepId: context.nextStepId(), parentStepId });

export interface StepTask extends Step {
  operator: OperatorName;
  question: string;
  dependsOn: readonly string[];
}

/** Whether an error is one call's alone: the next may fare better. */
export const endsOneCall = (error: unknown): boolean => isOfOneReply(error) || error instanceof ModelTimeoutError;

/** Tells that a step failed and the others go on. @throws the error where it is not one call's alone */
export function goOnWithout(context: OperatorContext, error: unknown): void {
  if (context.signal.aborted || !endsOneCall(error)) throw error;
  context.notice({ code: 'step-failed', details: { said: reportError(error).message } });
}

/** Tells that an operator stops where it is, because the run may take no further step. */
export const noticeNodesUsed = (context: OperatorContext): void =>
  context.notice({ code: 'nodes-used', details: { nodes: context.budget.limits.nodes } });

/**
 * A step with its start and its end, whatever happens between. Its error goes on; a run that is out of budget skips its
 * step.
 */
export async function withStep<T>(
  context: OperatorContext,
  task: StepTask,
  body: () => Promise<{ outcome: StepEnd['outcome']; value: T }>,
): Promise<T> {
  const ids = idsOf(task);
  context.emit({
    type: 'step-start',
    ...ids,
    operator: task.operator,
    question: task.question,
    dependsOn: [...task.dependsOn],
  });
  try {
    const { outcome, value } = await body();
    context.emit({ type: 'step-end', ...ids, outcome });
    return value;
  } catch (error) {
    if (error instanceof BudgetExhaustedError) context.emit({ type: 'step-end', ...ids, outcome: 'skipped' });
    else if (!isAbortError(error))
      context.emit({ type: 'step-end', ...ids, outcome: 'failed', error: reportError(error) });
    throw error;
  }
}

/** Runs an operator as a step of its own, which has answered where there is a draft, or a part of one. */
export function runAsStep(
  context: OperatorContext,
  task: OperatorTask,
  operator: OperatorName,
  work: (ids: Step) => Promise<OperatorResult>,
): Promise<OperatorResult> {
  const ids = stepFor(context, task);
  return withStep(context, { ...ids, operator, question: task.question, dependsOn: [] }, async () => {
    const value = await work(ids);
    return { outcome: value.draft || value.partial ? 'answered' : 'nothing-found', value };
  });
}
