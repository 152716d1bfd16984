import type { IndexStore } from '../store/index-store.ts';

/** A place to look for vectors by content hash. */
export interface VectorDonor {
  find(contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}

/** Vectors of a build's own rows and of rows that are gone since. */
export function storedVectors(store: IndexStore): VectorDonor {
  return {
    async find(contentHashes) {
      const found = new Map(await store.passages.vectorsOf(contentHashes));
      const missing = contentHashes.filter((hash) => !found.has(hash));
      if (missing.length > 0) for (const [hash, vector] of await store.kept.find(missing)) found.set(hash, vector);
      return found;
    },
  };
}

/** Another build of the same model. One that turns out to be damaged or gone is asked no more: its vectors only save time. */
export function donorOrNothing(store: IndexStore, report: (error: unknown) => void): VectorDonor {
  const donor = storedVectors(store);
  let usable = true;
  return {
    async find(contentHashes) {
      if (!usable) return new Map();
      try {
        return await donor.find(contentHashes);
      } catch (error) {
        usable = false;
        report(error);
        return new Map();
      }
    },
  };
}

/** Asks one donor after the other for what is still missing. */
export async function findVectors(donors: readonly VectorDonor[], contentHashes: readonly string[]): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const donor of donors) {
    const missing = contentHashes.filter((hash) => !found.has(hash));
    if (missing.length === 0) break;
    for (const [hash, vector] of await donor.find(missing)) found.set(hash, vector);
  }
  return found;
}
