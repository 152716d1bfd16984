/** Embeds one text. */
export type EmbedOne = (text: string) => Promise<Float32Array>;

interface Job {
  text: string;
  resolve: (vector: Float32Array) => void;
  reject: (error: unknown) => void;
}

/**
 * One text at a time through a model: queries first, then what somebody waits for, then passages of the index. A query
 * waits for at most one text. Batches would not be faster on a processor (a batch costs what its parts cost) and would
 * make queries wait for all of one.
 */
export class EmbeddingQueue {
  private readonly embed: EmbedOne;
  private readonly queries: Job[] = [];
  private readonly awaited: Job[] = [];
  private readonly passages: Job[] = [];
  private readonly lanes = [this.queries, this.awaited, this.passages];
  private running = false;
  private closed: Error | undefined;

  constructor(embed: EmbedOne) {
    this.embed = embed;
  }

  /** Vectors in the order of the texts. On abort the rest is dropped; the text that is being embedded is finished. */
  passagesOf(texts: readonly string[], signal?: AbortSignal, awaited = false): Promise<Float32Array[]> {
    return this.all(awaited ? this.awaited : this.passages, texts, signal);
  }

  async query(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.all(this.queries, [text], signal);
    if (!vector) throw new Error('no vector for a query');
    return vector;
  }

  /** Rejects what waits; resolves when the model is at rest. */
  async close(reason: Error): Promise<void> {
    this.closed = reason;
    for (const lane of this.lanes) for (const job of lane.splice(0)) job.reject(reason);
    while (this.running) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  private all(lane: Job[], texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.closed) return Promise.reject(this.closed);
    const jobs = new Set<Job>();
    const vectors = texts.map(
      (text) =>
        new Promise<Float32Array>((resolve, reject) => {
          const job = { text, resolve, reject };
          jobs.add(job);
          lane.push(job);
        }),
    );
    const onAbort = (): void => {
      for (let i = lane.length - 1; i >= 0; i--) {
        const job = lane[i];
        if (job && jobs.has(job)) lane.splice(i, 1);
      }
      for (const job of jobs) job.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    void this.run();
    return Promise.all(vectors).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (let job = this.next(); job; job = this.next()) {
        try {
          job.resolve(await this.embed(job.text));
        } catch (error) {
          job.reject(error);
        }
      }
    } finally {
      this.running = false;
    }
  }

  private next(): Job | undefined {
    return this.lanes.find((lane) => lane.length > 0)?.shift();
  }
}
