import { isStopWord, type PastTurn, readNames, readWords } from '#search';

/**
 * Pronouns of a person or thing. They mean something outside of the question, unless it names something before them.
 */
const PRONOUN = /\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers)\b/giu;
/** Words between two clauses: what stands before them may be what a pronoun behind them means. */
const BETWEEN_CLAUSES = /[,;:]|\b(?:and|or|but|when|where|if|because|while|after|before|since|until|so)\b/giu;
/** Words that point at what was said before, wherever they stand. */
const POINTING =
  /\b(?:this|these|those|that one|the (?:former|latter|other|others|second|first) ones?|which ones?|the ones?(?!-)|what else|who else|where else|anything else|anyone else)\b|\b(?:of|about|with|from|for|to|in|by|than|like|do|does|did|is|was|why|how|after|before) that\b(?=\s*(?:[?.!,]|$))|\bthere\b(?=\s*(?:[?.!,]|$))/giu;
/** `this workspace` is here, whatever was said before. */
const HERE = /^this\s+(?:workspace|repository|repo|project|folder|vault|code\s?base)\b/iu;
/** Beginnings of a question that goes on from the one before. */
const GOING_ON = /^(?:and|but|so|or|also|then|what about|how about)\b/iu;
/** `What is …`, `Where are …`: one word behind it is enough to be understood. */
const DEFINITION = /^(?:what|who|where)\s+(?:is|are|was|were|does|do|did)\b/iu;

/** Content words that a clause needs to hold something a pronoun may stand for. */
const CLAUSE_WORDS = 2;
/** A question of so many words is a part of one: `Since when?` */
const SHORTEST = 2;

/**
 * True when a question cannot be understood without what was said before: it goes on from there (`And in 2019?`),
 * points there (`Who else?`, `What does it cost?`), or says next to nothing (`Which supplier?`). A question that names
 * what it asks about stands alone, also where a pronoun of it means something in the question itself.
 */
export function leansOnHistory(question: string, history: readonly PastTurn[]): boolean {
  if (history.length === 0) return false;
  const text = question.trim();
  const content = contentWords(text);
  if (GOING_ON.test(text)) return content.length < 3 || readNames(text).length === 0;
  if ([...text.matchAll(PRONOUN)].some((match) => !isNamedBefore(text, match.index))) return true;
  if ([...text.matchAll(POINTING)].some((match) => !HERE.test(text.slice(match.index)))) return true;
  // The first word of a sentence has its capital whatever it is.
  const named = readNames(text).some(({ kind, start }) => kind !== 'number' && (kind !== 'phrase' || start > 0));
  const saysLittle = content.length < 2 || readWords(text).length <= SHORTEST;
  return saysLittle && !named && (content.length === 0 || !DEFINITION.test(text));
}

const contentWords = (text: string): string[] =>
  readWords(text)
    .map((word) => word.text)
    .filter((word) => !isStopWord(word));

/** Whether a clause before this place names something that a pronoun here may mean. */
function isNamedBefore(text: string, at: number): boolean {
  const end = [...text.slice(0, at).matchAll(BETWEEN_CLAUSES)].at(-1)?.index;
  return end !== undefined && contentWords(text.slice(0, end)).length >= CLAUSE_WORDS;
}
