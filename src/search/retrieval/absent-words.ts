import { z } from 'zod';
import { addTo, wordSet, expression } from '#base';
import type { PassageFilter } from '../domain/passage-chain.ts';
import { nameKey } from '../domain/link-keys.ts';
import type { Passage } from '../domain/passage.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import {
  isUnspaced,
  languageOf,
  phraseForm,
  plain,
  readWords,
  stem,
  otherSpelling,
  segmentsOf,
  singular,
  stopLanguageOf,
  ELISION,
  IRREGULAR_PASTS,
} from '../text/words.ts';
import { startsSentence } from '../text/names.ts';
import { quotations } from '../text/trim.ts';
import { isStopWord, type StopLanguage } from '../text/stop-words.ts';

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
const CATEGORY = expression('iu')`
  \b(?:which|what) (?:\p{L}+ )?(librar(?:y|ies)|packages?|dependenc(?:y|ies)|frameworks?|tools?|tooling|languages?|
    platforms?|databases?|technolog(?:y|ies)|modules?|programs?|software|vendors?|providers?|suppliers?|algorithms?|
    protocols?|methods?|mechanisms?)\b
`;

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
  for (const word of asked) if (word.name !== undefined) addTo(names, word.name, word);
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

/** How many or how much of something: what it is of is the topic. */
const QUANTITY = expression('u')`
  ^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|
    thousands?|millions?|dozens?|half|twice|double|fewer|fewest|less|least|more|most|several)$
`;

/**
 * Whether a word may be what a question is about: verbs that are inflected, adverbs, quantities and very short words
 * hardly are.
 */
const isTopic = ({ form, isDone }: AskedWord): boolean =>
  (form.length >= 3 &&
    isDone !== true &&
    !/(?:ed|ing|ly)$/u.test(form) &&
    !IRREGULAR_PASTS.has(form) &&
    !QUANTITY.test(form)) ||
  (form.length === 2 && isUnspaced(form));

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
  const one = singular(form);
  const other = otherSpelling(form) ?? form;
  return [...new Set([form, one, `${one}s`, stem(form), other])].filter((each) => each.length > 1);
}

/** A content word of a question, as far as it can be asked for in a full-text index. */
interface AskedWord {
  /** As the question writes it, without a possessive ending. */
  text: string;
  /** Lower case, without accents. */
  form: string;
  /**
   * `technical`: told by its spelling (`CSRF`, `OpenTelemetry`, `zstd`, `k8s`); `proper`: a word of a capitalised name;
   * `quoted`: a word between quotation marks or backticks; `word`: any other.
   */
  kind: 'technical' | 'proper' | 'quoted' | 'word';
  /** Somebody does it, by the word before (`we listen`, `to listen`): of what a question is about it says nothing. */
  isDone?: true;
  /** Words of one name have the same number; undefined for what is no name. */
  name?: number;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const QUOTES = { opens: '"“«`', closes: '"”»`', stops: '"”»`\n', most: 80 };
/** Two capitals, or a small letter before a capital, or letters before a number: no ordinary word is spelt so. */
const TECHNICAL_SPELLING = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|^\p{L}{2,}\p{N}|^\p{L}\p{N}\p{L}/u;
const NO_VOWEL = /^[bcdfghjklmnpqrstvwxz]{3,}$/u;
const ABBREVIATIONS = wordSet(`
    btw brb css dbl dbs dept ft govt hrs html http https jrs kgs lbs ltd mgmt mgr mins mrs mths pct pls plz ppl pts
    qty rsvp secs tbd thx wks wknd yrs
  `);
/** Adjectives of nations and languages, and the calendar's words: capitals that make no name of what they stand for. */
const NO_NAME = expression('u')`
  ^(?:\p{L}{3,}(?:ian|ean|ese|ish)s?|german|french|dutch|swiss|greek|thai|arab|czech|afghan|iraqi|israeli|pakistani|
    american|african|asian|mexican|cuban|english|latin|welsh|internet|web|mondays?|tuesdays?|wednesdays?|thursdays?|
    fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|
    december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|christmas|easter|spring|summer|autumn|winter|god|mr|mrs|
    ms|dr|rep|sen|gov|prof|sir|lord|lady|saint|st)$
`;
/** English questions have one of these; in a language that writes its nouns with capitals a capital makes no name. */
const ENGLISH = /\b(?:what|which|who|whom|whose|where|when|why|how|does|did|is|are|the|of|with|can|should)\b/iu;
/**
 * Words beyond the stop words that every question may have, and no file needs; also what people at work call things
 * that are seldom called so where they stand: no workflow says that it is CI, no address that it is an IP.
 */
const FUNCTION_WORDS = wordSet(`
  ci ok okay pr prs dm asap fyi ip ips os id ids uri url urls eta eod myself yourself himself herself itself ourselves
  themselves ours yours theirs hers else ever never always sometimes often usually really actually exactly anybody
  anyone anything somebody someone something everybody everyone everything nobody nothing none whereabouts whenever
  wherever whatever whichever whoever cannot also although though since whether without within upon among amongst
  towards toward onto across along around behind till til straight wrong sit sits stuff guy guys folks long longer
  longest shortest lowest highest biggest smallest largest fewest little say says stay stays rid far past ago back
  together beyond want wants wanted come comes coming go goes going take takes taking put puts keep keeps look looks
  looking show shows give gives bring brings try tries tell tells ask asks whole entire beside besides despite except
  unless yet still already soon instead rather quite perhaps maybe another either neither both every several various
  certain many much less least per non now then ahead apart away spite thing things kind sort let lets got get gets
  getting happen happens happened
`);

/** Turns of phrase whose words no file needs: `out of the box` asks for no box. */
const IDIOM = expression('giu')`
  \b(?:out of the box|under the hood|behind the scenes|on the fly|from scratch|off the shelf|in a nutshell|in practice|
    in the first place|at the end of the day|in the end|for good|for free|in advance|in the meantime|on purpose|
    by (?:hand|heart|accident|mistake|the way)|up and running|rule of thumb|as far as \p{L}+ know|to begin with|
    (?:blow|blows|blew|blown) up|(?:kick|kicks|kicked) off|ends? up|ended up|(?:get|gets|got) (?:rid|hold) of)\b
`;

/**
 * The content words of a question, in order, each once. Numbers are left out, and so are words that any question may
 * have. A capital makes a name only within an English sentence that does not write most of its words so.
 */
export function askedWords(question: string): AskedWord[] {
  const quoted = quotations(question, QUOTES).map(({ start, text }) => ({ start, end: start + text.length }));
  const capitals = capitalsName(question);
  const language = stopLanguageOf(question);
  const idioms = language === 'en' ? [...question.matchAll(IDIOM)] : [];
  const words: AskedWord[] = [];
  const seen = new Set<string>();
  let last = { end: -1, name: 0, isProper: false };
  const tokens = tokensOf(question);
  for (const [i, { token, start }] of tokens.entries()) {
    const text = token.replace(/['’]\p{L}{1,2}$/u, '');
    const form = plain(text);
    const isQuoted = quoted.some((span) => start >= span.start && start < span.end);
    const kind = isQuoted ? 'quoted' : kindOf(question, text, form, start, capitals);
    const isProper = kind === 'proper' || (kind === 'technical' && /^\p{Lu}/u.test(text));
    const goesOn = isProper && last.isProper && question.slice(last.end, start) === ' ';
    const name = goesOn ? last.name : last.name + 1;
    last = { end: start + token.length, name, isProper };
    const isIdiom = !isQuoted && idioms.some(({ index, 0: words }) => start >= index && start < index + words.length);
    const isAsked = !isIdiom && !isEverywhere(form, text, language) && !/^\p{N}+\p{L}{0,2}$/u.test(form);
    if (form.length < 2 || seen.has(form) || !isAsked) continue;
    seen.add(form);
    words.push({
      text,
      form,
      kind,
      ...(kind === 'word' && language === 'en' && isDoneAt(question, tokens, i) && { isDone: true }),
      ...((isProper || kind === 'technical') && { name }),
    });
  }
  return words;
}

/** Who does something, as the word before it: neither `IT` nor, in a language with no such word, `i`. */
const DOER = /^(?:I|[Ww]e|[Yy]ou|[Tt]hey|[Pp]eople)$/u;
const ONE_DOER = /^(?:[Hh]e|[Ss]he|[Ii]t)$/u;
const MODAL = /^(?:can|could|should|must|will|would|shall|may|might)$/iu;
/** Before a modal: who it is about stands behind it, as where it opens a sentence. */
const INVERTS = wordSet('how when where why and but so');
/** Before what looks like a modal: it is a noun (`the can opener`, `the May picnic`). */
const BEFORE_NOUN = wordSet(
  'the a an my our your his her its their in of by since until before after during last next',
);
/** A plural, which no verb is but behind `he`, `she` and `it`. */
const PLURAL = /\p{L}{2}[^suia]s$/iu;
/** By its stem, what has a thing behind `to`: `access to payroll`, `moved to Kubernetes`. */
const TO_A_THING = new Set(
  `access approach commitment contribution exposure entrance route response reaction introduction addition exception
  alternative allergic allergy thanks related attached belongs next due according similar compared prior opposed limited
  restricted subject go come travel move switch migrate upgrade convert connect respond reply report answer subscribe
  listen talk speak apply transfer add send point lead refer link map assign deploy publish export return donate
  contribute in up on back close`
    .split(/\s+/)
    .map(stem),
);

/** Whether somebody does what a word says, by the words before it: `we listen`, `to listen`, `what can fail`. */
function isDoneAt(question: string, tokens: readonly { token: string; start: number }[], at: number): boolean {
  const [earlier, before, own] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!before || !own) return false;
  if (ONE_DOER.test(before.token)) return true;
  if (PLURAL.test(own.token)) return false;
  const word = before.token.toLowerCase();
  const leading = plain(earlier?.token ?? '');
  if (DOER.test(before.token) || word === 'not' || (word === 'i' && ENGLISH.test(question))) return true;
  if (word === 'to') return !TO_A_THING.has(stem(leading));
  if (!MODAL.test(word) || !earlier || startsSentence(question, before.start)) return false;
  const isApart = question.slice(earlier.start + earlier.token.length, before.start).trim() !== '';
  return !isApart && !INVERTS.has(leading) && !BEFORE_NOUN.has(leading);
}

/** `doesn't`, `won’t`: no file needs them. */
const DENIED = /n['’]t$/iu;

const tokensOf = (question: string): { token: string; start: number }[] =>
  [...question.matchAll(TOKEN)].flatMap((match) => {
    if (DENIED.test(match[0])) return [];
    const elided = ELISION.exec(match[0])?.[0].length ?? 0;
    return segmentsOf(match[0].slice(elided)).map(({ text, start }) => ({
      token: text,
      start: match.index + elided + start,
    }));
  });

/** Also forms of such words (`owns`): the full-text index leaves their stems out, too. */
const isEverywhere = (form: string, text: string, language: StopLanguage): boolean =>
  FUNCTION_WORDS.has(form) ||
  ((isStopWord(form, language) || isStopWord(stem(form), language)) && !/\p{Lu}{2}/u.test(text));

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
  if (!capitals || !ENGLISH.test(question) || !/^\p{Lu}\p{Ll}/u.test(text) || startsSentence(question, start))
    return 'word';
  return NO_NAME.test(form) || isStopWord(form) ? 'word' : 'proper';
}

/** Whether capitals tell names here: not in a title, nor where all is written in capitals. */
function capitalsName(question: string): boolean {
  const content = readWords(question).filter(({ text }) => !isStopWord(text));
  const small = content.filter(({ capital }) => !capital).length;
  return content.length <= 2 || small * 3 >= content.length;
}
