import { expression } from '#base';
import type { PassageFilter } from '../domain/passage-chain.ts';
import type { PassageIndex, RankedPassage } from '../store/passage-index.ts';
import { characterwise } from '../text/words.ts';

/** Letters and digits, joined by what stands within ids, versions, dates and times, but not at a sentence's end. */
const RUN = /[\p{L}\p{M}\p{N}]+(?:(?:[-._+]+|(?<=\p{N})[,:/](?=\p{N}))[\p{L}\p{M}\p{N}]+)*/gu;
/** `5` and `12` are quantities, of which every text has some. */
const SHORTEST = 3;
/** `4th Baron`, `the 1990s`: parts of what is said in words. */
const ORDINAL = /^\p{N}+(?:st|nd|rd|th|s)$/u;
const MOST_WORDS = 6;
/** A word that more passages hold singles none of them out. */
const MOST_HOLDING = 5;
/** Passages in which a word is looked for as it is written, as its parts may stand apart; with more it is not rare. */
export const LOOKED_AT = 40;

/**
 * Identifiers that are wholes: UUID, MAC and IP address, version, commit (a hexadecimal run of 7 to 40 with a digit and
 * a letter). A date is none.
 */
const EXACT_ID = expression('giu')`
  (?<![\p{L}\p{N}_.:-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|
    \d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?|v\d{1,6}(?:\.\d{1,6}){1,3}(?:[-+][a-z0-9.]{1,20})?|
    (?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?!\d))\d{1,6}(?:\.\d{1,6}){2,3}(?:[-+][a-z0-9.]{1,20})?|
    (?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40})(?![\p{L}\p{N}_:]|[.-][\p{L}\p{N}])
`;

/** `OPS-1234`; `top-10` is none. */
const TICKET = /(?<![\p{L}\p{N}_-])\p{Lu}[\p{Lu}\p{N}]{1,9}-\p{N}{2,8}(?![\p{L}\p{N}_-])/gu;

/** Exact identifiers of a text as written, each once. */
export const exactIdsOf = (text: string): string[] => [
  ...new Set([EXACT_ID, TICKET].flatMap((form) => [...text.matchAll(form)].map(([id]) => id))),
];

/** Words of a question that mean nothing near them, told by a digit: numbers, ids, versions, error codes, dates. */
export function exactWordsOf(question: string): string[] {
  const words = [...characterwise(question).matchAll(RUN)].map(([word]) => word.toLowerCase());
  const runs = words.filter((word) => word.length >= SHORTEST && /\p{N}/u.test(word) && !ORDINAL.test(word));
  const others = exactIdsOf(question).filter((id) => !runs.includes(id.toLowerCase()));
  return [...new Set([...others.map((id) => id.toLowerCase()), ...runs])].slice(0, MOST_WORDS);
}

/**
 * Passages that hold exact words of a question which few hold where is searched, the more and the rarer the better: a
 * vector knows no number from the next, so that the only passage with the right one may be far from the question.
 */
export async function exactList(
  index: PassageIndex,
  words: readonly string[],
  filter: PassageFilter | undefined,
  signal?: AbortSignal,
): Promise<RankedPassage[]> {
  const found = new Map<string, RankedPassage>();
  const lists = await Promise.all(words.map((word) => holding(index, word, filter, signal)));
  for (const passages of lists)
    for (const passage of passages) {
      const score = (found.get(passage.id)?.score ?? 0) + 1 / Math.log2(1 + passages.length);
      found.set(passage.id, { passage, score });
    }
  return [...found.values()].sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
}

/** Who holds a word as it is written; nobody where many do. */
async function holding(
  index: PassageIndex,
  word: string,
  filter: PassageFilter | undefined,
  signal: AbortSignal | undefined,
): Promise<RankedPassage['passage'][]> {
  const list = await index.rank({ words: word, every: true }, { limit: LOOKED_AT, filter, signal });
  if (list.length === LOOKED_AT) return [];
  const refs = list.map(({ passage }) => passage);
  const isIn = holderOf(word);
  const rows = (await index.read(refs, { vectors: false })).filter(({ title, text }) => isIn(`${title}\n${text}`));
  const holders = new Set(rows.map(({ id }) => id));
  return holders.size > MOST_HOLDING ? [] : refs.filter(({ id }) => holders.has(id));
}

/**
 * Tells of a text whether it has a word as it is written, not in a longer one: neither `1.2` in `1.2.3` nor 150 in
 * 1500.
 * @param isWhole Nor before a hyphen or plus with more behind it: `v2.4.1` in `v2.4.1-rc2`.
 */
export function holderOf(word: string, isWhole = false): (text: string) => boolean {
  const escaped = word.replace(/[.+/]/g, String.raw`\$&`);
  // A comma between figures parts values (`80,8080`), unless three stand behind it: `11,500`.
  const before = String.raw`(?<![\p{L}\p{M}\p{N}]|\p{N}\.|\p{N},(?=\p{N}{3}(?!\p{N})))`;
  const goesOn = isWhole ? String.raw`|[-+][\p{L}\p{N}]` : '';
  const after = String.raw`(?![\p{L}\p{M}\p{N}]|\.\p{N}|,\p{N}{3}(?!\p{N})${goesOn})`;
  const pattern = new RegExp(`${before}${escaped}${after}`, 'iu');
  return (text) => pattern.test(characterwise(text));
}
