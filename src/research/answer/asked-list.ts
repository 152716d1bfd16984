import { contentStems, type Passage, type Reading, type ReadUnit } from '#search';
import { headingOf } from './passage-lines.ts';
import { askedThings } from './question-shape.ts';

/** Units that are one of several. */
const ENTRIES: ReadonlySet<string> = new Set(['row', 'item', 'field']);
const LEAST_ENTRIES = 3;
/** A passage is a list when so much of it is entries. */
const MOSTLY = 0.5;

/**
 * A reading in which the entries of the list that is asked for come first: those of a passage that is headed by what is
 * asked for (`Holidays`) and is little else than its rows or items. They share no word with the question, so that none
 * of them looks like an answer. Undefined where there is no such list, or where its entries lead already.
 */
export function askedListFirst(reading: Reading, question: string, passages: readonly Passage[]): Reading | undefined {
  const [things] = contentStems(askedThings(question) ?? '');
  if (things === undefined) return undefined;
  for (const passage of passages) {
    if (!contentStems(headingOf(passage)).includes(things)) continue;
    const units = reading.sentences.filter(({ passageId }) => passageId === passage.id);
    const entries = new Set(units.filter(({ kind }) => kind !== undefined && ENTRIES.has(kind)));
    if (entries.size < LEAST_ENTRIES || entries.size < MOSTLY * units.length) continue;
    const best = reading.sentences[0];
    if (!best || entries.has(best)) return undefined;
    const inOrder = [...entries].sort((a, b) => a.start - b.start);
    const first = inOrder.map((entry): ReadUnit => ({ ...entry, score: best.score, fits: true }));
    return { ...reading, sentences: [...first, ...reading.sentences.filter((unit) => !entries.has(unit))] };
  }
  return undefined;
}
