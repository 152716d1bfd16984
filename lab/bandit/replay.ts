import { type BanditState, type Beta, penalisedCost, planActions, type Policy, rewardOf } from '#learning/lab';
import type { LoggedOutcome, OutcomeRecord } from './outcome-log.ts';
import { planOutcomes } from './plan-outcomes.ts';
import { seededRandom, shuffled } from '#base';
import { buildPrior } from './prior-state.ts';

/**
 * The state that new users start from (models/bandit-prior.json), from gathered outcomes. The same outcomes give the
 * same bytes.
 */
export function priorFromOutcomes(records: readonly OutcomeRecord[]): BanditState {
  const outcomes = records.flatMap((record) =>
    Object.entries(planOutcomes(record)).map(([strategy, { f1, tokens, seconds }]) => ({
      features: Float64Array.from(record.features),
      strategy,
      outcome: { quality: f1, cost: penalisedCost({ tokens, seconds }) },
    })),
  );
  const models = [...new Set(records.map((record) => record.model))].join(', ');
  const measured: Record<string, number> = {};
  for (const { strategy } of outcomes) measured[strategy] = (measured[strategy] ?? 0) + 1;
  return buildPrior(outcomes, `every plan on ${records.length} questions, with ${models}`, {
    actions: planActions(),
    measured,
  });
}

/** What one strategy did on one question, as policies are rewarded for it. */
interface ReplayedOutcome {
  f1: number;
  tokens: number;
  seconds: number;
  /** T, 0..1. */
  cost: number;
}

/** Logged outcomes as a table: every policy sees the same, and nothing is asked again. */
export interface ReplayTable {
  strategies: readonly string[];
  questions: readonly { id: string; features: Float64Array; outcomes: readonly ReplayedOutcome[] }[];
}

/** What a replay chooses among: the product's plans, or AQA's graphs. */
export type ReplayedActions = 'plans' | 'graphs';

/**
 * Questions on which every one of the strategies was tried; the strategies are those that all questions share, in order
 * of name.
 */
export function makeTable(
  records: readonly OutcomeRecord[],
  { over = 'graphs' }: { over?: ReplayedActions } = {},
): ReplayTable {
  const logged = records.map((record) => (over === 'plans' ? planOutcomes(record) : record.strategies));
  const shared = Object.keys(logged[0] ?? {})
    .filter((name) => logged.every((strategies) => strategies[name]))
    .sort();
  return {
    strategies: shared,
    questions: records.map((record, i) => ({
      id: record.id,
      features: Float64Array.from(record.features),
      outcomes: shared.map((name) => replayed(logged[i]?.[name])),
    })),
  };
}

function replayed(logged: LoggedOutcome | undefined): ReplayedOutcome {
  const { f1 = 0, tokens = 0, seconds = 0 } = logged ?? {};
  return { f1, tokens, seconds, cost: penalisedCost({ tokens, seconds }) };
}

export interface ReplayOptions {
  beta: Beta;
  /** Order of the questions, and what policies do by chance. */
  seed: number;
  /** Share of the questions that are learnt from; the rest is for testing. */
  training: number;
}

/** One pass: what a policy chose while learning, and afterwards, without curiosity, on questions it had not seen. */
interface ReplayRun {
  learning: { id: string; strategy: number }[];
  test: { id: string; strategy: number }[];
}

/**
 * Replays a policy over logged outcomes: while learning it is told the outcome of its own choice only, as in life.
 * @param make A policy before its first question; `train` are the questions it will learn from, for those that are
 * fixed beforehand.
 */
export function replay(
  table: ReplayTable,
  make: (random: () => number, train: ReplayTable) => Policy,
  options: ReplayOptions,
): ReplayRun {
  const { train, test } = splitTable(table, options);
  const policy = make(seededRandom(options.seed + 1), train);
  const learning = train.questions.map(({ id, features, outcomes }) => {
    const strategy = policy.choose(features, options.beta);
    const outcome = outcomes[strategy];
    if (outcome) policy.learn(features, strategy, { quality: outcome.f1, cost: outcome.cost });
    return { id, strategy };
  });
  return {
    learning,
    test: test.questions.map(({ id, features }) => ({ id, strategy: policy.best(features, options.beta) })),
  };
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

/**
 * Index of the strategy with the best mean reward, of all or of those that are `open`: what a fixed choice can reach in
 * hindsight.
 */
export function bestFixed(
  table: ReplayTable,
  beta: Beta,
  open: readonly number[] = [...table.strategies.keys()],
): number {
  const total = (strategy: number): number =>
    table.questions.reduce((sum, { outcomes }) => sum + rewardAt(outcomes, strategy, beta), 0);
  return open.reduce((best, strategy) => (total(strategy) > total(best) ? strategy : best), open[0] ?? 0);
}

/** Index of the best strategy for each question: what nobody can beat. */
export const oracleChoice = (outcomes: readonly ReplayedOutcome[], beta: Beta): number =>
  outcomes.reduce(
    (best, _, strategy) => (rewardAt(outcomes, strategy, beta) > rewardAt(outcomes, best, beta) ? strategy : best),
    0,
  );

export function rewardAt(outcomes: readonly ReplayedOutcome[], strategy: number, beta: Beta): number {
  const outcome = outcomes[strategy];
  return outcome ? rewardOf({ quality: outcome.f1, cost: outcome.cost }, beta) : 0;
}
