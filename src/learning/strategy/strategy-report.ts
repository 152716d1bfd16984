import { mean } from '#base';
import { TYPE_IN_WORDS } from '#research';
import type { QuestionType } from '#search';
import type { TaughtDecision } from './decision.ts';
import { describeGraph, parseGraphName } from './graph.ts';
import { type ActionEstimate, rewardOf } from './lin-ucb.ts';
import { type PlanAction, planCalled } from './plans.ts';
import { likeliestType, type ModelClass } from './question-features.ts';

/** Untransformed cost behind an expected penalised one: x where T = x / (x + 1). */
const rawCost = ({ expected }: ActionEstimate): number => {
  const cost = Math.min(0.98, Math.max(0.02, expected.cost));
  return cost / (1 - cost);
};

export const costRatio = (of: ActionEstimate, to: ActionEstimate): number => rawCost(of) / rawCost(to);

/** A strategy in words for people: a plan by its title, a graph by what its agents do. */
export function describeStrategy(name: string): string {
  const graph = planCalled(name) ? undefined : parseGraphName(name);
  return planCalled(name)?.title ?? (graph ? describeGraph(graph) : name);
}

/** "Looks like a lookup: one look, by 20 measured outcomes with small models." */
export const describeChoice = (type: QuestionType, plan: PlanAction, size: ModelClass, measured: number): string =>
  `Looks like ${TYPE_IN_WORDS[type]}: ${plan.title}, by ${measured} measured outcomes with ${size} models.`;

/** How a strategy did over some runs: their number, mean quality and mean cost (0..1). */
interface StrategyRecord {
  strategy: string;
  runs: number;
  quality: number;
  cost: number;
}

/** What was learnt, for people. */
export interface StrategyReport {
  /** What was measured before; undefined: nothing. */
  prior: string | undefined;
  /** Runs of this user that taught, of those still remembered. */
  runs: number;
  /** By strategy, most used first. */
  strategies: StrategyRecord[];
  /** By type of question, most asked first: the strategy that has paid best so far. */
  byType: { type: QuestionType; runs: number; best: StrategyRecord }[];
}

/** Sums up what runs have taught. */
export function strategyReport(taught: readonly TaughtDecision[], prior: string | undefined): StrategyReport {
  const typeOf = ({ features }: TaughtDecision): QuestionType => likeliestType(features);
  const byType = [...new Set(taught.map(typeOf))].flatMap((type) => {
    const runs = taught.filter((decision) => typeOf(decision) === type);
    const [best] = recordsOf(runs).sort((a, b) => rewardOf(b) - rewardOf(a));
    return best ? [{ type, runs: runs.length, best }] : [];
  });
  return { prior, runs: taught.length, strategies: recordsOf(taught), byType: byType.sort((a, b) => b.runs - a.runs) };
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
