import { expression } from '#base';
import { nameForm, type Name } from '../text/names.ts';

/** A question's words, and the names among them in order of appearance. */
interface WordedQuestion {
  text: string;
  names: readonly Name[];
}

/** What a question asks for, as far as its words tell. */
type AnswerKind = 'yes-no' | 'choice' | 'person' | 'date' | 'number' | 'place' | 'name' | 'other';

export interface ExpectedAnswer {
  kind: AnswerKind;
  /** The names between which the question asks to choose; empty unless `choice`. */
  options: Name[];
  /** For a choice by time: whether the earlier or the later one is asked for. */
  order?: 'earlier' | 'later';
}

const AUXILIARY = /^\s*(?:are|is|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i;
const PERSON = expression('i')`
  \b(?:who|whom|whose)\b|
  \b(?:what|which) (?:\w+ ){0,2}(?:actor|actress|director|author|writer|singer|president|king|queen|person|player|
    man|woman|composer|mother|father|wife|husband|politician|poet|artist)\b
`;
const DATE = /\bwhen\b|\b(?:what|which) (?:year|date|month|day|decade|century)\b|\bdate of\b/i;
const NUMBER =
  /\bhow (?:many|much|long|far|old|large|tall|big|high|often)\b|\bpopulation\b|\bwhat (?:percent|number|size|age)\b/i;
const PLACE = expression('i')`
  \bwhere\b|\b(?:what|which|in what|in which) (?:\w+ ){0,2}
  (?:city|country|state|county|place|town|province|region|district|continent|location|village|river|borough|island)
  \b|\bplace of\b
`;
const EARLIER = /\b(?:older|first|earlier|earliest|oldest|born first|before)\b/i;
const LATER = /\b(?:younger|later|latest|youngest|last|more recent(?:ly)?|newer|after)\b/i;

/** Reads off a question what kind of answer would satisfy it. */
export function expectedAnswer(question: WordedQuestion): ExpectedAnswer {
  const { text } = question;
  const options = choiceOptions(question);
  const order = EARLIER.test(text) ? 'earlier' : LATER.test(text) ? 'later' : undefined;
  return options.length > 0 ? { kind: 'choice', options, order } : { kind: kindAsked(text), options };
}

function kindAsked(text: string): AnswerKind {
  if (AUXILIARY.test(text)) return 'yes-no';
  if (NUMBER.test(text)) return 'number';
  if (DATE.test(text) || asksForYear(text)) return 'date';
  if (PLACE.test(text)) return 'place';
  if (PERSON.test(text)) return 'person';
  return /\b(?:what|which)\b/i.test(text) ? 'name' : 'other';
}

/** True for a text that ends with a question in which the word `year` stands. */
function asksForYear(text: string): boolean {
  const trimmed = text.trimEnd();
  return trimmed.endsWith('?') && /\byear\b/i.test(trimmed.slice(trimmed.lastIndexOf('?', trimmed.length - 2) + 1));
}

/** Names on either side of the last `or`; none where it joins no two. */
function choiceOptions(question: WordedQuestion): Name[] {
  const at = question.text.toLowerCase().lastIndexOf(' or ');
  if (at < 0) return [];
  const names = question.names.filter((name) => name.kind !== 'number' && nameForm(name.text).length > 1);
  const before = names.filter((name) => name.end <= at + 1).at(-1);
  const after = names.find((name) => name.start >= at);
  return before !== undefined && after !== undefined ? [before, after] : [];
}
