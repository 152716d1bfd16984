import { type ChainLearner, type ChainScorerWeights, type LabelledTrail, parseChainScorerWeights } from '#search';
import { splitByQuestion, wholeOf, type Split } from '../gate.ts';
import type { LocalTrainer } from './offline-round.ts';

export const CHAIN_SCORER = 'chain-scorer';

/**
 * The heads of Beam Retrieval, learnt further from trails that answered; judged by recall@5 and exact chains on
 * questions held out.
 */
export function chainScorerTrainer({
  trails,
  learner,
  split,
}: {
  trails(signal?: AbortSignal): Promise<LabelledTrail[]>;
  learner: ChainLearner;
  split: Split;
}): LocalTrainer {
  const training = async (signal?: AbortSignal): Promise<LabelledTrail[]> =>
    splitByQuestion(await trails(signal), split).training;
  return {
    name: CHAIN_SCORER,
    least: 20,
    examples: async () => (await training()).length,
    train: async (signal) => learner.train(await training(signal), split.seed, signal),
    async compare({ before, after }, signal) {
      const { heldOut } = splitByQuestion(await trails(signal), split);
      const wholes = new Map(heldOut.map((trail) => [trail.id, wholeOf(trail)]));
      const old = await learner.score(weightsOf(before), heldOut, signal);
      const fresh = new Map((await learner.score(weightsOf(after), heldOut, signal)).map((score) => [score.id, score]));
      return old.flatMap((score) => {
        const other = fresh.get(score.id);
        return other ? [{ id: wholes.get(score.id) ?? score.id, before: quality(score), after: quality(other) }] : [];
      });
    },
  };
}

/** What is stored in the trainer's slot; undefined: what the product came with. */
export const weightsOf = (stored: unknown): ChainScorerWeights | undefined =>
  stored === undefined ? undefined : parseChainScorerWeights(stored, 'what was learnt');

const quality = ({ recall5, chainEM }: { recall5: number; chainEM: number }): number => (recall5 + chainEM) / 2;
