import { namesPassage } from '../features/naming.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { Name } from '../text/names.ts';
import type { ExpectedAnswer } from './expected-answer.ts';

const YEAR = /(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u;
const BORN = /(?:\bborn\b|\()[^()]{0,40}?(?<!\p{N})(1\d{3}|20\d{2})(?!\p{N})/u;

/**
 * Between two named things, the one that the evidence favours: by year when the question asks which is earlier or later (the year of the passage
 * about it, or of the passage that it leads to, as a film leads to its director), else the one whose passage stands in the evidence. Undefined
 * when neither can be told.
 */
export function chooseOption(expected: ExpectedAnswer, passages: readonly PassageProfile[]): Name | undefined {
  const [first, second] = expected.options;
  if (first === undefined || second === undefined) return undefined;
  const a = trailOf(first, passages);
  const b = trailOf(second, passages);
  if (expected.order !== undefined) {
    const yearA = yearOf(a);
    const yearB = yearOf(b);
    if (yearA !== undefined && yearB !== undefined && yearA !== yearB) return yearA < yearB === (expected.order === 'earlier') ? first : second;
  }
  return a.length > 0 && b.length === 0 ? first : b.length > 0 && a.length === 0 ? second : undefined;
}

/** Passages about a name, then those that they name. */
function trailOf(option: Name, passages: readonly PassageProfile[]): PassageProfile[] {
  const about = passages.filter((passage) => passage.titles.includes(option.key));
  const led = passages.filter((passage) => !about.includes(passage) && about.some((from) => namesPassage(from, passage)));
  return [...about, ...led];
}

function yearOf(trail: readonly PassageProfile[]): number | undefined {
  const text = trail.at(-1)?.passage.text;
  const found = text === undefined ? undefined : (BORN.exec(text)?.[1] ?? YEAR.exec(text)?.[1]);
  return found === undefined ? undefined : Number(found);
}
