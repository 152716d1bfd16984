import { isStopWord, languageOfWords, type StopLanguage, withoutMarks } from './stop-words.ts';

/** A word with its place in the text it was read from (UTF-16 offsets, end exclusive). */
interface Word {
  /** Lower-cased and NFKC-normalised. */
  text: string;
  start: number;
  end: number;
  /** Starts with a capital letter in the text. */
  capital: boolean;
}

const WORD = /[\p{L}\p{M}]+(?:['’](?=\p{L})\p{L}+)?|\p{N}+(?:[.,]\p{N}+)*/gu;

/** A French article or pronoun before a vowel: no part of the word. */
const ELISION = /^(?:[dlns]|qu|jusqu|lorsqu|puisqu)['’](?=[\p{L}]{3})/iu;

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
  return withoutMarks(word)
    .toLowerCase()
    .replace(/['’]s?$/u, '')
    .replace(/['’]/gu, '');
}

/**
 * Plain words of a text joined by single spaces, possessive endings left out: `Hello Love's performer` gives `hello
 * love performer`. Characters of scripts without spaces are words each.
 */
export function phraseForm(text: string): string {
  return withoutMarks(characterwise(text))
    .toLowerCase()
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '')
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
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
    const char = withMarks(text, i);
    const possessive = /^['’]s?/.exec(text.slice(i, i + 2))?.[0];
    const skip =
      possessive === undefined ? 0 : possessive.length === 2 && !/[\p{L}\p{N}]/u.test(text[i + 2] ?? '') ? 2 : 1;
    if (skip > 0) {
      i += skip;
      continue;
    }
    for (const letter of characterwise(withoutMarks(char).toLowerCase())) {
      const kept = /[\p{L}\p{M}\p{N}]/u.test(letter) ? letter : ' ';
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
  return { start: origin[at + 1] ?? 0, end: last + withMarks(text, last).length };
}

const WITH_MARKS = /.\p{M}*/suy;
/** The character at a place of a text, with the marks on it. */
function withMarks(text: string, at: number): string {
  WITH_MARKS.lastIndex = at;
  return WITH_MARKS.exec(text)?.[0] ?? ' ';
}

/** `1.3.0`, which people call 1.3. */
const FIRST_OF_RELEASE = /^(\d{1,4}\.\d{1,4})(?:\.0)+$/;

/**
 * Folds inflected English forms together: plural, past, progressive, agent and adverb endings, British spellings with
 * American ones, and what is cut short (`repo`) with the whole word. Deliberately light: it only has to make
 * `published`, `publishes` and `publishing` equal, not to find dictionary forms.
 */
export function stem(word: string): string {
  if (word.length <= LONGEST_SHORT) word = spelledOut(word) ?? word;
  if (word.length <= 3) return word;
  if (/\d/.test(word)) return FIRST_OF_RELEASE.exec(word)?.[1] ?? word;
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

/**
 * What people at work cut short, with the one word that it stands for wherever it does. None is an everyday word of
 * another language whose inflected forms would no longer fold with it, as German `lang` and Spanish `util` would.
 */
const CUT_SHORT = new Map(
  `app application; repo repository; config configuration; env environment; db database; dir directory; prod production;
  info information; param parameter; arg argument; lib library; pkg package; msg message; func function; var variable;
  max maximum; org organization; admin administrator; spec specification; perm permission;
  cert certificate; cred credential; attr attribute; desc description; impl implementation; prev previous; stat statistic;
  utils utilities; doc document; k8s kubernetes; ref reference; char character; perf performance; avg average;
  dept department; mgr manager; mgmt management; qty quantity; addr address; pwd password; img image; btn button`
    .split(/;\s+/)
    .map((pair) => pair.split(' ') as [string, string]),
);
const WHOLE = new Map([...CUT_SHORT].map(([short, whole]) => [whole, short]));
/** Letters of the longest of them in the plural. */
const LONGEST_SHORT = 7;

/** A plain word without the ending of a plural, which may have been none. */
export const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') ? word.slice(0, -1) : word;

/** The whole word for one that people cut short (`repos`: `repositories`, as far as stems go); undefined for others. */
function spelledOut(word: string): string | undefined {
  return CUT_SHORT.get(word) ?? CUT_SHORT.get(singular(word));
}

/** Words of a text that are no stop words of its language, in order, repeats included. */
export function contentWords(text: string): Word[] {
  const words = readWords(text);
  const language = stopLanguageOf(text, words);
  return words.filter((word) => !isStopWord(word.text, language));
}

/** Stems of a text's {@link contentWords}, in order, repeats included. */
export const contentStems = (text: string): string[] => contentWords(text).map((word) => stem(word.text));

/** Whose stop words a text has, English in doubt: only Spanish opens a question by a mark. */
export const stopLanguageOf = (text: string, words: readonly Word[] = readWords(text)): StopLanguage =>
  /^\s*¿/.test(text) ? 'es' : languageOfWords(words.map((word) => word.text));

/**
 * The language of a text: English in doubt, Chinese where only characters tell, `other` of letters nobody here knows.
 */
export function languageOf(text: string): StopLanguage | 'other' {
  const language = stopLanguageOf(text);
  if (language !== 'en') return language;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 >= letters) return 'en';
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'other';
}

/** Scripts that put no space between words: Chinese characters, kana, Thai, Lao, Khmer, Burmese. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/gu;
/** Nothing of a text without a character above this is written without spaces. */
const FIRST_UNSPACED = 0x0e00;

let segmenter: Intl.Segmenter | undefined;

/**
 * Words of a run of letters: by the Unicode dictionaries (ICU, UAX 29) where the script puts no space between them, as
 * the full-text index parts them; else the run as it is. Offsets count from the beginning of the run.
 */
export function segmentsOf(run: string): { text: string; start: number }[] {
  if (!isUnspaced(run)) return [{ text: run, start: 0 }];
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index }));
}

/** A text with every character of such a script set apart by blanks: parts of it are found in it whatever the words. */
export const characterwise = (text: string): string => (isUnspaced(text) ? text.replace(UNSPACED, ' $& ') : text);

/** Whether a text holds a word of a script that puts no space between words. */
export function isUnspaced(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= FIRST_UNSPACED) return text.search(UNSPACED) >= 0;
  return false;
}

/** What a word must have to be spelt in two ways: most have none of it, and are told so at once. */
const MAY_DIFFER = /our|is|ys|re|ence|ogue|programme|artef/u;

/**
 * British spellings and their American ones, ends of words included that keep the difference. Where a rule meets a word
 * that is spelt in one way alone (`promise`), both sides of a comparison change alike.
 */
const AMERICAN: readonly (readonly [british: RegExp, american: string])[] = [
  // colour, behavioural, favourite; not hour, four, journey
  [/^(\p{L}{1,20}[bdegilmnpv])our(s|ed|ing|al|able|ful|less|hood|ly|ite|ites)?$/u, '$1or$2'],
  // organise, serialisation, authorised
  [/^(\p{L}{4,20})is(e|es|ed|ing|er|ers|ation|ations|able)$/u, '$1iz$2'],
  [/^(anal|paral|catal)ys(e|es|ed|ing|er|ers)$/u, '$1yz$2'],
  [/^(\p{L}{0,12}(?:cent|theat|met|lit|fib|calib|spect|lust))re(s|d)?$/u, '$1er$2'],
  [/^(\p{L}{0,6}(?:lic|def|off|pret))ence(s|d)?$/u, '$1ense$2'],
  [/^(catal|dial|anal|prol|monol|epil)ogue(s|d)?$/u, '$1og$2'],
  [/^programme(s)?$/u, 'program$1'],
  [/^artefact(s)?$/u, 'artifact$1'],
  [/^grey(s|ed|ing)?$/u, 'gray$1'],
];

/** A plain word in its American spelling; as it is, where there is none. */
export function american(word: string): string {
  if (!MAY_DIFFER.test(word) && !word.startsWith('grey')) return word;
  for (const [british, spelt] of AMERICAN) if (british.test(word)) return word.replace(british, spelt);
  return word;
}

/** The same backwards: from what may be American to how the British write it. */
const BRITISH: readonly (readonly [american: RegExp, british: string])[] = [
  [/^(\p{L}{1,20}[bdegilmnpv])or(s|ed|ing|al|able|ful|less|hood|ly|ite|ites)?$/u, '$1our$2'],
  [/^(\p{L}{4,20})iz(e|es|ed|ing|er|ers|ation|ations|able)$/u, '$1is$2'],
  [/^(anal|paral|catal)yz(e|es|ed|ing|er|ers)$/u, '$1ys$2'],
  [/^(\p{L}{0,12}(?:cent|theat|met|lit|fib|calib|spect|lust))er(s|ed)?$/u, '$1re$2'],
  [/^(\p{L}{0,6}(?:lic|def|off|pret))ense(s|d)?$/u, '$1ence$2'],
  [/^(catal|dial|anal|prol|monol|epil)og(s|ed)?$/u, '$1ogue$2'],
  [/^program(s)?$/u, 'programme$1'],
  [/^artifact(s)?$/u, 'artefact$1'],
  [/^gray(s|ed|ing)?$/u, 'grey$1'],
];

/**
 * The other spelling of a plain English word, to look for beside it: `colour` for `color`, `application` for `apps`,
 * and the other way round. It may be no word at all (`errour`), which then finds nothing. Undefined where no rule is
 * for it.
 */
export function otherSpelling(word: string): string | undefined {
  const whole = spelledOut(word);
  if (whole !== undefined) return whole;
  const folded = american(word);
  if (folded !== word) return folded;
  for (const [spelt, british] of BRITISH) if (spelt.test(word)) return word.replace(spelt, british);
  return WHOLE.get(word) ?? WHOLE.get(singular(word));
}
