import type { PassageProfile } from './passage-profile.ts';

/**
 * How passages name one another. An article on Wikipedia says the title of what it leads to; a note may write a link instead, whatever words stand
 * on it. Both are naming: heads that learnt from titles carry over to linked notes.
 */
export const namesPassage = (from: PassageProfile, to: PassageProfile): boolean => namesOneOf(from, to, to.titles);

/** Whether `from` says one of these titles of `to`, or links to it. */
export function namesOneOf(from: PassageProfile, to: PassageProfile, titles: readonly string[]): boolean {
  return titles.some((title) => from.form.includes(` ${title} `)) || linkedFrom(from, to) !== undefined;
}

/** Place in `from` of the sentence with the first written link to `to`; undefined when there is none. */
export function linkedFrom(from: PassageProfile, to: PassageProfile): number | undefined {
  if (from.written.size === 0) return undefined;
  let first: number | undefined;
  for (const key of to.nameKeys) {
    const sentence = from.written.get(key);
    if (sentence !== undefined && (first === undefined || sentence < first)) first = sentence;
  }
  return first;
}
