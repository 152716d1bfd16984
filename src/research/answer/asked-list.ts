import { contentStems, type Passage, type Reading, type ReadUnit } from '#search';
import { headingOf } from './passage-lines.ts';
import { askedThings } from './question-shape.ts';

/** Units that are one of several. */
const ENTRIES: ReadonlySet<string> = new Set(['row', 'item', 'field']);
/** A statement that is one of several: nothing but a string, a number or a name. */
const LITERAL = /^(?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[\w.-]+)$/u;
const LEAST_ENTRIES = 3;
/** A passage is a list when so much of it is entries. */
const MOSTLY = 0.5;

/**
 * A reading in which the entries of the list that is asked for come first: those that words announce which name what is
 * asked for (`**Codes:**`, `const codes = new Set([`), or those of a passage that is headed by it (`Holidays`) and is
 * little else than its rows or items. They share no word with the question, so that none of them looks like an answer.
 * Of several lists it is the one whose words have most of the question's. Undefined where there is none, or where its
 * entries lead already.
 */
export function askedListFirst(reading: Reading, question: string, passages: readonly Passage[]): Reading | undefined {
  const [things] = contentStems(askedThings(question) ?? '');
  const best = reading.sentences[0];
  if (things === undefined || !best) return undefined;
  const asked = new Set(contentStems(question));
  let entries: ReadUnit[] = [];
  let most = 0;
  for (const list of listsOf(reading, passages)) {
    const words = contentStems(list.words);
    const shared = new Set(words.filter((word) => asked.has(word))).size;
    if (!words.includes(things) || shared <= most) continue;
    entries = list.entries;
    most = shared;
  }
  if (entries.length === 0 || entries.includes(best)) return undefined;
  const first = entries
    .sort((a, b) => a.start - b.start)
    .map((entry): ReadUnit => ({ ...entry, score: best.score, fits: true }));
  return { ...reading, sentences: [...first, ...reading.sentences.filter((unit) => !entries.includes(unit))] };
}

/** Lists of passages that were read, each with the words that announce or head it. */
function listsOf(reading: Reading, passages: readonly Passage[]): { words: string; entries: ReadUnit[] }[] {
  return passages.flatMap((passage) => {
    const units = reading.sentences.filter(({ passageId }) => passageId === passage.id);
    const entries = units.filter(
      ({ kind = '', text }) => ENTRIES.has(kind) || (kind === 'statement' && LITERAL.test(text)),
    );
    const announced = new Map<string, ReadUnit[]>();
    for (const entry of entries) {
      // Above a row stands the table's header.
      const words = entry.kind === 'row' ? undefined : entry.context?.text.split(' › ').at(-1);
      if (words !== undefined) announced.set(words, [...(announced.get(words) ?? []), entry]);
    }
    const lists = [...announced].map(([words, of]) => ({ words, entries: of }));
    if (entries.length >= MOSTLY * units.length) lists.push({ words: headingOf(passage), entries });
    return lists.filter((list) => list.entries.length >= LEAST_ENTRIES);
  });
}
