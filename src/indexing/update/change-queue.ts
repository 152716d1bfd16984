/**
 * Gathers what changes while an earlier change is worked on, so that a storm of events costs a few batches. Each caller waits for the
 * batch that its paths are in.
 */
export class ChangeQueue {
  private readonly work: (uris: readonly string[]) => Promise<void>;
  private next: { uris: Set<string>; done: Promise<void> } | undefined;
  private current: Promise<void> = Promise.resolve();

  constructor(work: (uris: readonly string[]) => Promise<void>) {
    this.work = work;
  }

  add(uris: readonly string[]): Promise<void> {
    if (!this.next) {
      const gathering = new Set<string>();
      const previous = this.current.catch(() => undefined);
      const done = previous.then(() => {
        this.next = undefined;
        return this.work([...gathering]);
      });
      this.next = { uris: gathering, done };
      this.current = done;
    }
    for (const uri of uris) this.next.uris.add(uri);
    return this.next.done;
  }

  /** Resolves when nothing is worked on any more. */
  async settled(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.current; ) {
      last = this.current;
      await last.catch(() => undefined);
    }
  }
}
