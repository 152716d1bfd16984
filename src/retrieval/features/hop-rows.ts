import type { PartialChain } from '../chain-scorer.ts';
import { questionConstants, questionFeatures, type FeatureRow } from './candidate-features.ts';
import type { ChainProfile } from './chain-profile.ts';
import { extensionFeatures } from './extension-features.ts';
import { addListwise } from './listwise.ts';
import type { PassageProfile } from './passage-profile.ts';
import type { QuestionProfile } from './question-profile.ts';

const RANKED_BY_QUESTION = ['cosine', 'bm25', 'coverage', 'sentenceCoverage', 'titleCoverage'];
const RANKED_BY_CHAIN = ['residualCosine', 'nameCosine', 'lastCosine', 'gain', 'gainSentence', 'bridgeShared', 'bridgeRarest', 'bridgeSupport', 'bridgeBest', 'awayFromChain'];

/** All of head 1's features of a hop's candidates. */
export function firstHopRows(question: QuestionProfile, candidates: readonly PassageProfile[]): FeatureRow[] {
  const rows = questionFeatures(question, candidates);
  addListwise(rows, RANKED_BY_QUESTION);
  const constants = questionConstants(question, candidates);
  return rows.map((row) => ({ ...row, ...constants }));
}

/** All of head 2's features of a hop's candidates. */
export function nextHopRows(question: QuestionProfile, chain: ChainProfile, scored: PartialChain, candidates: readonly PassageProfile[]): FeatureRow[] {
  const extensions = extensionFeatures(question, chain, scored.vectors, scored.logits, candidates);
  addListwise(extensions, RANKED_BY_CHAIN);
  return firstHopRows(question, candidates).map((row, i) => ({ ...row, ...extensions[i] }));
}
