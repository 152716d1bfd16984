import { IndexDamagedError } from '../store/storage-errors.ts';
import type { IndexBuild } from '../update/index-build.ts';
import type { SessionPorts } from './index-session.ts';

/** Whether a build can be read: everything in it, once. */
export class DamageCheck {
  private readonly log: SessionPorts['log'];
  private readonly signal: AbortSignal;

  /** @param signal Ends every check. */
  constructor(log: SessionPorts['log'], signal: AbortSignal) {
    this.log = log;
    this.signal = signal;
  }

  /** False for an error that does not come back: that was no damage. */
  async confirms(error: IndexDamagedError, build: IndexBuild | undefined): Promise<boolean> {
    try {
      await build?.verify(this.signal);
      this.log('warn', `a passing failure of the index: ${error.message}`);
      return false;
    } catch (found) {
      return found instanceof IndexDamagedError;
    }
  }

  /** Checks a build that was just opened; `replace` is called when it is damaged. Never rejects. */
  async look(build: IndexBuild, replace: (error: IndexDamagedError) => Promise<void>): Promise<void> {
    try {
      await build.verify(this.signal);
    } catch (error) {
      if (this.signal.aborted) return;
      if (!(error instanceof IndexDamagedError)) return this.log('warn', `the index could not be checked: ${String(error)}`);
      await replace(error).catch((failure: unknown) => this.log('error', `the damaged index could not be replaced: ${String(failure)}`));
    }
  }
}
