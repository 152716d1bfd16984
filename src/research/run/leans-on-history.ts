import { expression } from '#base';
import { isStopWord, type PastTurn, readNames, readWords, stopLanguageOf, withoutTrailing } from '#search';
import { contentWords, hasOwnerBefore } from './possessive-owner.ts';

/**
 * Pronouns of a person or thing. They mean something outside of the question, unless it names something before them.
 * `IT` in capitals is a department.
 */
const PRONOUN =
  /(?<![\p{L}\p{N}_])(?:it|its|they|them|their|theirs|he|him|his|she|her|hers)(?![\p{L}\p{N}_])(?!['’]?s?[-_.]\p{L})/giu;
/** Words between two clauses: what stands before them may be what a pronoun behind them means. */
const BETWEEN_CLAUSES = /[,;:]|\b(?:and|or|but|when|where|if|because|while|after|before|since|until|so)\b/giu;
/** Words that point at what was said before, wherever they stand. */
const POINTING = expression('giu')`
  \b(?:this|these|those(?!\s+(?:that|who|which)\b)|that one|the (?:former|latter|other|others|second|first) ones?|
    which ones?|the ones?(?!-)|what else|who else|where else|anything else|anyone else)
  \b(?!\s+(?:of the|of our|that|who|which)\b)|
  \b(?:of|about|with|from|for|to|in|by|than|like|do|does|did|is|was|why|how|after|before) that\b(?=\s*(?:[?.!,]|$))|
  \bthere\b(?=\s*(?:[?.!,]|$))
`;
/** `this workspace` is here and `this year` is now, whatever was said before. */
const HERE = expression('iu')`
  ^(?:this|these)\s+(?:workspace|repository|repo|project|package|extension|program|app|application|folder|vault|
    wiki|corpus|code\s?base|year|quarter|month|week|morning|evening|spring|summer|autumn|winter|days)\b
`;
/** A noun that is pointed at with two words before it at most, and what stands between it and what it is called. */
const POINTED_NOUN = expression('iu')`
  ^(?:this|these|those)((?:\s+\p{L}[\p{L}\p{N}'’-]*){1,3}?)
  (?:\s*[,:(–—]\s*|\s+(?:in|of|from|at|on|by|called|named)\s+)
  (?:(?:the|our|an?|file|class|module|folder|page)\s+){0,2}$
`;
/** What turns a question round, so that `this` behind it may be all of the subject: `Why does this differ …`. */
const TURNS =
  /\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|might|must)(?:n['’]t)?\s+$/iu;
const PARTICIPLE = /(?:ed|en|ing)$/iu;
/** Older than those of the mast: others of what is named before. */
const AMONG_OTHERS = /\b(?:than|as|and|or|from|like|to|with)\s+$/iu;

/** Beginnings of a question that goes on from the one before. */
const GOING_ON = /^(?:and|but|so|or|also|then|what about|how about)\b[\s,]*/iu;
/** Beginnings of a whole question. */
const ASKING = expression('iu')`
  ^(?:(?:in|for|to|with|by|from)\s)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|
    have|can|could|will|would|should|must)\b
`;
/** Of these the verb comes last, and wants an object: `When did Marta sign?` says what was signed to nobody. */
const VERB_COMES = /\b(?:do|does|did|has|have|can|could|will|would|should|must)\b/iu;
/** `What is …`, `Where are …`: one word behind it is enough to be understood. */
const DEFINITION = /^(?:what|who|where)\s+(?:is|are|was|were|does|do|did)\b/iu;
/** What is told to do, and to what: `Explain deduplication.` */
const TOLD_TO = /^(?:explain|describe|define|summari[sz]e|list|compare|show|find)\s/iu;

/** `it` stands for what comes behind: `How long does it take to charge a battery?` */
const IT_OF_WHAT_FOLLOWS = expression('iu')`
  ^it\s+(?:(?:takes?|took|taken)(?:\s+\p{L}+){0,4}?|costs?|matters?|means?|helps?|hurts?|
    (?:not\s+|still\s+|always\s+)?(?:possible|true|safe|important|necessary|allowed|useful|easy|hard|difficult|
      known|clear|likely|better|best|enough|forbidden|legal|usual|normal|required|worth)
    (?:\s+for(?:\s+\p{L}+){1,4}?)?)\s+(?:to|that|if|whether|when|how|which|who|what|why|where)\s+\p{L}
`;
const WORTH = /^it\s+(?:not\s+)?worth\s+\p{L}+ing\s/iu;
/** `Was it Halden Cells that …`, `Who is it that …`: not `a hut that …`, which is said of it. */
const CLEFT = /^it(?:(?!\s+(?:an?|that|who)\b)\s+[\p{L}\p{N}'’.-]+){0,4}?\s+(?:that|who)\s+\p{L}/iu;
const BEING = /\b(?:is|was|isn['’]t|wasn['’]t)\s+$/iu;

const ARTICLE = /^(?:the|our|your|my|an?)\s+/iu;
const SEVERAL = /^(?:they|them|their|theirs|these|those|of them|which ones?)$/iu;

/** Content words that a clause needs to hold something a pronoun may stand for. */
const CLAUSE_WORDS = 2;
/** A noun with its article, which is enough. */
const THE_NOUN = /\b(?:the|our|each|every|any|an?)\s+(\p{L}[\p{L}\p{N}-]*)/giu;
/** A question of so many words is a part of one: `Since when?` */
const SHORTEST = 2;

/**
 * True when a question cannot be understood without what was said before. It goes on from there and names little
 * (`And in 2019?`); a pronoun of it stands for nothing in the question (`Did Marta sign it?`), though it may name
 * much; it points there (`Who else?`); or it says next to nothing (`Which supplier?`).
 */
export function leansOnHistory(question: string, history: readonly PastTurn[]): boolean {
  if (history.length === 0) return false;
  const text = question.trim();
  const content = contentWords(text);
  const goingOn = GOING_ON.exec(text)?.[0];
  if (goingOn !== undefined && !isWhole(text.slice(goingOn.length)) && (content.length < 3 || !isNamed(text)))
    return true;
  const pronouns = stopLanguageOf(text) === 'en' ? [...text.matchAll(PRONOUN)] : []; // German `her` is none
  if (pronouns.some((match) => meansSomethingElse(text, match[0], match.index))) return true;
  if ([...text.matchAll(POINTING)].some((match) => pointsBack(text, match[0], match.index))) return true;
  const saysLittle = content.length < 2 || readWords(text).length <= SHORTEST;
  const asked = goingOn === undefined ? text : text.slice(goingOn.length);
  return saysLittle && !isNamed(asked) && (content.length === 0 || !(DEFINITION.test(asked) || TOLD_TO.test(asked)));
}

/** Whether a text names something; the first word of a sentence has its capital whatever it is. */
const isNamed = (text: string): boolean =>
  readNames(text).some(({ kind, start }) => kind !== 'number' && (kind !== 'phrase' || start > 0));

/** Whether what stands behind `And` or `So` is a question with all that belongs to one. */
function isWhole(rest: string): boolean {
  if (!ASKING.test(rest)) return false;
  if (DEFINITION.test(rest) && isNamed(rest)) return true;
  return contentWords(rest).length >= (VERB_COMES.test(rest) ? CLAUSE_WORDS + 1 : CLAUSE_WORDS);
}

/** Whether a pronoun at this place stands for nothing that the question names. */
function meansSomethingElse(text: string, pronoun: string, at: number): boolean {
  if (pronoun === 'IT' && text !== text.toUpperCase()) return false;
  if (isItsOwn(text, pronoun, at)) return false;
  if (isNamedBefore(text, at) || hasOwnerBefore(text, at, pronoun) || isExplained(text, pronoun, at)) return false;
  return !/^it$/iu.test(pronoun) || !standsForWhatFollows(text, at);
}

/** `Which company makes its own batteries?`: whoever does something owns what is its own. */
function isItsOwn(text: string, possessive: string, at: number): boolean {
  const before = text.slice(0, at);
  return (
    /^\s+own\s/u.test(text.slice(at + possessive.length)) &&
    !/\bof\s+$/u.test(before) &&
    contentWords(before).length > 0
  );
}

function standsForWhatFollows(text: string, at: number): boolean {
  const rest = text.slice(at);
  return IT_OF_WHAT_FOLLOWS.test(rest) || WORTH.test(rest) || (CLEFT.test(rest) && BEING.test(text.slice(0, at)));
}

/** Whether a word at this place points at something outside of the question. */
function pointsBack(text: string, word: string, at: number): boolean {
  const rest = text.slice(at);
  if (HERE.test(rest) || isNamedBefore(text, at) || isExplained(text, word, at)) return false;
  if (/else$/iu.test(word)) return !isNamed(rest.slice(word.length));
  if (/^those\s+(?:of|in|on|at|from|with|for)\s/iu.test(rest) && AMONG_OTHERS.test(text.slice(0, at)))
    return contentWords(text.slice(0, at)).length === 0;
  return !/^(?:this|these|those)$/iu.test(word) || !isNounThatIsNamed(text, at);
}

/**
 * Whether a noun is pointed at that the question itself tells apart: `these constants in limits.ts`, `this class:
 * IndexSession`. In `Does this differ in Kestrel Hut?` the word behind `this` is none.
 */
function isNounThatIsNamed(text: string, at: number): boolean {
  const rest = text.slice(at);
  return readNames(rest).some((name) => {
    if (name.kind === 'number') return false;
    const words = POINTED_NOUN.exec(rest.slice(0, name.start))?.[1]?.trim().split(/\s+/);
    if (!words || words.some((word) => isStopWord(word.toLowerCase()))) return false;
    const turns = TURNS.exec(text.slice(0, at))?.[0].trim();
    if (turns === undefined) return true;
    // The subject is all of it only where the verb still follows, or where no verb can: `What are these … for?`
    if (/^(?:is|are|was|were)/iu.test(turns)) return !PARTICIPLE.test(words.at(-1) ?? '');
    return words.length === 1 && contentWords(rest.slice(name.end)).length > 0;
  });
}

/**
 * Whether the end of the question says what its one pronoun means, a noun with its article or a name behind a comma or
 * a colon: `Who signed it, the ferry contract?` One of several is none: `Who signed it, Marta or Ruth?`
 */
function isExplained(text: string, word: string, at: number): boolean {
  const clauses = text.slice(at + word.length).split(/[,:–—]/u);
  const said = withoutTrailing(clauses.pop() ?? '', /[\s?.!]/u).trim();
  if (clauses.length === 0 || (/\bor\b/iu.test(said) && !SEVERAL.test(word))) return false;
  if (text.slice(0, at).search(PRONOUN) >= 0 || clauses.join().search(PRONOUN) >= 0) return false;
  if (ARTICLE.test(said)) return contentWords(said).length > 0;
  return readNames(said).some(({ kind, start }) => kind !== 'number' && start === 0);
}

/** Whether a clause before this place names something that a word here may mean. */
function isNamedBefore(text: string, at: number): boolean {
  const end = [...text.slice(0, at).matchAll(BETWEEN_CLAUSES)].at(-1)?.index;
  if (end === undefined) return false;
  const before = text.slice(0, end);
  const isNoun = ([, noun = '']: RegExpExecArray): boolean => !isStopWord(noun.toLowerCase());
  return contentWords(before).length >= CLAUSE_WORDS || isNamed(before) || [...before.matchAll(THE_NOUN)].some(isNoun);
}
