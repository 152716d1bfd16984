import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Passage, PassageLink } from '../../model/passage.ts';
import { LinkResolver } from '../reading/resolve-links.ts';

/** Paths added between two turns of the event loop. */
const SLICE = 2_000;

/**
 * A resolver over these paths. Where two files fit equally well the first one wins, so they go in sorted: the same files always give the
 * same links, whatever order they came in.
 */
export async function resolverOver(paths: readonly string[]): Promise<LinkResolver> {
  const resolver = new LinkResolver([]);
  const sorted = [...paths].sort();
  for (let i = 0; i < sorted.length; i += SLICE) {
    for (const path of sorted.slice(i, i + SLICE)) resolver.add(path);
    await nextTurn();
  }
  return resolver;
}

/** Links of a passage as they lead now, whether they were resolved before or not. */
export function resolvedLinks(resolver: LinkResolver, passage: Passage): PassageLink[] {
  const [resolved] = resolver.resolve([{ ...passage, links: passage.links.map(asWritten) }]);
  return resolved?.links ?? [];
}

/** Where an import or call led, and its place there, follow from the target alone; the place in a document is part of what was written. */
function asWritten(link: PassageLink): PassageLink {
  if (link.path === undefined && link.anchor === undefined) return link;
  const { path: _path, anchor, ...written } = link;
  return link.kind === 'import' || link.kind === 'call' || anchor === undefined ? written : { ...written, anchor };
}

export function sameLinks(a: readonly PassageLink[], b: readonly PassageLink[]): boolean {
  return a.length === b.length && a.every((link, i) => {
    const other = b[i];
    return other !== undefined && link.kind === other.kind && link.target === other.target && link.line === other.line && link.path === other.path && link.anchor === other.anchor;
  });
}
