import { mean } from '#base';
import { TYPE_IN_WORDS } from '#research';
import type { QuestionType } from '#search';
import type { ActionEstimate } from './bandit/policy.ts';
import { describeGraph, parseGraphName } from './graph.ts';
import { type PlanAction, planActions } from './plan-actions.ts';
import { QUESTION_FEATURES, type QuestionFeature } from './question-features.ts';
import type { TaughtDecision } from './decision.ts';

/** Untransformed cost behind an expected penalised one: x where T = x / (x + 1). */
const rawCost = ({ expected }: ActionEstimate): number => {
  const cost = Math.min(0.98, Math.max(0.02, expected.cost));
  return cost / (1 - cost);
};

export const costRatio = (of: ActionEstimate, to: ActionEstimate): number => rawCost(of) / rawCost(to);

/** A strategy in words for people: a plan by its title, a graph by what its agents do. */
export function describeStrategy(name: string): string {
  const plan = planActions().find((action) => action.name === name);
  const graph = plan ? undefined : parseGraphName(name);
  return plan?.title ?? (graph ? describeGraph(graph) : name);
}

/**
 * "looks like a lookup: one look; thorough costs about 6 × as much". `thorough` is undefined when it would choose
 * the same.
 */
export function describeChoice(
  type: QuestionType,
  chosen: PlanAction,
  estimate: ActionEstimate,
  thorough: ActionEstimate | undefined,
): string {
  const why = `Looks like ${TYPE_IN_WORDS[type]}: ${chosen.title}`;
  const ratio = thorough && costRatio(thorough, estimate);
  return ratio !== undefined && ratio >= 1.5
    ? `${why}; thorough costs about ${Math.round(ratio)} × as much.`
    : `${why}.`;
}

/** How a strategy did over some runs: their number, mean quality and mean cost (0..1). */
export interface StrategyRecord {
  strategy: string;
  runs: number;
  quality: number;
  cost: number;
}

/** What was learnt, for people. */
export interface StrategyReport {
  /** What the start was learnt from; undefined when it started knowing nothing. */
  prior: string | undefined;
  /** Runs of this user that taught, of those still remembered. */
  runs: number;
  /** By strategy, most used first. */
  strategies: StrategyRecord[];
  /** By type of question, most asked first: the strategy that has paid best so far. */
  byType: { type: QuestionType; runs: number; best: StrategyRecord }[];
}

const TYPES = ['inference', 'comparison', 'temporal', 'lookup', 'overview'] as const satisfies readonly (QuestionType &
  QuestionFeature)[];

/** Sums up what runs have taught. */
export function strategyReport(taught: readonly TaughtDecision[], prior: string | undefined): StrategyReport {
  const types = [...new Set(taught.map(likeliestType))].map((type) => {
    const runs = taught.filter((decision) => likeliestType(decision) === type);
    return { type, runs: runs.length, best: recordsOf(runs).sort((a, b) => worth(b) - worth(a))[0] as StrategyRecord };
  });
  return { prior, runs: taught.length, strategies: recordsOf(taught), byType: types.sort((a, b) => b.runs - a.runs) };
}

function recordsOf(runs: readonly TaughtDecision[]): StrategyRecord[] {
  return [...new Set(runs.map((run) => run.strategy))]
    .map((strategy) => {
      const own = runs.filter((run) => run.strategy === strategy).map(({ learnt }) => learnt);
      const [quality, cost] = [mean(own.map((one) => one.quality)), mean(own.map((one) => one.cost))];
      return { strategy, runs: own.length, quality, cost };
    })
    .sort((a, b) => b.runs - a.runs);
}

/** AQA's reward with β = 0.5. */
const worth = ({ quality, cost }: StrategyRecord): number => 0.5 * quality - 0.5 * cost;

/** The likeliest type of the question; without a probability for any other, it was held to have no answer. */
export function likeliestType({ features }: { features: ArrayLike<number> }): QuestionType {
  const chance = (type: QuestionFeature): number => features[QUESTION_FEATURES.indexOf(type)] ?? 0;
  const likeliest = [...TYPES].sort((a, b) => chance(b) - chance(a))[0] as (typeof TYPES)[number];
  return chance(likeliest) > 0 ? likeliest : 'null';
}
