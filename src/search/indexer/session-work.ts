import { reportError, type SerialQueue } from '#base';
import { IndexDamagedError, NotTheWriterError, UnconfirmedDamageError } from '../store/storage-errors.ts';
import { type ChangeTrouble, withUntidied } from './notices.ts';
import type { Recovery } from './recovery.ts';
import type { SessionMachine } from './session-machine.ts';
import type { SessionPorts } from './session-state.ts';
import type { IndexBuild } from './index-build.ts';

/** How often a piece of work is begun: a damaged index is replaced between two attempts. */
const MOST_ATTEMPTS = 3;

interface SessionWorkOptions {
  ports: Pick<SessionPorts, 'progress'>;
  machine: SessionMachine;
  recovery: Recovery;
  /** Where long pieces of work wait for one another. */
  updates: SerialQueue;
  trouble: ChangeTrouble;
  idle: IdleWork;
  /** Aborted when the session is closed. */
  closing: AbortSignal;
}

/** Long pieces of work of a session, one at a time; what goes wrong is told in the state as well as thrown. */
export class SessionWork {
  readonly #options: SessionWorkOptions;
  /** Ends the work that runs when the index under it is found to be damaged; the work then begins anew. */
  #interrupt = new AbortController();

  constructor(options: SessionWorkOptions) {
    this.#options = options;
  }

  /** Makes the work that runs begin anew, on an index that takes the damaged one's place. */
  beginAnew(because: IndexDamagedError): void {
    this.#interrupt.abort(because);
  }

  run<T>(task: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { ports, machine, recovery, updates, idle, closing } = this.#options;
    const outer = signal ? AbortSignal.any([signal, closing]) : closing;
    idle.callOff();
    return updates.run(async () => {
      for (let attempt = 1; ; attempt++) {
        this.#interrupt = new AbortController();
        try {
          outer.throwIfAborted();
          return await task(AbortSignal.any([outer, this.#interrupt.signal]));
        } catch (error) {
          // What a reader fails at changes nothing: it goes on reading.
          if (machine.state.is === 'reader') throw outer.aborted ? (outer.reason as Error) : error;
          if (outer.aborted) {
            ports.progress.comeToRest();
            throw outer.reason as Error;
          }
          const cause: unknown = this.#interrupt.signal.aborted ? this.#interrupt.signal.reason : error;
          const damaged = cause instanceof IndexDamagedError;
          if ((!damaged || attempt < MOST_ATTEMPTS) && (await recovery.after(damaged ? cause : error))) continue;
          const told = damaged ? new UnconfirmedDamageError(cause, attempt > 1) : error;
          if (!(told instanceof NotTheWriterError)) this.#fail(told);
          throw told;
        } finally {
          if (!closing.aborted) idle.schedule();
        }
      }
    });
  }

  /** Missing vectors are made after every change: with the next one that goes well, their trouble is over. */
  #fail(error: unknown): void {
    const {
      ports: { progress },
      machine,
      trouble,
    } = this.#options;
    if (progress.currentPhase === 'embedding' && !machine.growsBeside) trouble.tell(reportError(error));
    else progress.tell({ error: reportError(error) });
    progress.setPhase('failed');
  }
}

/**
 * Nothing must have happened for so long before the tables are tidied: edits wait while that lasts, half a minute per
 * 100,000 passages.
 */
const TIDY_AFTER_MS = 300_000;
/** Changes that could not be taken up are tried again so often, and with every other change. */
const RETRY_AFTER_MS = 30_000;

interface IdleWorkOptions {
  ports: Pick<SessionPorts, 'clock' | 'log' | 'progress' | 'idleMs'>;
  /** Long pieces of work; nothing is idle while one runs. */
  updates: SerialQueue;
  /** What is written; undefined where nothing may be written, or not now. */
  build(): IndexBuild | undefined;
  /** Size of the index. */
  bytes(): Promise<number | undefined>;
  /** Called when changes that had failed were tried again. */
  changesRetried(): void;
  recovery: Recovery;
}

/** What is done when nothing has happened for a while. */
export class IdleWork {
  readonly #options: IdleWorkOptions;
  #callOffTimer: (() => void) | undefined;

  constructor(options: IdleWorkOptions) {
    this.#options = options;
  }

  callOff(): void {
    this.#callOffTimer?.();
  }

  /** Begins to wait, anew. */
  schedule(): void {
    this.callOff();
    const { ports, updates } = this.#options;
    const wait = this.#options.build()?.changesFailed ? RETRY_AFTER_MS : (ports.idleMs ?? TIDY_AFTER_MS);
    this.#callOffTimer = ports.clock.later(wait, () => {
      const build = this.#options.build();
      if (!build || !updates.idle) return;
      if (build.changesFailed) this.#retryChanges(build);
      else this.#tidyInBackground(build);
    });
  }

  #retryChanges(build: IndexBuild): void {
    build.filesChanged([]).then(
      () => this.#options.changesRetried(),
      (error: unknown) => this.#options.ports.log('error', `changed files could not be taken up: ${String(error)}`),
    );
  }

  /**
   * Tidies the tables where that is worth it. A failure is a warning: what they hold can be read and written as before.
   * @throws NotTheWriterError
   */
  async tidy(build: IndexBuild): Promise<void> {
    const { log, progress } = this.#options.ports;
    let failure: unknown;
    try {
      await build.upkeep();
    } catch (error) {
      if (error instanceof NotTheWriterError) throw error;
      log('warn', `tidying the index failed: ${String(error)}`);
      failure = error;
    }
    const bytes = await this.#options.bytes();
    const { notices } = progress.state();
    const changed = failure !== undefined || notices.some(({ code }) => code === 'untidied');
    progress.tell({ bytes, ...(changed && { notices: withUntidied(notices, failure) }) });
  }

  #tidyInBackground(build: IndexBuild): void {
    const { ports, updates } = this.#options;
    updates
      .run(() => this.tidy(build))
      .catch(async (error: unknown) => {
        ports.log('warn', `tidying the index failed: ${String(error)}`);
        await this.#options.recovery.after(error);
      })
      .catch((error: unknown) => ports.log('error', `giving up the index failed: ${String(error)}`));
  }
}
