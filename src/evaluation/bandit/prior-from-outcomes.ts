import type { BanditState } from '../../reasoning/strategy/bandit/bandit-state.ts';
import { buildPrior, type PriorOutcome } from '../../reasoning/strategy/bandit/build-prior.ts';
import { penalisedCost, type CostScale } from '../../reasoning/strategy/reward.ts';
import type { OutcomeRecord } from './outcome-log.ts';

interface PriorOptions {
  weight?: number;
  scale?: CostScale;
  /** What is assumed where nothing was measured; each counts as much as one that was gathered. */
  besides?: readonly PriorOutcome[];
}

/** The state that new users start from (models/bandit-prior.json), from gathered outcomes. The same outcomes give the same bytes. */
export function priorFromOutcomes(records: readonly OutcomeRecord[], { weight, scale, besides = [] }: PriorOptions = {}): BanditState {
  const gathered = records.flatMap(({ features, strategies }) => Object.entries(strategies).map(([strategy, { f1, tokens, seconds }]): PriorOutcome => ({
    features: Float64Array.from(features), strategy, outcome: { quality: f1, cost: penalisedCost({ tokens, seconds }, scale) },
  })));
  const models = [...new Set(records.map((record) => record.model))].join(', ');
  const learntFrom = `several strategies on each of ${records.length} questions, with ${models}${besides.length > 0 ? '; assumed for other models' : ''}`;
  return buildPrior([...besides, ...gathered], learntFrom, weight);
}
