import { type TimerClock, unlessAborted } from '#base';
import type { IndexState } from '../domain/index-state.ts';
import type { IndexConfig } from '../indexer/index-service.ts';
import { type DaemonLink, joinDaemon } from './join-daemon.ts';
import type { FromDaemon, LogLevel, Method } from './messages.ts';
import {
  type DaemonOptions,
  IndexProcessCrashedError,
  IndexProcessError,
  IndexProcessUnavailableError,
} from './start-daemon.ts';

/** Sends a request; resolves to what comes back, unchecked. */
type Ask = (method: Method, args: unknown[], signal?: AbortSignal) => Promise<unknown>;

interface ConnectionOptions extends DaemonOptions, TimerClock {
  log(level: LogLevel, text: string): void;
  onState(state: IndexState): void;
  /**
   * Called on a daemon that took the place of another, before anybody else may ask it anything. Where it rejects, so
   * does what waits for that daemon, and the next request has it called again.
   */
  onRestarted(request: Ask): Promise<void>;
  /** Called when the daemon was lost and is looked for again, and when that is given up. */
  onTrouble(error: IndexProcessCrashedError | IndexProcessUnavailableError): void;
}

interface Run {
  link: DaemonLink;
  waiting: Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** A connection that lasted so long was healthy: the next crash is counted from one again. */
const HEALTHY_MS = 60_000;
const MOST_CRASHES = 6;
/** A request that was on its way when daemons were lost is asked so often: it may be what ends them. */
const MOST_ASKED = 3;

/** The daemon that was asked is gone: what was asked is asked again of the next one. */
class AskAgainError extends Error {
  readonly crashed: boolean;
  constructor(crashed: boolean) {
    super('the index process is gone');
    this.crashed = crashed;
  }
}
const wasClosed = (): Error => new IndexProcessUnavailableError('it was closed', 'Reload the window.');

/** Keeps the daemon of one index at hand: joins or starts it on first use, and again when it is lost. */
export class DaemonConnection {
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  #config: IndexConfig | undefined;
  #run: Promise<Run> | undefined;
  #link: DaemonLink | undefined;
  /** A daemon that took the place of another and could not be told what that one knew. */
  #untold: Run | undefined;
  #joinedAt = 0;
  #crashes = 0;
  /** True once this index was joined: from then on a new daemon is told what the one before knew. */
  #known = false;
  #nextId = 1;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Of the daemon that is joined; undefined while none is. */
  get pid(): number | undefined {
    return this.#link?.pid;
  }

  /** Which index is meant from now on; undefined: none. The daemon of another one is left. */
  use(config: IndexConfig | undefined): void {
    this.#config = config;
    this.#known = false;
    this.#untold = undefined;
    this.#run = undefined;
    const link = this.#link;
    this.#link = undefined;
    link?.close();
  }

  /**
   * Asks the daemon; the arguments are checked over there. Rejects with AbortError when aborted, with the daemon's
   * error when it fails, and with IndexProcessCrashedError when daemons keep ending over it.
   */
  async request(method: Method, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    for (let lost = 0; ;) {
      signal?.throwIfAborted();
      if (this.#closing.signal.aborted) throw wasClosed();
      this.#run ??= this.#untold ? this.#tell(this.#untold) : this.#join();
      const run = this.#run;
      try {
        return await this.#ask(await (signal ? unlessAborted(run, signal) : run), method, args, signal);
      } catch (error) {
        if (!(error instanceof AskAgainError)) throw error;
        if (error.crashed && ++lost === MOST_ASKED) throw new IndexProcessCrashedError(`it was asked for ${method}`);
      }
    }
  }

  #ask(run: Run, method: Method, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (run.link !== this.#link) return Promise.reject(new AskAgainError(false));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        run.link.send({ type: 'cancel', id });
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
      run.link.send({ type: 'request', id, method, args });
    });
  }

  /** Joins the daemon, after a while where one was just lost, and tells it what the one before knew. */
  #join(waitMs = 0): Promise<Run> {
    const joining = this.#joined(waitMs);
    joining.catch(() => {
      if (this.#run === joining) this.#run = undefined; // whoever asks gets the error, and who asks next tries again
    });
    return joining;
  }

  async #joined(waitMs: number): Promise<Run> {
    const config = this.#config;
    if (!config) throw new Error('open() comes first');
    if (waitMs > 0) await this.#wait(waitMs);
    const waiting: Run['waiting'] = new Map();
    let link: DaemonLink | undefined;
    const listeners = {
      message: (message: FromDaemon) => this.#hear(message, waiting),
      ended: (leaving: boolean) => link && this.#ended({ link, waiting }, leaving),
    };
    const again = this.#known;
    try {
      link = await joinDaemon(this.#options, { config, again }, listeners, this.#closing.signal);
    } catch (error) {
      if (this.#closing.signal.aborted) throw wasClosed();
      if (again && error instanceof IndexProcessUnavailableError) this.#options.onTrouble(error);
      throw error;
    }
    if (this.#closing.signal.aborted || config !== this.#config) {
      link.close();
      throw this.#closing.signal.aborted ? wasClosed() : new AskAgainError(false);
    }
    this.#joinedAt = this.#options.now();
    this.#link = link;
    this.#known = true;
    const run = { link, waiting };
    return again ? this.#tell(run) : run;
  }

  async #tell(run: Run): Promise<Run> {
    try {
      await this.#options.onRestarted((method, args, signal) => this.#ask(run, method, args, signal));
      this.#untold = undefined;
      return run;
    } catch (error) {
      // It lives, and what it could not open may be there the next time: the network, say, or another setting.
      if (run.link === this.#link) [this.#run, this.#untold] = [undefined, run];
      throw error;
    }
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      const end = (): void => {
        callOff();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const callOff = this.#options.later(ms, end);
      signal.addEventListener('abort', end);
    });
  }

  #hear(message: FromDaemon, waiting: Run['waiting']): void {
    switch (message.type) {
      case 'result':
        return waiting.get(message.id)?.resolve(message.value);
      case 'failure': {
        const { aborted, error } = message;
        return waiting
          .get(message.id)
          ?.reject(aborted ? new DOMException(error.message, 'AbortError') : new IndexProcessError(error));
      }
      case 'state':
        return this.#options.onState(message.state);
      case 'log':
        return this.#options.log(message.level, message.text);
      default: // of the handshake, which is over
    }
  }

  /** The daemon is gone. What it had not answered is asked of the next one. */
  #ended({ link, waiting }: Run, leaving: boolean): void {
    const isClosed = this.#closing.signal.aborted;
    const rejectAll = (error: Error): void => {
      for (const { reject } of waiting.values()) reject(error);
    };
    if (isClosed || link !== this.#link) return rejectAll(isClosed ? wasClosed() : new AskAgainError(false));
    this.#link = undefined;
    this.#untold = undefined;
    if (leaving) {
      this.#options.log('info', 'the index process ends: another one is joined');
      this.#run = this.#join();
      return rejectAll(new AskAgainError(false));
    }
    if (this.#options.now() - this.#joinedAt > HEALTHY_MS) this.#crashes = 0;
    this.#crashes += 1;
    const crashed = new IndexProcessCrashedError('the connection broke');
    this.#options.log('error', crashed.message);
    if (this.#crashes >= MOST_CRASHES) {
      const unavailable = new IndexProcessUnavailableError('it keeps ending', 'Look into the log for what it said.');
      this.#run = undefined; // the next request tries again
      this.#crashes = 0;
      rejectAll(unavailable);
      return this.#options.onTrouble(unavailable);
    }
    this.#options.onTrouble(crashed);
    this.#run = this.#join(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#crashes - 1)));
    rejectAll(new AskAgainError(true));
  }

  /** Leaves the daemon. */
  close(): void {
    this.#closing.abort();
    this.#link?.close();
  }
}
