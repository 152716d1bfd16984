import type { Answer } from '../domain/answer.ts';
import { type Hop, isStopWord, type PassageChain, readWords, stem } from '#search';
import type { Quote } from './quote.ts';

/** Share of content words that two sentences must have in common to be about the same thing. */
const SAME_MATTER = 0.6;

/**
 * Quotes of different files that say the same with other figures: shown side by side, not averaged. Two sentences are
 * taken to disagree when they share most of their words and each has a number that the other has not.
 */
export function findConflicts(quotes: readonly Quote[], chain: PassageChain): Answer['conflicts'] {
  const profiles = quotes.map((quote) => ({ quote, ...profileOf(quote.text) }));
  const conflicts: Answer['conflicts'] = [];
  for (const [i, one] of profiles.entries()) {
    for (const other of profiles.slice(i + 1)) {
      if (one.quote.passage.uri === other.quote.passage.uri || !disagree(one, other)) continue;
      const figures = [
        [...one.numbers].filter((n) => !other.numbers.has(n)),
        [...other.numbers].filter((n) => !one.numbers.has(n)),
      ].map((list) => list.join(', '));
      conflicts.push({
        statement: `${one.quote.passage.path} says ${figures[0]}, ${other.quote.passage.path} says ${figures[1]}.`,
        hops: [hopOf(one.quote, chain), hopOf(other.quote, chain)],
      });
    }
  }
  return conflicts;
}

interface Profile {
  words: Set<string>;
  numbers: Set<string>;
}

function profileOf(text: string): Profile {
  const words = readWords(text).map((word) => word.text);
  return {
    words: new Set(words.filter((word) => !/\d/.test(word) && !isStopWord(word)).map(stem)),
    numbers: new Set(words.filter((word) => /\d/.test(word))),
  };
}

function disagree(a: Profile, b: Profile): boolean {
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const all = new Set([...a.words, ...b.words]).size;
  if (shared < 3 || shared / all < SAME_MATTER) return false;
  return [...a.numbers].some((n) => !b.numbers.has(n)) && [...b.numbers].some((n) => !a.numbers.has(n));
}

/** The passage as it stands in the chain, or as a hop of its own. */
export function hopOf(quote: Pick<Quote, 'passage'>, chain: PassageChain): Hop {
  return (
    chain.hops.find((hop) => hop.passage.id === quote.passage.id) ?? {
      passage: quote.passage,
      score: 0,
      why: { kind: 'question', text: 'found for the question', terms: [] },
    }
  );
}
