import { AS_SHIPPED, beliefShape, type PriorBelief, type PriorBeliefs } from '../strategy/bandit/prior-belief.ts';
import type { TaughtDecision } from '../strategy/decision.ts';
import { isQuestionHeldOut, type Split } from '../gate.ts';
import type { LocalTrainer } from './offline-round.ts';

export const STRATEGY_PRIOR = 'strategy-prior';

interface StrategyPriorPorts {
  /** Runs whose strategy was chosen and that ended: what each was worth and cost. */
  decisions(): Promise<TaughtDecision[]>;
  beliefs: PriorBeliefs;
  split: Split;
}

/**
 * How far the choice of strategies believes what it came with, and by what factors this user's costs and qualities
 * differ from it. Judged by how near the foretold reward comes to that of held-out runs, both sides having learnt from
 * the same other runs.
 */
export function strategyPriorTrainer({ decisions, beliefs, split }: StrategyPriorPorts): LocalTrainer {
  const heldOut = ({ question }: TaughtDecision): boolean => isQuestionHeldOut(question, split);
  const others = async (): Promise<TaughtDecision[]> => (await decisions()).filter((decision) => !heldOut(decision));
  return {
    name: STRATEGY_PRIOR,
    least: 30,
    examples: async () => (await others()).length,
    train: async () => beliefs.fit(await others()),
    async compare({ before, after }) {
      const [taught, asked] = [await others(), (await decisions()).filter(heldOut)];
      const old = beliefs.misses(beliefOf(before) ?? AS_SHIPPED, taught, asked);
      const fresh = beliefs.misses(beliefOf(after) ?? AS_SHIPPED, taught, asked);
      return asked.map((decision, i) => ({
        id: decision.question,
        before: 1 - (old[i] ?? 1),
        after: 1 - (fresh[i] ?? 1),
      }));
    },
  };
}

/**
 * What is stored in the trainer's slot; undefined: the prior as it shipped. Damaged content counts as nothing stored:
 * it holds three numbers, which are soon learnt again.
 */
export const beliefOf = (stored: unknown): PriorBelief | undefined => beliefShape.safeParse(stored).data;
