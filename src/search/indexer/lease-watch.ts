import type { SessionPorts } from './session-ports.ts';

const LOOK_EVERY_MS = 2_000;

/** Looks every two seconds, while this window reads, what the one that writes does, and whether the lease is free. */
export class LeaseWatch {
  private readonly ports: Pick<SessionPorts, 'clock' | 'takeoverMs'>;
  private readonly look: () => Promise<boolean>;
  private callOff: (() => void) | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;

  /** `look` never rejects; it says whether to look again. */
  constructor(ports: Pick<SessionPorts, 'clock' | 'takeoverMs'>, look: () => Promise<boolean>) {
    this.ports = ports;
    this.look = look;
  }

  /** Begins to wait, anew. */
  start(): void {
    this.callOff?.();
    if (this.stopped) return;
    this.callOff = this.ports.clock.later(this.ports.takeoverMs ?? LOOK_EVERY_MS, () => {
      this.looking = this.look().then((again) => {
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
