import type { VectorTables } from '../store/index-store.ts';

/** A place to look for vectors by content hash. */
export interface VectorDonor {
  find(contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}

/** Vectors of a build's own rows and of rows that are gone since. */
export const storedVectors = ({ passages, kept }: VectorTables): VectorDonor => ({
  find: (contentHashes) => findVectors([{ find: (hashes) => passages.vectorsOf(hashes) }, kept], contentHashes),
});

/**
 * Vectors of another build of the same model. One that turns out to be damaged is asked no more: its vectors only save
 * time.
 */
export class EarlierBuild implements VectorDonor {
  readonly store: VectorTables;
  readonly #vectors: VectorDonor;
  readonly #report: (error: unknown) => void;
  #usable = true;

  constructor(store: VectorTables, report: (error: unknown) => void) {
    this.store = store;
    this.#vectors = storedVectors(store);
    this.#report = report;
  }

  async find(contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    if (!this.#usable) return new Map();
    try {
      return await this.#vectors.find(contentHashes);
    } catch (error) {
      this.#usable = false;
      this.#report(error);
      return new Map();
    }
  }

  /** To be called before its store is closed. */
  retire(): void {
    this.#usable = false;
  }
}

/** Asks one donor after the other for what is still missing. */
export async function findVectors(
  donors: readonly VectorDonor[],
  contentHashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const donor of donors) {
    const missing = contentHashes.filter((hash) => !found.has(hash));
    if (missing.length === 0) break;
    for (const [hash, vector] of await donor.find(missing)) found.set(hash, vector);
  }
  return found;
}
