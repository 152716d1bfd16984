import { addTo, expression, remembered } from '#base';
import { exactWordsOf, holderOf } from '../exact-words.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsAbove } from './unit-features.ts';

/** A passage of several sections names them all: of a single entry its title says nothing. */
const SEVERAL = ', ';

/**
 * What is asked for lies beside what is named: `the first port above 11000`, `services that do not use Redis`.
 */
const BESIDE = expression('iu')`
  \b(?:above|below|over|under|more|less|fewer|greater|larger|smaller|higher|lower|than|after|before|since|until|till|
    between|from (?=\p{N})|at (?:least|most)|up|next|previous|following|nearest|closest|around|
    not|except|without|other|else|besides)\b|n['’]t\b
`;
/** Asks for several of a kind, whose name (`employees`) one of them may have by chance. */
const SEVERAL_ASKED = expression('iu')`
  \b(?:which|what) (?!(?:is|was|does|has)\b)(?:[\p{L}-]{3,}s\b(?<!ss)|(?:[\p{L}-]+ ){1,3}(?:are|were|have|do)\b)|
  ^\s*(?:list|name|show|enumerate)\b
`;

/**
 * Entries that another one of their kind leaves behind: of fields with one key in a file (the `port` of two servers),
 * and of rows below one header, those that have some of the question's words where another has the same and more. They
 * speak of something beside what is asked for. None where several are asked for.
 */
export function leftBehind<T extends ReadSentence>(question: QuestionProfile, units: readonly T[]): ReadonlySet<T> {
  if (BESIDE.test(question.text) || SEVERAL_ASKED.test(question.text)) return new Set();
  const exact = exactWordsOf(question.text).map((word) => ({ word, isIn: holderOf(word) }));
  const groups = new Map<string, Alike<T>[]>();
  const above = new Map<string, ReadonlySet<string>>();
  for (const unit of units) {
    const group = groupOf(unit);
    if (group === undefined) continue;
    const stems = remembered(above, unit.context?.text ?? '', () => stemsAbove(unit.context));
    const said = `${unit.context?.text ?? ''}\n${unit.text}`;
    const asked = [
      ...question.stems.filter((stem) => unit.sentence.stems.has(stem) || stems.has(stem) || isTitled(unit, stem)),
      ...exact.filter(({ isIn }) => isIn(said)).map(({ word }) => `exactly ${word}`),
    ];
    addTo(groups, group, { unit, asked });
  }
  const behind = new Set<T>();
  for (const alike of groups.values()) {
    // Of thousands of rows few have different words of the question.
    const sets = [...new Map(alike.map(({ asked }) => [asked.join(), asked])).values()];
    const lesser = new Set(sets.filter((one) => sets.some((other) => isMore(other, one))).map((one) => one.join()));
    for (const { unit, asked } of alike) if (lesser.has(asked.join())) behind.add(unit);
  }
  return behind;
}

/** An entry, and what it has of the question. */
interface Alike<T> {
  unit: T;
  asked: readonly string[];
}

const isMore = (some: readonly string[], others: readonly string[]): boolean =>
  some.length > others.length && others.every((one) => some.includes(one));

/** What a unit is an entry of; undefined where it is none. */
function groupOf({ kind, text, context, profile }: ReadSentence): string | undefined {
  const { path } = profile.passage;
  if (kind === 'row') return context && `${path}\n${context.text}`;
  const key = kind === 'field' ? keyOf(kind, text) : undefined;
  return key === undefined ? undefined : `${path}\n${key.trim().toLowerCase()}`;
}

const isTitled = ({ profile }: ReadSentence, stem: string): boolean =>
  !profile.passage.title.includes(SEVERAL) && profile.titleStems.has(stem);
