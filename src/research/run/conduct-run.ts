import { z } from 'zod';
import { cutTo, reportError, throwIfCancelled } from '#base';
import type { Passage, PastTurn } from '#search';
import { type AskingContext, askStructured, promptOf } from '../context/ask-model.ts';
import type { QuestionClassifier } from '../classify/classifiers.ts';
import { BudgetExhaustedError } from '../context/research-options.ts';
import type { Answer } from '../domain/answer.ts';
import type { Plan } from '../domain/plan.ts';
import { BadReplyError, BadRequestError } from '../language-model/errors.ts';
import { checkReading } from '../check/check-reading.ts';
import { chainOptions } from '../loop/look-up.ts';
import { extractive } from '../operators/extractive.ts';
import { escapeForPrompt, speaksToModel } from '../evidence/fence.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import { endsOneCall, goOnWithout, type OperatorContext, type OperatorResult } from '../operators/operator.ts';
import { makePlan, type MadePlan, replaced, usualOperators } from '../plan/make-plan.ts';
import { planCost, planSteps } from '../plan/plan-form.ts';
import {
  defaultStrategy,
  type NoteStrategy,
  type SelectStrategy,
  settledStrategy,
  type StrategyChoice,
} from '../plan/strategy-choice.ts';
import { answerAtOnce, conclude, partialAnswer } from './conclude.ts';
import type { RunPorts, RunState } from './run-state.ts';

/** What runs work with, whatever is asked. */
export interface ResearcherDependencies extends Pick<
  RunPorts,
  'retriever' | 'model' | 'files' | 'onNode' | 'examples' | 'now' | 'later'
> {
  classifier: QuestionClassifier;
  /** undefined: a plan of the question's own, or the debate that is asked for. */
  selectStrategy?: SelectStrategy;
  /** undefined: what a person fixed teaches nobody anything. */
  noteStrategy?: NoteStrategy | undefined;
  /** Resolves when there is something to be searched, or as much as a question is to wait for; tells that it waits. */
  ready?: ((signal: AbortSignal, waits: () => void) => Promise<void>) | undefined;
  newId(): string;
}

interface Execution {
  results: OperatorResult[];
  /** What stopped it early: the budget, or a model that cannot be used any more. */
  stopped?: Error;
}

const TITLES = 16;
/** A lookup goes without a plan where classifier and trail are so sure. */
const SURE = { type: 0.6, place: 0.6 };

/** Classify, plan, execute, conclude. Rejects with what stopped it, after giving what it had found. */
export async function conductRun(run: RunState, dependencies: ResearcherDependencies): Promise<void> {
  const window = run.model?.learnWindow?.(); // meanwhile; before the first evidence it is known
  await begin(run);
  run.searchFirst(); // what has been read by now can be found by its words
  let waited = false;
  await dependencies.ready?.(run.signal, () => {
    waited = true;
    run.notice({ code: 'awaits-index', details: {} });
  });
  if (waited) run.searchFirst();
  searchAhead(run);
  await Promise.all([classify(run, dependencies), window]);
  const choice = await chooseStrategy(run, dependencies);
  const { strategy, reason, relativeCost } = choice;
  run.emit({ type: 'strategy-selected', strategy, reason, ...(relativeCost !== undefined && { relativeCost }) });
  const execution = await follow(run, choice);
  noticeInjection(run);
  if (execution.stopped) return giveWhatThereIs(run, execution, execution.stopped);
  deliver(run, await conclude(run, execution.results));
}

/** Follow-ups are made to stand alone first: everything after works on the whole question. */
async function begin(run: RunState): Promise<void> {
  const asked = run.question.text;
  const { question, failure } = await standAlone(run, asked, run.question.history);
  run.question = { ...run.question, text: question };
  run.start(asked);
  if (failure !== undefined) run.notice({ code: 'not-rewritten', details: { said: reportError(failure).message } });
}

const REWRITE_TOKENS = 250;
/** Turns that a follow-up can refer to, and characters of each answer. */
const TURNS = 3;
const ANSWER_LENGTH = 600;
/** A reply that is longer than this many times the question is no rewriting of it. */
const MOST_TIMES = 4;

const rewritten = z.object({ question: z.string() });

const REWRITE =
  'You rewrite the last question of a conversation so that it can be understood alone: names in the place of what ' +
  'refers to earlier turns. Keep its language, and change nothing else. If it stands alone already, repeat it. Do ' +
  'not answer it. Reply with JSON: {"question": "..."}';

const turnText = ({ question, answer }: PastTurn): string =>
  `Question: ${escapeForPrompt(question)}\nAnswer: ${cutTo(escapeForPrompt(answer), ANSWER_LENGTH)}`;

/** The question as it stands alone: rewritten where there were earlier turns and that succeeds. @throws AbortError */
export async function standAlone(
  context: AskingContext,
  question: string,
  history: readonly PastTurn[],
): Promise<{ question: string; failure?: unknown }> {
  if (history.length === 0 || !context.model) return { question };
  try {
    const { value } = await askStructured(context, {
      messages: promptOf(REWRITE, [...history.slice(-TURNS).map(turnText), `Last question: ${question}`]),
      name: 'standalone_question',
      schema: rewritten,
      maxTokens: REWRITE_TOKENS,
    });
    const alone = value.question.trim();
    return alone === '' || alone.length > Math.max(300, question.length * MOST_TIMES)
      ? { question }
      : { question: alone };
  } catch (error) {
    throwIfCancelled(error, context.signal);
    return { question, failure: error };
  }
}

/** The trail for the question, looked for meanwhile; the first step waits for it, and meets its error. */
function searchAhead(run: RunState): void {
  run.budget.addRetrieval();
  run.ledger.chains(run.question.text, chainOptions(run), run.signal).catch(() => undefined);
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
  tellType(run);
}

function tellType(run: RunState): void {
  const { classification, options } = run;
  const usual = run.model && { usual: [...usualOperators(classification.type, options.operators)] };
  run.emit({ type: 'question-classified', classification, ...usual });
}

async function chooseStrategy(run: RunState, dependencies: ResearcherDependencies): Promise<StrategyChoice> {
  const choice =
    settledStrategy(run) ??
    (await selected(run, dependencies.selectStrategy)) ??
    defaultStrategy(run.classification, run.options, await isPlainLookup(run));
  if (choice.origin === 'fixed') await dependencies.noteStrategy?.(run, choice);
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

/** A lookup whose place the first search is sure of needs no plan. Any other question does not wait for the trail. */
async function isPlainLookup(run: RunState): Promise<boolean> {
  const { type, probabilities } = run.classification;
  const isAllowed = run.options.operators.includes('adaptive-step') && run.options.debate === 'fast';
  if (type !== 'lookup' || (probabilities.lookup ?? 1) < SURE.type || !isAllowed) return false;
  const found = await run.ledger
    .chains(run.question.text, chainOptions(run), run.signal)
    .catch((error: unknown) => throwIfCancelled(error, run.signal));
  const [chain] = found?.chains ?? [];
  return chain !== undefined && chain.hops.length > 0 && chain.hops.length <= 2 && chain.completeness >= SURE.place;
}

/** Runs the strategy. An error that ends it is returned beside the results so far. @throws AbortError */
async function follow(run: RunState, choice: StrategyChoice): Promise<Execution> {
  try {
    const { route, reason, origin } = choice;
    if (route.kind === 'custom') {
      const steps = planSteps(route.operators);
      propose(run, { steps, ...(route.vote && { vote: true }), origin, reason });
      return { results: [await route.run(run, { question: run.question.text, final: true })] };
    }
    const made: MadePlan =
      route.kind === 'operator'
        ? { plan: { steps: planSteps([route.operator]), origin, reason } }
        : await planned(run, route.debate);
    if (made.type && made.type !== run.classification.type) {
      run.classification = { type: made.type, probabilities: { [made.type]: 1 }, classifier: 'zero-shot' };
      tellType(run);
    }
    return await executePlan(run, propose(run, made.plan), made.sent);
  } catch (error) {
    throwIfCancelled(error, run.signal);
    return { results: [], stopped: asError(error) };
  }
}

/** A plan, made with the first search's titles in view; the usual one, which needs no call, where a call fails. */
async function planned(run: RunState, mode: Parameters<typeof makePlan>[1]): Promise<MadePlan> {
  try {
    return await makePlan(run, mode, mode === 'off' ? [] : await titlesFor(run));
  } catch (error) {
    const stopped = stopsRun(run, error);
    if (stopped && !(stopped instanceof BadRequestError)) throw stopped;
    return { plan: replaced(run, { said: reportError(error).message }) };
  }
}

/** What a quick search finds: planning does not wait for the trail. All lists count, so that prompts are the same. */
async function titlesFor(run: RunState): Promise<Passage[]> {
  const { scope, text } = run.question;
  const options = { retriever: 'hybrid' as const, limit: TITLES, ...(scope && { filter: scope }) };
  const { hits } = await run.retriever.search(text, options, run.signal);
  return hits.map(({ passage }) => passage);
}

function propose(run: RunState, plan: Plan): Plan {
  const names = plan.steps.map((step) => step.operator);
  run.emit({ type: 'plan-proposed', plan: { ...plan, cost: planCost(names, run.options) } });
  return plan;
}

/** Runs operators in order, until one answers everything without missing or doubt. Rejects with AbortError only. */
async function executePlan(run: RunState, plan: Plan, split: MadePlan['sent']): Promise<Execution> {
  const execution: Execution = { results: [] };
  let failure: Error | undefined;
  for (const [i, step] of plan.steps.entries()) {
    const { operator, subQuestions } = step;
    try {
      const result = await operatorCalled(operator).run(run, {
        question: run.question.text,
        final: i === plan.steps.length - 1,
        ...(plan.queries && { queries: plan.queries }),
        ...(subQuestions && { subQuestions, split }),
      });
      execution.results.push(result);
      if (isComplete(run, result)) break;
    } catch (error) {
      const stopped = stopsRun(run, error);
      if (stopped) return { ...execution, stopped };
      failure = asError(error);
      goOnWithout(run, error);
    }
  }
  // When every step failed, that nothing was found would not be true: the last failure is what stopped the run.
  return failure !== undefined && execution.results.length === 0 ? { ...execution, stopped: failure } : execution;
}

function isComplete(run: RunState, { reading }: OperatorResult): boolean {
  if (!reading || reading.none || reading.missing.length > 0) return false;
  const checked = checkReading(reading, run.ledger, run.question.text);
  return checked.some(({ places }) => places.length > 0) && checked.every(({ support }) => support !== 'unsupported');
}

/** The error where it ends the run; undefined where the next step may fare better. @throws AbortError */
function stopsRun(context: OperatorContext, error: unknown): Error | undefined {
  throwIfCancelled(error, context.signal);
  return endsOneCall(error) ? undefined : asError(error);
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Tells people of passages that are written for a model; without one there is none to instruct. */
function noticeInjection(run: RunState): void {
  if (!run.model) return;
  const hostile = run.ledger.all.filter((passage) => speaksToModel(passage.text));
  const all = [...new Set(hostile.map((passage) => `${passage.path}:${passage.startLine}`))];
  if (all.length === 0) return;
  const places = all.slice(0, 3);
  run.notice({ code: 'speaks-to-model', details: { places, more: all.length - places.length } });
}

/** A run that was stopped by its budget or by its model still answers: with what its steps found, else with quotes. */
async function giveWhatThereIs(run: RunState, { results }: Execution, stopped: Error): Promise<void> {
  const spent = stopped instanceof BudgetExhaustedError;
  const { message: said } = reportError(stopped);
  run.notice({ code: spent ? 'budget-exhausted' : 'model-failed', details: { said } });
  const read = results.some(({ reading }) => reading && !reading.none);
  const found = read ? await conclude(run, results) : partialAnswer(run);
  if (found) deliver(run, found);
  else {
    const { answer } = await extractive.run(run, { question: run.question.text, final: true });
    if (answer) deliver(run, answer);
  }
  if (!spent) throw stopped;
}

export function giveAtOnce(run: RunState): void {
  const said = `This run has used its budget of ${run.budget.limits.seconds} seconds.`;
  run.notice({ code: 'budget-exhausted', details: { said } });
  deliver(run, answerAtOnce(run));
}

/** Streams an answer that has not been streamed yet, and sets it down. */
function deliver(run: RunState, answer: Answer): void {
  // *Null* is a verdict after looking (BELLE, arXiv 2505.11811, §3.1): a run that refuses was of that type.
  if (answer.abstained) {
    run.classification = { type: 'null', probabilities: { null: 1 }, classifier: run.classification.classifier };
    run.emit({ type: 'question-classified', classification: run.classification });
  }
  if (!run.hasStreamed)
    for (const line of answer.text.split(/(?<=\n)/u)) run.emit({ type: 'answer-delta', text: line });
  run.emit({ type: 'answer-end', answer });
}
