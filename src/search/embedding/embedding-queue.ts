/** Embeds one text. */
export type EmbedOne = (text: string) => Promise<Float32Array>;

interface Job {
  text: string;
  resolve: (vector: Float32Array) => void;
  reject: (error: unknown) => void;
}

/** Vectors that are kept: 3 MB of 384 numbers each. */
const MOST_KEPT = 2000;

/**
 * One text at a time through each copy of a model: queries first, then what somebody waits for, then passages of the
 * index. A query waits for at most one text. Batches would not be faster on a processor (a batch costs what its parts
 * cost) and would make queries wait for all of one.
 */
export class EmbeddingQueue {
  readonly #queries: Job[] = [];
  readonly #awaited: Job[] = [];
  readonly #passages: Job[] = [];
  readonly #lanes = [this.#queries, this.#awaited, this.#passages];
  /** Vectors of texts that somebody waited for. */
  readonly #kept = new Map<string, Float32Array>();
  /** Copies of the model that are at rest. */
  readonly #idle: EmbedOne[] = [];
  #working = 0;
  #closed: Error | undefined;

  /** A copy of the model takes part from now on; texts wait for the first. */
  add(embed: EmbedOne): void {
    this.#idle.push(embed);
    this.#goOn();
  }

  /** Vectors in the order of the texts. On abort the rest is dropped; the text that is being embedded is finished. */
  passagesOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#all(this.#passages, texts, signal);
  }

  /**
   * As `passagesOf`, for somebody who waits. The vectors are kept for a while: one question after the other reads the
   * same passages.
   */
  async awaitedOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const found = new Map(texts.map((text) => [text, this.#kept.get(text)]));
    const missing = [...found.keys()].filter((text) => !found.get(text));
    const made = await this.#all(this.#awaited, missing, signal);
    for (const [i, text] of missing.entries()) found.set(text, made[i]);
    for (const [text, vector] of found) {
      this.#kept.delete(text); // what was asked for last is forgotten last
      if (vector) this.#kept.set(text, vector);
    }
    for (const text of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(text);
    return texts.flatMap((text) => found.get(text) ?? []);
  }

  async query(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.#all(this.#queries, [text], signal);
    if (!vector) throw new Error('no vector for a query');
    return vector;
  }

  /** Rejects what waits, and whatever comes; resolves when the model is at rest. */
  async close(reason: Error): Promise<void> {
    this.#closed = reason;
    for (const lane of this.#lanes) for (const job of lane.splice(0)) job.reject(reason);
    while (this.#working > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  #all(lane: Job[], texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#closed) return Promise.reject(this.#closed);
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
    this.#goOn();
    return Promise.all(vectors).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Gives what waits to copies at rest, to the one that worked last first. */
  #goOn(): void {
    for (let job = this.#next(); job; job = this.#next()) void this.#embed(job, this.#idle.pop());
  }

  #next(): Job | undefined {
    return this.#idle.length > 0 ? this.#lanes.find((lane) => lane.length > 0)?.shift() : undefined;
  }

  async #embed({ text, resolve, reject }: Job, embed: EmbedOne | undefined): Promise<void> {
    if (!embed) return;
    this.#working += 1;
    await embed(text).then(resolve, reject);
    this.#working -= 1;
    this.add(embed);
  }
}
