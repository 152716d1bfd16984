const MOST_TERMS = 50_000;
/** Counts are kept until the number of passages has changed by this share: how exact they are. */
export const COUNT_TOLERANCE = 0.01;

/** How many passages hold a term, remembered while the index stays about the same size. */
export class DocumentFrequencyCache {
  private readonly counts = new Map<string, Promise<number>>();
  private totalWhenCounted = 0;

  get(term: string, total: number, count: () => Promise<number>): Promise<number> {
    if (Math.abs(total - this.totalWhenCounted) > COUNT_TOLERANCE * this.totalWhenCounted || this.counts.size > MOST_TERMS) {
      this.counts.clear();
      this.totalWhenCounted = total;
    }
    const known = this.counts.get(term);
    if (known) return known;
    const counting = count();
    this.counts.set(term, counting);
    counting.catch(() => this.counts.delete(term));
    return counting;
  }
}
