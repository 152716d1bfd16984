import { slicesOf, type SerialQueue } from '#base';
import type { VectorTables, IndexStore } from '../store/index-store.ts';
import type { Passage } from '../domain/passage.ts';
import { contentHashOf } from '../reading/passage-identity.ts';
import type { IndexedPassage } from '../store/passage-index.ts';
import type { PendingPassage } from '../store/passage-table.ts';

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

const ROWS_PER_COMMIT = 1_000;

interface ImportPorts {
  store: IndexStore;
  donors: readonly VectorDonor[];
  writes: SerialQueue;
}

/**
 * Makes these passages the whole content of the table: adds and replaces first, then deletes the others. Content hashes
 * are computed here, because equal ones share a vector and the passages come from elsewhere. Returns what is gone and
 * what waits for a vector.
 */
export async function importPassages(
  ports: ImportPorts,
  passages: readonly Passage[],
  signal?: AbortSignal,
): Promise<{ removed: string[]; pending: PendingPassage[] }> {
  const { store, donors, writes } = ports;
  const wanted = new Map<string, Passage>();
  for (const passage of passages) wanted.set(passage.id, { ...passage, contentHash: contentHashOf(passage) });
  const unchanged = new Set<string>();
  const removed: string[] = [];
  const pending: PendingPassage[] = [];
  const lost = new Map<string, Float32Array>();
  for await (const rows of store.passages.scan(true)) {
    signal?.throwIfAborted();
    for (const passage of rows) {
      const { vector, ...stored } = passage;
      const now = wanted.get(passage.id);
      if (now && sameJson(stored, now)) {
        unchanged.add(passage.id);
        if (!vector) pending.push(passage);
        continue;
      }
      if (!now) removed.push(passage.id);
      if (vector) lost.set(passage.contentHash, vector);
    }
  }
  await writes.run(async () => {
    await store.kept.keep(lost);
    await store.files.remove((await store.files.all()).map((record) => record.uri));
  });

  const changed = [...wanted.values()].filter((passage) => !unchanged.has(passage.id));
  for (const slice of slicesOf(changed, ROWS_PER_COMMIT)) {
    signal?.throwIfAborted();
    const vectors = await findVectors(donors, [...new Set(slice.map((passage) => passage.contentHash))]);
    const rows = slice.map((passage): IndexedPassage => ({ ...passage, vector: vectors.get(passage.contentHash) }));
    await writes.run(() => store.passages.upsert(rows));
    pending.push(...slice.filter((passage) => !vectors.has(passage.contentHash)));
  }
  await writes.run(() => store.passages.deleteIds(removed));
  return { removed, pending: pending.map(({ id, contentHash, uri }) => ({ id, contentHash, uri })) };
}

/** Passages are plain data; their fields may come in any order. */
function sameJson(a: object, b: object): boolean {
  const sorted = (value: object): string =>
    JSON.stringify(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .sort(([x], [y]) => (x < y ? -1 : 1)),
    );
  return sorted(a) === sorted(b);
}
