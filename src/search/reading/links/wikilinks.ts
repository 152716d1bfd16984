import type { PlacedLink } from '../chunk/block.ts';

const WIKILINK = /!?\[\[([^[\]|\n]+?)(?:\\?\|[^[\]\n]*)?\]\]/g;

/**
 * Wikilinks of one line: `[[Page]]`, `[[Page#Heading]]`, `[[Page|shown]]`, `![[embedded.png]]`. The target keeps its
 * anchor.
 */
export function wikilinksIn(text: string, line: number): PlacedLink[] {
  if (!text.includes('[[')) return [];
  return [...text.matchAll(WIKILINK)].flatMap((match) => {
    const target = (match[1] ?? '').trim();
    return target ? [{ kind: 'wikilink' as const, target, ...anchorOf(target), line, column: match.index }] : [];
  });
}

function anchorOf(target: string): { anchor?: string } {
  const anchor = target.split('#').slice(1).at(-1)?.trim();
  return anchor && !anchor.startsWith('^') ? { anchor } : {};
}
