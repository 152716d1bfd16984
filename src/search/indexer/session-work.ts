import { reportError, type SerialQueue } from '#base';
import { IndexDamagedError, NotTheWriterError, UnconfirmedDamageError } from '../store/storage-errors.ts';
import type { PauseGate } from './pause-gate.ts';
import type { ChangeTrouble } from './notices.ts';
import type { DamageCheck } from './generations.ts';
import type { IdleWork } from './idle-work.ts';
import type { SessionPorts } from './index-session.ts';
import type { SessionBuilds } from './session-builds.ts';

/** How often a piece of work is begun: a damaged index is replaced between two attempts. */
const MOST_ATTEMPTS = 3;

export interface SessionWorkOptions {
  ports: Pick<SessionPorts, 'progress'>;
  builds: SessionBuilds;
  gate: PauseGate;
  /** Where long pieces of work wait for one another. */
  updates: SerialQueue;
  damage: DamageCheck;
  trouble: ChangeTrouble;
  idle: IdleWork;
  /** Aborted when the session is closed. */
  closing: AbortSignal;
  /** Called when the index turns out to be another window's to write. */
  stepDown(): Promise<void>;
}

/** Long pieces of work of a session, one at a time; what goes wrong is told in the state as well as thrown. */
export class SessionWork {
  private readonly options: SessionWorkOptions;
  /** Ends the work that runs when the index under it is found to be damaged; the work then begins anew. */
  private interrupt = new AbortController();

  constructor(options: SessionWorkOptions) {
    this.options = options;
  }

  /** Makes the work that runs begin anew, on an index that takes the damaged one's place. */
  beginAnew(because: IndexDamagedError): void {
    this.interrupt.abort(because);
  }

  run<T>(task: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { ports, gate, updates, idle, closing } = this.options;
    const outer = signal ? AbortSignal.any([signal, closing]) : closing;
    idle.callOff();
    return updates.run(async () => {
      for (let attempt = 1; ; attempt++) {
        outer.throwIfAborted();
        this.interrupt = new AbortController();
        try {
          return await task(AbortSignal.any([outer, this.interrupt.signal]));
        } catch (error) {
          // What a reader fails at changes nothing: it goes on following.
          if (ports.progress.currentPhase === 'read-only') throw outer.aborted ? (outer.reason as Error) : error;
          if (outer.aborted) {
            ports.progress.setPhase(gate.paused ? 'paused' : 'ready');
            throw outer.reason as Error;
          }
          const cause: unknown = this.interrupt.signal.aborted ? this.interrupt.signal.reason : error;
          if (cause instanceof IndexDamagedError && attempt < MOST_ATTEMPTS && (await this.replaced(cause))) continue;
          const told = cause instanceof IndexDamagedError ? new UnconfirmedDamageError(cause, attempt > 1) : error;
          if (told instanceof NotTheWriterError) await this.options.stepDown();
          else this.fail(told);
          throw told;
        } finally {
          if (!closing.aborted) idle.schedule();
        }
      }
    });
  }

  /** False where the index can be read from end to end: then nothing was replaced. */
  private async replaced(damage: IndexDamagedError): Promise<boolean> {
    const { builds, ports } = this.options;
    if (!(await this.options.damage.confirms(damage, builds.build))) return false;
    await builds.replaceDamaged(damage);
    ports.progress.tell({ notices: [{ code: 'damaged', details: {} }] });
    return true;
  }

  /** Missing vectors are made after every change: with the next one that goes well, their trouble is over. */
  private fail(error: unknown): void {
    const {
      ports: { progress },
      builds,
      trouble,
    } = this.options;
    if (progress.currentPhase === 'embedding' && !builds.growsBeside) trouble.tell(reportError(error));
    else progress.tell({ error: reportError(error) });
    progress.setPhase('failed');
  }
}
