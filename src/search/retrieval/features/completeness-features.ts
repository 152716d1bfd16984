import type { ChainOutlook, PartialChain } from '../chain-scorer.ts';
import { type FeatureRow, namesPassage } from './candidate-features.ts';
import { cosine } from '#base';
import { mentions, sentenceCoverage, type ChainProfile } from './chain-profile.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

/** What tells whether a chain holds all that its question needs and nothing else. */
export function completenessFeatures(
  question: QuestionProfile,
  chain: ChainProfile,
  scored: PartialChain,
  outlook: ChainOutlook,
  next: readonly PassageProfile[],
): FeatureRow {
  const logits = scored.logits;
  const [best = -12, second = -12] = outlook.continuations;
  const total = Math.max(1e-9, question.totalIdf);
  const gains = chain.passages.map((_, hop) => gainOf(question, chain.passages, hop) / total);
  const connected = chain.passages.map((passage, hop) => connection(chain.passages, passage, hop));
  const ownCosines = chain.passages.map((passage) => cosine(question.vector, passage.passage.vector));
  const row: FeatureRow = {
    hops: chain.passages.length,
    covered: chain.coveredIdf / total,
    openTerms: chain.residual.length,
    openRarest: Math.max(0, ...chain.residual.map((key) => question.idf.get(key) ?? 0)),
    openNames: chain.openNames.length,
    openNamesFraction: chain.openNames.length / Math.max(1, question.names.length),
    logitFirst: logits[0] ?? 0,
    logitLast: logits.at(-1) ?? 0,
    logitLowest: Math.min(...logits),
    logitMean: logits.reduce((sum, logit) => sum + logit, 0) / Math.max(1, logits.length),
    nextLogit: best,
    nextMargin: best - second,
    lastOverNext: (logits.at(-1) ?? 0) - best,
    lowestOverNext: Math.min(...logits) - best,
    gainLast: gains.at(-1) ?? 0,
    gainLowest: Math.min(...gains),
    nextGain: next[0] === undefined ? 0 : openGain(question, chain, next[0]) / total,
    nextCosineToLast: cosine(next[0]?.passage.vector, chain.last.passage.vector),
    cosineLowest: Math.min(...ownCosines),
    cosineHighest: Math.max(...ownCosines),
    connectedLowest: Math.min(...connected),
    connectedLast: connected.at(-1) ?? 0,
    titlesAsked: chain.passages.filter((passage) =>
      passage.titles.some((title) => question.form.includes(` ${title} `)),
    ).length,
    bestSentence: Math.max(0, ...chain.last.sentences.map((sentence) => sentenceCoverage(question, sentence))),
    'question.terms': question.stems.length,
    'question.names': question.names.length,
  };
  for (const [name, value] of Object.entries(question.cues)) row[`question.${name}`] = value;
  return row;
}

/** Rarity-weighted question terms that only this hop covers. */
function gainOf(question: QuestionProfile, passages: readonly PassageProfile[], hop: number): number {
  let sum = 0;
  for (const key of question.stems) {
    if (passages[hop]?.counts.has(key) && !passages.some((other, i) => i !== hop && other.counts.has(key)))
      sum += question.idf.get(key) ?? 0;
  }
  return sum;
}

function openGain(question: QuestionProfile, chain: ChainProfile, next: PassageProfile): number {
  return chain.residual.reduce((sum, key) => sum + (next.counts.has(key) ? (question.idf.get(key) ?? 0) : 0), 0);
}

/**
 * 2 when another hop names this one (by title or link) or the other way round, 1 when they share a name, 0 when nothing
 * joins them; 2 for a lone hop.
 */
function connection(passages: readonly PassageProfile[], passage: PassageProfile, hop: number): number {
  if (passages.length === 1) return 2;
  const others = passages.filter((_, i) => i !== hop);
  if (others.some((other) => namesPassage(other, passage) || namesPassage(passage, other))) return 2;
  return Number(others.some((other) => [...passage.names.keys()].some((key) => mentions(other, key))));
}
