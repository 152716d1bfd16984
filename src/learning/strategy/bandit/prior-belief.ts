import { type DecodedBandit, decodeParts, remadeBandit } from './bandit-state.ts';
import { type BanditAction, constantExploration, rewardOf } from './policy.ts';
import type { RidgeParts } from './ridge-model.ts';
import { z } from 'zod';
import { placeOf, type TaughtDecision } from '../decision.ts';
import type { SharedLinUcb } from './shared-lin-ucb.ts';

export const beliefShape = z.object({
  /** How many outcomes each outcome of the prior counts for; 1 leaves the prior as it shipped. */
  weight: z.number().nonnegative(),
  /** Factors on the qualities and the costs that the prior expects: another model, another machine. */
  quality: z.number().positive(),
  cost: z.number().positive(),
});

/**
 * How far a bandit's prior is believed. Fitted to a user's own runs: empirical Bayes for the prior of a ridge model.
 */
export type PriorBelief = z.infer<typeof beliefShape>;

export const AS_SHIPPED: PriorBelief = { weight: 1, quality: 1, cost: 1 };

const WEIGHTS = [0.125, 0.25, 0.5, 1, 2, 4];
const QUALITIES = [0.6, 0.8, 1, 1.2];
const COSTS = [0.33, 0.5, 0.75, 1, 1.5, 2, 3];
const FOLDS = 5;
/** Weight of quality in the reward by which beliefs are judged: the paper's. */
const BETA = 0.5;

/**
 * A state that was learnt on top of a prior, as it would be had the prior been believed otherwise: A = I + w(A₀ − I) +
 * Σxxᵀ and b = w·f·b₀ + Σrx, so that nothing of the user's own is lost. `prior` and `learnt` are over the same
 * features.
 */
export function rebelieve(learnt: RidgeParts, prior: RidgeParts, from: PriorBelief, to: PriorBelief): RidgeParts {
  const n = learnt.moments.quality.length;
  const moved = (values: Float64Array, own: Float64Array, before: number, after: number): Float64Array =>
    values.map((value, i) => value + (after - before) * (own[i] as number));
  const covariance = learnt.covariance.map(
    (value, i) => value + (to.weight - from.weight) * ((prior.covariance[i] as number) - (i % (n + 1) === 0 ? 1 : 0)),
  );
  return {
    covariance,
    moments: {
      quality: moved(learnt.moments.quality, prior.moments.quality, from.weight * from.quality, to.weight * to.quality),
      cost: moved(learnt.moments.cost, prior.moments.cost, from.weight * from.cost, to.weight * to.cost),
    },
  };
}

/**
 * Beliefs in one prior, judged by how well they foretell runs. @throws BanditStateError for a prior of another version
 */
export class PriorBeliefs {
  readonly #prior: DecodedBandit;
  readonly #actions: readonly BanditAction[];

  constructor(prior: unknown, actions: readonly BanditAction[]) {
    this.#prior = decodeParts(prior, actions);
    this.#actions = actions;
  }

  /** The prior under a belief, before any run. */
  start(belief: PriorBelief): SharedLinUcb {
    const { parts, steps } = this.#prior;
    return remadeBandit(
      this.#actions,
      constantExploration(),
      rebelieve(parts, parts, AS_SHIPPED, belief),
      steps * belief.weight,
    );
  }

  /**
   * For each of `asked`, how far the reward of its strategy is from what was foretold, 0..1, after learning from
   * `taught`.
   */
  misses(belief: PriorBelief, taught: readonly TaughtDecision[], asked: readonly TaughtDecision[]): number[] {
    const bandit = this.start(belief);
    for (const decision of taught)
      bandit.learn(Float64Array.from(decision.features), placeOf(decision, this.#actions), decision.learnt);
    return asked.map((decision) => {
      const foretold = bandit.estimate(Float64Array.from(decision.features))[placeOf(decision, this.#actions)]
        ?.expected;
      return foretold ? Math.min(1, Math.abs(rewardOf(foretold, BETA) - rewardOf(decision.learnt, BETA))) : 1;
    });
  }

  /**
   * The belief that foretells each fifth of the runs best from the other four; the shipped one where none does better.
   * Deterministic.
   */
  fit(taught: readonly TaughtDecision[]): PriorBelief {
    const known = taught.filter((decision) => placeOf(decision, this.#actions) >= 0);
    const loss = (belief: PriorBelief): number =>
      Array.from({ length: FOLDS }, (_, fold) => fold).reduce((sum, fold) => {
        const inFold = (i: number): boolean => i % FOLDS === fold;
        return (
          sum +
          this.misses(
            belief,
            known.filter((_, i) => !inFold(i)),
            known.filter((_, i) => inFold(i)),
          ).reduce((total, miss) => total + miss * miss, 0)
        );
      }, 0);
    let best = { belief: AS_SHIPPED, loss: loss(AS_SHIPPED) };
    const tryAll = (beliefs: readonly PriorBelief[]): void => {
      for (const belief of beliefs) {
        const found = loss(belief);
        if (found < best.loss) best = { belief, loss: found };
      }
    };
    tryAll(COSTS.map((cost) => ({ ...best.belief, cost })));
    tryAll(QUALITIES.map((quality) => ({ ...best.belief, quality })));
    tryAll(WEIGHTS.map((weight) => ({ ...best.belief, weight })));
    return best.belief;
  }
}
