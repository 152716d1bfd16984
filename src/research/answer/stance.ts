import { contentStems, isProsePassage, isStopWord, type Passage, readWords, splitSentences, stem } from '#search';

/**
 * What the cited passages say of a statement: they say the same, deny it, or do not speak of it. undefined: nobody
 * could tell.
 */
type Stance = 'says' | 'denies' | 'silent' | undefined;

/**
 * Port: compares a statement with the passages that it cites, beyond the names, numbers and quotations that are looked
 * up word by word (`named`: the statement holds such, and they are there). {@link stanceByWords} needs nothing; an
 * encoder that was trained on entailment judges all pairs beforehand and answers from what it found.
 */
export type CompareStance = (statement: string, cited: readonly Passage[], named: boolean) => Stance;

/** Words that deny, as {@link readWords} gives them (`don't` is `dont`). */
const DENIES = new Set(
  (
    'no not nobody none nothing nowhere neither nor never without cannot cant dont doesnt didnt isnt arent ' +
    'wasnt werent wont wouldnt couldnt shouldnt hasnt havent hadnt ' +
    'lacks lack lacking lacked missing absent unable ceased stopped former formerly'
  ).split(' '),
);
/** `Nobody` is no name, wherever it stands. */
export const isDenial = (word: string): boolean => DENIES.has(word);
/** `no one`, `no longer`, `any more` and the like are found by their first word, but for these. */
const DENIES_IN_TWO = /\b(?:any ?more|any longer|(?<!\b(?:is|are|was|were|be|been|being|get|gets|got) )used to)\b/iu;
/** A switch: `is on`, `set to off`. Elsewhere these words say where something is. */
const SWITCHED = /\b(is|are|was|were|be|turned|switched|set to|defaults? to) (on|off)(?=$|[^\p{L}\s]| by default\b)/giu;
/** Each pair is one word and its opposite; none of them denies by itself. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['enabled', 'disabled'],
  ['enable', 'disable'],
  ['open', 'closed'],
  ['allowed', 'forbidden'],
  ['required', 'optional'],
  ['mandatory', 'optional'],
  ['public', 'private'],
  ['true', 'false'],
  ['active', 'inactive'],
  ['accepted', 'rejected'],
  ['approved', 'rejected'],
  ['increased', 'decreased'],
  ['increases', 'decreases'],
  ['first', 'last'],
  ['minimum', 'maximum'],
  ['sync', 'async'],
  ['synchronous', 'asynchronous'],
  ['internal', 'external'],
  ['valid', 'invalid'],
  ['possible', 'impossible'],
];
const OPPOSITE_OF = new Map(
  OPPOSITES.flatMap(([one, other]): [string, string][] => [
    [one, other],
    [other, one],
  ]),
);
const DENYING_PREFIX =
  /^(?:(?:un|dis|non)(?=\p{L}{4})|(?:in|im|ir)(?=\p{L}{2,}(?:[ai]ble|ive|ent|ate|ete|ect|id|ular|al|ly|ity)$))/u;
/** Words that only begin like a denial. */
const NO_DENIAL =
  /^(?:discard|discount|discover|discuss|dispatch|display|dispos|distribut|under|union|unit|universal)/u;
/** A stem of fewer letters stands for its own word alone. */
const SHORTEST = 3;
/** What may follow a word's stem without making another word of it: `own` and `owner`. */
const ENDINGS = new Set(['s', 'er', 'or', 'ers', 'ors', 'ed', 'ing', 'ship', 'ion', 'ation', 'al', 'e', 'd', 'n', 'i']);

/** A sentence that speaks of a statement shares this part of its content words. */
const SPEAKS_OF = 0.5;
/** Where names and numbers stand in the statement, more must agree before its sense is questioned. */
const SPEAKS_OF_NAMED = 0.7;
/** A statement of fewer content words may be said in others. */
const LEAST_WORDS = 2;
/** Fewer words than this are a name or a number, and no statement. */
const LEAST_SAID = 3;
/** No sentence is longer. */
const LONGEST = 1000;

/**
 * Compares by words: a statement that denies what a cited sentence says, or says what it denies, by negation or by a
 * pair of opposites; and, where all that is cited is prose, a statement of which no content word occurs. Tables, data
 * and code deny in their own ways, and are not compared; what has all of a statement's words there may be said there.
 * It sees neither synonyms nor who did what to whom, and says nothing (undefined or `says`) in every doubt:
 * much that is wrong it does not mark.
 *
 * @param named The statement holds names or numbers, which were found in the passages.
 */
export function stanceByWords(statement: string, cited: readonly Passage[], named: boolean): Stance {
  const prose = cited.filter(isProsePassage);
  if (statement.length > LONGEST || readWords(statement).length < LEAST_SAID || prose.length === 0) return undefined;
  const said = prose.flatMap(sentencesOf).flatMap(clausesOf).map(saidClause);
  const parts = clausesOf(statement);
  const judged = parts
    .filter((part) => parts.length === 1 || contentWords(part).length >= LEAST_WORDS)
    .map((part) => compareClause(part, said, named ? SPEAKS_OF_NAMED : SPEAKS_OF));
  if (judged.includes('denies')) return isSaidIn(statement, cited) ? undefined : 'denies';
  const silent = judged.every((one) => one === 'silent') && contentWords(statement).length >= LEAST_WORDS;
  if (silent && judged.length > 0 && !named && prose.length === cited.length) return 'silent';
  return judged.includes('says') ? 'says' : undefined;
}

/** Whether what is cited beside prose has all words of a statement that denies nothing. */
const isSaidIn = (statement: string, cited: readonly Passage[]): boolean =>
  !denies(statement) &&
  cited
    .filter((passage) => !isProsePassage(passage))
    .map(({ title, text }) => saidClause(`${title}\n${text}`))
    .some((said) => contentWords(statement).every((word) => findWord(word, said) === 'same'));

/** One clause against all that was said; `silent` where none of its words occurs. */
function compareClause(clause: string, said: readonly SaidClause[], least: number): Stance {
  const words = contentWords(clause);
  if (words.length === 0) return undefined;
  const denied = denies(clause);
  let agreeing = 0;
  let contrary = 0;
  for (const other of said) {
    const found = words.flatMap((word) => findWord(word, other) ?? []);
    const opposites = found.filter((one) => one === 'opposite').length;
    const turned = other.denies !== (opposites % 2 === 1);
    const share = found.length / words.length;
    if (turned === denied) agreeing = Math.max(agreeing, share);
    else contrary = Math.max(contrary, share);
  }
  if (contrary >= least && contrary > agreeing) return 'denies';
  if (contrary === 0 && agreeing === 0) return 'silent';
  return agreeing >= least ? 'says' : undefined;
}

/** Where a denial ends: “kept warm, not cold” denies no warmth. */
const clausesOf = (sentence: string): string[] =>
  sentence
    .replace(SWITCHED, (_all, verb: string, way: string) => `${verb} ${/on/iu.test(way) ? 'enabled' : 'disabled'}`)
    .split(/[,;()]|\bbut\b/iu)
    .filter((clause) => contentWords(clause).length > 0 || denies(clause));

/** Words that carry a statement: no stop words, none that only deny. */
const contentWords = (text: string): string[] => [
  ...new Set(
    readWords(text)
      .map(({ text: word }) => word)
      .filter((word) => !isStopWord(word) && !DENIES.has(word) && contentStems(word).length > 0),
  ),
];

const denies = (text: string): boolean =>
  DENIES_IN_TWO.test(text) || readWords(text).some(({ text: word }) => DENIES.has(word));

/** A clause of a passage, as the words of a statement are looked up in it. */
interface SaidClause {
  denies: boolean;
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** Stems of its words that deny by their form (`unlocked`, `endless`), without what denies. */
  turned: ReadonlySet<string>;
}

function saidClause(clause: string): SaidClause {
  const words = readWords(clause).map(({ text }) => text);
  const turned = words.flatMap((word) => withoutDenial(word) ?? (word.endsWith('less') ? word.slice(0, -4) : []));
  return {
    denies: denies(clause),
    words: new Set(words),
    stems: new Set(words.map(stem)),
    turned: new Set(turned.map(stem)),
  };
}

/** A word without the prefix that denies it; undefined where it has none. */
function withoutDenial(word: string): string | undefined {
  const rest = NO_DENIAL.test(word) || DENIES.has(word) ? word : word.replace(DENYING_PREFIX, '');
  return rest === word ? undefined : rest;
}

/** Whether a clause holds a word, in some form, or its opposite. */
function findWord(word: string, said: SaidClause): 'same' | 'opposite' | undefined {
  const own = stem(word);
  if (holdsAkin(said.stems, own)) return 'same';
  const affirmed = withoutDenial(word);
  const isOpposite =
    said.words.has(OPPOSITE_OF.get(word) ?? '') ||
    holdsAkin(said.turned, own) ||
    (affirmed !== undefined && holdsAkin(said.stems, stem(affirmed)));
  return isOpposite ? 'opposite' : undefined;
}

/** Whether one of these stems is that of another form of a word: `own` and `owner`. */
const holdsAkin = (stems: ReadonlySet<string>, own: string): boolean =>
  stems.has(own) ||
  [...ENDINGS].some(
    (ending) =>
      (own.length >= SHORTEST && stems.has(own + ending)) ||
      (own.length >= SHORTEST + ending.length && own.endsWith(ending) && stems.has(own.slice(0, -ending.length))),
  );

/** Sentences of a passage, a row or field on its own line for itself; its title is one. */
const sentencesOf = (passage: Passage): string[] =>
  [
    passage.title,
    ...splitSentences(passage.text).flatMap(({ start, end }) => passage.text.slice(start, end).split('\n')),
  ].filter((sentence) => sentence.trim() !== '');
