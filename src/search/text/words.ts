import { characterwise, segmentsOf } from './segment.ts';
import { american } from './spelling.ts';
import { isStopWord, languageOfWords, type StopLanguage } from './stop-words.ts';

/** A word with its place in the text it was read from (UTF-16 offsets, end exclusive). */
export interface Word {
  /** Lower-cased and NFKC-normalised. */
  text: string;
  start: number;
  end: number;
  /** Starts with a capital letter in the text. */
  capital: boolean;
}

const WORD = /[\p{L}\p{M}]+(?:['’](?=\p{L})\p{L}+)?|\p{N}+(?:[.,]\p{N}+)*/gu;

/** A French article or pronoun before a vowel: no part of the word. */
export const ELISION = /^(?:[dlns]|qu|jusqu|lorsqu|puisqu)['’](?=[\p{L}]{3})/iu;

/**
 * Words and numbers of a text in order. Underscores and dots separate, so `get_environ_proxies` gives three words;
 * where a script has no spaces (Chinese, Japanese, Thai), dictionaries do.
 */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const elided = ELISION.exec(match[0])?.[0].length ?? 0;
    for (const { text: run, start } of segmentsOf(match[0].slice(elided)))
      pushWithCaseSplit(words, run, match.index + elided + start);
  }
  return words;
}

function pushWithCaseSplit(words: Word[], raw: string, start: number): void {
  let from = 0;
  for (let i = 1; i <= raw.length; i++) {
    if (i < raw.length && !isCaseBoundary(raw, i)) continue;
    const part = raw.slice(from, i);
    words.push({ text: plain(part), start: start + from, end: start + i, capital: /^\p{Lu}/u.test(part) });
    from = i;
  }
}

/**
 * `camelCase` and `HTTPServer` are split; `McDowell` and `PhD` stay whole, as their parts are too short to be words.
 */
function isCaseBoundary(raw: string, at: number): boolean {
  const before = raw[at - 1] ?? '';
  const here = raw[at] ?? '';
  const after = raw[at + 1] ?? '';
  if (!/\p{Lu}/u.test(here)) return false;
  if (/\p{Ll}/u.test(before)) return at >= (/^\p{Lu}/u.test(raw) ? 3 : 2) && /\p{Ll}/u.test(after);
  return /\p{Lu}/u.test(before) && /\p{Ll}/u.test(after) && at >= 2;
}

/** Lower case, compatibility-normalised, without accents and possessive endings: how words are compared. */
export function plain(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/u, '')
    .replace(/['’]/gu, '');
}

/**
 * Plain words of a text joined by single spaces, possessive endings left out: `Hello Love's performer` gives `hello
 * love performer`. Characters of scripts without spaces are words each.
 */
export function phraseForm(text: string): string {
  return characterwise(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '')
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Where a phrase (in {@link phraseForm}) first stands in a text as whole words; undefined when it does not. Walks the
 * text once and keeps where every character of the plain form came from.
 */
export function locatePhrase(text: string, form: string, from = 0): { start: number; end: number } | undefined {
  let folded = ' ';
  const origin: number[] = [from];
  for (let i = from; i < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(i) ?? 32);
    const possessive = /^['’]s?/.exec(text.slice(i, i + 2))?.[0];
    const skip =
      possessive === undefined ? 0 : possessive.length === 2 && !/[\p{L}\p{N}]/u.test(text[i + 2] ?? '') ? 2 : 1;
    if (skip > 0) {
      i += skip;
      continue;
    }
    const letters = char
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
    for (const letter of characterwise(letters)) {
      const kept = /[\p{L}\p{N}]/u.test(letter) ? letter : ' ';
      if (kept === ' ' && folded.endsWith(' ')) continue;
      folded += kept;
      for (let unit = 0; unit < kept.length; unit++) origin.push(i);
    }
    i += char.length;
  }
  if (!folded.endsWith(' ')) {
    folded += ' ';
    origin.push(text.length);
  }
  const at = form === '' ? -1 : folded.indexOf(` ${form} `);
  if (at < 0) return undefined;
  const last = origin[at + form.length] ?? 0;
  return { start: origin[at + 1] ?? 0, end: last + String.fromCodePoint(text.codePointAt(last) ?? 32).length };
}

/**
 * Folds inflected English forms together: plural, past, progressive, agent and adverb endings, and British spellings
 * with American ones. Deliberately light: it only has to make `published`, `publishes` and `publishing` equal, not to
 * find dictionary forms.
 */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  let s = american(word);
  if (s.endsWith('ies') && s.length > 4) s = `${s.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(s)) s = s.slice(0, -2);
  else if (s.endsWith('s') && !/(?:ss|us|is)$/.test(s)) s = s.slice(0, -1);
  for (const ending of ['ational', 'ation', 'ition', 'ing', 'ed', 'er', 'or', 'ly', 'ment']) {
    if (s.endsWith(ending) && s.length - ending.length >= 4) {
      s = s.slice(0, -ending.length);
      break;
    }
  }
  if (/([bdfgklmnprt])\1$/.test(s)) s = s.slice(0, -1);
  if (s.length > 4 && s.endsWith('e')) s = s.slice(0, -1);
  if (s.length > 3 && s.endsWith('y')) s = `${s.slice(0, -1)}i`;
  return s;
}

/** Words of a text that are no stop words of its language, in order, repeats included. */
export function contentWords(text: string): Word[] {
  const words = readWords(text);
  const language = languageOfWords(words.map((word) => word.text));
  return words.filter((word) => !isStopWord(word.text, language));
}

/** Stems of a text's {@link contentWords}, in order, repeats included. */
export const contentStems = (text: string): string[] => contentWords(text).map((word) => stem(word.text));

/**
 * The language of a text: English in doubt, Chinese where only characters tell, `other` of letters nobody here knows.
 */
export function languageOf(text: string): StopLanguage | 'other' {
  const language = languageOfWords(readWords(text).map((word) => word.text));
  if (language !== 'en') return language;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 >= letters) return 'en';
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'other';
}
