import type { Table } from '@lancedb/lancedb';
import { arrowTable, keptVectorSchema } from './schema.ts';
import { checkedVectors, vectorChecksum } from './passage-rows.ts';
import { isIn } from './lance-connection.ts';
import { stored } from './storage-errors.ts';

/** Most vectors that are kept for passages that are gone: 20,000 × 384 floats are 31 MB. */
const MOST_KEPT_VECTORS = 20_000;

/**
 * Vectors of deleted passages by content hash, for the file that comes back under another name. Losing them costs time
 * only.
 */
export class KeptVectors {
  private readonly table: Table;
  private readonly dimensions: number;
  private readonly now: () => number;

  constructor(table: Table, dimensions: number, now: () => number) {
    this.table = table;
    this.dimensions = dimensions;
    this.now = now;
  }

  /** By content hash; what is kept already is not kept twice. */
  async keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const known = await this.find([...vectors.keys()]);
    const entries = [...vectors].filter(([hash]) => !known.has(hash));
    if (entries.length === 0) return;
    await stored('keep vectors', () =>
      this.table.add(
        arrowTable(keptVectorSchema(this.dimensions), {
          content_hash: entries.map(([hash]) => hash),
          vector: entries.map(([, vector]) => vector),
          vector_checksum: entries.map(([hash, vector]) => vectorChecksum(vector, hash)),
          kept_at: entries.map(() => this.now()),
        }),
      ),
    );
  }

  /** Those of the hashes that are kept; ones that fail their checksum count as gone. */
  async find(contentHashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    for (let i = 0; i < contentHashes.length; i += 500) {
      const slice = contentHashes.slice(i, i + 500);
      const rows = await stored('look up kept vectors', () =>
        this.table
          .query()
          .where(isIn('content_hash', slice))
          .select(['content_hash', 'vector', 'vector_checksum'])
          .toArrow(),
      );
      for (const [hash, vector] of checkedVectors(rows)) found.set(hash, vector);
    }
    return found;
  }

  count(): Promise<number> {
    return stored('count kept vectors', () => this.table.countRows());
  }

  /** Drops the older half when there are too many, and the space of all that was dropped before. */
  async trim(): Promise<void> {
    await stored('drop old vectors', async () => {
      if ((await this.table.countRows()) > MOST_KEPT_VECTORS) {
        const times = (await this.table.query().select(['kept_at']).toArrow()).getChild('kept_at');
        const sorted = Float64Array.from(times?.toArray() as Float64Array).sort();
        const threshold = sorted[sorted.length - MOST_KEPT_VECTORS / 2] ?? 0;
        await this.table.delete(`kept_at < ${threshold}`);
        // Everything may have been kept in one moment: then age does not tell them apart, and all of them go.
        if ((await this.table.countRows()) > MOST_KEPT_VECTORS) await this.table.delete('true');
      }
      await this.table.optimize({ cleanupOlderThan: new Date(this.now() - 5_000) });
    });
  }
}
