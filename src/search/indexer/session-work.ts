import { reportError, type SerialQueue } from '#base';
import { IndexDamagedError, NotTheWriterError, UnconfirmedDamageError } from '../store/storage-errors.ts';
import type { PauseGate } from './pause-gate.ts';
import type { ChangeTrouble } from './notices.ts';
import type { IdleWork } from './idle-work.ts';
import type { Recovery } from './recovery.ts';
import type { SessionMachine } from './session-machine.ts';
import type { SessionPorts } from './session-ports.ts';

/** How often a piece of work is begun: a damaged index is replaced between two attempts. */
const MOST_ATTEMPTS = 3;

export interface SessionWorkOptions {
  ports: Pick<SessionPorts, 'progress'>;
  machine: SessionMachine;
  recovery: Recovery;
  gate: PauseGate;
  /** Where long pieces of work wait for one another. */
  updates: SerialQueue;
  trouble: ChangeTrouble;
  idle: IdleWork;
  /** Aborted when the session is closed. */
  closing: AbortSignal;
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
    const { ports, machine, recovery, gate, updates, idle, closing } = this.options;
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
          if (machine.state.is === 'follower' || machine.state.is === 'read-only')
            throw outer.aborted ? (outer.reason as Error) : error;
          if (outer.aborted) {
            ports.progress.setPhase(gate.paused ? 'paused' : 'ready');
            throw outer.reason as Error;
          }
          const cause: unknown = this.interrupt.signal.aborted ? this.interrupt.signal.reason : error;
          const damaged = cause instanceof IndexDamagedError;
          if ((!damaged || attempt < MOST_ATTEMPTS) && (await recovery.after(damaged ? cause : error))) continue;
          const told = damaged ? new UnconfirmedDamageError(cause, attempt > 1) : error;
          if (!(told instanceof NotTheWriterError)) this.fail(told);
          throw told;
        } finally {
          if (!closing.aborted) idle.schedule();
        }
      }
    });
  }

  /** Missing vectors are made after every change: with the next one that goes well, their trouble is over. */
  private fail(error: unknown): void {
    const {
      ports: { progress },
      machine,
      trouble,
    } = this.options;
    if (progress.currentPhase === 'embedding' && !machine.growsBeside) trouble.tell(reportError(error));
    else progress.tell({ error: reportError(error) });
    progress.setPhase('failed');
  }
}
