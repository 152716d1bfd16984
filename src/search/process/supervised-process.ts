import { type TimerClock, unlessAborted } from '#base';
import {
  ChildHandle,
  type ChildListeners,
  type ChildOptions,
  type ProcessHandle,
  explainFailedStart,
  IndexProcessCrashedError,
  IndexProcessError,
  IndexProcessUnavailableError,
} from './child-handle.ts';
import type { LogLevel, Method } from './messages.ts';
import type { IndexState } from '../domain/index-state.ts';
import type { NotSharedError } from './sharing/meeting-point.ts';
import { joinProcess } from './sharing/join-process.ts';

/** Sends a request; resolves to what comes back, unchecked. */
type Ask = (method: Method, args: unknown[], signal?: AbortSignal) => Promise<unknown>;

interface SupervisorOptions extends ChildOptions, TimerClock {
  log(level: LogLevel, text: string): void;
  onState(state: IndexState): void;
  /**
   * Called on a process that took the place of one that crashed, before anybody else may ask it anything; where it
   * rejects, so does what waits for that process, and the next request has it called again.
   */
  onRestarted(request: Ask): Promise<void>;
  /** Called when the process crashed and is started again, and when that is given up. */
  onTrouble(error: IndexProcessCrashedError | IndexProcessUnavailableError): void;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface Run {
  /** Undefined while one is looked for. */
  child?: ProcessHandle;
  ready: boolean;
  waiting: Map<number, Waiting>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** A process that lived this long was healthy: the next crash is counted from one again. */
const HEALTHY_MS = 60_000;
const MOST_CRASHES = 6;
const GRACE_MS = 6_000;

/** The shared process that was asked is gone, or does not do this: what was asked is asked again of the next one. */
class AskAgainError extends Error {}
/** A shared process that was lost so often is looked for no more. */
const MOST_LOST = 3;
const wasClosed = (): Error => new IndexProcessUnavailableError('it was closed', 'Reload the window.');
const NOT_SHARED: NotSharedError['code'] = 'index-process-not-shared';

/**
 * Keeps one index process at hand: that of somebody else who writes the same index, where there is one that lets us in,
 * or else a child, started on first use, started again after a crash, given up after several in a row.
 */
export class SupervisedProcess {
  readonly #options: SupervisorOptions;
  #run: Promise<Run> | undefined;
  /** A process that took the place of another and could not be told what that one knew. */
  #untold: Run | undefined;
  #startedAt = 0;
  #crashes = 0;
  /** True when a process has come up at least once. */
  #everReady = false;
  #nextId = 1;
  #disposed = false;
  #callOffRestart: (() => void) | undefined;
  /** Shared processes that were lost. */
  #lost = 0;
  /** Every process that has not ended yet. */
  readonly #children = new Set<ProcessHandle>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Id of the child that runs; undefined while none does, and where the process is somebody else's. */
  get pid(): number | undefined {
    return [...this.#children].at(-1)?.pid;
  }

  /**
   * Asks the process, starting it if need be; the arguments are checked over there. Rejects with AbortError when
   * aborted, with the process's error when it fails.
   */
  async request(method: Method, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#disposed) throw wasClosed();
    // After several crashes in a row the next request tries again, on a process that is told what the earlier ones
    // knew.
    for (;;) {
      this.#run ??= this.#untold ? this.#tell(this.#untold) : this.#everReady ? this.#restart(0) : this.#start(0);
      try {
        const run = await (signal ? unlessAborted(this.#run, signal) : this.#run);
        return await this.#ask(run, method, args, signal);
      } catch (error) {
        if (!(error instanceof AskAgainError)) throw error;
      }
    }
  }

  #ask(run: Run, method: Method, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        run.child?.send({ type: 'cancel', id });
        settle(() => reject(signal?.reason as Error));
      };
      const settle = (how: () => void): void => {
        signal?.removeEventListener('abort', onAbort);
        run.waiting.delete(id);
        how();
      };
      run.waiting.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      run.child?.send({ type: 'request', id, method, args });
    });
  }

  #start(waitMs: number): Promise<Run> {
    const starting = new Promise<Run>((resolve, reject) => {
      const begin = (): void => void this.#begin(resolve, reject).catch(reject);
      if (waitMs === 0) return begin();
      const callOff = this.#options.later(waitMs, begin);
      this.#callOffRestart = () => {
        callOff();
        reject(wasClosed());
      };
    });
    starting.catch(() => undefined); // whoever asks gets the error
    return starting;
  }

  async #begin(resolve: (run: Run) => void, reject: (error: Error) => void): Promise<void> {
    if (this.#disposed) return reject(wasClosed());
    this.#startedAt = this.#options.now();
    const run: Run = { ready: false, waiting: new Map() };
    const listeners: ChildListeners = {
      message: (message) => {
        switch (message.type) {
          case 'ready':
            run.ready = true;
            this.#everReady = true;
            if (run.child) resolve(run);
            return;
          case 'result':
            return run.waiting.get(message.id)?.resolve(message.value);
          case 'failure':
            // Of a shared process: one of our own is asked, now and from now on.
            if (message.error.code === NOT_SHARED) {
              this.#lost = MOST_LOST;
              return void run.child?.stop(0);
            }
            return run.waiting
              .get(message.id)
              ?.reject(
                message.aborted
                  ? new DOMException(message.error.message, 'AbortError')
                  : new IndexProcessError(message.error),
              );
          case 'state':
            return this.#options.onState(message.state);
          case 'log':
            return this.#options.log(message.level, message.text);
        }
      },
      log: (level, text) => this.#options.log(level, text),
      exit: (how, lastWords) => {
        if (run.child) this.#children.delete(run.child);
        this.#ended(run, how, lastWords, reject);
      },
    };
    const joined = await this.#join(listeners);
    if (this.#disposed) {
      await joined?.stop(0);
      return reject(wasClosed());
    }
    run.child = joined ?? new ChildHandle(this.#options, listeners);
    this.#children.add(run.child);
    if (run.ready) resolve(run);
  }

  /** The process of somebody else who writes this index; undefined where there is none, or none is wanted. */
  async #join(listeners: ChildListeners): Promise<ProcessHandle | undefined> {
    const { socketFolder, purpose } = this.#options;
    const wanted = purpose?.();
    if (socketFolder === undefined || !wanted || this.#lost >= MOST_LOST) return undefined;
    const joined = await joinProcess(socketFolder, this.#options, wanted, listeners);
    if (joined) this.#options.log('info', 'another index process keeps this index: it is used here, too');
    return joined;
  }

  #ended(run: Run, how: string, lastWords: string, failStart: (error: Error) => void): void {
    if (this.#disposed) {
      failStart(wasClosed());
      for (const { reject } of run.waiting.values()) reject(wasClosed());
      return;
    }
    this.#untold = undefined;
    if (run.child?.shared) return this.#lostShared(run, how);
    if (this.#options.now() - this.#startedAt > HEALTHY_MS) this.#crashes = 0;
    this.#crashes += 1;
    const crashed = new IndexProcessCrashedError(how);
    this.#options.log('error', `${crashed.message} ${lastWords}`.trim());
    for (const { reject } of run.waiting.values()) reject(crashed);

    // One that never came up will not come up by trying often; one that keeps crashing should be left alone.
    if (!run.ready || this.#crashes >= MOST_CRASHES) {
      const { why, advice } = explainFailedStart(how, lastWords);
      const unavailable = new IndexProcessUnavailableError(run.ready ? `it keeps ending (${why})` : why, advice);
      this.#run = undefined; // the next request tries again
      this.#crashes = 0;
      failStart(unavailable);
      this.#options.onTrouble(unavailable);
      return;
    }
    this.#options.onTrouble(crashed);
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#crashes - 1));
    const restarted = this.#restart(waitMs);
    restarted.catch((error: unknown) => {
      if (!this.#disposed)
        this.#options.log('error', `after the restart: ${error instanceof Error ? error.message : String(error)}`);
    });
    this.#run = restarted;
  }

  /** Nothing of ours crashed: the next one is told what this one knew, and asked what it had not answered. */
  #lostShared(run: Run, how: string): void {
    this.#lost += 1;
    this.#options.log('info', how);
    this.#run = this.#restart(0);
    this.#run.catch(() => undefined); // whoever asks gets the error
    for (const { reject } of run.waiting.values()) reject(new AskAgainError(how));
  }

  /** A new process, told what the one before it knew. */
  async #restart(waitMs: number): Promise<Run> {
    return this.#tell(await this.#start(waitMs));
  }

  async #tell(run: Run): Promise<Run> {
    try {
      await this.#options.onRestarted((method, args, signal) => this.#ask(run, method, args, signal));
      this.#untold = undefined;
      return run;
    } catch (error) {
      // It lives, and what it could not open may be there the next time: the network, say, or another setting.
      if (run.child && this.#children.has(run.child)) [this.#run, this.#untold] = [undefined, run];
      throw error;
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#callOffRestart?.();
    await Promise.all([...this.#children].map((child) => child.stop(GRACE_MS)));
  }
}
