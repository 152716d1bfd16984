import { unlessAborted } from '#base';

/** Waits until the machine has time, or `unless` says that the work is wanted at once. Rejects on abort. */
type UntilQuiet = (unless: () => boolean, signal?: AbortSignal) => Promise<void>;

/** Work waits here while it is paused, and what nobody waits for while the machine has no time. */
export class PauseGate {
  private readonly untilQuiet: UntilQuiet | undefined;
  private opened: Promise<void> | undefined;
  private open: (() => void) | undefined;

  /** @param untilQuiet Undefined: the machine always has time. */
  constructor(untilQuiet?: UntilQuiet) {
    this.untilQuiet = untilQuiet;
  }

  get paused(): boolean {
    return this.opened !== undefined;
  }

  pause(): void {
    this.opened ??= new Promise((resolve) => {
      this.open = resolve;
    });
  }

  resume(): void {
    this.open?.();
    this.opened = undefined;
    this.open = undefined;
  }

  /** Resolves when work may go on; rejects on abort. */
  async pass(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    while (this.opened) await (signal ? unlessAborted(this.opened, signal) : this.opened);
  }

  /** As `pass`, for work that can wait until the machine has time, unless it is wanted at once. */
  async passWhenQuiet(unless: () => boolean, signal?: AbortSignal): Promise<void> {
    await this.pass(signal);
    if (!this.untilQuiet) return;
    await this.untilQuiet(() => this.paused || unless(), signal);
    await this.pass(signal);
  }
}
