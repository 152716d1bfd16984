import { BEYOND_ASCII, isStopWord } from './stop-words.ts';
import { stopLanguageOf } from './words.ts';

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Characters of a run that are paired (see {@link wordParts}). */
const PAIRED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)/u;
/** Accents and vowel points: one writer sets them, another does not. */
const POINTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const BEYOND_LATIN = /[^\p{Script=Latin}\p{M}\p{N}]/u;
/** A letter of a paired script with its marks. */
const CLUSTER = /\P{M}\p{M}*/gu;
const PAIR = 2;
/** McNamee and Mayfield (2004): of all lengths four serves most European languages best. */
const GRAM = 4;

/**
 * What a full-text index keeps of words beside the words, so that compounds, particles and inflected forms meet: pairs
 * of characters of scripts that put no space between words, and of Korean; runs of four letters of other words. None of
 * English words, which the index stems: words of Latin letters have parts only in texts of other languages. In order,
 * repeats included.
 */
export function wordParts(text: string): string[] {
  const foreign = isForeign(text);
  if (!foreign && !BEYOND_ASCII.test(text)) return [];
  const folded = text.normalize('NFKD').replace(POINTS, '$1').normalize('NFKC').toLowerCase();
  const parts: string[] = [];
  // Every second piece is of paired characters.
  for (const [i, run] of (folded.match(RUN) ?? []).flatMap((each) => [...each.split(PAIRED).entries()])) {
    const isPaired = i % 2 === 1;
    if (run === '' || (!foreign && !BEYOND_LATIN.test(run))) continue;
    const letters = isPaired ? (run.match(CLUSTER) ?? []) : [...run];
    const length = isPaired ? PAIR : GRAM;
    if (letters.length <= length) parts.push(run);
    else for (let end = length; end <= letters.length; end++) parts.push(letters.slice(end - length, end).join(''));
  }
  return parts;
}

const MOST_PARTS = 200;

/** Parts to search with, each once, joined by spaces; '' where a question has none. */
export const partsQuery = (text: string): string => [...new Set(wordParts(text))].slice(0, MOST_PARTS).join(' ');

/** One word of so many is an English stop word at least, in a text in English; fewer in other languages. */
const ENGLISH_IN = 6;
/** One word of so many has a letter that English has not, in a text in another language. */
const FOREIGN_IN = 50;

/** Whether a text is in another language than English, which it is in doubt. */
function isForeign(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const english = words.filter((word) => word.length > 1 && isStopWord(word.toLowerCase())).length;
  if (english * ENGLISH_IN >= words.length) return false;
  const foreign = words.filter((word) => BEYOND_ASCII.test(word)).length;
  return foreign * FOREIGN_IN >= words.length || stopLanguageOf(text) !== 'en';
}
