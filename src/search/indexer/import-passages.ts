import type { Passage } from '../domain/passage.ts';
import { contentHashOf } from '../reading/passage-identity.ts';
import type { IndexStore } from '../store/index-store.ts';
import type { PassageRow } from '../store/passage-rows.ts';
import type { PendingPassage } from '../store/passage-table.ts';
import type { SerialQueue } from '#base';
import { findVectors, type VectorDonor } from './vector-reuse.ts';

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
    for (const { passage } of rows) {
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
  for (let i = 0; i < changed.length; i += ROWS_PER_COMMIT) {
    signal?.throwIfAborted();
    const slice = changed.slice(i, i + ROWS_PER_COMMIT);
    const vectors = await findVectors(donors, [...new Set(slice.map((passage) => passage.contentHash))]);
    const rows = slice.map((passage): PassageRow => ({
      passage: { ...passage, vector: vectors.get(passage.contentHash) },
    }));
    await writes.run(() => store.passages.upsert(rows));
    pending.push(...slice.filter((passage) => !vectors.has(passage.contentHash)));
  }
  await writes.run(() => store.passages.deleteIds(removed));
  return { removed, pending: pending.map(({ id, contentHash }) => ({ id, contentHash })) };
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
