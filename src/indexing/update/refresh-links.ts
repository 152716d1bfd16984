import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PassageRow } from '../store/passage-rows.ts';
import type { PassageTable } from '../store/passage-table.ts';
import type { LinkResolver } from '../reading/resolve-links.ts';
import { resolvedLinks, sameLinks } from './link-resolution.ts';
import type { SerialQueue } from './serial-queue.ts';

/** Rows per commit. */
const ROWS_PER_COMMIT = 1_000;

/**
 * Resolves all links again after files have come or gone, and rewrites the passages whose links lead elsewhere now. Which links those
 * are cannot be told from the names that changed without knowing the rules of resolution, so all are looked at: a second per
 * 100,000 passages, in slices. Returns how many passages changed. Vectors are not touched.
 */
export async function refreshLinks(passages: PassageTable, writes: SerialQueue, resolver: LinkResolver, signal?: AbortSignal): Promise<number> {
  const changed: string[] = [];
  for await (const rows of passages.scan(false)) {
    signal?.throwIfAborted();
    for (const row of rows) if (resolvedAgain(row, resolver)) changed.push(row.passage.id);
    await nextTurn();
  }
  for (let i = 0; i < changed.length; i += ROWS_PER_COMMIT) {
    signal?.throwIfAborted();
    // Read again inside the queue, because rows may have been replaced or got their vectors since they were scanned.
    await writes.run(async () => {
      const rows = await passages.rowsByIds(changed.slice(i, i + ROWS_PER_COMMIT), true);
      const updated = rows.flatMap((row) => {
        const links = resolvedAgain(row, resolver);
        return links ? [{ ...row, passage: { ...row.passage, links } }] : [];
      });
      await passages.updateRows(updated);
    });
  }
  return changed.length;
}

/** The links as they resolve now; undefined when nothing changed. */
function resolvedAgain({ passage }: PassageRow, resolver: LinkResolver): PassageRow['passage']['links'] | undefined {
  if (passage.links.length === 0) return undefined;
  const links = resolvedLinks(resolver, passage);
  return sameLinks(links, passage.links) ? undefined : links;
}
