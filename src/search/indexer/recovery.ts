import { reportError } from '#base';
import type { IndexState } from '../domain/index-state.ts';
import { IndexDamagedError, NotTheWriterError } from '../store/storage-errors.ts';
import type { IndexBuild } from './index-build.ts';
import type { SessionMachine } from './session-machine.ts';
import type { SessionPorts } from './session-state.ts';

interface RecoveryOptions {
  machine: SessionMachine;
  ports: Pick<SessionPorts, 'log' | 'progress'>;
  /** Ends every check. */
  closing: AbortSignal;
  /** Gives the lease up and goes on reading. Never rejects. */
  becomeReader(): Promise<void>;
}

const DAMAGED: IndexState['notices'] = [{ code: 'damaged', details: {} }];

/** What is done after an error of the index, met by a search, an update, a change or a check. */
export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * A lost lease makes this process a reader; a damaged generation is set aside and another begun. True: what failed
   * may be tried again. @throws what keeps another from being begun: that is told in the state as well
   */
  async after(error: unknown): Promise<boolean> {
    const { machine, ports, closing } = this.#options;
    if (error instanceof NotTheWriterError && machine.build) await this.#options.becomeReader();
    if (!(error instanceof IndexDamagedError) || !(await this.#isDamaged(error))) return false;
    try {
      await machine.replaceDamaged(error);
    } catch (failure) {
      if (closing.aborted) throw failure;
      // Nothing is open for writing any more: the next update tries again.
      await this.#options.becomeReader();
      if (!(failure instanceof NotTheWriterError)) {
        ports.progress.tell({ error: reportError(failure), notices: [] });
        ports.progress.setPhase('failed');
      }
      throw failure;
    }
    ports.progress.tell({ notices: DAMAGED });
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

  /** Reads a generation that was just opened from end to end; `damaged` is called when it cannot be. Never rejects. */
  async check(build: IndexBuild, damaged: (error: IndexDamagedError) => Promise<void>): Promise<void> {
    const { ports, closing } = this.#options;
    try {
      await build.verify(closing);
    } catch (error) {
      if (closing.aborted) return;
      if (!(error instanceof IndexDamagedError))
        return ports.log('warn', `the index could not be checked: ${String(error)}`);
      await damaged(error).catch((failure: unknown) =>
        ports.log('error', `the damaged index could not be replaced: ${String(failure)}`),
      );
    }
  }
}
