import type { QualitySigns } from '#learning';

/** Share of a text's word triples that must still be there for it to count as changed, not as removed. */
const STILL_THERE = 0.5;

/**
 * What became of an answer in the document that it was put into: kept word by word (spaces do not count), changed, or
 * taken out again.
 */
export function whatBecameOf(inserted: string, document: string): NonNullable<QualitySigns['edit']> {
  const [before, now] = [wordsOf(inserted), wordsOf(document)];
  if (` ${now.join(' ')} `.includes(` ${before.join(' ')} `)) return 'kept';
  const left = new Set(triplesOf(now));
  const triples = triplesOf(before);
  return triples.filter((triple) => left.has(triple)).length >= STILL_THERE * triples.length && triples.length > 0
    ? 'changed'
    : 'removed';
}

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
const triplesOf = (words: readonly string[]): string[] =>
  words.slice(0, Math.max(0, words.length - 2)).map((_, i) => words.slice(i, i + 3).join(' '));
