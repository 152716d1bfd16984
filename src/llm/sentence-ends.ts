import type { PassageKind } from '../model/passage.ts';

/** Kinds whose unit is the line: half a line of code or of a table says something else than the whole. */
const BY_LINE: ReadonlySet<PassageKind> = new Set<PassageKind>(['function', 'class', 'outline', 'code', 'front-matter', 'table', 'data', 'cell', 'block']);
const ABBREVIATION = /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|e\.g|i\.e|cf|al|Fig|Eq|ca|approx|[A-Z])\.$/;
const TERMINATED = /[.!?…。！？][\])"'”’»*_`]*$/;
/** After a quoted question or an unknown abbreviation. */
const GOES_ON = /^\s*[a-z]/;
/** What begins a new block of Markdown: a sentence ends before it whatever it ended with. */
const NEW_BLOCK = /^\s*(?:\n|[-*+] |\d+[.)] |#{1,6} |>|\||```|$)/;

/** Offsets (exclusive, ascending, the last is the text's length) after which a passage may be cut: sentence ends in prose, line ends in code. */
export function sentenceEnds(text: string, kind: PassageKind): number[] {
  const ends = BY_LINE.has(kind) ? lineEnds(text) : proseEnds(text);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

function lineEnds(text: string): number[] {
  return [...text.matchAll(/\n/g)].map((match) => match.index);
}

function proseEnds(text: string): number[] {
  const ends: number[] = [];
  // The segmenter also ends a "sentence" at each line break: only those are kept where one really ends.
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const said = segment.trimEnd();
    const end = index + segment.length;
    const blockEnds = segment.includes('\n') && NEW_BLOCK.test(text.slice(end, end + 80));
    if (said !== '' && (blockEnds || (TERMINATED.test(said) && !ABBREVIATION.test(said) && !GOES_ON.test(text.slice(end, end + 8))))) ends.push(index + said.length);
  }
  return ends;
}
