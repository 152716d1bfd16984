import { defaultActions, type StrategyAction } from '../action-set.ts';
import { encodeBandit, freshBandit, type BanditState } from './bandit-state.ts';
import { constantExploration } from './exploration.ts';
import type { StrategyOutcome } from './ridge-model.ts';

/** What a strategy did on a question: as gathered by the evaluation, or assumed. */
export interface PriorOutcome {
  features: Float64Array;
  /** Name of the strategy; those that are not among the actions are left out. */
  strategy: string;
  outcome: StrategyOutcome;
}

/**
 * A state to start from. All outcomes together count as `weight` of a user's own, spread over all strategies and kinds of questions:
 * at 1,000 each of some 100 such cells starts with about ten, enough not to begin with chance, and soon overruled where it is wrong. The same outcomes give the same bytes.
 */
export function buildPrior(outcomes: readonly PriorOutcome[], learntFrom: string, weight = 1000, actions: readonly StrategyAction[] = defaultActions()): BanditState {
  const bandit = freshBandit(actions, constantExploration());
  const places = new Map(actions.map((action, i) => [action.name, i]));
  const known = outcomes.filter((entry) => places.has(entry.strategy));
  for (const { features, strategy, outcome } of known) bandit.learn(features, places.get(strategy) ?? 0, outcome, weight / known.length);
  return encodeBandit(bandit, actions, learntFrom, 'f32');
}
