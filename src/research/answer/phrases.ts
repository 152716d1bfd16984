import { nameForm } from '#search';

/**
 * Whether a text says a phrase as whole words, whatever its case, accents and punctuation; no text says an empty one.
 */
export function saysPhrase(text: string, phrase: string): boolean {
  const form = nameForm(phrase);
  return form !== '' && ` ${nameForm(text)} `.includes(` ${form} `);
}

/** Whether two texts are the same words. */
export const isSamePhrase = (one: string, other: string): boolean => nameForm(one) === nameForm(other);
