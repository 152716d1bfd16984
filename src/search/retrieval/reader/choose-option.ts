import { namesPassage } from '../features/candidate-features.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { nameForm, type Name } from '../../text/names.ts';
import type { ExpectedAnswer } from '../expected-answer.ts';

const YEAR = /(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u;
const BORN = /(?:\bborn\b|\()[^()]{0,40}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u;
/** The end of a lifespan in brackets, or a year after "died". */
const DIED =
  /\([^()]{0,60}?\p{N}{4}[^()]{0,30}?[–-][^()]{0,30}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})[^()]{0,12}\)|\b(?:died|death)\b[^.]{0,60}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u;
const ASKS_FOR_DEATH = /\b(?:die|died|dies|death)\b/i;

/** A choice between two things that a question names. */
export interface Choice {
  /** As the question writes it. */
  chosen: string;
  /** What was not chosen. */
  other: string;
  /**
   * What the choice rests on, when it is years: those of the chosen and of the other one, and the passages that lead to
   * them.
   */
  years?: { chosen: number; other: number; passageIds: string[] };
}

/**
 * Between two named things, the one that the evidence favours: by year when the question asks which is earlier or later
 * (the year of the passage about it, or of the passage that it leads to, as a film leads to its director), else the one
 * whose passage stands in the evidence. Undefined when neither can be told.
 */
export function chooseOption(
  question: QuestionProfile,
  expected: ExpectedAnswer,
  passages: readonly PassageProfile[],
): Choice | undefined {
  const [first, second] = expected.options.map((option) => inFull(option, question, passages));
  if (first === undefined || second === undefined) return undefined;
  const a = trailOf(first.key, passages);
  const b = trailOf(second.key, passages);
  if (expected.order !== undefined) {
    const death = ASKS_FOR_DEATH.test(question.text);
    const yearA = yearOf(a, death);
    const yearB = yearOf(b, death);
    if (yearA !== undefined && yearB !== undefined && yearA !== yearB) {
      const passageIds = [...new Set([...a, ...b].map(({ passage }) => passage.id))];
      return yearA < yearB === (expected.order === 'earlier')
        ? { chosen: first.text, other: second.text, years: { chosen: yearA, other: yearB, passageIds } }
        : { chosen: second.text, other: first.text, years: { chosen: yearB, other: yearA, passageIds } };
    }
  }
  if (a.length > 0 === b.length > 0) return undefined;
  return a.length > 0 ? { chosen: first.text, other: second.text } : { chosen: second.text, other: first.text };
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

/** Passages about a name, then those that they name. */
function trailOf(key: string, passages: readonly PassageProfile[]): PassageProfile[] {
  const about = passages.filter((passage) => passage.titles.includes(key));
  const led = passages.filter(
    (passage) => !about.includes(passage) && about.some((from) => namesPassage(from, passage)),
  );
  return [...about, ...led];
}

function yearOf(trail: readonly PassageProfile[], death: boolean): number | undefined {
  const text = trail.at(-1)?.passage.text;
  if (text === undefined) return undefined;
  const died = death ? DIED.exec(text) : undefined;
  if (death && !died) return undefined;
  const found = died ? (died[1] ?? died[2]) : (BORN.exec(text)?.[1] ?? YEAR.exec(text)?.[1]);
  return found === undefined ? undefined : Number(found);
}
