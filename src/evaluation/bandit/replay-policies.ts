import { PAPER_AGENTS } from '../../reasoning/strategy/agent.ts';
import { actionFeatures } from '../../reasoning/strategy/bandit/action-features.ts';
import { EpsilonGreedyPolicy, FixedPolicy, UniformPolicy } from '../../reasoning/strategy/bandit/baseline-policies.ts';
import { annealedExploration, constantExploration } from '../../reasoning/strategy/bandit/exploration.ts';
import { LinUcb } from '../../reasoning/strategy/bandit/lin-ucb.ts';
import { optimiseEdges } from '../../reasoning/strategy/bandit/optimise-edges.ts';
import type { Beta, Policy } from '../../reasoning/strategy/bandit/policy.ts';
import { SharedLinUcb } from '../../reasoning/strategy/bandit/shared-lin-ucb.ts';
import { graphName, parseGraphName } from '../../reasoning/strategy/graph-name.ts';
import { QUESTION_FEATURES } from '../../reasoning/strategy/question-features.ts';
import { DatasetError } from '../dataset.ts';
import { bestFixed, rewardAt, type ReplayTable } from './replay.ts';

export type PolicyName = 'shared-lin-ucb' | 'lin-ucb' | 'lin-ucb-paper' | 'epsilon-greedy' | 'uniform' | 'fixed-edges' | 'fixed-trained';

export const POLICY_NAMES: readonly PolicyName[] = ['shared-lin-ucb', 'lin-ucb', 'lin-ucb-paper', 'epsilon-greedy', 'uniform', 'fixed-edges', 'fixed-trained'];

/** A policy that has learnt nothing yet, over the strategies of a table; those that are fixed look at the training questions in full. */
export function makePolicy(name: PolicyName, train: ReplayTable, beta: Beta, random: () => number): Policy {
  const count = train.strategies.length;
  const dimensions = QUESTION_FEATURES.length;
  switch (name) {
    case 'shared-lin-ucb': return new SharedLinUcb(train.strategies.map((strategy) => actionFeatures(graphOf(strategy))), dimensions, { exploration: annealedExploration() });
    case 'lin-ucb': return new LinUcb(count, dimensions, annealedExploration());
    case 'lin-ucb-paper': return new LinUcb(count, dimensions, constantExploration());
    case 'epsilon-greedy': return new EpsilonGreedyPolicy(count, dimensions, random);
    case 'uniform': return new UniformPolicy(count, random);
    case 'fixed-trained': return fixed(train, bestFixed(train, beta));
    case 'fixed-edges': return fixed(train, bestEdges(train, beta, random));
  }
}

const fixed = (table: ReplayTable, strategy: number): Policy => new FixedPolicy(strategy, table.strategies[strategy] ?? '');

/** The graph that edge probabilities lead to (GPTSwarm), by its mean reward on the training questions. Graphs that were not tried are worst. */
function bestEdges(train: ReplayTable, beta: Beta, random: () => number): number {
  const places = new Map(train.strategies.map((name, i) => [name, i]));
  const agents = PAPER_AGENTS.filter((agent) => places.has(agent));
  const means = train.strategies.map((_, strategy) => train.questions.reduce((sum, { outcomes }) => sum + rewardAt(outcomes, strategy, beta), 0) / Math.max(1, train.questions.length));
  const { graph } = optimiseEdges({ agents, reward: (candidate) => means[places.get(graphName(candidate)) ?? -1] ?? -1, random });
  return places.get(graphName(graph)) ?? bestFixed(train, beta);
}

function graphOf(strategy: string): NonNullable<ReturnType<typeof parseGraphName>> {
  const graph = parseGraphName(strategy);
  if (!graph) throw new DatasetError(`The outcomes name a strategy "${strategy}" that does not exist.`, { advice: 'Gather the outcomes again.' });
  return graph;
}
