/**
 * Gathers what changes while an earlier change is worked on, so that a storm of events costs a few batches. Each caller
 * waits for the batch that its paths are in. What could not be worked on is kept, and tried again after each batch.
 */
export class ChangeQueue {
  readonly #work: (uris: readonly string[]) => Promise<void>;
  #next: { uris: Set<string>; done: Promise<void> } | undefined;
  #current: Promise<void> = Promise.resolve();
  readonly #unfinished = new Set<string>();

  constructor(work: (uris: readonly string[]) => Promise<void>) {
    this.#work = work;
  }

  /** Rejects when the batch fails; an empty one only tries again what failed before, and tells of no failure. */
  add(uris: readonly string[]): Promise<void> {
    if (!this.#next) {
      const gathering = new Set<string>();
      const previous = this.#current.catch(() => undefined);
      const done = previous.then(() => {
        this.#next = undefined;
        return this.#workOn(gathering);
      });
      this.#next = { uris: gathering, done };
      this.#current = done;
    }
    for (const uri of uris) this.#next.uris.add(uri);
    return this.#next.done;
  }

  /** Paths whose last attempt failed. */
  get failed(): string[] {
    return [...this.#unfinished];
  }

  /** To be called when something else has looked at these paths. */
  forgetFailed(uris: readonly string[]): void {
    for (const uri of uris) this.#unfinished.delete(uri);
  }

  /** Resolves when nothing is worked on any more. */
  async settled(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#current;) {
      last = this.#current;
      await last.catch(() => undefined);
    }
  }

  async #workOn(uris: ReadonlySet<string>): Promise<void> {
    const again = this.failed.filter((uri) => !uris.has(uri));
    if (uris.size > 0) await this.#workOrKeep([...uris]);
    if (again.length > 0) await this.#workOrKeep(again).catch(() => undefined); // who told of them knows
  }

  async #workOrKeep(uris: readonly string[]): Promise<void> {
    try {
      await this.#work(uris);
      this.forgetFailed(uris);
    } catch (error) {
      for (const uri of uris) this.#unfinished.add(uri);
      throw error;
    }
  }
}
