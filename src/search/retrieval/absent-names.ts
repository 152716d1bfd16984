import { z } from 'zod';
import { nameKey } from '../domain/link-keys.ts';
import type { PassageFilter } from '../domain/passage-chain.ts';
import type { Passage } from '../domain/passage.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import { nameForm, readNames, startsSentence } from '../text/names.ts';
import { isStopWord } from '../text/stop-words.ts';
import { wordParts } from '../text/word-parts.ts';
import {
  contentWords,
  isUnspaced,
  languageOf,
  otherSpelling,
  phraseForm,
  readWords,
  singular,
  stem,
  stopLanguageOf,
} from '../text/words.ts';
import { exactIdsOf, holderOf, LOOKED_AT } from './exact-words.ts';

export const absentWord = z.object({
  /** As the question writes it. */
  text: z.string(),
  /** True where at least half of the question's names are absent, and for an exact identifier. */
  decides: z.boolean(),
});
/** A name or exact identifier of a question that no passage holds. */
export type AbsentWord = z.infer<typeof absentWord>;

/** Two capitals, a small letter before a capital, letters with a digit: no ordinary word is spelt so. */
const TECHNICAL = /\p{Lu}.{0,80}\p{Lu}|\p{Ll}\p{Lu}|\p{L}\p{N}/u;

interface AskedName {
  text: string;
  start: number;
  /** Its words that are no stop words, as written. */
  words: string[];
  kind: 'name' | 'technical' | 'id';
}

/**
 * Names and exact identifiers (UUID, MAC, IP, commit, version, ticket) of a question that no passage holds, in its
 * order. An identifier is a whole. A name of several words is absent if its first word and at least half of its words
 * are. In German, which writes nouns with capitals, only technical spellings are names.
 */
export async function absentNames(
  index: PassageIndex,
  question: string,
  filter: PassageFilter | undefined,
  signal?: AbortSignal,
): Promise<AbsentWord[]> {
  const names = askedNames(question);
  const absent = await Promise.all(names.map((name) => isAbsent(index, name, filter, signal)));
  signal?.throwIfAborted();
  const missing = absent.filter(Boolean).length;
  return names.flatMap(({ text, kind }, i) =>
    absent[i] ? [{ text, decides: kind === 'id' || missing * 2 >= names.length }] : [],
  );
}

/**
 * What is absent still, once passages were found: a file may have been added between the two looks. Where all that was
 * found is in another language than the question, only identifiers and technical spellings are certain.
 */
export function stillAbsent(absent: readonly AbsentWord[], question: string, found: readonly Passage[]): AbsentWord[] {
  if (absent.length === 0) return [];
  const language = languageOf(question);
  const isForeign = found.length > 0 && !found.some(({ text }) => languageOf(text) === language);
  const texts = found.map(({ title, text }) => `${title}\n${text}`);
  const phrases = texts.map((text) => ` ${phraseForm(text)} `);
  return absent.filter(({ text }) => {
    if (exactIdsOf(text).length > 0) return !texts.some(holderOf(text, true));
    const form = ` ${phraseForm(text)} `;
    return (!isForeign || TECHNICAL.test(text)) && !phrases.some((phrase) => phrase.includes(form));
  });
}

/** Words of a query that are looked for: a longer one is a text. */
const MOST_WORDS = 40;

/** Words of a query that no passage has in any form, each once, as written; whatever they mean. */
export async function absentWords(
  index: PassageIndex,
  query: string,
  filter: PassageFilter | undefined,
  signal?: AbortSignal,
): Promise<string[]> {
  const options = { ...(filter && { filter }), ...(signal && { signal }) };
  const words = new Map(contentWords(query).map(({ text, start, end }) => [text, query.slice(start, end)] as const));
  const asked = [...words].filter(([text]) => text.length > 1).slice(0, MOST_WORDS);
  // Counts are for all files, and mostly known already: only what they do not tell is looked for.
  const { frequencies } = await index.documentFrequencies(asked.map(([text]) => text));
  const isThere = async ([text]: readonly [string, string], i: number) =>
    (!filter && (frequencies[i] ?? 0) > 0) || (await stands(index, text, options));
  const there = await Promise.all(asked.map(isThere));
  return asked.flatMap(([, written], i) => (there[i] ? [] : [written]));
}

/** Names and exact identifiers of a question, each once. */
function askedNames(question: string): AskedName[] {
  const ids = exactIdsOf(question);
  const language = stopLanguageOf(question);
  const asked = ids.map((text): AskedName => ({ text, start: question.indexOf(text), words: [text], kind: 'id' }));
  const written = readWords(question).filter(({ text }) => !isStopWord(text));
  // Where most words begin with a capital, as in a title, capitals tell no names.
  const small = written.filter(({ capital }) => !capital).length;
  const capitalsName = language !== 'de' && (written.length <= 2 || small * 3 >= written.length);
  for (const { kind, text, start } of readNames(question)) {
    if (kind === 'number' || kind === 'compound' || kind === 'path') continue;
    if (ids.some((id) => id.includes(text)) || asked.some((known) => known.text.includes(text))) continue;
    const words = text.split(/[\s-]+/u).filter((word) => /\p{L}/u.test(word) && !isStopWord(word.toLowerCase()));
    if (words.length === 0) continue;
    const isTechnical = kind === 'identifier' || words.every((word) => TECHNICAL.test(word));
    if (kind === 'phrase' && !isTechnical && (!capitalsName || (words.length === 1 && startsSentence(question, start))))
      continue;
    asked.push({ text, start, words, kind: isTechnical ? 'technical' : 'name' });
  }
  return asked.sort((a, b) => a.start - b.start);
}

async function isAbsent(
  index: PassageIndex,
  { text, words, kind }: AskedName,
  filter: PassageFilter | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const options = { ...(filter && { filter }), ...(signal && { signal }) };
  if ((await index.findByName([nameKey(text)], { ...options, limit: 1 })).length > 0) return false;
  if (kind === 'id') {
    const list = await index.rank({ words: text, every: true }, { ...options, limit: LOOKED_AT });
    const refs = list.map(({ passage }) => passage);
    const isIn = holderOf(text, true);
    return !(await index.read(refs, { vectors: false })).some((row) => isIn(`${row.title}\n${row.text}`));
  }
  const there = await Promise.all(words.map((word) => stands(index, word, options)));
  return there[0] === false && there.filter((one) => !one).length * 2 >= words.length;
}

/** Whether any passage has a word, in a simple form or another spelling, inflected, or in parts (`Open Telemetry`). */
async function stands(
  index: PassageIndex,
  word: string,
  options: { filter?: PassageFilter; signal?: AbortSignal },
): Promise<boolean> {
  const form = nameForm(word);
  const one = singular(form);
  const words = [...new Set([form, one, `${one}s`, stem(form), otherSpelling(form) ?? form])].join(' ');
  const beginning = isUnspaced(word) ? '' : wordParts(word)[0];
  if ((await index.rank({ words, parts: beginning }, { ...options, limit: 1 })).length > 0) return true;
  if ((await index.findByName([nameKey(word)], { ...options, limit: 1 })).length > 0) return true;
  const parts = readWords(word);
  if (parts.length < 2) return false;
  const near = await index.textSearch(parts.map(({ text }) => text).join(' '), { ...options, limit: LOOKED_AT });
  return near.some(({ passage }) => joined(`${passage.title}\n${passage.text}`).includes(joined(word)));
}

/** Letters and numbers alone. */
const joined = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
