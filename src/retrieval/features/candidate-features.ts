import { cosine } from '../cosine.ts';
import { mentions, sentenceCoverage } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

/** Features of one candidate by name. */
export type FeatureRow = Record<string, number>;

const K1 = 1.2;
const B = 0.75;
/** Content stems of a usual passage: fixed, so that a passage scores the same among any rivals. */
const USUAL_LENGTH = 60;

/** BM25 of the question with rarity from the whole index, as a share of what the question could give. */
function bm25(question: QuestionProfile, candidate: PassageProfile): number {
  let score = 0;
  for (const key of question.stems) {
    const count = candidate.counts.get(key);
    if (count === undefined) continue;
    score += ((question.idf.get(key) ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * candidate.length) / USUAL_LENGTH));
  }
  return score / Math.max(1, question.totalIdf);
}

const known = new WeakMap<QuestionProfile, Map<string, FeatureRow>>();

/** How a candidate stands to the question alone: what head 1 sees, and head 2 among the rest. Worked out once per question and passage. */
export function questionFeatures(question: QuestionProfile, candidate: PassageProfile): FeatureRow {
  const rows = known.get(question) ?? new Map<string, FeatureRow>();
  known.set(question, rows);
  const row = rows.get(candidate.passage.id) ?? readQuestionFeatures(question, candidate);
  rows.set(candidate.passage.id, row);
  return row;
}

function readQuestionFeatures(question: QuestionProfile, candidate: PassageProfile): FeatureRow {
  const total = Math.max(1e-9, question.totalIdf);
  let covered = 0;
  let titleCovered = 0;
  for (const key of question.stems) {
    const idf = question.idf.get(key) ?? 0;
    if (candidate.counts.has(key)) covered += idf;
    if (candidate.titleStems.has(key)) titleCovered += idf;
  }
  const title = candidate.titles.find((form) => question.form.includes(` ${form} `));
  const inTitle = [...candidate.titleStems].filter((key) => question.idf.has(key)).length;
  const names = question.names;
  const named = names.filter((name) => mentions(candidate, name.key)).length;
  return {
    cosine: cosine(question.vector, candidate.passage.vector),
    bm25: bm25(question, candidate),
    coverage: covered / total,
    sentenceCoverage: Math.max(0, ...candidate.sentences.map((sentence) => sentenceCoverage(question, sentence))),
    titleCoverage: titleCovered / total,
    titleFraction: inTitle / Math.max(1, candidate.titleStems.size),
    titleInQuestion: title === undefined ? 0 : title.split(' ').length,
    pairs: question.pairs.filter(([a, b]) => candidate.counts.has(a) && candidate.counts.has(b)).length / Math.max(1, question.pairs.length),
    names: named,
    namesFraction: named / Math.max(1, names.length),
    titleNames: names.filter((name) => candidate.titles.some((form) => ` ${form} `.includes(` ${name.key} `))).length,
    length: Math.log(1 + candidate.length),
    numbers: Math.log(1 + [...candidate.names.values()].filter(({ name }) => name.kind === 'number').length),
  };
}

/** What kind of question it is, the same for every candidate. */
export function questionConstants(question: QuestionProfile): FeatureRow {
  const row: FeatureRow = {
    'question.terms': question.stems.length,
    'question.names': question.names.length,
  };
  for (const [name, value] of Object.entries(question.cues)) row[`question.${name}`] = value;
  return row;
}
