import type { TimerClock } from '#base';

export interface LeaseWatchOptions {
  clock: TimerClock;
  everyMs: number;
  /** Never rejects; says whether to look again. */
  look(): Promise<boolean>;
}

/** Looks now and then, while this window reads, what the one that writes does, and whether the lease is free. */
export class LeaseWatch {
  private readonly options: LeaseWatchOptions;
  private callOff: (() => void) | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(options: LeaseWatchOptions) {
    this.options = options;
  }

  /** Begins to wait, anew. */
  start(): void {
    this.callOff?.();
    if (this.stopped) return;
    this.callOff = this.options.clock.later(this.options.everyMs, () => {
      this.looking = this.options.look().then((again) => {
        if (again) this.start();
      });
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.callOff?.();
    await this.looking;
  }
}
