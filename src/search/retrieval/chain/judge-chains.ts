import { candidateOf } from '../encoder/input-layout.ts';
import type { JointEncoder } from '../encoder/joint-encoder.ts';
import type { BeamChain } from './beam-search.ts';

/** Chains that may be the choice: those behind them held a right one for three questions of a hundred at most. */
const MOST_JUDGED = 4;
/** Passages of a chain that is read: of more there would be little else than their titles. */
const LONGEST_CHAIN = 6;
/** Logits of completeness that a chain may lack against the first, and be read. */
const CONTESTED = 2;
/** What the encoder's word counts beside the completeness model's, logit for logit (lab/EXPERIMENTS.md). */
const ENCODER_WEIGHT = 0.5;

/**
 * Puts the chain first that is most likely complete by two judges: the completeness model, which knows how passages lie
 * among the others, and the joint encoder, which reads question and chain together (Beam Retrieval, arXiv 2308.08973,
 * §3.2). Only chains are read between which the former has not decided.
 *
 * @param chains The most complete first; never empty unless nothing was found.
 */
export async function mostCompleteFirst(
  question: string,
  chains: readonly BeamChain[],
  encoder: JointEncoder,
  signal?: AbortSignal,
): Promise<readonly BeamChain[]> {
  const [first] = chains;
  if (!first) return chains;
  const contested = chains
    .slice(0, MOST_JUDGED)
    .filter(({ completeness }) => completeness >= first.completeness - CONTESTED)
    .filter(({ passages }) => passages.length <= LONGEST_CHAIN);
  if (contested.length < 2 || contested[0] !== first) return chains;
  let best = { chain: first, complete: -Infinity };
  for (const chain of contested) {
    const passages = chain.passages.map(candidateOf);
    const candidate = passages.pop();
    if (!candidate) continue;
    const { complete } = await encoder.read({ question, chain: passages, candidate }, signal);
    const together = chain.completeness + ENCODER_WEIGHT * complete;
    if (together > best.complete) best = { chain, complete: together };
  }
  if (best.chain === first) return chains;
  // Both judges together hold it no less complete than the other: who asks whether it is enough is told so.
  const chosen = { ...best.chain, completeness: first.completeness };
  return [chosen, ...chains.filter((chain) => chain !== best.chain)];
}
