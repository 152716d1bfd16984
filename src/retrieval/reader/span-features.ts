import type { FeatureRow } from '../features/candidate-features.ts';
import { FeatureTable } from '../features/feature-table.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import { nameForm } from '../text/names.ts';
import { readWords, stem } from '../text/words.ts';
import type { CandidateSpan } from './candidate-spans.ts';
import type { ExpectedAnswer } from '../text/expected-answer.ts';

/** Words beside which a place, a person or a birth is named. */
const PLACE_BEFORE = /\b(?:in|at|from|near|of|to)\s+(?:the\s+)?$/i;
const PERSON_BEFORE = /\b(?:by|with|son of|daughter of|wife|husband|actor|actress|director|singer|author|president|king|queen|mr\.?|sir|starring|named)\s+$/i;

/** What tells whether a span is the answer, given how well each sentence supports it. */
export function spanFeatures(question: QuestionProfile, expected: ExpectedAnswer, passages: readonly PassageProfile[], spans: readonly CandidateSpan[], support: ReadonlyMap<object, number>): FeatureTable {
  const table = new FeatureTable(spans.length);
  spans.forEach((span, row) => {
    const { profile, hop, index, text } = span.sentence;
    const before = text.slice(0, span.start - span.sentence.sentence.start);
    const words = span.key.split(' ');
    const others = passages.filter((passage) => passage !== profile);
    table.set(row, {
      support: support.get(span.sentence) ?? 0,
      inQuestion: Number(question.form.includes(` ${span.key} `)),
      wordsInQuestion: words.filter((word) => question.idf.has(stem(word))).length / words.length,
      hop, lastHop: Number(hop === passages.length - 1), position: index,
      length: words.length,
      nearness: nearness(question, span),
      early: (span.start - span.sentence.sentence.start) / Math.max(1, text.length),
      title: Number(isHeading(profile, span.key)),
      otherTitle: Number(others.some((other) => isHeading(other, span.key))),
      elsewhere: others.filter((other) => other.form.includes(` ${span.key} `)).length,
      placeBefore: Number(PLACE_BEFORE.test(before)),
      personBefore: Number(PERSON_BEFORE.test(before)),
      date: Number(span.kind === 'date'), number: Number(span.kind === 'number'), phrase: Number(span.kind === 'phrase'), quote: Number(span.kind === 'quote'), noun: Number(span.kind === 'noun'),
      fits: fits(expected, span),
      titleAsked: Number(profile.titles.some((title) => question.form.includes(` ${title} `))),
    });
  });
  table.addStandings(['support', 'nearness']);
  const kinds: FeatureRow = {};
  for (const kind of ['person', 'date', 'number', 'place', 'name', 'other'] as const) kinds[`expects.${kind}`] = Number(expected.kind === kind);
  table.setAll({ ...kinds, passages: passages.length });
  return table;
}

/** Whether a name is a title or heading as written: file names answer nothing. */
const isHeading = ({ passage }: PassageProfile, key: string): boolean => passage.title.split(' > ').some((part) => nameForm(part) === key);

/** Rarity-weighted nearness (by words) of the question's terms around the span, in its sentence. */
function nearness(question: QuestionProfile, span: CandidateSpan): number {
  const offset = span.sentence.sentence.start;
  const words = readWords(span.sentence.text);
  const at = words.findIndex((word) => word.start >= span.start - offset);
  let sum = 0;
  words.forEach((word, i) => {
    const idf = question.idf.get(stem(word.text));
    if (idf !== undefined) sum += idf / (1 + Math.abs(i - at));
  });
  return sum / Math.max(1e-9, question.totalIdf);
}

/** 1 when the span's form is what is expected, 0 when it cannot be, 0.5 when it may. */
function fits(expected: ExpectedAnswer, span: CandidateSpan): number {
  switch (expected.kind) {
    case 'date':
      return Number(span.kind === 'date');
    case 'number':
      return span.kind === 'number' ? 1 : span.kind === 'date' ? 0.3 : 0;
    case 'person':
      return span.kind === 'phrase' ? Math.min(1, 0.4 + 0.3 * (span.key.split(' ').length - 1)) : 0;
    case 'place':
      return Number(span.kind === 'phrase');
    case 'name':
    case 'other':
      return span.kind === 'phrase' || span.kind === 'quote' ? 0.7 : 0.4;
    case 'yes-no':
    case 'choice':
      return 0;
  }
}
