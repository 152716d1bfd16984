import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Passage, PassageLink } from '../domain/passage.ts';
import { LinkResolver } from '../reading/resolve-links.ts';
import type { PassageTable } from '../store/passage-table.ts';
import { slicesOf, type SerialQueue } from '#base';

/** Paths added between two turns of the event loop. */
const SLICE = 2_000;

/**
 * A resolver over these paths. Where two files fit equally well the first one wins, so they go in sorted: the same
 * files always give the same links, whatever order they came in.
 */
export async function resolverOver(paths: readonly string[]): Promise<LinkResolver> {
  const resolver = new LinkResolver([]);
  for (const slice of slicesOf([...paths].sort(), SLICE)) {
    for (const path of slice) resolver.add(path);
    await nextTurn();
  }
  return resolver;
}

/** Links of a passage as they lead now, whether they were resolved before or not. */
export function resolvedLinks(resolver: LinkResolver, passage: Passage): PassageLink[] {
  const [resolved] = resolver.resolve([{ ...passage, links: passage.links.map(asWritten) }]);
  return resolved?.links ?? [];
}

/**
 * Where an import or call led, and its place there, follow from the target alone; the place in a document is part of
 * what was written.
 */
function asWritten(link: PassageLink): PassageLink {
  if (link.path === undefined && link.anchor === undefined) return link;
  const { path: _path, anchor, ...written } = link;
  return link.kind === 'import' || link.kind === 'call' || anchor === undefined ? written : { ...written, anchor };
}

/** Rows per commit. */
const ROWS_PER_COMMIT = 1_000;

/**
 * Resolves all links again after files have come or gone, and rewrites the passages whose links lead elsewhere now.
 * Which links those are cannot be told from the names that changed without knowing the rules of resolution, so all are
 * looked at: a second per 100,000 passages, in slices. Vectors are not touched.
 */
export async function refreshLinks(
  passages: PassageTable,
  writes: SerialQueue,
  resolver: LinkResolver,
  signal?: AbortSignal,
): Promise<void> {
  const changed: string[] = [];
  for await (const rows of passages.scan(false)) {
    signal?.throwIfAborted();
    for (const passage of rows) if (resolvedAgain(passage, resolver)) changed.push(passage.id);
    await nextTurn();
  }
  for (const slice of slicesOf(changed, ROWS_PER_COMMIT)) {
    signal?.throwIfAborted();
    // Read again inside the queue, because rows may have been replaced or got their vectors since they were scanned.
    await writes.run(async () => {
      const rows = await passages.rowsByIds(slice, true);
      const updated = rows.flatMap((passage) => {
        const links = resolvedAgain(passage, resolver);
        return links ? [{ ...passage, links }] : [];
      });
      await passages.updateRows(updated);
    });
  }
}

/** The links as they resolve now; undefined when nothing changed. */
function resolvedAgain(passage: Passage, resolver: LinkResolver): PassageLink[] | undefined {
  if (passage.links.length === 0) return undefined;
  const links = resolvedLinks(resolver, passage);
  const asStored: unknown = JSON.parse(JSON.stringify(links));
  return isDeepStrictEqual(asStored, passage.links) ? undefined : links;
}
