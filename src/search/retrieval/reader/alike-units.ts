import { addTo, expression, remembered } from '#base';
import { exactWordsOf, holderOf } from '../exact-words.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { leavesOut } from '../../domain/question.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsAbove } from './unit-features.ts';

/** A passage of several sections names them all: of a single entry its title says nothing. */
const SEVERAL = ', ';

/** What is asked for lies beside what is named: `the first port above 11000`. */
const BESIDE = expression('iu')`
  \b(?:above|below|over|under|more|less|fewer|greater|larger|smaller|higher|lower|than|after|before|since|until|till|
    between|from (?=\p{N})|at (?:least|most)|up|next|previous|following|nearest|closest|around)\b
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
  if (leavesOut(question.text) || BESIDE.test(question.text) || SEVERAL_ASKED.test(question.text)) return new Set();
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
  return new Set([...groups.values()].flatMap(withoutTheMost));
}

/** An entry, and what it has of the question. */
interface Alike<T> {
  unit: T;
  asked: readonly string[];
}

/** Entries with less of the question than another. Of thousands of rows few have different words of it. */
function withoutTheMost<T>(alike: readonly Alike<T>[]): T[] {
  const byWords = new Map<string, Alike<T>[]>();
  for (const entry of alike) addTo(byWords, entry.asked.join(), entry);
  const kinds = [...byWords.values()].flatMap((entries) =>
    entries.slice(0, 1).map(({ asked }) => ({ asked, entries })),
  );
  return kinds
    .filter(({ asked }) => kinds.some((other) => isMore(other.asked, asked)))
    .flatMap(({ entries }) => entries.map(({ unit }) => unit));
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
