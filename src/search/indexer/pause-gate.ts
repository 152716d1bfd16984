/** Work waits here while it is paused. */
export class PauseGate {
  private opened: Promise<void> | undefined;
  private open: (() => void) | undefined;

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
    while (this.opened) {
      if (!signal) await this.opened;
      else await untilAborted(this.opened, signal);
    }
  }
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}
