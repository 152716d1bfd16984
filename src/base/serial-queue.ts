/** Runs tasks one after another, in the order in which they were given. A task that fails does not stop the next. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  run<T>(task: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const result = this.last.then(task);
    this.last = result.then(
      () => {
        this.waiting -= 1;
      },
      () => {
        this.waiting -= 1;
      },
    );
    return result;
  }

  /** True when nothing runs or waits. */
  get idle(): boolean {
    return this.waiting === 0;
  }

  /** Resolves when everything given so far has ended. */
  async settled(): Promise<void> {
    await this.last;
  }
}
