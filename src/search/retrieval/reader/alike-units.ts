import { addTo, expression } from '#base';
import { exactWordsOf, holds } from '../exact-words.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsAbove } from './unit-features.ts';

/** A passage of several sections names them all: of a single entry its title says nothing. */
const SEVERAL = ', ';

/**
 * Entries that another one of their kind leaves behind: of fields with one key in a file (the `port` of two servers),
 * and of rows below one header, those that have some of the question's words where another has the same and more. They
 * speak of something beside what is asked for; so do rows without the number that is asked for, where one has it.
 */
export function leftBehind<T extends ReadSentence>(question: QuestionProfile, units: readonly T[]): ReadonlySet<T> {
  if (BESIDE.test(question.text)) return new Set();
  const groups = new Map<string, { unit: T; asked: readonly string[] }[]>();
  for (const unit of units) {
    const group = groupOf(unit);
    if (group === undefined) continue;
    addTo(groups, group, { unit, asked: question.stems.filter((stem) => says(unit, stem)) });
  }
  const behind = new Set(otherRows(question.text, units));
  for (const alike of groups.values())
    for (const { unit, asked } of alike)
      if (alike.some((other) => other.asked.length > asked.length && asked.every((stem) => other.asked.includes(stem))))
        behind.add(unit);
  return behind;
}

/**
 * What is asked for lies beside what is named: `the first port above 11000`, `services that do not use Redis`.
 */
const BESIDE = expression('iu')`
  \b(?:above|below|over|under|more|less|fewer|greater|larger|smaller|higher|lower|than|after|before|since|until|till|
    between|from (?=\p{N})|at (?:least|most)|up|next|previous|following|nearest|closest|around|
    not|except|without|other|else|besides)\b|n['’]t\b
`;

/**
 * `Which service has port 11999?`: rows that do not hold the number, where another of their table does, are about other
 * services, however near their figures are. Of several such words that row counts which holds most of them.
 */
function otherRows<T extends ReadSentence>(question: string, units: readonly T[]): T[] {
  const words = exactWordsOf(question);
  if (words.length === 0) return [];
  const rows = units
    .filter(({ kind }) => kind === 'row')
    .map((unit) => ({
      unit,
      table: `${unit.profile.passage.path}\n${unit.context?.text ?? ''}`,
      held: words.filter((word) => holds(unit.text, word)).length,
    }));
  const most = new Map<string, number>();
  for (const { table, held } of rows) most.set(table, Math.max(most.get(table) ?? 0, held));
  return rows.flatMap(({ unit, table, held }) => (held < (most.get(table) ?? 0) ? [unit] : []));
}

/** What a unit is an entry of; undefined where it is none. */
function groupOf({ kind, text, context, profile }: ReadSentence): string | undefined {
  const { path } = profile.passage;
  if (kind === 'row') return context && `${path}\n${context.text}`;
  const key = kind === 'field' ? keyOf(kind, text) : undefined;
  return key === undefined ? undefined : `${path}\n${key.trim().toLowerCase()}`;
}

function says({ sentence, context, profile }: ReadSentence, stem: string): boolean {
  const { title } = profile.passage;
  return (
    sentence.stems.has(stem) ||
    stemsAbove(context).has(stem) ||
    (!title.includes(SEVERAL) && profile.titleStems.has(stem))
  );
}
