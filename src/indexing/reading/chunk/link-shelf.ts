import type { Passage, PassageLink } from '../../../model/passage.ts';
import { readingLimits } from '../reading-limits.ts';
import type { PlacedLink } from './block.ts';

type Place = Pick<Passage, 'startLine' | 'endLine' | 'startColumn' | 'endColumn'>;

/** Hands a file's links to its passages, by line and, in over-long lines, by column. */
export class LinkShelf {
  private readonly links: PlacedLink[];

  constructor(links: readonly PlacedLink[]) {
    this.links = [...links].sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  }

  /**
   * The links written in that place: each target once per kind, the noisy kinds up to their limit; no calls of what is
   * defined right there, no file names that are part of another link.
   */
  take(place: Place): PassageLink[] {
    const taken: PassageLink[] = [];
    const seen = new Set<string>();
    const counts = { call: 0, path: 0 };
    const most = { call: readingLimits.callsPerPassage, path: readingLimits.pathsPerPassage };
    for (let i = this.firstFrom(place.startLine); i < this.links.length; i++) {
      const link = this.links[i];
      if (!link || link.line > place.endLine) break;
      if (!standsIn(link, place)) continue;
      const key = `${link.kind}\n${link.target}\n${link.anchor ?? ''}`;
      if (seen.has(key)) continue;
      if (link.kind === 'call' || link.kind === 'path') {
        if (counts[link.kind] >= most[link.kind]) continue;
        counts[link.kind] += 1;
      }
      seen.add(key);
      const { column: _column, ...plain } = link;
      taken.push(plain);
    }
    return withoutEchoes(taken);
  }

  private firstFrom(line: number): number {
    let low = 0;
    let high = this.links.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.links[middle]?.line ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function standsIn(link: PlacedLink, place: Place): boolean {
  if (place.startColumn === undefined || place.endColumn === undefined) return true;
  const column = (link.column ?? 0) + 1;
  return column >= place.startColumn && column < place.endColumn;
}

function withoutEchoes(links: readonly PassageLink[]): PassageLink[] {
  const own = new Set(links.flatMap((link) => (link.kind === 'define' ? [link.target, link.target.slice(link.target.lastIndexOf('.') + 1)] : [])));
  const targets = links.flatMap((link) => (link.kind === 'markdown' || link.kind === 'import' || link.kind === 'wikilink' ? [link.target] : []));
  return links.filter((link) => {
    if (link.kind === 'call') return link.via !== undefined || !own.has(link.anchor ?? link.target);
    return link.kind !== 'path' || !targets.some((target) => target.includes(link.target.replace(/^\//, '')));
  });
}
