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
    for (let i = this.firstFrom(place); i < this.links.length; i++) {
      const link = this.links[i];
      if (!link || link.line > place.endLine || !beginsIn(link, place)) break;
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

  /** Place in the list of the first link that stands in or behind the place; a search by halves, as a line may be cut into thousands. */
  private firstFrom({ startLine, startColumn = 1 }: Place): number {
    let low = 0;
    let high = this.links.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { line = 0, column = 0 } = this.links[middle] ?? {};
      if (line < startLine || (line === startLine && column + 1 < startColumn)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Only a part of a line ends before its line does. */
function beginsIn(link: PlacedLink, place: Place): boolean {
  return place.endColumn === undefined || (link.column ?? 0) + 1 < place.endColumn;
}

function withoutEchoes(links: readonly PassageLink[]): PassageLink[] {
  const own = new Set(links.flatMap((link) => (link.kind === 'define' ? [link.target, link.target.slice(link.target.lastIndexOf('.') + 1)] : [])));
  const targets = links.flatMap((link) => (link.kind === 'markdown' || link.kind === 'import' || link.kind === 'wikilink' ? [link.target] : []));
  return links.filter((link) => {
    if (link.kind === 'call') return link.via !== undefined || !own.has(link.anchor ?? link.target);
    return link.kind !== 'path' || !targets.some((target) => target.includes(link.target.replace(/^\//, '')));
  });
}
