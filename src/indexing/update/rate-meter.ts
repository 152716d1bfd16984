/** Events per second over the last seconds. */
export class RateMeter {
  private readonly now: () => number;
  private readonly windowMs: number;
  private marks: { at: number; count: number }[] = [];

  constructor(now: () => number, windowMs = 15_000) {
    this.now = now;
    this.windowMs = windowMs;
  }

  add(count: number): void {
    this.marks.push({ at: this.now(), count });
  }

  /** Call when work begins, so that the time before it does not count. */
  start(): void {
    this.marks = [{ at: this.now(), count: 0 }];
  }

  /** 0 when nothing can be said yet. */
  perSecond(): number {
    const now = this.now();
    while (this.marks.length > 2 && now - (this.marks[0]?.at ?? now) > this.windowMs) this.marks.shift();
    const first = this.marks[0];
    if (!first || now - first.at < 200) return 0;
    const counted = this.marks.slice(1).reduce((sum, mark) => sum + mark.count, 0);
    return counted / ((now - first.at) / 1000);
  }
}
