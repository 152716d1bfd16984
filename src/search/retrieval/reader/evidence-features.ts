import { cosine } from '#base';
import { coverageOf } from '../features/chain-profile.ts';
import type { FeatureRow } from '../features/candidate-features.ts';
import { mostlyCode, type PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';
import type { ReadSentence } from './reader-features.ts';

/** Units that a person would be shown. */
const SHOWN = 6;

/**
 * What tells whether units that were found carry an answer: how sure the chooser is of the best, and how much of the
 * question they and their titles speak of.
 * @param carried What the head that learnt from prose says of the chain.
 */
export function evidenceFeatures(
  question: QuestionProfile,
  passages: readonly PassageProfile[],
  scored: readonly (ReadSentence & { support: number })[],
  chain: number,
  carried: number,
): FeatureRow {
  const best = [...scored].sort((a, b) => b.support - a.support).slice(0, SHOWN);
  const said = new Set(best.flatMap(({ sentence, profile }) => [...sentence.stems, ...profile.titleStems]));
  const anywhere = (stem: string): boolean => passages.some((passage) => passage.counts.has(stem));
  const cosines = passages.map(({ passage }) => cosine(question.vector, passage.vector));
  const rarest = Math.max(
    0,
    ...question.stems.filter((stem) => !anywhere(stem)).map((stem) => question.idf.get(stem) ?? 0),
  );
  const scores = best.map(({ support }) => support);
  return {
    carried,
    best: scores[0] ?? 0,
    second: scores[1] ?? 0,
    sum: scores.reduce((total, score) => total + score, 0),
    unitCosine: Math.max(0, ...scored.map(({ vector }) => cosine(question.vector, vector))),
    passageCosine: Math.max(0, ...cosines),
    chainCosine: Math.max(0, ...cosines.slice(0, chain)),
    covered: coverageOf(question, (stem) => said.has(stem)),
    coveredByBest: coverageOf(question, (stem) => best[0]?.sentence.stems.has(stem) ?? false),
    coveredAnywhere: coverageOf(question, anywhere),
    rarestOpen: rarest / Math.max(1e-9, Math.max(...question.idf.values(), 0)),
    code: Number(mostlyCode(passages.map(({ passage }) => passage))),
    words: Math.log(1 + question.stems.length),
  };
}
