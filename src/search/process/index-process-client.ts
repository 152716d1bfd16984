import type { IndexConfig, IndexHints, IndexService } from '../indexer/index-service.ts';
import { reportError } from '#base';
import { type IndexState, UNKNOWN_INDEX } from '../domain/index-state.ts';
import type { ChainScorerWeights } from '../retrieval/chain-scorer.ts';
import type { ChainLearner } from '../retrieval/heads/chain-learner.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { ChildOptions } from './child-handle.ts';
import type { LogLevel, Method } from './messages.ts';
import { SupervisedProcess } from './supervised-process.ts';

export interface IndexProcessOptions extends ChildOptions {
  log(level: LogLevel, text: string): void;
}

/** The index process as the engine takes it, with what tests look at. */
export interface RunningIndexProcess {
  index: IndexService;
  retriever: Retriever;
  learner: ChainLearner;
  /** Tells of every change of state, a few times a second at most; returns how to stop. */
  onState(listener: (state: IndexState) => void): () => void;
  /** Ends the process in order, or after six seconds by force. */
  dispose(): Promise<void>;
  /** Its process id; undefined while none runs. */
  readonly pid: number | undefined;
}

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
  let updated: { hints?: IndexHints } | undefined;
  let paused = false;
  let learned: ChainScorerWeights | undefined;

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
    onRestarted: async (request) => {
      if (learned) await request('learner.use', [learned]);
      if (!config) return;
      await request('index.open', [config]);
      if (paused) await request('index.pause', []);
      if (updated)
        request('index.update', [updated]).catch((error: unknown) =>
          options.log('error', `the update could not go on: ${reportError(error).message}`),
        );
    },
    now: () => performance.now(),
    later: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  });

  /**
   * A call as the port has it, over to the process and back; replies come from our own code and have the port's types.
   */
  const call = <T>(method: Method, args: unknown[], signal?: AbortSignal): Promise<T> =>
    supervised.request(method, args, signal) as Promise<T>;

  const index: IndexService = {
    open: async (wanted) => {
      config = wanted;
      return call('index.open', [wanted]);
    },
    update: async (what, signal) => {
      updated = { hints: what.hints };
      return call('index.update', [what], signal);
    },
    filesChanged: (uris, signal) => call('index.filesChanged', [uris], signal),
    importPassages: (passages, signal) => call('index.importPassages', [passages], signal),
    pause: async () => {
      paused = true;
      return call('index.pause', []);
    },
    resume: async () => {
      paused = false;
      return call('index.resume', []);
    },
    state: () => call('index.state', []),
    report: () => call('index.report', []),
    passagesOf: (path) => call('index.passagesOf', [path]),
    close: async () => {
      config = undefined;
      updated = undefined;
      return call('index.close', []);
    },
  };
  const retriever: Retriever = {
    search: (query, how, signal) => call('retriever.search', [query, how], signal),
    chains: (question, how, signal) => call('retriever.chains', [question, how], signal),
    connect: (from, to, how, signal) => call('retriever.connect', [from, to, how], signal),
    passages: (ids) => call('retriever.passages', [ids]),
    embed: (texts, signal) => call('retriever.embed', [texts], signal),
    read: (question, ids, signal) => call('retriever.read', [question, ids], signal),
  };
  const learner: ChainLearner = {
    train: (trails, seed, signal) => call('learner.train', [trails, seed], signal),
    score: (weights, trails, signal) => call('learner.score', [weights ?? null, trails], signal),
    use: async (weights) => {
      learned = weights;
      return call('learner.use', [weights ?? null]);
    },
  };
  return {
    index,
    retriever,
    learner,
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
