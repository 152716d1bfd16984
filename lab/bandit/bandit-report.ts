import { addTo, mean } from '#base';
import { type Figure, figureOf } from '../statistics.ts';
import { makePolicy, POLICIES } from './policies.ts';
import { bestFixed, oracleChoice, replay, rewardAt, type ReplayTable, splitTable } from './replay.ts';

interface PolicyReport {
  policy: string;
  f1: Figure;
  reward: Figure;
  tokens: Figure;
  /** Reward over that of the fixed strategy that was best in training, question by question. */
  overFixed: Figure;
}

interface BanditReport {
  task: 'bandit';
  questions: number;
  strategies: number;
  beta: number;
  orders: number;
  /** Share of questions learnt from. */
  training: number;
  policies: PolicyReport[];
}

interface BanditReportOptions {
  beta: number;
  /** Orders of the questions; figures are means over them. */
  seeds: readonly number[];
  training?: number;
  progress?(done: number, total: number): void;
}

interface Measure {
  f1: number;
  reward: number;
  tokens: number;
  overFixed: number;
}

/**
 * Replays every policy over logged outcomes in several orders. Figures come from questions that the policy had not
 * learnt from; intervals are over questions, each with its mean over the orders in which it was tested. `best-fixed`
 * and `oracle` know the answers: no fixed strategy, and nothing at all, can beat them.
 */
export function reportBandit(table: ReplayTable, options: BanditReportOptions): BanditReport {
  const { beta, seeds, training = 0.5, progress } = options;
  const byId = new Map(table.questions.map((question) => [question.id, question]));
  const names = [...POLICIES, 'best-fixed', 'oracle'] as const;
  const tallies = new Map(names.map((name) => [name, new Map<string, Measure[]>()]));
  for (const [done, seed] of seeds.entries()) {
    const { train, test } = splitTable(table, { seed, training });
    const [learnt, hindsight] = [bestFixed(train, beta), bestFixed(test, beta)];
    for (const [name, tally] of tallies) {
      const choices =
        name === 'best-fixed' || name === 'oracle'
          ? test.questions.map(({ id, outcomes }) => ({
              id,
              strategy: name === 'oracle' ? oracleChoice(outcomes, beta) : hindsight,
            }))
          : replay(table, (own, random) => makePolicy(name, own, beta, random), { beta, seed, training });
      for (const { id, strategy } of choices) {
        const { outcomes = [] } = byId.get(id) ?? {};
        const { f1 = 0, tokens = 0 } = outcomes[strategy] ?? {};
        const reward = rewardAt(outcomes, strategy, beta);
        addTo(tally, id, { f1, tokens, reward, overFixed: reward - rewardAt(outcomes, learnt, beta) });
      }
    }
    progress?.(done + 1, seeds.length);
  }
  return {
    task: 'bandit',
    questions: table.questions.length,
    strategies: table.strategies.length,
    beta,
    orders: seeds.length,
    training,
    policies: [...tallies].map(([policy, tally]) => {
      const figure = (kind: keyof Measure): Figure =>
        figureOf(
          [...tally.values()].map((measures) => mean(measures.map((one) => one[kind]))),
          seeds[0] ?? 1,
          500,
        );
      return {
        policy,
        f1: figure('f1'),
        reward: figure('reward'),
        tokens: figure('tokens'),
        overFixed: figure('overFixed'),
      };
    }),
  };
}

/** The report as a table for people. */
export function printBandit({ questions, strategies, beta, orders, training, policies }: BanditReport): string {
  const percent = ({ mean: value, ci95: [low, high] }: Figure): string =>
    `${(100 * value).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
  const row = (...cells: string[]): string =>
    `  ${cells.map((cell, i) => cell.padEnd(i === 0 ? 16 : 24)).join('')}`.trimEnd();
  return [
    `bandit on ${questions} questions, ${strategies} strategies, β ${beta}, ${orders} orders, ` +
      `${Math.round(training * 100)} % learnt from`,
    row('policy', 'F1 % [95 %]', 'reward × 100 [95 %]', 'over fixed × 100 [95 %]', 'tokens'),
    ...policies.map(({ policy, f1, reward, overFixed, tokens }) =>
      row(policy, percent(f1), percent(reward), percent(overFixed), tokens.mean.toFixed(0)),
    ),
  ].join('\n');
}
