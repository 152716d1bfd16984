import { addTo, throwIfAborted, unlessAborted } from '#base';

/** Trails that are walked at once: one computes while the other waits for the index or the model. */
const AT_ONCE = 2;

/**
 * Turns for what takes long, so that the first answer does not wait for all: a few at once, and of several clients that
 * wait each has one before any has its next.
 */
export class FairTurns {
  readonly #most: number;
  #working = 0;
  /** By client, in the order in which their turns come. */
  readonly #lines = new Map<object, (() => void)[]>();

  constructor(most = AT_ONCE) {
    this.#most = most;
  }

  /** Does the work when its turn has come. Rejects with AbortError when the signal is aborted before. */
  async run<T>(client: object, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    if (this.#working < this.#most) this.#working += 1;
    else await this.#turn(client, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** True when nobody works or waits. */
  get idle(): boolean {
    return this.#working === 0;
  }

  async #turn(client: object, signal: AbortSignal | undefined): Promise<void> {
    const turn = new Promise<void>((resolve) => addTo(this.#lines, client, resolve));
    try {
      await (signal ? unlessAborted(turn, signal) : turn);
    } catch (error) {
      void turn.then(() => this.#pass()); // a turn that nobody takes goes on to the next
      throw error;
    }
  }

  /** To the next client, who goes to the end of the round. */
  #pass(): void {
    const next = this.#lines.entries().next().value;
    if (!next) return void (this.#working -= 1);
    const [client, [first, ...line]] = next;
    this.#lines.delete(client);
    if (line.length > 0) this.#lines.set(client, line);
    first?.();
  }
}
