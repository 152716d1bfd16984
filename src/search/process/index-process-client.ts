import { isDeepStrictEqual } from 'node:util';
import { reportError, timerClock, unlessAborted } from '#base';
import { type IndexState, UNKNOWN_INDEX } from '../domain/index-state.ts';
import type { IndexConfig, UpdateOptions, IndexService } from '../indexer/index-service.ts';
import type { UnsavedText } from '../indexer/unsaved-texts.ts';
import { DaemonConnection } from './daemon-connection.ts';
import { callingPorts, type LogLevel, type Method, type Ports } from './messages.ts';
import { type DaemonOptions, UnknownReplyError } from './start-daemon.ts';
import { isWorthWaitingFor } from './worth-waiting.ts';

export interface IndexProcessOptions extends DaemonOptions {
  log(level: LogLevel, text: string): void;
}

/** The daemon of an index as the engine takes it, with what tests look at. */
export interface RunningIndexProcess extends Ports {
  /** Tells of every change of state, a few times a second at most; returns how to stop. */
  onState(listener: (state: IndexState) => void): () => void;
  /** Leaves the daemon, which ends once nobody uses it for a while. */
  dispose(): Promise<void>;
  /** Process id of the daemon; undefined while none is joined. Others may use it, too. */
  readonly pid: number | undefined;
}

const unknownReply = (method: Method, problem: string): Error => new UnknownReplyError(method, problem);

/**
 * The daemon of an index as the engine sees it. It is joined, or started, when an index is opened. After a crash what
 * was open is opened again, what was asked is asked again, and the update goes on. When it cannot be started, every
 * request rejects with IndexProcessUnavailableError, which says why, and tries once more.
 */
export function startIndexProcess(options: IndexProcessOptions): RunningIndexProcess {
  const listeners = new Set<(state: IndexState) => void>();
  let lastState = UNKNOWN_INDEX;
  /** What a new daemon has to be told. */
  let config: IndexConfig | undefined;
  let updated: Pick<UpdateOptions, 'hints' | 'watched'> | undefined;
  /** What editors show, by file. */
  const unsaved = new Map<string, UnsavedText>();
  let paused = false;

  const announce = (state: IndexState): void => {
    lastState = state;
    for (const listener of listeners) listener(state);
  };
  const connection = new DaemonConnection({
    ...options,
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
      announce(await index.open(config));
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
    (method, args, signal) => connection.request(method, args, signal),
    unknownReply,
  );
  return {
    // What a new daemon has to be told is kept on the way.
    index: {
      ...index,
      open: async (wanted, signal) => {
        if (!isDeepStrictEqual(config, wanted)) {
          updated = undefined;
          unsaved.clear();
          connection.use(wanted);
        }
        // A person said once that another machine is gone: whoever writes by now is there.
        const { takeOver: _, ...again } = wanted;
        config = again;
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
      state: (signal) => (config ? index.state(signal) : Promise.resolve(lastState)),
      close: () => {
        config = undefined;
        updated = undefined;
        unsaved.clear();
        connection.use(undefined);
        return Promise.resolve();
      },
    },
    retriever,
    get pid() {
      return connection.pid;
    },
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

/** Milliseconds that a question waits at most until its workspace was read for the first time. */
const LONGEST_WAIT = 30_000;

/**
 * Waits while a workspace is read for the first time: who opens a folder and asks at once would be told that nothing is
 * there. Most of an index is enough, as is one that nobody makes now.
 * @param waits Told once, where it has to be waited.
 */
export async function firstReading(
  { index, onState }: { index: Pick<IndexService, 'state'>; onState(listener: StateListener): () => void },
  signal: AbortSignal,
  waits: () => void,
): Promise<void> {
  const now = await index.state(signal);
  if (!hasHardlyBegun(now) || !isWorthWaitingFor(now)) return;
  waits();
  let goOn = (): void => {};
  const over = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const look: StateListener = (state) => {
    if (!isWorthWaitingFor(state)) goOn();
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
