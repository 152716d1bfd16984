import type { IndexedPassage } from '../../indexing/passage-index.ts';
import type { FusedPassage } from './rank-fusion.ts';

/** A fused passage with those that say the same. */
export interface FoldedPassage extends FusedPassage {
  folded: IndexedPassage[];
}

const SAME_TEXT = 0.9;
const CONTAINED = 0.8;

/**
 * Folds passages that overlap a better one in the same file, or say nearly the same anywhere, into it; order kept. Overlap counts only when the
 * shared lines are also shared words: an outline spans its members' lines without repeating them. No more passages are taken than `limit` needs.
 */
export async function foldPassages(ranked: AsyncIterable<FusedPassage> | Iterable<FusedPassage>, limit: number): Promise<FoldedPassage[]> {
  const kept: { hit: FoldedPassage; words: Set<string> }[] = [];
  for await (const entry of ranked) {
    const words = wordSet(entry.passage.text);
    const same = kept.find((other) => saysTheSame(other.hit.passage, other.words, entry.passage, words));
    if (same !== undefined) same.hit.folded.push(entry.passage);
    else if (kept.length < limit) kept.push({ hit: { ...entry, folded: [] }, words });
    else break;
  }
  return kept.map(({ hit }) => hit);
}

function saysTheSame(a: IndexedPassage, aWords: ReadonlySet<string>, b: IndexedPassage, bWords: ReadonlySet<string>): boolean {
  if (a.contentHash !== '' && a.contentHash === b.contentHash) return true;
  let shared = 0;
  for (const word of bWords) if (aWords.has(word)) shared++;
  const smaller = Math.min(aWords.size, bWords.size);
  const overlap = a.uri === b.uri && a.startLine <= b.endLine && b.startLine <= a.endLine && a.startColumn === undefined && b.startColumn === undefined;
  if (overlap && smaller > 0 && shared / smaller >= CONTAINED) return true;
  const union = aWords.size + bWords.size - shared;
  return smaller >= 8 && shared / union >= SAME_TEXT;
}

const wordSet = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
