import { reportError, throwIfCancelled } from '#base';
import type { QuestionClassifier } from '../classify/classifier-model.ts';
import { BadReplyError, BadRequestError } from '../language-model/errors.ts';
import type { Plan } from '../domain/plan.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import {
  emptyChain,
  endsOneCall,
  goOnWithout,
  type OperatorContext,
  type OperatorResult,
} from '../operators/operator.ts';
import type { RunPorts, RunState } from './run-state.ts';
import type { Answer } from '../domain/answer.ts';
import { noticeAbsent, abstainedAnswer } from '../answer/abstained-answer.ts';
import { BudgetExhaustedError } from '../context/research-options.ts';
import { answerFromReferences } from './answer-references.ts';
import { conclude, criticiseWhole, partialAnswer } from './conclude.ts';
import { makePlan, replaced, usualOperators } from '../plan/make-plan.ts';
import { planCost, planSteps } from '../plan/plan-steps.ts';
import { standAlone } from './follow-up.ts';
import { speaksToModel } from './speaks-to-model.ts';
import { extractive } from '../operators/extractive.ts';
import {
  defaultStrategy,
  type NoteStrategy,
  type SelectStrategy,
  settledStrategy,
  type StrategyChoice,
  type StrategyRoute,
} from './strategy-choice.ts';

/** What runs work with, whatever is asked. */
export interface ResearcherDependencies extends Pick<
  RunPorts,
  'retriever' | 'model' | 'operators' | 'onNode' | 'examples' | 'now' | 'later'
> {
  classifier: QuestionClassifier;
  /** undefined: the type's default plan, or the debate that is asked for. */
  selectStrategy?: SelectStrategy;
  /** undefined: what a person fixed teaches nobody anything. */
  noteStrategy?: NoteStrategy | undefined;
  /** Resolves when there is something to be searched, or as much as a question is to wait for; tells that it waits. */
  ready?: ((signal: AbortSignal, waits: () => void) => Promise<void>) | undefined;
  newId(): string;
}

/** What a plan came to. */
interface Execution {
  /** Of the steps that ran to their end, in order. */
  results: OperatorResult[];
  /** What stopped it early: the budget, or a model that cannot be used any more. */
  stopped?: Error;
}

/**
 * Runs a plan's operators in order; each sees the sub-answers kept so far, and retrievals are not repeated. Rejects
 * with AbortError only.
 */
async function executePlan(context: OperatorContext, plan: Plan): Promise<Execution> {
  const execution: Execution = { results: [] };
  let failure: Error | undefined;
  for (const [i, step] of plan.steps.entries()) {
    try {
      execution.results.push(
        await operatorCalled(step.operator, context.operators).run(context, {
          question: context.question.text,
          final: i === plan.steps.length - 1,
          ...(plan.steps.length > 1 && { foundOnly: true }),
        }),
      );
    } catch (error) {
      const stopped = stopsRun(context, error);
      if (stopped) return { ...execution, stopped };
      failure = asError(error);
      goOnWithout(context, error);
    }
  }
  // When every step failed, that nothing was found would not be true: the last failure is what stopped the run.
  return failure !== undefined && execution.results.length === 0 ? { ...execution, stopped: failure } : execution;
}

/**
 * The error when it ends the run; undefined when the next step may fare better. @throws it when it is a cancellation.
 */
function stopsRun(context: OperatorContext, error: unknown): Error | undefined {
  throwIfCancelled(error, context.signal);
  return endsOneCall(error) ? undefined : asError(error);
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Tells people of passages that try to instruct the model; without one there is none to instruct. */
function noticeInjection(run: RunState): void {
  if (!run.model) return;
  const hostile = run.ledger.all.filter((passage) => speaksToModel(passage.text));
  const all = [...new Set(hostile.map((passage) => `${passage.path}:${passage.startLine}`))];
  if (all.length === 0) return;
  const places = all.slice(0, 3);
  run.notice({ code: 'speaks-to-model', details: { places, more: all.length - places.length } });
}

/**
 * One run from question to answer; its events go through the run. Rejects with what stopped it, after giving what it
 * had found.
 */
export async function conductRun(run: RunState, dependencies: ResearcherDependencies): Promise<void> {
  const window = run.model?.learnWindow?.(); // meanwhile; once classified, prompts are cut to it
  await begin(run);
  run.searchFirst(); // what has been read by now can be found by its words
  let waited = false;
  await dependencies.ready?.(run.signal, () => {
    waited = true;
    run.notice({ code: 'awaits-index', details: {} });
  });
  if (waited) run.searchFirst();
  await Promise.all([classify(run, dependencies), window]);
  const listed = await answerFromReferences(run);
  if (listed) return deliver(run, listed);
  const choice = await chooseStrategy(run, dependencies);
  run.emit({
    type: 'strategy-selected',
    strategy: choice.strategy,
    reason: choice.reason,
    ...(choice.relativeCost !== undefined && { relativeCost: choice.relativeCost }),
  });
  const execution = await follow(run, choice);
  noticeInjection(run);
  if (execution.stopped) return giveWhatThereIs(run, execution, execution.stopped);
  const answer = await criticiseWhole(run, await conclude(run, execution.results));
  if (!answer.abstained && answer.by === 'model')
    noticeAbsent(run, run.ledger.known(run.question.text), run.question.scope);
  deliver(run, answer);
}

/** *Null* is a verdict after looking (BELLE, arXiv 2505.11811, §3.1): a run that refuses was of that type. */
function nothingAnswersIt(run: RunState): void {
  run.classification = { type: 'null', probabilities: { null: 1 }, classifier: run.classification.classifier };
  run.emit({ type: 'question-classified', classification: run.classification });
}

/** Follow-ups are made to stand alone first: everything after works on the whole question. */
async function begin(run: RunState): Promise<void> {
  const asked = run.question.text;
  const { question, failure } = await standAlone(run, asked, run.question.history);
  run.question = { ...run.question, text: question };
  run.start(asked);
  if (failure !== undefined) run.notice({ code: 'not-rewritten', details: { said: reportError(failure).message } });
}

/** A classifier that fails costs the type, not the run: the question is then taken for the commonest kind. */
async function classify(run: RunState, { classifier }: ResearcherDependencies): Promise<void> {
  try {
    if (run.options.types)
      run.classification = await classifier.classify(run.question.text, run.signal, (usage, calls) =>
        run.budget.addCall(usage, calls),
      );
  } catch (error) {
    throwIfCancelled(error, run.signal);
    if (error instanceof BadReplyError) run.budget.addCall(error.usage, error.calls);
    run.notice({ code: 'not-classified', details: { said: reportError(error).message } });
  }
  run.emit({
    type: 'question-classified',
    classification: run.classification,
    ...(run.model && { usual: [...usualOperators(run.classification.type, run.options.operators)] }),
  });
}

async function chooseStrategy(run: RunState, dependencies: ResearcherDependencies): Promise<StrategyChoice> {
  const { selectStrategy, noteStrategy } = dependencies;
  const choice =
    settledStrategy(run) ?? (await selected(run, selectStrategy)) ?? defaultStrategy(run.classification, run.options);
  if (choice.origin === 'fixed') await noteStrategy?.(run, choice);
  return choice;
}

/** What was chosen; undefined where nobody chooses, or the choice failed, which is told. */
async function selected(run: RunState, select: SelectStrategy | undefined): Promise<StrategyChoice | undefined> {
  try {
    return await select?.(run);
  } catch (error) {
    throwIfCancelled(error, run.signal);
    run.notice({ code: 'no-strategy', details: { said: reportError(error).message } });
    return undefined;
  }
}

/** The plan of a run is told before its first step, whoever made it. */
function propose(run: RunState, plan: Plan): Plan {
  const cost = planCost(
    plan.steps.map((step) => step.operator),
    run.options,
    run.operators,
  );
  run.emit({ type: 'plan-proposed', plan: { ...plan, cost } });
  return plan;
}

/**
 * Runs the strategy that was chosen. An error that ends it is returned beside the results so far. @throws AbortError
 */
async function follow(run: RunState, choice: StrategyChoice): Promise<Execution> {
  try {
    const { route, reason, origin } = choice;
    if (route.kind !== 'custom') return await executePlan(run, propose(run, await planned(run, route, choice)));
    propose(run, {
      steps: planSteps(route.operators, run.operators),
      ...(route.vote && { vote: true }),
      origin,
      reason,
    });
    return { results: [await route.run(run, { question: run.question.text, final: true })] };
  } catch (error) {
    throwIfCancelled(error, run.signal);
    return { results: [], stopped: asError(error) };
  }
}

/**
 * The plan of a way that is no graph. A call that fails while it is made, by a debate or at once, costs the plan and
 * not the run: the usual one needs no call.
 */
async function planned(
  run: RunState,
  route: Exclude<StrategyRoute, { kind: 'custom' }>,
  { reason, origin }: StrategyChoice,
): Promise<Plan> {
  if (route.kind === 'operator') return { steps: planSteps([route.operator], run.operators), origin, reason };
  try {
    return await makePlan(run, route.debate);
  } catch (error) {
    const stopped = stopsRun(run, error);
    if (stopped && !(stopped instanceof BadRequestError)) throw stopped;
    return replaced(run, { said: reportError(error).message });
  }
}

/** A run that was stopped by its budget or by its model still answers: with what its steps found, else with quotes. */
async function giveWhatThereIs(run: RunState, execution: Execution, stopped: Error): Promise<void> {
  const spent = stopped instanceof BudgetExhaustedError;
  const { message: said } = reportError(stopped);
  run.notice({ code: spent ? 'budget-exhausted' : 'model-failed', details: { said } });
  const whole = execution.results.some((result) => result.draft)
    ? (await conclude(run, execution.results)).answer
    : undefined;
  const partial = whole ?? partialAnswer(run);
  if (partial?.short) deliver(run, partial);
  else {
    const { answer: quoted } = await extractive.run(run, {
      question: run.question.text,
      final: true,
    });
    const answer = quoted && !(quoted.abstained && partial) ? { ...quoted, subAnswers: [...run.subAnswers] } : partial;
    if (answer) deliver(run, answer);
  }
  if (!spent) throw stopped;
}

/** What a run that is out of time had found, without waiting for anything: whoever it waited for may never answer. */
export function giveAtOnce(run: RunState): void {
  const said = `This run has used its budget of ${run.budget.limits.seconds} seconds.`;
  run.notice({ code: 'budget-exhausted', details: { said } });
  const nearest = run.ledger.all;
  deliver(
    run,
    partialAnswer(run) ??
      run.quotes ??
      abstainedAnswer({
        refusal: 'part-looked-at',
        reason: 'The time was over before an answer was found.',
        nearest,
        chain: emptyChain,
        coverage: run.coverage,
        subAnswers: run.subAnswers,
        by: run.model ? 'model' : 'extractive',
      }),
  );
}

/** Streams an answer that has not been streamed yet, and sets it down. */
function deliver(run: RunState, answer: Answer): void {
  if (answer.abstained) nothingAnswersIt(run);
  if (!run.hasStreamed) for (const line of answer.text.split(/(?<=\n)/)) run.emit({ type: 'answer-delta', text: line });
  run.emit({ type: 'answer-end', answer });
}
