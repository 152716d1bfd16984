import { expression } from '#base';
import { isStopWord, readWords } from '#search';

/** The words of a text that carry a topic. */
export const contentWords = (text: string): string[] =>
  readWords(text)
    .map((word) => word.text)
    .filter((word) => !isStopWord(word));

/** Where a clause with a subject of its own begins. */
const BEGINS =
  /[,;:]|\b(?:how|why|when|where|whether|if|because|while|after|before|since|until|so)\b(?!\s+(?:many|much|often)\b)/giu;
/** `does the indexer`: what follows is the subject, whatever was asked for before. */
const DOES = /\b(do|does|did)(?:n['’]t)?\s+(?:not\s+)?/iu;
/** The same where no first word is a subject: `Has Mara Lind …`, `Why was the hut …`, `Where can users …`. */
const TURNED = expression('iu')`
  ^(?:(?:(?:how|when|why)\s+)?(is|are|was|were)|
    (?:(?:how|when|why|where)\s+)?(has|have|had|can|could|will|would|should|may|might|must))(?:n['’]t)?
  \s+(?:not\s+)?
`;
const AUXILIARY =
  /\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|should|may|might|must|do|does|did)\b/iu;
/** What is part of a sentence: `how the indexer stores …`, `when users reset …`. */
const TOLD = /^(?:how|why|when|where|whether|if|because|while|after|before|since|until|so)\s+/iu;
/** `Which users change …`, `How many keepers have lost …`. */
const ASKED_FOR = /\b(?:which|what|how\s+many)\s+(?=\p{Ll}{3,30}\b)/u;
/** Behind `is` and `was`, only what somebody does or suffers has an object: `Was Mara Lind its keeper?` has none. */
const PARTICIPLE = /\s\p{L}{2,30}(?:ing|ed|en)\b/iu;
/** Whoever asks, or is spoken of already, is not what the possessive stands for. */
const SPEAKERS = /^(?:i|you|we|they|he|she|it|one|there)\b/iu;
/** Several, or whoever it may be: theirs is never “its”. */
const SEVERAL = expression('u')`
  ^(?:(?:the|all|our|most|some|both|many)\s+)?(?:\p{Ll}{2,30}[^\P{Ll}ius]s|people|(?:some|any|every|no)(?:one|body))
  (?!\p{L})
`;

interface Subject {
  auxiliary: string;
  /** The clause from its subject on, up to the possessive. */
  text: string;
}

/**
 * Whether the subject of its own clause is whom a possessive at this place may belong to: “How does the indexer store
 * its vectors?”. In doubt it is not: “Who signed its contract?”, “What is the name of her company?”.
 */
export function hasOwnerBefore(text: string, at: number, possessive: string): boolean {
  if (!isPossessive(text, at, possessive)) return false;
  const clause = text.slice([...text.slice(0, at).matchAll(BEGINS)].at(-1)?.index ?? 0, at).trim();
  if (/\sof$/iu.test(clause)) return false;
  const subject = subjectIn(clause.replace(/^[,;:]\s*/u, ''));
  if (!subject || SPEAKERS.test(subject.text)) return false;
  if (/^their$/iu.test(possessive)) return true;
  return !/^(?:do|are|were|have)$/iu.test(subject.auxiliary) && !SEVERAL.test(subject.text);
}

/** Whether something that is possessed follows: `her company`, not `her yesterday?` or `his?`. */
function isPossessive(text: string, at: number, word: string): boolean {
  if (!/^(?:its|their|his|her)$/iu.test(word)) return false;
  const next = readWords(text.slice(at + word.length))[0];
  return next !== undefined && (!isStopWord(next.text) || /^own$/u.test(next.text));
}

/** The subject of a clause and what follows it; undefined where none is sure to be there. */
function subjectIn(clause: string): Subject | undefined {
  const behind = (match: RegExpExecArray): string => clause.slice(match.index + match[0].length);
  const does = DOES.exec(clause);
  if (does) return subjectOf(behind(does), 1, does[1]);
  const turned = TURNED.exec(clause);
  if (turned) {
    const [, being, other] = turned;
    if (being !== undefined && !PARTICIPLE.test(behind(turned))) return undefined;
    return subjectOf(behind(turned), 2, being ?? other);
  }
  const told = TOLD.exec(clause);
  if (told) return AUXILIARY.test(clause) ? undefined : subjectOf(behind(told), 2);
  const asked = ASKED_FOR.exec(clause.toLowerCase());
  if (!asked || /\b(?:is|are|was|were)\b/iu.test(clause) || !SEVERAL.test(behind(asked))) return undefined;
  return subjectOf(behind(asked), 2, 'have');
}

/** A subject that is named by so many words at least, those of what it does among them. */
const subjectOf = (text: string, least: number, auxiliary = ''): Subject | undefined =>
  contentWords(text).length >= least ? { auxiliary, text } : undefined;
