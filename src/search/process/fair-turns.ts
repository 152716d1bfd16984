import { abortError, throwIfAborted } from '#base';

/** Trails that are walked at once: one computes while the other waits for the index or the model. */
const AT_ONCE = 2;

/**
 * Turns for what takes long, so that the first answer does not wait for all: a few at once, and of several clients that
 * wait each has one before any has its next.
 */
export class FairTurns {
  readonly #most: number;
  #free: number;
  /** By client, in the order in which their turns come. */
  readonly #lines = new Map<object, (() => void)[]>();

  constructor(most = AT_ONCE) {
    this.#most = most;
    this.#free = most;
  }

  /** Does the work when its turn has come. Rejects with AbortError when the signal is aborted before. */
  async run<T>(client: object, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(client, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** True when nobody works or waits. */
  get idle(): boolean {
    return this.#free === this.#most;
  }

  #wait(client: object, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        const line = this.#lines.get(client);
        const at = line?.indexOf(begin) ?? -1;
        if (!line || at < 0) return;
        line.splice(at, 1);
        if (line.length === 0) this.#lines.delete(client);
        reject(abortError());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const line = this.#lines.get(client);
      if (line) line.push(begin);
      else this.#lines.set(client, [begin]);
    });
  }

  /** To the next client, who goes to the end of the round. */
  #pass(): void {
    const next = this.#lines.entries().next().value;
    if (!next) {
      this.#free += 1;
      return;
    }
    const [client, line] = next;
    const first = line.shift();
    this.#lines.delete(client);
    if (line.length > 0) this.#lines.set(client, line);
    first?.();
  }
}
