import type { FeatureRow } from '../features/candidate-features.ts';
import { cosine } from '../cosine.ts';
import { mentions, profileChain, sentenceCoverage } from '../features/chain-profile.ts';
import { namesPassage } from '../features/naming.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { QuestionProfile } from '../features/question-profile.ts';

/** What tells whether passages carry an answer at all; `support` are the sentences' probabilities, `span` the best span's. */
export function answerabilityFeatures(question: QuestionProfile, passages: readonly PassageProfile[], support: readonly number[], span: number): FeatureRow {
  const [first] = passages;
  if (first === undefined) return { empty: 1 };
  const chain = profileChain(question, passages);
  const total = Math.max(1e-9, question.totalIdf);
  const cosines = passages.map((passage) => cosine(question.vector, passage.passage.vector));
  const names = question.names.filter((name) => name.kind !== 'number');
  const found = names.filter((name) => passages.some((passage) => mentions(passage, name.key)));
  const titled = names.filter((name) => passages.some((passage) => passage.titles.some((title) => ` ${title} `.includes(` ${name.key} `))));
  const rows: FeatureRow = {
    empty: 0,
    passages: passages.length,
    covered: chain.coveredIdf / total,
    openRarest: Math.max(0, ...chain.residual.map((key) => question.idf.get(key) ?? 0)),
    names: names.length,
    openNames: names.length - found.length,
    namesFraction: names.length === 0 ? 1 : found.length / names.length,
    titledFraction: names.length === 0 ? 1 : titled.length / names.length,
    cosineHighest: Math.max(...cosines),
    cosineLowest: Math.min(...cosines),
    cosineMean: cosines.reduce((sum, value) => sum + value, 0) / cosines.length,
    bestSentence: Math.max(0, ...passages.flatMap((passage) => passage.sentences.map((sentence) => sentenceCoverage(question, sentence)))),
    support: Math.max(0, ...support),
    supportSum: support.reduce((sum, value) => sum + value, 0),
    span,
    joined: joinedPairs(passages),
  };
  return { ...rows, ...question.cues };
}

/** Share of passages that name another, by title or link, or are named. */
function joinedPairs(passages: readonly PassageProfile[]): number {
  if (passages.length < 2) return 0;
  const joined = passages.filter((passage) => passages.some((other) => other !== passage && (namesPassage(other, passage) || namesPassage(passage, other))));
  return joined.length / passages.length;
}
