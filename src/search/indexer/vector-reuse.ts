import type { SourceFile } from '../domain/source-file.ts';
import type { VectorTables } from '../store/index-store.ts';

/** A file changed within this time is worked on now. */
const RECENT_MS = 14 * 24 * 3600 * 1000;

/**
 * Most useful first: open in an editor, changed of late (latest first), then near the top of the tree and short of
 * name.
 */
export function mostUsefulFirst(
  files: readonly SourceFile[],
  openUris: ReadonlySet<string>,
  now: number,
): SourceFile[] {
  const ranked = files.map((file) => ({
    file,
    open: openUris.has(file.uri),
    recent: now - file.mtimeMs < RECENT_MS,
    depth: file.path.split('/').length,
  }));
  // A fresh clone or branch switch makes everything recent; then recency tells nothing and only the order of time
  // remains.
  ranked.sort(
    (a, b) =>
      Number(b.open) - Number(a.open) ||
      Number(b.recent) - Number(a.recent) ||
      (a.recent ? Math.round((b.file.mtimeMs - a.file.mtimeMs) / 60_000) : 0) ||
      a.depth - b.depth ||
      a.file.path.length - b.file.path.length ||
      (a.file.path < b.file.path ? -1 : 1),
  );
  return ranked.map(({ file }) => file);
}

/** A place to look for vectors by content hash. */
export interface VectorDonor {
  find(contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
}

/** Vectors of a build's own rows and of rows that are gone since. */
export function storedVectors(store: VectorTables): VectorDonor {
  return {
    async find(contentHashes) {
      const found = new Map(await store.passages.vectorsOf(contentHashes));
      const missing = contentHashes.filter((hash) => !found.has(hash));
      if (missing.length > 0) for (const [hash, vector] of await store.kept.find(missing)) found.set(hash, vector);
      return found;
    },
  };
}

/**
 * Vectors of another build of the same model. One that turns out to be damaged is asked no more: its vectors only save
 * time.
 */
export class EarlierBuild implements VectorDonor {
  readonly store: VectorTables;
  private readonly vectors: VectorDonor;
  private readonly report: (error: unknown) => void;
  private usable = true;

  constructor(store: VectorTables, report: (error: unknown) => void) {
    this.store = store;
    this.vectors = storedVectors(store);
    this.report = report;
  }

  async find(contentHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    if (!this.usable) return new Map();
    try {
      return await this.vectors.find(contentHashes);
    } catch (error) {
      this.usable = false;
      this.report(error);
      return new Map();
    }
  }

  /** To be called before its store is closed. */
  retire(): void {
    this.usable = false;
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
