import { quotations } from '../text/trim.ts';
import { segmentsOf } from '../text/segment.ts';
import { isStopWord, languageOfWords, type StopLanguage } from '../text/stop-words.ts';
import { ELISION, plain, readWords } from '../text/words.ts';

/** A content word of a question, as far as it can be asked for in a full-text index. */
export interface AskedWord {
  /** As the question writes it, without a possessive ending. */
  text: string;
  /** Lower case, without accents. */
  form: string;
  /**
   * `technical`: told by its spelling (`CSRF`, `OpenTelemetry`, `zstd`, `k8s`); `proper`: a word of a capitalised name;
   * `quoted`: a word between quotation marks or backticks; `word`: any other.
   */
  kind: 'technical' | 'proper' | 'quoted' | 'word';
  /** Words of one name have the same number; undefined for what is no name. */
  name?: number;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const QUOTES = { opens: '"“«`', closes: '"”»`', stops: '"”»`\n', most: 80 };
/** Two capitals, or a small letter before a capital, or letters before a number: no ordinary word is spelt so. */
const TECHNICAL_SPELLING = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|^\p{L}{2,}\p{N}|^\p{L}\p{N}\p{L}/u;
const NO_VOWEL = /^[bcdfghjklmnpqrstvwxz]{3,}$/u;
const ABBREVIATIONS = new Set(
  'btw brb css dbl dbs dept ft govt hrs html http https jrs kgs lbs ltd mgmt mgr mins mrs mths pct pls plz ppl pts qty rsvp secs tbd thx wks wknd yrs'.split(
    ' ',
  ),
);
/** Adjectives of nations and languages, and the calendar's words: capitals that make no name of what they stand for. */
const NO_NAME =
  /^(?:\p{L}{3,}(?:ian|ean|ese|ish)s?|german|french|dutch|swiss|greek|thai|arab|czech|afghan|iraqi|israeli|pakistani|american|african|asian|mexican|cuban|english|latin|welsh|internet|web|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|christmas|easter|spring|summer|autumn|winter|god|mr|mrs|ms|dr|rep|sen|gov|prof|sir|lord|lady|saint|st)$/u;
/** English questions have one of these; in a language that writes its nouns with capitals a capital makes no name. */
const ENGLISH = /\b(?:what|which|who|whom|whose|where|when|why|how|does|did|is|are|the|of|with|can|should)\b/iu;
/** Words beyond the stop words that every question may have, and no file needs. */
const FUNCTION_WORDS = new Set(
  (
    'myself yourself himself herself itself ourselves themselves ours yours theirs hers else ever never always sometimes often usually really actually exactly anybody anyone anything somebody someone something everybody ' +
    'everyone everything nobody nothing none whereabouts whenever wherever whatever whichever whoever cannot also although though since whether without within upon among amongst towards toward onto across along around behind ' +
    'beside besides despite except unless yet still already soon instead rather quite perhaps maybe another either neither both every several various certain many much less least per non now then ahead apart away spite thing things kind sort let lets got get gets getting happen happens happened'
  ).split(' '),
);

/**
 * The content words of a question, in order, each once. Numbers are left out, and so are words that any question may
 * have. A capital makes a name only within an English sentence that does not write most of its words so.
 */
export function askedWords(question: string): AskedWord[] {
  const quoted = quotations(question, QUOTES).map(({ start, text }) => ({ start, end: start + text.length }));
  const capitals = capitalsName(question);
  const language = languageOfWords(readWords(question).map(({ text }) => text));
  const words: AskedWord[] = [];
  const seen = new Set<string>();
  let last = { end: -1, name: 0, isProper: false };
  for (const { token, start } of tokensOf(question)) {
    const text = token.replace(/['’]\p{L}{1,2}$/u, '');
    const form = plain(text);
    const isQuoted = quoted.some((span) => start >= span.start && start < span.end);
    const kind = isQuoted ? 'quoted' : kindOf(question, text, form, start, capitals);
    const isProper = kind === 'proper' || (kind === 'technical' && /^\p{Lu}/u.test(text));
    const goesOn = isProper && last.isProper && question.slice(last.end, start) === ' ';
    const name = goesOn ? last.name : last.name + 1;
    last = { end: start + token.length, name, isProper };
    if (form.length < 2 || seen.has(form) || isEverywhere(form, text, language) || /^\p{N}+\p{L}{0,2}$/u.test(form))
      continue;
    seen.add(form);
    words.push({ text, form, kind, ...((isProper || kind === 'technical') && { name }) });
  }
  return words;
}

const tokensOf = (question: string): { token: string; start: number }[] =>
  [...question.matchAll(TOKEN)].flatMap((match) => {
    const elided = ELISION.exec(match[0])?.[0].length ?? 0;
    return segmentsOf(match[0].slice(elided)).map(({ text, start }) => ({
      token: text,
      start: match.index + elided + start,
    }));
  });

const isEverywhere = (form: string, text: string, language: StopLanguage): boolean =>
  FUNCTION_WORDS.has(form) || (isStopWord(form, language) && !/\p{Lu}{2}/u.test(text));

function kindOf(
  question: string,
  text: string,
  form: string,
  start: number,
  capitals: boolean,
): Exclude<AskedWord['kind'], 'quoted'> {
  const shouts = text === text.toUpperCase();
  const spelt = TECHNICAL_SPELLING.test(text) && (capitals || !shouts);
  if (spelt || (NO_VOWEL.test(form) && !ABBREVIATIONS.has(form))) return /^v\d/u.test(form) ? 'word' : 'technical';
  if (!capitals || !ENGLISH.test(question) || !/^\p{Lu}\p{Ll}/u.test(text) || opensSentence(question, start))
    return 'word';
  return NO_NAME.test(form) || isStopWord(form) ? 'word' : 'proper';
}

/** Whether capitals tell names here: not in a title, nor where all is written in capitals. */
function capitalsName(question: string): boolean {
  const content = readWords(question).filter(({ text }) => !isStopWord(text));
  const small = content.filter(({ capital }) => !capital).length;
  return content.length <= 2 || small * 3 >= content.length;
}

function opensSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd();
  return before === '' || /[.!?:"“(\n-]$/u.test(before);
}
