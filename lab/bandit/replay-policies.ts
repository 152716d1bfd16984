import { mean } from '#base';
import { defaultResearchOptions, operators, type ResearchOptions } from '#research/lab';
import {
  likeliestType,
  annealedExploration,
  type BanditState,
  bestOf,
  type Beta,
  constantExploration,
  graphName,
  LEAST_MEASURED,
  openPlans,
  PAPER_AGENTS,
  parseGraphName,
  type PlanAction,
  planActions,
  type Policy,
  productExploration,
  QUESTION_FEATURES,
  SharedLinUcb,
} from '#learning/lab';
import { LinUcb } from './lin-ucb.ts';
import { assumedPrior } from './assumed-outcomes.ts';
import { EpsilonGreedyPolicy, fixedPolicy, uniformPolicy } from './baseline-policies.ts';
import { optimiseEdges } from './optimise-edges.ts';
import { DatasetError } from '../evaluation/dataset.ts';
import { bestFixed, rewardAt, type ReplayedActions, type ReplayTable } from './replay.ts';
import { actionFeatures, decodeBandit } from './prior-state.ts';

/** Policies by what they choose among. `usual` is the usual plan of the type, without a choice. */
export const POLICIES = {
  plans: ['product', 'product-warm', 'usual', 'lin-ucb', 'lin-ucb-paper', 'epsilon-greedy', 'uniform', 'fixed-trained'],
  graphs: ['shared-lin-ucb', 'lin-ucb', 'lin-ucb-paper', 'epsilon-greedy', 'uniform', 'fixed-edges', 'fixed-trained'],
} as const satisfies Record<ReplayedActions, readonly string[]>;

export type PolicyName = (typeof POLICIES)[ReplayedActions][number];

/**
 * Those that look at every strategy's outcome on the training questions beforehand, as who has an evaluation can; the
 * others learn of their own choices only.
 */
export const INFORMED: ReadonlySet<PolicyName> = new Set(['product-warm', 'fixed-edges', 'fixed-trained']);

interface PolicyInput {
  /** The questions it will learn from. */
  train: ReplayTable;
  beta: Beta;
  random: () => number;
}

/** A policy over the strategies of a table, before its first question. */
export function makePolicy(name: PolicyName, { train, beta, random }: PolicyInput): Policy {
  const count = train.strategies.length;
  const dimensions = QUESTION_FEATURES.length;
  switch (name) {
    case 'product':
      return product(train);
    case 'product-warm':
      return warm(train, product(train));
    case 'usual':
      return fixed(train, train.strategies.indexOf('usual'));
    case 'shared-lin-ucb':
      return new SharedLinUcb(
        train.strategies.map((strategy) => actionFeatures(graphOf(strategy))),
        dimensions,
        { exploration: annealedExploration() },
      );
    case 'lin-ucb':
      return new LinUcb(count, dimensions, annealedExploration());
    case 'lin-ucb-paper':
      return new LinUcb(count, dimensions, constantExploration());
    case 'epsilon-greedy':
      return new EpsilonGreedyPolicy(count, dimensions, random);
    case 'uniform':
      return uniformPolicy(count, random);
    case 'fixed-trained':
      return fixed(train, bestFixed(train, beta));
    case 'fixed-edges':
      return fixed(train, bestEdges(train, beta, random));
  }
}

/**
 * The plans of a table that are open to a question of these features: places in the table by places among the actions.
 */
function openInTable(
  table: ReplayTable,
  actions: readonly PlanAction[],
  features: Float64Array,
  strategy: ResearchOptions['strategy'],
): Map<number, number> {
  const options = { ...defaultResearchOptions, strategy };
  const open = openPlans(actions, likeliestType({ features }), options, (name) => operators.get(name) !== undefined);
  const tried = open.flatMap((place): [number, number][] => {
    const index = table.strategies.indexOf(actions[place]?.name ?? '');
    return index >= 0 ? [[place, index]] : [];
  });
  if (tried.length === 0)
    throw new DatasetError('The outcomes hold none of the plans that the product may choose.', {
      advice: 'Gather some with --actions apart or plans.',
    });
  return new Map(tried);
}

/** The plans of a table that the product may choose for some question of it. */
export const openStrategies = (table: ReplayTable): number[] => [
  ...new Set(
    table.questions.flatMap(({ features }) => [...openInTable(table, planActions(), features, 'thorough').values()]),
  ),
];

/** The setting whose β this is, or the nearest below. */
const strategyOf = (beta: Beta): ResearchOptions['strategy'] =>
  beta >= 0.8 ? 'thorough' : beta < 0.5 ? 'fast' : 'balanced';

let prior: BanditState | undefined;
/** Made once: it is the same for every policy. */
const shippedPrior = (): BanditState => (prior ??= assumedPrior());

/**
 * The product's own, over its plans, from the prior that ships. Closed are those that a run may not choose, and those
 * that the table lacks. Its assumptions were made with the means of lab/bench/strategy-outcomes.jsonl in view.
 */
function product(table: ReplayTable): Policy {
  const actions = planActions();
  const prior = shippedPrior();
  const bandit = decodeBandit(prior, actions, productExploration());
  const taught = new Map<string, number>();
  const places = table.strategies.map((strategy) => actions.findIndex((action) => action.name === strategy));
  const countOf = (name: string): number => (prior.measured[name] ?? 0) + (taught.get(name) ?? 0);
  const choose = (features: Float64Array, beta: Beta, alpha: number): number => {
    const open = openInTable(table, actions, features, strategyOf(beta));
    const place = bestOf([...open.keys()], bandit.estimate(features), beta, (one) =>
      countOf(actions[one]?.name ?? '') >= LEAST_MEASURED ? alpha : 0,
    );
    return open.get(place) as number;
  };
  return {
    name: 'product',
    choose: (features, beta) => choose(features, beta, productExploration()(bandit.steps)),
    best: (features, beta) => choose(features, beta, 0),
    learn(features, strategy, outcome) {
      const place = places[strategy] as number;
      const name = table.strategies[strategy] as string;
      if (place < 0) return;
      bandit.learn(features, place, outcome);
      taught.set(name, (taught.get(name) ?? 0) + 1);
    },
  };
}

/**
 * The product after an evaluation: its policy, told what every strategy did on the training questions. Replaying the
 * same questions then tells it nothing new.
 */
function warm({ questions }: ReplayTable, policy: Policy): Policy {
  for (const { features, outcomes } of questions)
    outcomes.forEach(({ f1, cost }, strategy) => policy.learn(features, strategy, { quality: f1, cost }));
  const best = (features: Float64Array, beta: Beta): number => policy.best(features, beta);
  return { name: 'product-warm', choose: best, best, learn: () => undefined };
}

const fixed = (table: ReplayTable, strategy: number): Policy => fixedPolicy(strategy, table.strategies[strategy] ?? '');

/**
 * The graph that edge probabilities lead to (GPTSwarm), by its mean reward on the training questions. Graphs that were
 * not tried are worst.
 */
function bestEdges(train: ReplayTable, beta: Beta, random: () => number): number {
  const places = new Map(train.strategies.map((name, i) => [name, i]));
  const agents = PAPER_AGENTS.filter((agent) => places.has(agent));
  const means = train.strategies.map((_, strategy) =>
    mean(train.questions.map(({ outcomes }) => rewardAt(outcomes, strategy, beta))),
  );
  const { graph } = optimiseEdges({
    agents,
    reward: (candidate) => means[places.get(graphName(candidate)) ?? -1] ?? -1,
    random,
  });
  return places.get(graphName(graph)) ?? bestFixed(train, beta);
}

function graphOf(strategy: string): NonNullable<ReturnType<typeof parseGraphName>> {
  const graph = parseGraphName(strategy);
  if (!graph)
    throw new DatasetError(`The outcomes name a strategy "${strategy}" that does not exist.`, {
      advice: 'Gather the outcomes again.',
    });
  return graph;
}
