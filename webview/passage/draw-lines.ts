import { frontMatterLines, isProseLanguage, type Citation, type TextSpan } from '#protocol';
import { tokenise, type Token, type TokenKind } from './tokenise.ts';

/** A stretch of one line with one look. */
export interface Segment {
  text: string;
  kind: TokenKind;
  /** True for words that link two hops. */
  marked: boolean;
}

/** A line as it is drawn. */
export interface DrawnLine {
  /** 1-based line in the file. */
  number: number;
  segments: Segment[];
  /** It stands in the front matter above a text, and is no part of what is read. */
  isFrontMatter?: true;
  /** An answer quotes it. */
  isCited?: true;
}

/** Cuts a passage's text into lines of segments: colours from the tokeniser, marks from the spans. */
export function drawLines(text: string, language: string, firstLine: number, marks: readonly TextSpan[]): DrawnLine[] {
  const tokens = tokenise(text, language);
  const lines: DrawnLine[] = [];
  const above = firstLine === 1 && isProseLanguage(language) ? frontMatterLines(text.split('\n')) : 0;
  let start = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const visible = line.replace(/\r$/, '');
    const segments = cut(text, start, start + visible.length, tokens, marks);
    lines.push({ number: firstLine + index, segments, ...(index < above && { isFrontMatter: true }) });
    start += line.length + 1;
  }
  return lines;
}

function cut(
  text: string,
  start: number,
  end: number,
  tokens: readonly Token[],
  marks: readonly TextSpan[],
): Segment[] {
  const edges = new Set([start, end]);
  const here = tokens.filter((token) => token.start < end && token.end > start);
  const marked = marks.filter((mark) => mark.start < end && mark.end > start);
  for (const { start: from, end: to } of [...here, ...marked]) {
    if (from > start && from < end) edges.add(from);
    if (to > start && to < end) edges.add(to);
  }
  const cuts = [...edges].sort((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((from, index) => {
    const to = cuts[index + 1] ?? end;
    if (to <= from) return [];
    const kind = here.find((token) => token.start <= from && token.end >= to)?.kind ?? 'plain';
    return [{ text: text.slice(from, to), kind, marked: marked.some((mark) => mark.start <= from && mark.end >= to) }];
  });
}

/**
 * What is seen of a line: without the signs of Markdown. A mark on them alone, as in a link's target, goes to its
 * words.
 */
export function shownSegments({ segments }: DrawnLine): Segment[] {
  return segments.flatMap((segment, at) => {
    if (segment.kind === 'syntax' || segment.kind === 'rule') return [];
    if (segment.kind !== 'link' || segment.marked) return [segment];
    const isMarkedBehind = (step: -1 | 1): boolean => {
      let next = at + step;
      while (segments[next]?.kind === 'syntax' && !segments[next]?.marked) next += step;
      return segments[next]?.kind === 'syntax';
    };
    return [isMarkedBehind(-1) || isMarkedBehind(1) ? { ...segment, marked: true } : segment];
  });
}

/** The cells of a table's row; undefined of any other line. */
export function cellsOf(line: DrawnLine): Segment[][] | undefined {
  if (!line.segments.some(({ kind }) => kind === 'cell')) return undefined;
  const cells: Segment[][] = [[]];
  for (const segment of shownSegments(line)) {
    if (segment.kind === 'cell') cells.push([]);
    else cells.at(-1)?.push(segment);
  }
  return cells.slice(1, -1);
}

/** Lines to show of a passage; `gap` stands where lines between two shown ones are left out. */
interface Excerpt {
  lines: (DrawnLine | 'gap')[];
  /** Lines of the passage that are worth reading and are not shown. */
  hidden: number;
}

const isBlank = (line: DrawnLine): boolean =>
  line.segments.every(({ text, kind }) => text.trim() === '' || kind === 'rule');
const isHeading = (line: DrawnLine | undefined): boolean =>
  line?.segments.some(({ kind }) => kind === 'heading') === true;
const isMarked = (line: DrawnLine): boolean => line.segments.some((segment) => segment.marked);

/** Lines of a file that an answer cites; with its words where it quotes them. */
export type CitedLines = Pick<Citation, 'startLine' | 'endLine' | 'quote'>;

/**
 * The lines with those that are quoted known as such. Front matter is left out, but for what is quoted of it: who asked
 * for a note's status asked for that line.
 */
function withoutFrontMatter(lines: readonly DrawnLine[], cited: readonly CitedLines[]): DrawnLine[] {
  const isQuoted = ({ number }: DrawnLine): boolean =>
    cited.some(({ startLine, endLine, quote }) => quote !== undefined && number >= startLine && number <= endLine);
  return lines.flatMap((line) => (isQuoted(line) ? { ...line, isCited: true } : line.isFrontMatter ? [] : line));
}

/** Where the first line stands that matters: one that is quoted, else one with a mark; 0 where there is none. */
function firstThatMatters(lines: readonly DrawnLine[]): number {
  const quoted = lines.findIndex((line) => line.isCited);
  return Math.max(0, quoted >= 0 ? quoted : lines.findIndex(isMarked));
}

/**
 * The few lines that matter, which lead: those that are quoted and those with linking words, then what follows them;
 * the first ones of the text when there are none. Nothing else stands above, nor what follows under the next heading:
 * it says nothing of them. A passage of no more lines is shown whole. Blank lines are not worth one of the few.
 */
export function excerpt(drawn: readonly DrawnLine[], count: number, cited: readonly CitedLines[] = []): Excerpt {
  const lines = withoutFrontMatter(drawn, cited).filter((line) => !isBlank(line));
  if (lines.length <= count) return arrange(lines, [...lines.keys()]);
  const those = (is: (line: DrawnLine) => boolean): number[] =>
    lines.flatMap((line, index) => (is(line) ? [index] : []));
  const matter = [...those((line) => line.isCited === true), ...those((line) => !line.isCited && isMarked(line))];
  const chosen = matter.length > 0 ? matter.slice(0, count) : [0];
  for (let next = Math.max(...chosen) + 1; next < lines.length && chosen.length < count; next++) {
    const isOnlyHeadings = chosen.every((index) => isHeading(lines[index]));
    if (matter.length > 0 && !isOnlyHeadings && isHeading(lines[next])) break;
    chosen.push(next);
  }
  return arrange(
    lines,
    chosen.sort((a, b) => a - b),
  );
}

/** A whole passage; of a long one so many lines, with the first that matters among them. */
export function unfolded(drawn: readonly DrawnLine[], count: number, cited: readonly CitedLines[]): Excerpt {
  const lines = withoutFrontMatter(drawn, cited).filter((line) => !isBlank(line));
  const from = Math.max(0, Math.min(firstThatMatters(lines), lines.length - count));
  return arrange(lines, [...lines.keys()].slice(from, from + count));
}

/** A passage from the first line that matters on. */
export function fromWhatMatters(drawn: readonly DrawnLine[], cited: readonly CitedLines[]): DrawnLine[] {
  const lines = withoutFrontMatter(drawn, cited);
  const from = firstThatMatters(lines);
  return lines.slice(
    from > 0
      ? from
      : Math.max(
          0,
          lines.findIndex((line) => !isBlank(line)),
        ),
  );
}

function arrange(lines: readonly DrawnLine[], indices: readonly number[]): Excerpt {
  const shown: Excerpt['lines'] = [];
  let before: number | undefined;
  for (const index of indices) {
    const line = lines[index];
    if (!line) continue;
    if (before !== undefined && index > before + 1) shown.push('gap');
    shown.push(line);
    before = index;
  }
  return { lines: shown, hidden: lines.length - indices.length };
}
