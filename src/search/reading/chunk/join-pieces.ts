import { sum } from '#base';
import { isTitlePrefix, joinTitles, titleOfParts, titleParts } from '../../domain/passage-title.ts';
import type { Passage, PassageKind, PassageLink } from '../../domain/passage.ts';
import { readingLimits } from '../reading-limits.ts';
import { firstWhere } from '../text/source-text.ts';
import type { LineWeights } from './split-lines.ts';
import type { Piece, PlacedLink } from './block.ts';

/** What says nothing alone: closing braces and words, rules. */
const CLOSING_ONLY = /^(?:[^\p{L}\p{N}]|\b(?:end|fi|done|esac|endif)\b)*$/u;
const TRIVIAL_TOKENS = 10;
/** A heading that stands alone is hardly longer. */
const HEADING_TOKENS = 20;
const FULL_TOKENS = readingLimits.passageTokens - 40;

/** Joins tiny neighbours that belong together, from the top down; order and lines stay. */
export function joinPieces(pieces: readonly Piece[], weights: LineWeights): Piece[] {
  return joinedBy(joinSections(attachTrivial(attachHeadings(pieces), weights), weights), (last, piece) =>
    mayJoin(last, piece) ? join(last, piece, weights) : undefined,
  );
}

/** Neighbours as one where `join` makes one of them. */
function joinedBy(pieces: readonly Piece[], join: (last: Piece, piece: Piece) => Piece | undefined): Piece[] {
  const kept: Piece[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    const one = last && join(last, piece);
    if (one) kept[kept.length - 1] = one;
    else kept.push(piece);
  }
  return kept;
}

/** The second of two with the lines of the first before its own. */
const startingAt = (first: Piece, second: Piece): Piece => ({
  ...second,
  startLine: first.startLine,
  tokens: first.tokens + second.tokens,
});

/** A heading or a class's first line with nothing of its own goes with the first thing under it. */
function attachHeadings(pieces: readonly Piece[]): Piece[] {
  return joinedBy(pieces, (last, piece) => {
    const under = last.title !== '' && last.title !== piece.title && isTitlePrefix(last.title, piece.title);
    const isHeading = last.tokens < HEADING_TOKENS && !last.solitary && last.kind !== 'front-matter';
    return under && isHeading && fits(last, piece) ? startingAt(last, piece) : undefined;
  });
}

/** Paragraphs of one section become passages of about equal size. */
function joinSections(pieces: readonly Piece[], weights: LineWeights): Piece[] {
  const joined: Piece[] = [];
  for (let start = 0; start < pieces.length;) {
    let end = start + 1;
    while (end < pieces.length && sameSection(pieces[end - 1], pieces[end])) end += 1;
    for (const piece of joinEvenly(pieces.slice(start, end), weights)) joined.push(piece);
    start = end;
  }
  return joined;
}

function sameSection(a: Piece | undefined, b: Piece | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.title === b.title &&
    a.page === b.page &&
    a.family === b.family &&
    !a.solitary &&
    !b.solitary &&
    a.kind !== 'front-matter' &&
    a.kind !== 'function' &&
    b.kind !== 'function'
  );
}

function joinEvenly(run: readonly Piece[], weights: LineWeights): Piece[] {
  const total = sum(run.map(({ tokens }) => tokens));
  const share = total / Math.ceil(total / readingLimits.joinedTokens);
  return joinedBy(run, (last, piece) => {
    const together = last.tokens + piece.tokens;
    const isNearer = last.tokens < share && together - share <= share - last.tokens;
    return isNearer && together <= readingLimits.joinedTokens * 1.15 ? join(last, piece, weights) : undefined;
  });
}

function mayJoin(a: Piece, b: Piece): boolean {
  if (a.solitary || b.solitary || a.page !== b.page || a.family !== b.family) return false;
  if (a.tokens + b.tokens > readingLimits.joinedTokens) return false;
  const tiny = a.family === 'prose' ? readingLimits.tinyProseTokens : readingLimits.tinyCodeTokens;
  return (a.tokens < tiny || b.tokens < tiny) && related(a.title, b.title);
}

/** Siblings, or one inside the other. */
function related(a: string, b: string): boolean {
  if (isTitlePrefix(a, b) || isTitlePrefix(b, a)) return true;
  const first = titleParts(a);
  const second = titleParts(b);
  return titleOfParts(first.slice(0, -1)) === titleOfParts(second.slice(0, -1));
}

function join(a: Piece, b: Piece, weights: LineWeights): Piece {
  return {
    ...a,
    endLine: b.endLine,
    kind: joinKinds(a, b),
    title: joinTitles(a.title, b.title, readingLimits.titleCharacters),
    tokens: weights.between(a.startLine, b.endLine),
  };
}

/** Imports above a class make it no less a class. */
function joinKinds(a: Piece, b: Piece): PassageKind {
  if (a.kind === b.kind) return a.kind;
  if (a.family === 'code' && (a.title === '') !== (b.title === '')) return a.title === '' ? b.kind : a.kind;
  const kinds = new Set([a.kind, b.kind]);
  for (const kind of ['outline', 'section', 'paragraph', 'data'] as const) if (kinds.has(kind)) return kind;
  return 'code';
}

/** A trivial piece goes to the neighbour above it, or else to the one below, whatever they are called. */
function attachTrivial(pieces: readonly Piece[], weights: LineWeights): Piece[] {
  return joinedBy(pieces, (last, piece) => {
    if (!fits(last, piece)) return undefined;
    if (isTrivial(piece, weights)) return { ...last, endLine: piece.endLine, tokens: last.tokens + piece.tokens };
    return isTrivial(last, weights) ? startingAt(last, piece) : undefined;
  });
}

function fits(a: Piece, b: Piece): boolean {
  return a.page === b.page && a.tokens + b.tokens <= FULL_TOKENS && !(a.solitary && b.solitary);
}

function isTrivial(piece: Piece, weights: LineWeights): boolean {
  if (piece.solitary || piece.tokens > TRIVIAL_TOKENS * 3) return false;
  return CLOSING_ONLY.test(weights.source.slice(piece.startLine, piece.endLine));
}

type Place = Pick<Passage, 'startLine' | 'endLine' | 'startColumn' | 'endColumn'>;

/**
 * Hands a file's links to its passages, by line and, in over-long lines, by column: each target once per kind, the
 * noisy kinds up to their limit; no calls of what is defined right there, no file names that are part of another link.
 */
export function linkShelf(all: readonly PlacedLink[]): (place: Place) => PassageLink[] {
  const links = [...all].sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  const most = { call: readingLimits.callsPerPassage, path: readingLimits.pathsPerPassage };
  return (place) => {
    const { startLine, startColumn = 1 } = place;
    const taken = new Map<string, PassageLink>();
    const counts = { call: 0, path: 0 };
    const first = firstWhere(links.length, (at) => {
      const { line = 0, column = 0 } = links[at] ?? {};
      return line > startLine || (line === startLine && column + 1 >= startColumn);
    });
    for (let i = first, link = links[i]; link && beginsIn(link, place); link = links[++i]) {
      const { column: _column, ...plain } = link;
      const key = `${link.kind}\n${link.target}\n${link.anchor ?? ''}`;
      if (taken.has(key) || ((link.kind === 'call' || link.kind === 'path') && ++counts[link.kind] > most[link.kind]))
        continue;
      taken.set(key, plain);
    }
    return withoutEchoes([...taken.values()]);
  };
}

/** Only a part of a line ends before its line does. */
const beginsIn = ({ line, column = 0 }: PlacedLink, { endLine, endColumn = Infinity }: Place): boolean =>
  line <= endLine && column + 1 < endColumn;

function withoutEchoes(links: readonly PassageLink[]): PassageLink[] {
  const own = new Set(
    links.flatMap((link) =>
      link.kind === 'define' ? [link.target, link.target.slice(link.target.lastIndexOf('.') + 1)] : [],
    ),
  );
  const targets = links.flatMap((link) =>
    link.kind === 'markdown' || link.kind === 'import' || link.kind === 'wikilink' ? [link.target] : [],
  );
  return links.filter((link) => {
    if (link.kind === 'call') return link.via !== undefined || !own.has(link.anchor ?? link.target);
    return link.kind !== 'path' || !targets.some((target) => target.includes(link.target.replace(/^\//, '')));
  });
}
