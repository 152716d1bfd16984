import { reportError } from '#base';
import type { LockHolder } from '../domain/index-state.ts';
import { NotTheWriterError } from '../store/storage-errors.ts';
import { WriterLockFile, type WriterLock } from '../store/writer-lease.ts';
import type { SessionPorts } from './index-session.ts';

const LOOK_EVERY_MS = 2_000;

/**
 * This window's turn to write the index: taken when it is free, waited for when it is not. One that only follows never
 * has it.
 */
export class WriterTurn {
  private readonly file: WriterLockFile;
  private readonly ports: Pick<SessionPorts, 'clock' | 'log' | 'progress' | 'takeoverMs'>;
  private readonly onlyFollows: boolean;
  private readonly onLost: () => void;
  private lock: WriterLock | undefined;
  private callOff: (() => void) | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  /** `onLost` is called when another process has taken the lock from this one. */
  constructor(
    lockFile: string,
    ports: Pick<SessionPorts, 'clock' | 'log' | 'progress' | 'takeoverMs' | 'lock'>,
    { onlyFollows, onLost }: { onlyFollows: boolean; onLost(): void },
  ) {
    this.file = new WriterLockFile(lockFile, ports.lock);
    this.ports = ports;
    this.onlyFollows = onlyFollows;
    this.onLost = onLost;
  }

  /**
   * True when this window writes from now on; with `byForce`, whoever holds the lock. Throws StorageReadOnlyError or
   * DiskFullError.
   */
  async take(byForce = false): Promise<boolean> {
    if (this.onlyFollows) return false;
    this.lock ??= byForce ? await this.file.takeOver(this.onLost) : await this.file.tryAcquire(this.onLost);
    return this.lock !== undefined;
  }

  /** Throws NotTheWriterError when it is not, or no longer, this window's turn. */
  async check(): Promise<void> {
    if (this.lock && (await this.lock.isHeld())) return;
    throw new NotTheWriterError(false, await this.holder());
  }

  /** The process whose turn it is; undefined when it is nobody's, or this one's. */
  async holder(): Promise<LockHolder | undefined> {
    return this.lock && (await this.lock.isHeld()) ? undefined : this.file.holder();
  }

  /**
   * Looks every two seconds: `mine` when the turn has come, `meanwhile` as long as it has not. Takes the place of an
   * earlier waiting.
   */
  wait(what: { mine(): Promise<void>; meanwhile(): Promise<void> }): void {
    this.callOff?.();
    if (this.stopped) return;
    this.callOff = this.ports.clock.later(this.ports.takeoverMs ?? LOOK_EVERY_MS, () => {
      this.looking = this.look(what);
    });
  }

  private async look(what: { mine(): Promise<void>; meanwhile(): Promise<void> }): Promise<void> {
    try {
      const taken = await this.take();
      if (this.stopped) return;
      await (taken ? what.mine() : what.meanwhile());
    } catch (error) {
      this.ports.log('error', `${this.onlyFollows ? 'following' : 'taking over'} the index failed: ${String(error)}`);
      this.ports.progress.tell({ error: reportError(error) });
      await this.giveBack();
    }
    if (!this.lock) this.wait(what);
  }

  async stopWaiting(): Promise<void> {
    this.stopped = true;
    this.callOff?.();
    await this.looking;
  }

  async giveBack(): Promise<void> {
    await this.lock?.release();
    this.lock = undefined;
  }
}
