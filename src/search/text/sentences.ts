import { wordSet } from '#base';
import type { TextSpan } from '../domain/unit.ts';
import { trimmed, withoutTrailing } from './trim.ts';

/** Abbreviations after which a full stop does not end a sentence: English ones, then German, French and Spanish. */
const ABBREVIATIONS = wordSet(`
  mr mrs ms dr st prof sr jr vs etc inc ltd co corp no nos vol fig figs pp para eg ie viz cf resp incl excl esp
  approx dept est gen col lt sgt capt rev hon gov sen rep jan feb mar apr jun jul aug sep sept oct nov dec mt ft al
  allg bspw bzw ca dipl einschl evtl geb ggf ggfs hrsg ing inkl jh med mio mrd nr sog tel urspr usw vgl zzgl
  ex mgr mm mme mmes mlle mlles env tél
  aprox avda dpto depto dra dras drs ej excma excmo gral hnos ilmo lic ltda profa sra sras sres srta srtas teléf ud uds
`);
/** Abbreviations only before a number: others of them are words, or end sentences as often. */
const BEFORE_NUMBERS = wordSet(`
  abb abs abschn anl anm art arts bd cap ch chap fol kap núm pag pág págs p s sec sect str tab ziff
`);
/** The plural of initials: `EE. UU.`, of which the second may end the sentence. */
const DOUBLED = /^(\p{Lu})\1$/u;
/** A number of one or two digits at the end of a text. */
const DAY = /(?:^|\D)\d{1,2}$/;
/** What stands behind a day's number in German: "am 3. März". */
const MONTH = /^\s(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/u;

/**
 * Sentences of a passage as exact, non-overlapping spans in order, white space trimmed. Prose ends at `.`, `!`, `?`
 * followed by white space and an opening, and at `。`, `！`, `？`; a blank line, a list item, a heading, a table row or a
 * line of front matter always starts anew. Code falls into lines: each non-blank line is one.
 */
export function splitSentences(text: string, shape: 'prose' | 'code' = 'prose'): TextSpan[] {
  return blocksOf(text, shape)
    .flatMap((block) => (shape === 'code' ? [block] : sentencesOf(text, block)))
    .flatMap((span) => trimmed(text, span) ?? []);
}

/** Lines that begin a block of their own whatever stands before them. */
const OPENS_BLOCK = /^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|\||>)/;
/** Metadata on top of a note: every line of it says something of its own. */
const FRONT_MATTER = /^---\n[\s\S]*?\n---(?=\n|$)/;
const HEADING = /^\s*#{1,6}\s/;

/** Every line of code; of prose the runs of lines between blank lines, headings and list items. */
function blocksOf(text: string, shape: 'prose' | 'code'): TextSpan[] {
  const blocks: TextSpan[] = [];
  let open: TextSpan | undefined;
  let afterHeading = false;
  let start = 0;
  const metadata = shape === 'prose' ? (FRONT_MATTER.exec(text)?.[0].length ?? 0) : 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const blank = line.trim() === '';
    if (
      open !== undefined &&
      !blank &&
      shape === 'prose' &&
      start > metadata &&
      !afterHeading &&
      !OPENS_BLOCK.test(line)
    )
      open.end = end;
    else if (blank) open = undefined;
    else blocks.push((open = { start, end }));
    afterHeading = HEADING.test(line);
    start = end + 1;
  }
  return blocks;
}

/** The sentences of a block, with the white space around them. */
function sentencesOf(text: string, block: TextSpan): TextSpan[] {
  const spans: TextSpan[] = [];
  const marks = /[.!?؟۔।]+["'”’)\]]*|[。！？｡]+["'”’)\]」』）》]*/gu;
  const body = text.slice(block.start, block.end);
  const whole = [...body.matchAll(WHOLE)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
  let from = 0;
  let next = 0;
  for (const match of body.matchAll(marks)) {
    const end = match.index + match[0].length;
    while ((whole[next]?.end ?? Infinity) <= match.index) next += 1;
    if ((whole[next]?.start ?? Infinity) < match.index) continue;
    const ends = WIDE.test(match[0]) || (/\s/.test(body.charAt(end)) && endsSentence(body, match.index, end));
    if (!ends) continue;
    spans.push({ start: block.start + from, end: block.start + end });
    from = end;
  }
  return [...spans, { start: block.start + from, end: block.end }];
}

/** Marks of Chinese and Japanese end a sentence wherever they stand: no white space follows them. */
const WIDE = /^[。！？｡]/u;

/** Code between backticks and links with their words, as far as people write them: what ends in them is no sentence. */
const WHOLE = /```[^]{1,300}?```|``[^]{1,300}?``|`[^`]{1,300}`|\[[^[\]]{0,500}\]\([^()]{0,500}\)/g;

function endsSentence(body: string, mark: number, end: number): boolean {
  const next = body.slice(end).trimStart()[0];
  if (next === undefined) return true;
  if (/\p{Ll}/u.test(next)) return false;
  if (body[mark] !== '.') return true;
  const rest = body.slice(end, end + 12);
  if (DAY.test(body.slice(Math.max(0, mark - 3), mark)) && MONTH.test(rest)) return false;
  const early = body.slice(Math.max(0, mark - 20), mark);
  const before = early.slice(withoutTrailing(early, /[\p{L}.]/u).length); // letters and full stops
  if (before === 'z' && /^\sB\./.test(rest)) return false;
  if (DOUBLED.test(before) && /^\s(\p{Lu})\1\./u.test(rest)) return false;
  if (/^\p{Lu}$/u.test(before) || /^(?:\p{L}\.)+\p{L}$/u.test(before)) return false;
  if (/(?:^|\s)\p{L}\.\s\p{L}$/u.test(early)) return false; // one letter after another: `u. a.`, `d. h.`
  const word = before.toLowerCase().replaceAll('.', '');
  return (
    !ABBREVIATIONS.has(word) &&
    !((BEFORE_NUMBERS.has(word) || word.endsWith('str')) && /^\p{N}|^[A-Z]\.?\s?\p{N}/u.test(rest.trimStart()))
  );
}
