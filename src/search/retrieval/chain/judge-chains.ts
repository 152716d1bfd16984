import { candidateOf } from '../encoder/input-layout.ts';
import type { JointEncoder } from '../encoder/joint-encoder.ts';
import type { BeamChain } from './beam-search.ts';

/** Chains that may be the choice: of behind them none was right where the first was wrong. */
const MOST_JUDGED = 4;
/** Logits of completeness that a chain may lack against the first, and be read. */
const CONTESTED = 2;
/** What the encoder's word counts beside the completeness model's, logit for logit (lab/EXPERIMENTS.md). */
const ENCODER_WEIGHT = 0.5;
/** Milliseconds after which no further chain is begun: a slow machine keeps the choice that it has. */
const LONGEST_JUDGING = 400;

/**
 * Puts the chain first that is most likely complete by two judges: the completeness model, which knows how passages lie
 * among the others, and the joint encoder, which reads question and chain together (Beam Retrieval, arXiv 2308.08973,
 * §3.2). Only chains are read between which the former has not decided.
 *
 * @param chains The most complete first; never empty unless nothing was found.
 * @param now Milliseconds, monotonic.
 */
export async function mostCompleteFirst(
  question: string,
  chains: readonly BeamChain[],
  encoder: JointEncoder,
  now: () => number,
  signal?: AbortSignal,
): Promise<readonly BeamChain[]> {
  const [first] = chains;
  const contested = chains
    .slice(0, MOST_JUDGED)
    .filter(({ completeness }) => first && completeness >= first.completeness - CONTESTED);
  if (contested.length < 2) return chains;
  const until = now() + LONGEST_JUDGING;
  const judged: { chain: BeamChain; complete: number }[] = [];
  for (const chain of contested) {
    if (now() >= until) return chains;
    const passages = chain.passages.map(candidateOf);
    const candidate = passages.pop();
    if (!candidate) return chains;
    const { complete } = await encoder.read({ question, chain: passages, candidate }, signal);
    judged.push({ chain, complete: chain.completeness + ENCODER_WEIGHT * complete });
  }
  judged.sort((a, b) => b.complete - a.complete);
  const best = judged[0]?.chain;
  return best ? [best, ...chains.filter((chain) => chain !== best)] : chains;
}
