import { defaultResearchOptions, operators, type ResearchOptions } from '#research/lab';
import {
  type ActionEstimate,
  actionFeatures,
  annealedExploration,
  argMax,
  type Beta,
  constantExploration,
  decodeBandit,
  defaultActions,
  graphName,
  LinUcb,
  openActions,
  PAPER_AGENTS,
  parseGraphName,
  type Policy,
  productExploration,
  QUESTION_FEATURES,
  type QuestionFeature,
  SharedLinUcb,
  type StrategyAction,
  upperBounds,
} from '#learning/lab';
import { assumedPrior } from './assumed-outcomes.ts';
import { EpsilonGreedyPolicy, FixedPolicy, UniformPolicy } from './baseline-policies.ts';
import { optimiseEdges } from './optimise-edges.ts';
import { DatasetError } from '../evaluation/dataset.ts';
import { bestFixed, rewardAt, type ReplayTable } from './replay.ts';

export type PolicyName =
  | 'product'
  | 'product-warm'
  | 'product-with-quotes'
  | 'product-quotes-for-choices'
  | 'shared-lin-ucb'
  | 'lin-ucb'
  | 'lin-ucb-paper'
  | 'epsilon-greedy'
  | 'uniform'
  | 'fixed-edges'
  | 'fixed-trained';

export const POLICY_NAMES: readonly PolicyName[] = [
  'product',
  'product-warm',
  'product-with-quotes',
  'product-quotes-for-choices',
  'shared-lin-ucb',
  'lin-ucb',
  'lin-ucb-paper',
  'epsilon-greedy',
  'uniform',
  'fixed-edges',
  'fixed-trained',
];

/**
 * Those that look at every strategy's outcome on the training questions beforehand, as who has an evaluation can; the
 * others learn of their own choices only.
 */
export const INFORMED: ReadonlySet<PolicyName> = new Set(['product-warm', 'fixed-edges', 'fixed-trained']);

export interface PolicyInput {
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
    case 'product-with-quotes':
      return product(train, withQuotes);
    case 'product-quotes-for-choices':
      return product(train, quotesForChoices);
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
      return new UniformPolicy(count, random);
    case 'fixed-trained':
      return fixed(train, bestFixed(train, beta));
    case 'fixed-edges':
      return fixed(train, bestEdges(train, beta, random));
  }
}

/** Operators that a run may use for a question of these features. */
type Allowed = (features: Float64Array) => ResearchOptions['operators'];

const byDefault: Allowed = () => defaultResearchOptions.operators;
const withQuotes: Allowed = () => [...defaultResearchOptions.operators, 'extractive'];
const quotesForChoices: Allowed = (features) =>
  (asks(features, 'asks-yes-no') || asks(features, 'asks-choice') ? withQuotes : byDefault)(features);
const asks = (features: Float64Array, what: QuestionFeature): boolean =>
  features[QUESTION_FEATURES.indexOf(what)] === 1;

/** The product's actions that were tried: their places in the table by their places among the actions. */
function triedActions(
  table: ReplayTable,
  actions: readonly StrategyAction[],
  allowed: ResearchOptions['operators'],
): Map<number, number> {
  const open = openActions(actions, { operators: allowed }, (name) => operators.get(name) !== undefined);
  const tried = open.flatMap((place): [number, number][] => {
    const strategy = table.strategies.indexOf(actions[place]?.name ?? '');
    return strategy >= 0 ? [[place, strategy]] : [];
  });
  if (tried.length === 0)
    throw new DatasetError('The outcomes hold none of the strategies that the product may choose.', {
      advice: 'Gather some with --actions apart or default.',
    });
  return new Map(tried);
}

/** The strategies of a table that the product may choose by default. */
export const openStrategies = (table: ReplayTable): number[] => [
  ...triedActions(table, defaultActions(), defaultResearchOptions.operators).values(),
];

/**
 * The product's own, over its actions, from the prior that ships. Closed are those that a run may not choose, and those
 * that the table lacks. Its assumptions were made with the means of lab/bench/strategy-outcomes.jsonl in view.
 */
function product(table: ReplayTable, allowed: Allowed = byDefault): Policy {
  const actions = defaultActions();
  const bandit = decodeBandit(assumedPrior(), actions, productExploration());
  const places = table.strategies.map((strategy) => actions.findIndex((action) => action.name === strategy));
  const bestOf = (features: Float64Array, beta: Beta, alpha: number): number => {
    const open = [...triedActions(table, actions, allowed(features))];
    const estimates = bandit.estimate(features);
    return open[
      argMax(
        upperBounds(
          open.map(([place]) => estimates[place] as ActionEstimate),
          beta,
          alpha,
        ),
      )
    ]?.[1] as number;
  };
  return {
    name: 'product',
    choose: (features, beta) => bestOf(features, beta, productExploration()(bandit.steps)),
    best: (features, beta) => bestOf(features, beta, 0),
    learn(features, strategy, outcome) {
      const place = places[strategy] as number;
      if (place >= 0) bandit.learn(features, place, outcome);
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

const fixed = (table: ReplayTable, strategy: number): Policy =>
  new FixedPolicy(strategy, table.strategies[strategy] ?? '');

/**
 * The graph that edge probabilities lead to (GPTSwarm), by its mean reward on the training questions. Graphs that were
 * not tried are worst.
 */
function bestEdges(train: ReplayTable, beta: Beta, random: () => number): number {
  const places = new Map(train.strategies.map((name, i) => [name, i]));
  const agents = PAPER_AGENTS.filter((agent) => places.has(agent));
  const means = train.strategies.map(
    (_, strategy) =>
      train.questions.reduce((sum, { outcomes }) => sum + rewardAt(outcomes, strategy, beta), 0) /
      Math.max(1, train.questions.length),
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
