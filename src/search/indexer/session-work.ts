import { type ErrorReport, reportError, SerialQueue } from '#base';
import { IndexDamagedError, NotTheWriterError, UnconfirmedDamageError } from '../store/storage-errors.ts';
import type { IndexBuild } from './index-build.ts';
import type { SessionMachine } from './session-machine.ts';
import type { SessionPorts } from './session-state.ts';

/** How often a piece of work is begun: a damaged index is replaced between two attempts. */
const MOST_ATTEMPTS = 3;
/**
 * Nothing must have happened for so long before the tables are tidied: edits wait while that lasts, half a minute per
 * 100,000 passages.
 */
const TIDY_AFTER_MS = 300_000;
/** Changes that could not be taken up are tried again so often, and with every other change. */
const RETRY_AFTER_MS = 30_000;

interface SessionWorkOptions {
  ports: Pick<SessionPorts, 'clock' | 'log' | 'progress' | 'idleMs'>;
  machine: SessionMachine;
  /** Aborted when the session is closed. */
  closing: AbortSignal;
  /** True while a person has paused the work: then nothing is done unasked. */
  paused(): boolean;
  /** Gives the lease up and goes on reading. Never rejects. */
  becomeReader(): Promise<void>;
  /** Called when changes that had failed were tried again. */
  changesRetried(): void;
}

/**
 * Long pieces of work of a session, one at a time, and what is done when nothing has happened for a while. What goes
 * wrong is told in the state as well as thrown; a lost lease and a damaged index are dealt with on the way.
 */
export class SessionWork {
  readonly #options: SessionWorkOptions;
  readonly #queue = new SerialQueue();
  /** Ends the work that runs when the index under it is found to be damaged; the work then begins anew. */
  #interrupt = new AbortController();
  #callOffIdle: () => void = () => undefined;
  /** The error of a change, or of the work that follows one, shown until the same work succeeds. */
  trouble: ErrorReport | undefined;

  constructor(options: SessionWorkOptions) {
    this.#options = options;
  }

  get idle(): boolean {
    return this.#queue.idle;
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** As `run`, without a second attempt, and nothing is told. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Makes the work that runs begin anew, on an index that takes the damaged one's place. */
  beginAnew(because: IndexDamagedError): void {
    this.#interrupt.abort(because);
  }

  tellTrouble(error: unknown): void {
    this.trouble = reportError(error);
    this.#options.ports.progress.tell({ error: this.trouble });
  }

  /** The error of an update is not cleared by that. */
  troubleIsOver(): void {
    const { progress } = this.#options.ports;
    if (this.trouble && progress.state().error === this.trouble) progress.tell({ error: undefined });
    this.trouble = undefined;
  }

  run<T>(task: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { ports, machine, closing } = this.#options;
    const outer = signal ? AbortSignal.any([signal, closing]) : closing;
    this.#callOffIdle();
    return this.#queue.run(async () => {
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
          if ((!damaged || attempt < MOST_ATTEMPTS) && (await this.recover(damaged ? cause : error))) continue;
          const told = damaged ? new UnconfirmedDamageError(cause, attempt > 1) : error;
          if (!(told instanceof NotTheWriterError)) this.#fail(told);
          throw told;
        } finally {
          this.scheduleIdle();
        }
      }
    });
  }

  /** Missing vectors are made after every change: with the next one that goes well, their trouble is over. */
  #fail(error: unknown): void {
    const { ports, machine } = this.#options;
    if (ports.progress.currentPhase === 'embedding' && !machine.growsBeside) this.tellTrouble(error);
    else ports.progress.tell({ error: reportError(error) });
    ports.progress.setPhase('failed');
  }

  /**
   * A lost lease makes this process a reader; a damaged generation is set aside and another begun. True: what failed
   * may be tried again. @throws what keeps another from being begun: that is told in the state as well
   */
  async recover(error: unknown): Promise<boolean> {
    const { machine, ports, closing, becomeReader } = this.#options;
    if (error instanceof NotTheWriterError && machine.build) await becomeReader();
    if (!(error instanceof IndexDamagedError) || !(await this.#isDamaged(error))) return false;
    try {
      await machine.replaceDamaged(error);
    } catch (failure) {
      if (closing.aborted) throw failure;
      // Nothing is open for writing any more: the next update tries again.
      await becomeReader();
      if (!(failure instanceof NotTheWriterError)) {
        ports.progress.tell({ error: reportError(failure), notices: [] });
        ports.progress.setPhase('failed');
      }
      throw failure;
    }
    ports.progress.tell({ notices: [{ code: 'damaged', details: {} }] });
    return true;
  }

  /** False for an error that does not come back, where everything can be read: that was no damage. */
  async #isDamaged(error: IndexDamagedError): Promise<boolean> {
    const { machine, ports, closing } = this.#options;
    try {
      await machine.build?.verify(closing);
      ports.log('warn', `a passing failure of the index: ${error.message}`);
      return false;
    } catch (found) {
      return found instanceof IndexDamagedError;
    }
  }

  callOffIdle(): void {
    this.#callOffIdle();
  }

  /** Begins to wait, anew, until nothing has happened for a while. */
  scheduleIdle(): void {
    const { ports, closing, machine, paused } = this.#options;
    this.#callOffIdle();
    if (closing.aborted) return;
    const buildNow = (): IndexBuild | undefined => (paused() ? undefined : machine.build);
    const wait = buildNow()?.changesFailed ? RETRY_AFTER_MS : (ports.idleMs ?? TIDY_AFTER_MS);
    this.#callOffIdle = ports.clock.later(wait, () => {
      const build = buildNow();
      if (!build || !this.idle) return;
      if (build.changesFailed) this.#retryChanges(build);
      else this.#tidyInBackground(build);
    });
  }

  #retryChanges(build: IndexBuild): void {
    const { ports, changesRetried } = this.#options;
    build
      .filesChanged([])
      .then(changesRetried, (error: unknown) =>
        ports.log('error', `changed files could not be taken up: ${String(error)}`),
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
    progress.tell({ bytes: await this.#options.machine.generations.layout.bytes() });
    const why = failure instanceof Error ? failure.message : String(failure);
    progress.notice('untidied', failure === undefined ? undefined : { why });
  }

  #tidyInBackground(build: IndexBuild): void {
    const { log } = this.#options.ports;
    this.alone(() => this.tidy(build))
      .catch(async (error: unknown) => {
        log('warn', `tidying the index failed: ${String(error)}`);
        await this.recover(error);
      })
      .catch((error: unknown) => log('error', `giving up the index failed: ${String(error)}`));
  }
}
