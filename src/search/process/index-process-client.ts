import { reportError, timerClock, unlessAborted } from '#base';
import { type IndexState, UNKNOWN_INDEX } from '../domain/index-state.ts';
import type { IndexConfig, UpdateOptions, IndexService } from '../indexer/index-service.ts';
import type { UnsavedText } from '../indexer/unsaved-texts.ts';
import { type ChildOptions, UnknownReplyError } from './child-handle.ts';
import { callingPorts, type LogLevel, type Method, type Ports } from './messages.ts';
import { SupervisedProcess } from './supervised-process.ts';

export interface IndexProcessOptions extends ChildOptions {
  log(level: LogLevel, text: string): void;
}

/** The index process as the engine takes it, with what tests look at. */
export interface RunningIndexProcess extends Ports {
  /** Tells of every change of state, a few times a second at most; returns how to stop. */
  onState(listener: (state: IndexState) => void): () => void;
  /** Ends the process in order, or after six seconds by force. */
  dispose(): Promise<void>;
  /** Its process id; undefined while none runs. */
  readonly pid: number | undefined;
}

const unknownReply = (method: Method, problem: string): Error => new UnknownReplyError(method, problem);

/**
 * The index process as the engine sees it. It starts with the first request. After a crash what was open is opened
 * again and the update goes on; what was being asked rejects with IndexProcessCrashedError. When it cannot be started,
 * every request rejects with IndexProcessUnavailableError, which says why, and tries once more.
 */
export function startIndexProcess(options: IndexProcessOptions): RunningIndexProcess {
  const listeners = new Set<(state: IndexState) => void>();
  let lastState = UNKNOWN_INDEX;
  /** What a new process has to be told. */
  let config: IndexConfig | undefined;
  let updated: Pick<UpdateOptions, 'hints' | 'watched'> | undefined;
  /** What editors show, by file. */
  const unsaved = new Map<string, UnsavedText>();
  let paused = false;

  const announce = (state: IndexState): void => {
    lastState = state;
    for (const listener of listeners) listener(state);
  };
  const supervised = new SupervisedProcess({
    ...options,
    purpose: () => config,
    onState: announce,
    onTrouble: (error) =>
      announce({
        ...lastState,
        phase: error.code === 'index-process-crashed' ? 'starting' : 'failed',
        error: reportError(error),
      }),
    onRestarted: async (ask) => {
      const { index } = callingPorts(ask, unknownReply);
      if (!config) return;
      // A person said once that another process is gone: whoever writes by now is there.
      const { takeOver: _, ...again } = config;
      config = again;
      await index.open(again);
      if (paused) await index.pause();
      if (unsaved.size > 0) await index.unsaved([...unsaved.values()]);
      if (updated)
        index
          .update(updated)
          .catch((error: unknown) => options.log('error', `the update could not go on: ${reportError(error).message}`));
    },
    ...timerClock,
  });

  const { index, retriever } = callingPorts(
    (method, args, signal) => supervised.request(method, args, signal),
    unknownReply,
  );
  return {
    // What a new process has to be told is kept on the way.
    index: {
      ...index,
      open: (wanted, signal) => {
        config = wanted;
        return index.open(wanted, signal);
      },
      update: (how, signal) => {
        updated = { hints: how.hints, ...(how.watched && { watched: true }) };
        return index.update(how, signal);
      },
      unsaved: (texts, signal) => {
        for (const shown of texts) {
          if (shown.text === null) unsaved.delete(shown.uri);
          else unsaved.set(shown.uri, shown);
        }
        return index.unsaved(texts, signal);
      },
      pause: (signal) => {
        paused = true;
        return index.pause(signal);
      },
      resume: (signal) => {
        paused = false;
        return index.resume(signal);
      },
      close: (signal) => {
        config = undefined;
        updated = undefined;
        unsaved.clear();
        return index.close(signal);
      },
    },
    retriever,
    get pid() {
      return supervised.pid;
    },
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => supervised.dispose(),
  };
}

/** Milliseconds that a question waits at most until its workspace was read for the first time. */
const LONGEST_WAIT = 15_000;

/**
 * Waits while a workspace is read for the first time, where that ends soon: who opens a folder and asks at once would
 * be told that nothing is there. Most of an index that can be searched is enough, as is one that nobody makes now.
 * @param waits Told once, where it has to be waited.
 */
export async function firstReading(
  { index, onState }: { index: Pick<IndexService, 'state'>; onState(listener: StateListener): () => void },
  signal: AbortSignal,
  waits: () => void,
): Promise<void> {
  const until = performance.now() + LONGEST_WAIT;
  const isWorthIt = (state: IndexState): boolean => endsSoon(state, until - performance.now());
  const now = await index.state(signal);
  if (!hasHardlyBegun(now) || !isWorthIt(now)) return;
  waits();
  let goOn = (): void => {};
  const over = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const look: StateListener = (state) => {
    if (!isWorthIt(state)) goOn();
  };
  const stop = onState(look);
  const alarm = setTimeout(goOn, LONGEST_WAIT);
  try {
    look(await index.state(signal)); // it may have ended before anybody listened
    await unlessAborted(over, signal);
  } finally {
    clearTimeout(alarm);
    stop();
  }
}

type StateListener = (state: IndexState) => void;

/** Less than half of what is there can be found by its meaning. */
const hasHardlyBegun = ({ coverage }: IndexState): boolean =>
  coverage.passages === 0 || coverage.embedded * 2 < coverage.passages;

/** Whether the index is being made and, as far as can be told, done in so many milliseconds. */
function endsSoon({ phase, missing, secondsLeft = 0, notices }: IndexState, milliseconds: number): boolean {
  if (missing) return false;
  if (phase === 'starting' || phase === 'reading') return true;
  // Whoever embeds while the computer is idle may do so tomorrow.
  return phase === 'embedding' && secondsLeft * 1000 <= milliseconds && !notices.some(({ code }) => code === 'waits');
}
