import { z } from 'zod';
import type { PassageFilter } from '../domain/passage-chain.ts';
import { nameKey } from '../domain/link-keys.ts';
import type { Passage } from '../domain/passage.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import { type AskedWord, askedWords } from './asked-words.ts';
import { isUnspaced } from '../text/segment.ts';
import { otherSpelling } from '../text/spelling.ts';
import { languageOf, phraseForm, plain, readWords, stem } from '../text/words.ts';

export const absentWord = z.object({
  /** As the question writes it. */
  text: z.string(),
  /**
   * What the question is about, a name or nearly all of its words: what speaks of others does not answer it. False for
   * an ordinary word among others, for which files may have another, and for one name among many.
   */
  decides: z.boolean(),
});
/** A word or name of a question that no passage holds. */
export type AbsentWord = z.infer<typeof absentWord>;

/** Absent nouns, and how much of what a question says they are, before they decide without a name among them. */
const LEAST_TOPICS = 2;
const ABSENT_SHARE = 0.75;
/** Passages in which a name is looked for that may be written in two words: `Open Telemetry`. */
const APART = 20;

/**
 * What of a question stands in no passage, in its order: inflected forms count as standing there, and so does a file
 * or heading that is called so. A name of several words is absent when its first word is, and half of all at least: a
 * person may be known by a first name, and a place is never known by `Street` alone.
 */
export async function absentWords(
  index: PassageIndex,
  question: string,
  filter: PassageFilter | undefined,
  signal?: AbortSignal,
): Promise<AbsentWord[]> {
  const asked = askedWords(question);
  const { total, frequencies } = await index.documentFrequencies(asked.map(({ form }) => form));
  signal?.throwIfAborted();
  // Counts are of the whole index, and may miss what was added last: names are looked for, words only where none
  // counts.
  const lookedFor = asked.filter(
    ({ kind }, i) => (frequencies[i] ?? 0) === 0 || (filter !== undefined && isNameKind(kind)),
  );
  const found = await Promise.all(lookedFor.map((word) => stands(index, word, filter, signal)));
  const absent = new Set(lookedFor.filter((_word, i) => !found[i]));
  const rarity = asked.map((word, i) => rarityOf(total, absent.has(word) ? 0 : (frequencies[i] ?? 0)));
  const category = plain(CATEGORY.exec(question)?.[1] ?? '');
  const decides = speaksOfNothing(asked, absent, rarity, category);
  return namesAndWords(asked, absent, decides).filter(({ text, decides }) => decides || plain(text) !== category);
}

/** A kind of thing that is asked for, and is seldom called so where it stands. */
const CATEGORY =
  /\b(?:which|what) (?:\p{L}+ )?(librar(?:y|ies)|packages?|dependenc(?:y|ies)|frameworks?|tools?|tooling|languages?|platforms?|databases?|technolog(?:y|ies)|modules?|programs?|software|vendors?|providers?|suppliers?|algorithms?|protocols?|methods?|mechanisms?)\b/iu;

/** What a word weighs: less the more passages have it. */
const rarityOf = (total: number, frequency: number): number => Math.log((total + 1) / Math.max(1, frequency));

/**
 * Whether a question is about what no file has, although none of it is a name: several of its nouns are absent, and
 * what is left of it are words that many passages have.
 */
function speaksOfNothing(
  asked: readonly AskedWord[],
  absent: ReadonlySet<AskedWord>,
  rarity: readonly number[],
  category: string,
): boolean {
  const topics = asked.filter(
    (word) => absent.has(word) && word.kind === 'word' && word.form !== category && isTopic(word),
  ).length;
  const weightOf = (weighed: (word: AskedWord) => boolean): number =>
    asked.reduce((sum, word, i) => sum + (weighed(word) ? (rarity[i] ?? 0) : 0), 0);
  return topics >= LEAST_TOPICS && weightOf((word) => absent.has(word)) >= ABSENT_SHARE * weightOf(() => true);
}

/**
 * What is absent still, once passages were found: a file may have been added between the two looks. Where those that
 * were found are in another language than the question, its words prove nothing, but for those of technology.
 */
export function stillAbsent(absent: readonly AbsentWord[], question: string, found: readonly Passage[]): AbsentWord[] {
  if (absent.length === 0) return [];
  const language = languageOf(question);
  if (found.length > 0 && !found.some(({ text }) => languageOf(text) === language)) {
    const technical = new Set(askedWords(question).flatMap(({ kind, text }) => (kind === 'technical' ? [text] : [])));
    return absent.filter(({ text }) => technical.has(text));
  }
  const texts = found.map(({ title, text }) => ` ${phraseForm(title)} ${phraseForm(text)} `);
  return absent.filter(({ text }) => !texts.some((each) => each.includes(` ${phraseForm(text)} `)));
}

const isNameKind = (kind: AskedWord['kind']): boolean => kind === 'technical' || kind === 'proper';

/** The words that are absent, those of an absent name as one. */
function namesAndWords(
  asked: readonly AskedWord[],
  absent: ReadonlySet<AskedWord>,
  wordsDecide: boolean,
): AbsentWord[] {
  const names = new Map<number, AskedWord[]>();
  for (const word of asked) if (word.name !== undefined) names.set(word.name, [...(names.get(word.name) ?? []), word]);
  const gone = [...names.values()].filter((whole) => {
    const missing = whole.filter((part) => absent.has(part));
    return missing[0] === whole[0] && missing.length * 2 >= whole.length;
  });
  // A question that names many things is about most of them: one that is not there is a part of it.
  const decides = gone.length * 2 >= names.size;
  return asked.flatMap((word): AbsentWord[] => {
    const whole = gone.find((parts) => parts.includes(word));
    if (whole) return whole[0] === word ? [{ text: whole.map(({ text }) => text).join(' '), decides }] : [];
    return absent.has(word) && (word.kind !== 'word' || isTopic(word))
      ? [{ text: word.text, decides: wordsDecide && gone.length === 0 }]
      : [];
  });
}

/**
 * Whether a word may be what a question is about: verbs that are inflected, adverbs and very short words hardly are.
 */
const isTopic = ({ form }: AskedWord): boolean =>
  (form.length >= 3 && !/(?:ed|ing|ly)$/u.test(form)) || (form.length === 2 && isUnspaced(form));

async function stands(
  index: PassageIndex,
  { text, form }: AskedWord,
  filter: PassageFilter | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const options = { limit: 1, ...(filter && { filter }), ...(signal && { signal }) };
  if ((await index.textSearch(formsOf(form).join(' '), options)).length > 0) return true;
  if ((await index.findByName([nameKey(text)], options)).length > 0) return true;
  const parts = readWords(text);
  if (parts.length < 2) return false;
  const near = await index.textSearch(parts.map((part) => part.text).join(' '), { ...options, limit: APART });
  return near.some(({ passage }) => joined(`${passage.title}\n${passage.text}`).includes(form));
}

/** Letters and numbers alone. */
const joined = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** A word with the simple forms and the other spelling under which it may stand. */
function formsOf(form: string): string[] {
  const one = form.endsWith('ies') ? `${form.slice(0, -3)}y` : form.endsWith('s') ? form.slice(0, -1) : form;
  const other = otherSpelling(form) ?? form;
  return [...new Set([form, one, `${one}s`, stem(form), other])].filter((each) => each.length > 1);
}
