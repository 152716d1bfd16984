import type { QuestionType } from '../../model/question.ts';
import type { StrategyAction } from './action-set.ts';
import type { ActionEstimate } from './bandit/policy.ts';
import { describeGraph } from './graph-name.ts';

/** Untransformed cost behind an expected penalised one: x where T = x / (x + 1). */
const rawCost = ({ expected }: ActionEstimate): number => { const cost = Math.min(0.98, Math.max(0.02, expected.cost)); return cost / (1 - cost); };

export const costRatio = (of: ActionEstimate, to: ActionEstimate): number => rawCost(of) / rawCost(to);

/** True when an answer of this strategy needs the language model. */
export const usesModel = ({ graph }: StrategyAction): boolean => graph.agents.some((agent) => agent !== 'beam-extractive');

/** "looks like a lookup: one retrieval; thorough costs about 6 × as much". `thorough` is undefined when it would choose the same. */
export function describeChoice(type: QuestionType, chosen: StrategyAction, estimate: ActionEstimate, thorough: ActionEstimate | undefined): string {
  const why = `Looks like ${TYPE_WORDS[type]}: ${describeGraph(chosen.graph)}`;
  const ratio = thorough && costRatio(thorough, estimate);
  return ratio !== undefined && ratio >= 1.5 ? `${why}; thorough costs about ${Math.round(ratio)} × as much.` : `${why}.`;
}

const TYPE_WORDS: Record<QuestionType, string> = {
  inference: 'a question over several passages',
  comparison: 'a comparison',
  temporal: 'a question about time',
  lookup: 'a lookup',
  overview: 'a question over everything',
  null: 'a question that may have no answer here',
};
