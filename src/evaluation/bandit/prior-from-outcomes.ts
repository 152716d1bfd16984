import type { BanditState } from '../../reasoning/strategy/bandit/bandit-state.ts';
import { buildPrior } from '../../reasoning/strategy/bandit/build-prior.ts';
import { penalisedCost, type CostScale } from '../../reasoning/strategy/reward.ts';
import type { OutcomeRecord } from './outcome-log.ts';

/** The state that new users start from (models/bandit-prior.json), from gathered outcomes. The same outcomes give the same bytes. */
export function priorFromOutcomes(records: readonly OutcomeRecord[], options: { weight?: number; scale?: CostScale } = {}): BanditState {
  const outcomes = records.flatMap(({ features, strategies }) => Object.entries(strategies).map(([strategy, { f1, tokens, seconds }]) => ({
    features: Float64Array.from(features), strategy, outcome: { quality: f1, cost: penalisedCost({ tokens, seconds }, options.scale) },
  })));
  const models = [...new Set(records.map((record) => record.model))].join(', ');
  return buildPrior(outcomes, `every strategy on ${records.length} questions, with ${models}`, options.weight);
}
