import { expression } from '#base';
import { namesPassage } from '../features/candidate-features.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { nameForm, type Name } from '../../text/names.ts';
import type { Reading } from '../retriever.ts';
import type { ExpectedAnswer } from '../expected-answer.ts';

const YEAR = /(?<!\p{N})(?:1\d{3}|20\d{2})(?!\p{N})/gu;
const BORN = /(?:\bborn\b|\()[^()]{0,40}?(?<!\p{N})(?:1\d{3}|20\d{2})(?!\p{N})/gu;
/** What stands before a number that is no year: `port 2048`, `#1024`. */
const NUMBERS = /(?:\bports?:?|[#$€£]) ?$/iu;
/** What is measured with a number: `1500 m`, `2000px`. */
const MEASURED = /^ ?(?:%|(?:[kcm]?m|k?g|[kKMG]i?B|[kMG]?Hz|ms|px|ft|am|pm)\b)/u;
/** What is counted: `1024 entries`. */
const COUNTED =
  /^ (?!(?:was|is|has|as|this|its|his|does|us|always|perhaps|sometimes|\p{Ll}{1,20}ss)\b)\p{Ll}{1,30}s\b/u;
/** Behind these a number before a plural is a year: `the 2010 elections`, `in 1990 engineers built it`. */
const DATES = /\b(?:the|in|since|until|from|during|by)\s$/iu;

/** Whether four figures at a place are a year, and no amount. */
function isYear(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at);
  const after = text.slice(at + 4, at + 40);
  return !NUMBERS.test(before) && !MEASURED.test(after) && (!COUNTED.test(after) || DATES.test(before));
}

/** The first year that ends a match of a pattern. */
function firstYear(pattern: RegExp, text: string): number | undefined {
  const ends = [...text.matchAll(pattern)].map(({ 0: match, index }) => index + match.length - 4);
  const at = ends.find((end) => isYear(text, end));
  return at === undefined ? undefined : Number(text.slice(at, at + 4));
}

/** The end of a lifespan in brackets, or a year after "died". */
const DIED = expression('u')`
  \([^()]{0,60}?\p{N}{4}[^()]{0,30}?[–-][^()]{0,30}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})[^()]{0,12}\)|
  \b(?:died|death)\b[^.]{0,60}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})
`;
/**
 * Asks which of two comes first or last, or which of two did: `Should I call A or B before I merge?` and `Do I start A
 * or B first?` ask for no year.
 */
const ASKS_FOR_ORDER = expression('iu')`
  (?:\b(?:which|who|whose|whom|what)\b|^\s*(?:was|were|did)\b)
  [^?]{0,200}\b(?:first|earlier|earliest|older|oldest|newer|newest|later|latest|younger|youngest|last|
    more recent(?:ly)?|(?:before|after) the other)\b
`;
const ASKS_FOR_DEATH = /\b(?:die|died|dies|death)\b/i;

/**
 * Which of two named things is earlier or later, where the question asks that and both years are known: that of the
 * passage about it, or of the passage that this leads to, as a film leads to its director.
 */
export function chooseOption(
  question: QuestionProfile,
  expected: ExpectedAnswer,
  passages: readonly PassageProfile[],
): Reading['byYears'] {
  if (expected.order === undefined || !ASKS_FOR_ORDER.test(question.text)) return undefined;
  const [first, second] = expected.options.map((option) => inFull(option, question, passages));
  if (first === undefined || second === undefined) return undefined;
  const a = trailOf(first.key, second.key, passages);
  const b = trailOf(second.key, first.key, passages);
  const death = ASKS_FOR_DEATH.test(question.text);
  const [yearA, yearB] = [yearOf(a, death), yearOf(b, death)];
  if (yearA === undefined || yearB === undefined || yearA === yearB) return undefined;
  const passageIds = [...new Set([...a, ...b].map(({ passage }) => passage.id))];
  return yearA < yearB === (expected.order === 'earlier')
    ? { chosen: first.text, year: yearA, other: second.text, otherYear: yearB, passageIds }
    : { chosen: second.text, year: yearB, other: first.text, otherYear: yearA, passageIds };
}

/**
 * A name may be a part of a longer title (“Brahma – The Creator?”): the longest title in the question that holds it, as
 * the question writes it.
 */
function inFull(
  option: Name,
  question: QuestionProfile,
  passages: readonly PassageProfile[],
): { key: string; text: string } {
  const titles = passages
    .flatMap(({ titles: own }) => own)
    .filter((title) => ` ${title} `.includes(` ${option.key} `) && question.form.includes(` ${title} `));
  const key = titles.sort((a, b) => b.length - a.length)[0];
  return key === undefined
    ? { key: option.key, text: option.text }
    : { key, text: asWritten(key, option, question.text) };
}

/** The stretch of a text around a name whose form is `key`. */
function asWritten(key: string, around: Name, text: string): string {
  for (let start = around.start; start >= 0; start--) {
    if (start > 0 && /[\p{L}\p{N}]/u.test(text[start - 1] ?? '')) continue;
    for (let end = around.end; end <= text.length; end++)
      if (!/[\p{L}\p{N}]/u.test(text[end] ?? '') && nameForm(text.slice(start, end)) === key)
        return text.slice(start, end);
  }
  return around.text;
}

/**
 * Passages about a name, then those that they name: the last of them is taken for the one that has the year. One about
 * the other name leads to that one's year.
 */
function trailOf(key: string, other: string, passages: readonly PassageProfile[]): PassageProfile[] {
  const about = passages.filter(({ titles }) => titles.includes(key));
  const led = passages.filter(
    (passage) =>
      !about.includes(passage) && !passage.titles.includes(other) && about.some((from) => namesPassage(from, passage)),
  );
  return [...about, ...led];
}

function yearOf(trail: readonly PassageProfile[], death: boolean): number | undefined {
  const text = trail.at(-1)?.passage.text;
  if (text === undefined) return undefined;
  if (!death) return firstYear(BORN, text) ?? firstYear(YEAR, text);
  const died = DIED.exec(text);
  const found = died?.[1] ?? died?.[2];
  return found === undefined ? undefined : Number(found);
}
