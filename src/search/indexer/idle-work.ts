import { NotTheWriterError } from '../store/storage-errors.ts';
import type { IndexBuild } from './index-build.ts';
import { withUntidied } from './notices.ts';
import type { Recovery } from './recovery.ts';
import type { SessionPorts } from './session-ports.ts';
import type { SerialQueue } from '#base';

/**
 * Nothing must have happened for so long before the tables are tidied: edits wait while that lasts, half a minute per
 * 100,000 passages.
 */
const TIDY_AFTER_MS = 300_000;
/** Changes that could not be taken up are tried again so often, and with every other change. */
const RETRY_AFTER_MS = 30_000;

export interface IdleWorkOptions {
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
  private readonly options: IdleWorkOptions;
  private callOffTimer: (() => void) | undefined;

  constructor(options: IdleWorkOptions) {
    this.options = options;
  }

  callOff(): void {
    this.callOffTimer?.();
  }

  /** Begins to wait, anew. */
  schedule(): void {
    this.callOff();
    const { ports, updates } = this.options;
    const wait = this.options.build()?.changesFailed ? RETRY_AFTER_MS : (ports.idleMs ?? TIDY_AFTER_MS);
    this.callOffTimer = ports.clock.later(wait, () => {
      const build = this.options.build();
      if (!build || !updates.idle) return;
      if (build.changesFailed) this.retryChanges(build);
      else this.tidyInBackground(build);
    });
  }

  private retryChanges(build: IndexBuild): void {
    build.filesChanged([]).then(
      () => this.options.changesRetried(),
      (error: unknown) => this.options.ports.log('error', `changed files could not be taken up: ${String(error)}`),
    );
  }

  /**
   * Tidies the tables where that is worth it. A failure is a warning: what they hold can be read and written as before.
   * @throws NotTheWriterError
   */
  async tidy(build: IndexBuild): Promise<void> {
    const { log, progress } = this.options.ports;
    let failure: unknown;
    try {
      await build.upkeep();
    } catch (error) {
      if (error instanceof NotTheWriterError) throw error;
      log('warn', `tidying the index failed: ${String(error)}`);
      failure = error;
    }
    const bytes = await this.options.bytes();
    const { notices } = progress.state();
    const changed = failure !== undefined || notices.some(({ code }) => code === 'untidied');
    progress.tell({ bytes, ...(changed && { notices: withUntidied(notices, failure) }) });
  }

  private tidyInBackground(build: IndexBuild): void {
    const { ports, updates } = this.options;
    updates
      .run(() => this.tidy(build))
      .catch(async (error: unknown) => {
        ports.log('warn', `tidying the index failed: ${String(error)}`);
        await this.options.recovery.after(error);
      })
      .catch((error: unknown) => ports.log('error', `giving up the index failed: ${String(error)}`));
  }
}
