import { mean } from '#base';
import {
  argMax,
  choosePlan,
  graphName,
  LinUcb,
  type MeasuredOutcome,
  PAPER_AGENTS,
  PLANS,
  type Policy,
  QUESTION_FEATURES,
} from '#learning/lab';
import { optimiseEdges } from './optimise-edges.ts';
import { bestFixed, rewardAt, type ReplayTable } from './replay.ts';

/**
 * Policies that are replayed: `lin-ucb` as AQA publishes it (α = 2), the product's own over its plans, chance, the
 * fixed strategy that was best in training, and GPTSwarm's fixed graph.
 */
export const POLICIES = ['lin-ucb', 'product', 'uniform', 'fixed-trained', 'gptswarm'] as const;
type PolicyName = (typeof POLICIES)[number];

/** A policy before its first question. @param train The questions that it will learn from. */
export function makePolicy(name: PolicyName, train: ReplayTable, beta: number, random: () => number): Policy {
  const count = train.strategies.length;
  switch (name) {
    case 'lin-ucb':
      return new LinUcb(count, QUESTION_FEATURES.length);
    case 'product':
      return product(train);
    case 'uniform':
      return fixed(name, () => Math.floor(random() * count));
    case 'fixed-trained': {
      const best = bestFixed(train, beta);
      return fixed(name, () => best);
    }
    case 'gptswarm': {
      const best = bestGraph(train, beta, random);
      return fixed(name, () => best);
    }
  }
}

const fixed = (name: string, choose: () => number): Policy => ({ name, choose, best: choose, learn: () => undefined });

/** The product's choice; one look while fewer than two plans are measured, so that each is tried in turn before. */
function product({ strategies }: ReplayTable): Policy {
  const open = PLANS.filter(({ name }) => strategies.includes(name));
  const outcomes: MeasuredOutcome[] = [];
  let asked = 0;
  const choose = (features: readonly number[], beta: number, alpha?: number): number => {
    const chosen = choosePlan(outcomes, features, open, { beta, ...(alpha !== undefined && { alpha }) });
    return strategies.indexOf((chosen?.plan ?? open[asked++ % Math.max(1, open.length)])?.name ?? '');
  };
  return {
    name: 'product',
    choose,
    best: (features, beta) => choose(features, beta, 0),
    learn: (features, action, outcome) =>
      void outcomes.push({ class: 'small', strategy: strategies[action] ?? '', features, outcome }),
  };
}

/** The graph that edge probabilities lead to, by its mean reward in training. Graphs that were not tried are worst. */
function bestGraph(train: ReplayTable, beta: number, random: () => number): number {
  const means = train.strategies.map((_, strategy) =>
    mean(train.questions.map(({ outcomes }) => rewardAt(outcomes, strategy, beta))),
  );
  const { graph } = optimiseEdges({
    agents: PAPER_AGENTS.filter((agent) => train.strategies.includes(agent)),
    reward: (candidate) => means[train.strategies.indexOf(graphName(candidate))] ?? -1,
    random,
  });
  const place = train.strategies.indexOf(graphName(graph));
  return place >= 0 ? place : argMax(means);
}
