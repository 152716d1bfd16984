/** Hands events from a run that pushes to a consumer that pulls; nothing is lost when the consumer is slower. */
export class EventChannel<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** Ignored after {@link close}. */
  push(event: T): void {
    if (this.#closed) return;
    this.#events.push(event);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else if (this.#closed) return;
      else await new Promise<void>((resolve) => { this.#wake = resolve; });
    }
  }
}
