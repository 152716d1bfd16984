import { questionConstants, questionFeatures } from './candidate-features.ts';
import type { ChainProfile } from './chain-profile.ts';
import { addFileFeatures } from './file-features.ts';
import { fillExtensionFeatures } from './extension-features.ts';
import { FeatureTable } from './feature-table.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

const RANKED_BY_QUESTION = ['cosine', 'bm25', 'coverage', 'sentenceCoverage', 'titleCoverage'];
const RANKED_BY_CHAIN = ['residualCosine', 'lastCosine', 'gain', 'gainSentence', 'bridgeShared', 'bridgeRarest', 'bridgeSupport', 'bridgeBest', 'awayFromChain'];

/** All of head 1's features of a hop's candidates. */
export function firstHopTable(question: QuestionProfile, candidates: readonly PassageProfile[]): FeatureTable {
  const table = new FeatureTable(candidates.length);
  candidates.forEach((candidate, i) => table.set(i, questionFeatures(question, candidate)));
  table.addStandings(RANKED_BY_QUESTION);
  if (candidates.some((candidate) => candidate.isCode)) addFileFeatures(table, question, candidates);
  table.setAll(questionConstants(question));
  return table;
}

/** All of head 2's features of a hop's candidates. */
export function nextHopTable(question: QuestionProfile, chain: ChainProfile, vectors: readonly Float32Array[], candidates: readonly PassageProfile[]): FeatureTable {
  const table = firstHopTable(question, candidates);
  fillExtensionFeatures(table, question, chain, vectors, candidates);
  table.addStandings(RANKED_BY_CHAIN);
  return table;
}
