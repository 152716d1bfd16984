import type { ChainOptions, ChainResult, Passage, PassageChain, Retriever, SearchHit } from '#search';

/**
 * Every passage a run has retrieved, numbered from 1 for prompts and citations; identical retrievals are not repeated.
 */
export class PassageLedger {
  readonly #retriever: Retriever;
  readonly #numbers = new Map<string, number>();
  readonly #passages: Passage[] = [];
  readonly #results = new Map<string, Promise<ChainResult>>();
  readonly #byQuery = new Map<string, ChainResult>();

  constructor(retriever: Retriever) {
    this.#retriever = retriever;
  }

  /** Chains for a query; `repeated` when the same retrieval was already made in this run. */
  async chains(
    query: string,
    options: ChainOptions,
    signal: AbortSignal,
  ): Promise<ChainResult & { repeated: boolean }> {
    const key = JSON.stringify([formOf(query), options]);
    const known = this.#results.get(key);
    const pending = known ?? this.#retriever.chains(query, options, signal);
    this.#results.set(key, pending);
    try {
      const result = await pending;
      this.#byQuery.set(formOf(query), result);
      this.add(passagesOfResult(result.chains, result.hits));
      return { ...result, repeated: known !== undefined };
    } catch (error) {
      this.#results.delete(key); // a failed retrieval may be tried again
      throw error;
    }
  }

  /** What was found last for a query; undefined where it was not looked up. */
  known(query: string): ChainResult | undefined {
    return this.#byQuery.get(formOf(query));
  }

  add(passages: readonly Passage[]): void {
    for (const passage of passages) {
      if (this.#numbers.has(passage.id)) continue;
      this.#passages.push(passage);
      this.#numbers.set(passage.id, this.#passages.length);
    }
  }

  /** 1-based number; undefined for a passage that was never retrieved. */
  numberOf(passageId: string): number | undefined {
    return this.#numbers.get(passageId);
  }

  /** The passage a number stands for; undefined for a number that was never given. */
  passage(number: number): Passage | undefined {
    return this.#passages[number - 1];
  }

  get all(): readonly Passage[] {
    return this.#passages;
  }

  /** Those of these ids, in the order in which they were found. */
  among(ids: readonly string[]): Passage[] {
    const wanted = new Set(ids);
    return this.#passages.filter((passage) => wanted.has(passage.id));
  }
}

const formOf = (query: string): string => query.trim().toLowerCase();

function passagesOfResult(chains: readonly PassageChain[], hits: readonly SearchHit[]): Passage[] {
  return [...(chains[0]?.hops.map((hop) => hop.passage) ?? []), ...hits.map((hit) => hit.passage)];
}

/** Each passage once, as it first stands. */
export function uniquePassages(passages: readonly Passage[]): Passage[] {
  const byId = new Map<string, Passage>();
  for (const passage of passages) if (!byId.has(passage.id)) byId.set(passage.id, passage);
  return [...byId.values()];
}
