import type { LanguageModel } from '../language-model/language-model.ts';
import { isAbortError, reportError, type TimerClock, unlessAborted } from '#base';
import type { Question, Retriever } from '#search';
import type { ResearchEvent, UnstampedEvent } from '../domain/research-event.ts';
import type { QuestionClassifier } from '../classify/classifier-model.ts';
import { conductRun, giveAtOnce } from './conduct-run.ts';
import { partialAnswer } from './conclude.ts';
import type { RunRecord } from './node-record.ts';
import type { DecompositionExample } from '../operators/prompts/decompose.ts';
import type { ResearchOptions } from './research-options.ts';
import { RunState } from './run-state.ts';
import type { SelectStrategy } from './strategy-choice.ts';

/** Hands events from a run that pushes to a consumer that pulls; nothing is lost when the consumer is slower. */
class EventChannel<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** Ignored after {@link close}. */
  push(event: T): void {
    if (this.#closed) return;
    this.#events.push(event);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#closed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

export interface ResearcherDependencies {
  retriever: Retriever;
  /** undefined: answers are made of quotes. */
  model: LanguageModel | undefined;
  classifier: QuestionClassifier;
  /** undefined: the type's default plan, or the debate that is asked for. */
  selectStrategy?: SelectStrategy;
  /** Gets every node of a run, and its end, in the form of node-record.ts. */
  onNode?: (record: RunRecord) => void;
  /** Decompositions of earlier questions like this one, the most alike last: in-context examples. */
  examples?: (question: string, signal: AbortSignal) => Promise<readonly DecompositionExample[]>;
  /** Resolves when there is something to be searched, or as much as a question is to wait for; tells that it waits. */
  ready?: ((signal: AbortSignal, waits: () => void) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** As {@link TimerClock.later}, which it is where nothing else is given. */
  later?: TimerClock['later'];
  newId(): string;
}

export type Researcher = (
  question: Question,
  options: ResearchOptions,
  signal: AbortSignal,
) => AsyncIterable<ResearchEvent>;

/**
 * Seconds beyond its budget that a run gets to put together what it has found; then it ends with what there is, whoever
 * it still waits for.
 */
const GRACE = 0.8;
/** What timers can count to, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Makes runs. Whatever fails, a run's stream ends with exactly one of run-end, run-error, run-cancelled, and never
 * throws.
 */
export function createResearcher(dependencies: ResearcherDependencies): Researcher {
  return (question, options, signal) => research(dependencies, question, options, signal);
}

async function* research(
  dependencies: ResearcherDependencies,
  question: Question,
  options: ResearchOptions,
  signal: AbortSignal,
): AsyncGenerator<ResearchEvent> {
  const stopped = new AbortController(); // a consumer that leaves stops the run
  const late = new AbortController();
  const alarm = setTimeout(() => late.abort(), Math.min(LONGEST_TIMER, (options.budget.seconds + GRACE) * 1000));
  const channel = new EventChannel<ResearchEvent>();
  const runId = question.runId ?? dependencies.newId();
  const emit = (event: UnstampedEvent): void => {
    channel.push({ runId, time: dependencies.now(), ...event } as ResearchEvent);
    if (event.type === 'run-end' || event.type === 'run-error' || event.type === 'run-cancelled') channel.close(); // what is said after the end is dropped
  };
  const cancelled = AbortSignal.any([signal, stopped.signal]);
  const run = new RunState({
    ...dependencies,
    runId,
    options,
    question,
    signal: AbortSignal.any([cancelled, late.signal]),
    emit,
  });
  const running = toItsEnd(run, dependencies, cancelled).finally(() => clearTimeout(alarm));
  try {
    yield* channel;
  } finally {
    stopped.abort();
    await running;
  }
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
      const answer = partialAnswer(run);
      if (answer) run.emit({ type: 'answer-end', answer });
      run.emit({ type: 'run-cancelled', usage: run.budget.usage() });
    } else {
      run.emit({ type: 'run-error', error: reportError(error), usage: run.budget.usage() });
    }
  }
}
