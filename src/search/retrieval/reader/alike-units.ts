import { addTo } from '#base';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { ReadSentence } from './read-units.ts';
import { keyOf, stemsAbove } from './unit-features.ts';

/** A passage of several sections names them all: of a single entry its title says nothing. */
const SEVERAL = ', ';

/**
 * Entries that another one of their kind leaves behind: of fields with one key in a file (the `port` of two servers),
 * and of rows below one header, those that have some of the question's words where another has the same and more. They
 * speak of something beside what is asked for.
 */
export function leftBehind<T extends ReadSentence>(question: QuestionProfile, units: readonly T[]): ReadonlySet<T> {
  const groups = new Map<string, { unit: T; asked: readonly string[] }[]>();
  for (const unit of units) {
    const group = groupOf(unit);
    if (group === undefined) continue;
    addTo(groups, group, { unit, asked: question.stems.filter((stem) => says(unit, stem)) });
  }
  const behind = new Set<T>();
  for (const alike of groups.values())
    for (const { unit, asked } of alike)
      if (alike.some((other) => other.asked.length > asked.length && asked.every((stem) => other.asked.includes(stem))))
        behind.add(unit);
  return behind;
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
