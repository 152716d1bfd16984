import { setMaxListeners } from 'node:events';
import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { isAbortError, reportError, unlessAborted } from '#base';
import type { Question } from '#search';
import type { ResearchEvent, UnstampedEvent } from '../domain/research-event.ts';
import { conductRun, giveAtOnce, type ResearcherDependencies, standAlone } from './conduct-run.ts';
import { partialAnswer } from './conclude.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import { extractive } from '../operators/extractive.ts';
import { RunState } from './run-state.ts';

/** Seconds beyond its budget in which a run puts together what it has found, whoever has not replied. */
const GRACE = 0.8;
/** Calls of one run that wait at once: looks run side by side. */
const MOST_WAITING = 200;
const LONGEST_TIMER = 2 ** 31 - 1;

/** Makes runs. Their streams end with exactly one of run-end, run-error, run-cancelled, and never throw. */
export function createResearcher(dependencies: ResearcherDependencies) {
  return async function* research(
    question: Question,
    options: ResearchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<ResearchEvent> {
    const stopped = new AbortController(); // a consumer that leaves stops the run
    const late = new AbortController();
    const alarm = setTimeout(() => late.abort(), Math.min(LONGEST_TIMER, (options.budget.seconds + GRACE) * 1000));
    let isOver = false;
    let feed: ReadableStreamDefaultController<ResearchEvent> | undefined;
    const events = new ReadableStream<ResearchEvent>({
      start: (controller) => void (feed = controller),
      cancel: () => stopped.abort(),
    });
    const runId = question.runId ?? dependencies.newId();
    const emit = (event: UnstampedEvent): void => {
      if (isOver || stopped.signal.aborted) return; // what is said after the end, or to nobody, is dropped
      feed?.enqueue({ runId, time: dependencies.now(), ...event });
      isOver = event.type === 'run-end' || event.type === 'run-error' || event.type === 'run-cancelled';
      if (isOver) feed?.close();
    };
    const cancelled = AbortSignal.any([signal, stopped.signal]);
    const ending = AbortSignal.any([cancelled, late.signal]);
    setMaxListeners(MOST_WAITING, ending);
    const silent = (run: RunState): void => void quoteMeanwhile(run);
    const run = new RunState({ ...dependencies, runId, options, question, signal: ending, emit, silent });
    const running = toItsEnd(run, dependencies, cancelled).finally(() => clearTimeout(alarm));
    try {
      yield* events;
    } finally {
      stopped.abort();
      await running;
    }
  };
}

async function toItsEnd(run: RunState, dependencies: ResearcherDependencies, cancelled: AbortSignal): Promise<void> {
  try {
    await unlessAborted(conductRun(run, dependencies), run.signal);
    run.emit({ type: 'run-end', usage: run.budget.usage() });
  } catch (error) {
    run.start(run.question.text); // when nothing was said yet: a run begins with its start, whatever fails
    if (run.signal.aborted && !cancelled.aborted) {
      giveAtOnce(run);
      run.emit({ type: 'run-end', usage: run.budget.usage() });
    } else if (run.signal.aborted || isAbortError(error)) {
      const answer = partialAnswer(run) ?? run.quotes;
      if (answer) run.emit({ type: 'answer-end', answer });
      run.emit({ type: 'run-cancelled', usage: run.budget.usage() });
    } else {
      run.emit({ type: 'run-error', error: reportError(error), usage: run.budget.usage() });
    }
  }
}

/** Shows quotes where a model is silent and somebody watches. What fails here is kept quiet: the run meets it, too. */
async function quoteMeanwhile(run: RunState): Promise<void> {
  if (!run.options.firstHits || run.hasStreamed) return;
  const aside = run.aside();
  try {
    const { text, history } = aside.question;
    const { question } = await standAlone(aside, text, history); // it may be what the model is silent about
    aside.question = { ...aside.question, text: question };
    const { answer } = await extractive.run(aside, { question, final: true });
    if (answer && !answer.abstained && !aside.signal.aborted) run.emit({ type: 'quotes-meanwhile', answer });
  } catch {
    // The run goes on without them.
  }
}
