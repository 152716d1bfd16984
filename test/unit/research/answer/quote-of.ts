import type { Quote } from '../../../../src/research/answer/quote.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';

/** The first place of a text in a passage, as a quote. */
export function quoteOf(passage: Passage, text: string, rest: Partial<Quote> = {}): Quote {
  const start = passage.text.indexOf(text);
  return { passage, text, start, end: start + text.length, score: 1, ...rest };
}
