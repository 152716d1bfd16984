import { seededRandom, shuffled } from '#base';
import {
  likeliestType,
  modelClass,
  penalisedCost,
  PLANS,
  type Policy,
  QUESTION_FEATURES,
  rewardOf,
  type StrategyPrior,
} from '#learning/lab';
import type { OutcomeRecord } from './outcome-log.ts';

/**
 * models/bandit-prior.json, from gathered outcomes of the product's plans alone. The same outcomes give the same bytes.
 * @param contextTokens Window of the model that they were gathered with: its class.
 */
export function priorFromOutcomes(records: readonly OutcomeRecord[], contextTokens: number): StrategyPrior {
  const size = modelClass({ contextTokens });
  const models = [...new Set(records.map((record) => record.model))].join(', ');
  const names = new Set(PLANS.map(({ name }) => name));
  return {
    version: 2,
    learntFrom: `measurements on ${records.length} questions with ${models} (${size})`,
    features: [...QUESTION_FEATURES],
    questions: records.map(({ features, strategies }) => ({
      class: size,
      features: features.map((value) => Math.min(1, Math.max(0, value))),
      plans: Object.fromEntries(
        Object.entries(strategies)
          .filter(([name]) => names.has(name))
          .map(([name, outcome]) => [name, [outcome.f1, Number(penalisedCost(outcome).toFixed(4))]]),
      ),
    })),
  };
}

interface ReplayedOutcome {
  f1: number;
  tokens: number;
  /** T, 0..1. */
  cost: number;
}

/** Logged outcomes as a table: every policy sees the same, and nothing is asked again. */
export interface ReplayTable {
  strategies: readonly string[];
  questions: readonly { id: string; type: string; features: readonly number[]; outcomes: readonly ReplayedOutcome[] }[];
}

/** Questions with the strategies that were tried on all of them, in order of name. */
export function makeTable(records: readonly OutcomeRecord[]): ReplayTable {
  const strategies = Object.keys(records[0]?.strategies ?? {})
    .filter((name) => records.every((record) => record.strategies[name]))
    .sort();
  return {
    strategies,
    questions: records.map((record) => ({
      id: record.id,
      type: likeliestType(record.features),
      features: record.features,
      outcomes: strategies.map((name) => {
        const { f1 = 0, tokens = 0, seconds = 0 } = record.strategies[name] ?? {};
        return { f1, tokens, cost: penalisedCost({ tokens, seconds }) };
      }),
    })),
  };
}

interface ReplayOptions {
  beta: number;
  /** Order of the questions, and what policies do by chance. */
  seed: number;
  /** Share of the questions that are learnt from; the rest is for testing. */
  training: number;
}

/**
 * Replays a policy over logged outcomes: while learning it is told the outcome of its own choice only, as in life.
 * Returns its choices, without curiosity, on questions that it had not seen.
 * @param make A policy before its first question; `train` are the questions it will learn from.
 */
export function replay(
  table: ReplayTable,
  make: (train: ReplayTable, random: () => number) => Policy,
  options: ReplayOptions,
): { id: string; strategy: number }[] {
  const { train, test } = splitTable(table, options);
  const policy = make(train, seededRandom(options.seed + 1));
  for (const { features, outcomes } of train.questions) {
    const strategy = policy.choose(features, options.beta);
    const outcome = outcomes[strategy];
    if (outcome) policy.learn(features, strategy, { quality: outcome.f1, cost: outcome.cost });
  }
  return test.questions.map(({ id, features }) => ({ id, strategy: policy.best(features, options.beta) }));
}

/** The same split for every policy of a seed. */
export function splitTable(
  table: ReplayTable,
  { seed, training }: Pick<ReplayOptions, 'seed' | 'training'>,
): { train: ReplayTable; test: ReplayTable } {
  const order = shuffled(table.questions, seededRandom(seed));
  const cut = Math.round(order.length * training);
  return { train: { ...table, questions: order.slice(0, cut) }, test: { ...table, questions: order.slice(cut) } };
}

/** Index of the strategy with the best mean reward: what a fixed choice can reach in hindsight. */
export function bestFixed({ strategies, questions }: ReplayTable, beta: number): number {
  const totals = strategies.map((_, strategy) =>
    questions.reduce((sum, { outcomes }) => sum + rewardAt(outcomes, strategy, beta), 0),
  );
  return totals.reduce((best, total, i) => (total > (totals[best] ?? 0) ? i : best), 0);
}

/** Index of the best strategy for one question: what nobody can beat. */
export const oracleChoice = (outcomes: readonly ReplayedOutcome[], beta: number): number =>
  outcomes.reduce((best, _, i) => (rewardAt(outcomes, i, beta) > rewardAt(outcomes, best, beta) ? i : best), 0);

export function rewardAt(outcomes: readonly ReplayedOutcome[], strategy: number, beta: number): number {
  const outcome = outcomes[strategy];
  return outcome ? rewardOf({ quality: outcome.f1, cost: outcome.cost }, beta) : 0;
}
