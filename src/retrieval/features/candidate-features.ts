import type { IndexedPassage } from '../../indexing/passage-index.ts';
import { mentions, sentenceCoverage } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

/** Features of one candidate by name. */
export type FeatureRow = Record<string, number>;

/** Cosine of two normalised vectors; 0 when either is missing. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

const K1 = 1.2;
const B = 0.75;

/** BM25 of the question with rarity from the whole index and length from the candidates. */
function bm25(question: QuestionProfile, candidate: PassageProfile, averageLength: number): number {
  let score = 0;
  for (const key of question.stems) {
    const count = candidate.counts.get(key);
    if (count === undefined) continue;
    score += ((question.idf.get(key) ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * candidate.length) / averageLength));
  }
  return score / Math.max(1, question.totalIdf);
}

/** How a candidate stands to the question alone: what head 1 sees, and head 2 among the rest. */
export function questionFeatures(question: QuestionProfile, candidates: readonly PassageProfile[]): FeatureRow[] {
  const averageLength = candidates.reduce((sum, candidate) => sum + candidate.length, 0) / Math.max(1, candidates.length) || 1;
  return candidates.map((candidate) => {
    const total = Math.max(1e-9, question.totalIdf);
    let covered = 0;
    let titleCovered = 0;
    for (const key of question.stems) {
      const idf = question.idf.get(key) ?? 0;
      if (candidate.counts.has(key)) covered += idf;
      if (candidate.titleStems.has(key)) titleCovered += idf;
    }
    const bestSentence = Math.max(0, ...candidate.sentences.map((sentence) => sentenceCoverage(question, sentence)));
    const title = candidate.titles.find((form) => question.form.includes(` ${form} `));
    const inTitle = [...candidate.titleStems].filter((key) => question.idf.has(key)).length;
    const names = question.names;
    const named = names.filter((name) => mentions(candidate, name.key)).length;
    const titleNames = names.filter((name) => candidate.titles.some((form) => form === name.key || ` ${form} `.includes(` ${name.key} `))).length;
    return {
      cosine: cosine(question.vector, candidate.passage.vector),
      bm25: bm25(question, candidate, averageLength),
      coverage: covered / total,
      sentenceCoverage: bestSentence,
      titleCoverage: titleCovered / total,
      titleFraction: inTitle / Math.max(1, candidate.titleStems.size),
      titleInQuestion: title === undefined ? 0 : title.split(' ').length,
      pairs: question.pairs.filter(([a, b]) => candidate.counts.has(a) && candidate.counts.has(b)).length / Math.max(1, question.pairs.length),
      names: named,
      namesFraction: named / Math.max(1, names.length),
      titleNames,
      length: Math.log(1 + candidate.length),
      nameDensity: candidate.names.size / Math.max(1, candidate.length),
    };
  });
}

/** What kind of question it is, the same for every candidate. */
export function questionConstants(question: QuestionProfile, candidates: readonly unknown[]): FeatureRow {
  const row: FeatureRow = {
    'question.terms': question.stems.length,
    'question.names': question.names.length,
    'question.candidates': Math.log(1 + candidates.length),
  };
  for (const [name, value] of Object.entries(question.cues)) row[`question.${name}`] = value;
  return row;
}

/** Passages as features see them: kept apart so that a scorer can profile each once. */
export type ProfileOf = (passage: IndexedPassage) => PassageProfile;
