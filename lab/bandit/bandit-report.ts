import { mean } from '#base';
import type { Beta } from '#learning/lab';
import {
  bestFixed,
  oracleChoice,
  replay,
  rewardAt,
  splitTable,
  type ReplayedActions,
  type ReplayOptions,
  type ReplayTable,
} from './replay.ts';
import { INFORMED, makePolicy, openStrategies, POLICIES, type PolicyName } from './replay-policies.ts';
import { type Figure, figureOf } from '../statistics.ts';

/** Of a bootstrap: there are many figures. */
const ROUNDS = 500;

type PolicyFigures = Record<keyof Measure, Figure>;

/** Mean figures while learning, after so many questions. */
interface CurvePoint extends PolicyFigures {
  questions: number;
}

export interface PolicyReport extends PolicyFigures {
  policy: string;
  /** Empty for policies that know the training questions beforehand. */
  curve: CurvePoint[];
  /**
   * Against fixed strategies, each at its mean over all questions: F1 over the best F1 that costs no more tokens;
   * undefined: none is so cheap.
   */
  f1AtEqualTokens?: number;
  /**
   * The harder bar: F1 over the best that two fixed strategies, drawn by chance in the best shares, reach with as many
   * tokens. Where no fixed strategy costs about as much, the bar above is that of a much cheaper one. undefined: none
   * is so cheap.
   */
  f1OverMixture?: number;
  /** F1 above that mixture's, question by question: what of the bar above is no chance of the questions. */
  f1AboveMixture?: Figure;
  /** Tokens over those of the cheapest fixed strategy whose F1 is no lower; undefined: none reaches it. */
  tokensAtEqualF1?: number;
}

export interface BanditReport {
  task: 'bandit';
  questions: number;
  strategies: number;
  beta: Beta;
  seeds: number;
  /** Share of questions learnt from. */
  training: number;
  policies: PolicyReport[];
}

interface BanditReportOptions {
  /** What the table holds; default: graphs. */
  over?: ReplayedActions;
  beta: Beta;
  /** Orders of the questions; figures are means over them. */
  seeds: readonly number[];
  training?: number;
  policies?: readonly PolicyName[];
  /** Points of the learning curve. */
  points?: number;
  progress?(done: number, total: number): void;
}

interface Tally {
  test: Map<string, Measure[]>;
  windows: Measure[][];
}

interface Measure {
  reward: number;
  f1: number;
  tokens: number;
  seconds: number;
}

/**
 * Replays every policy over logged outcomes with several orders of the questions. Test figures come from questions that
 * the policy had not learnt from; intervals are over questions, each with its mean over the seeds in which it was
 * tested; those of the learning curve are over seeds.
 */
export function reportBandit(table: ReplayTable, options: BanditReportOptions): BanditReport {
  const { over = 'graphs', beta, seeds, training = 0.5, policies = POLICIES[over], points = 8, progress } = options;
  const hindsight = over === 'plans' ? (['best-fixed', 'best-fixed-open'] as const) : (['best-fixed'] as const);
  const tallies = new Map(
    [...policies, ...hindsight, 'oracle' as const].map((name): [typeof name, Tally] => [
      name,
      { test: new Map(), windows: Array.from({ length: points }, () => []) },
    ]),
  );
  const fixed = fixedFigures(table);
  const open = over === 'plans' ? openStrategies(table) : undefined;
  seeds.forEach((seed, done) => {
    const { test } = splitTable(table, { seed, training });
    const [best, bestOpen] = [bestFixed(test, beta), bestFixed(test, beta, open)];
    const choices = {
      'best-fixed': () => best,
      'best-fixed-open': () => bestOpen,
      oracle: ({ outcomes }: TableQuestion) => oracleChoice(outcomes, beta),
    };
    for (const [name, tally] of tallies)
      if (name in choices)
        for (const question of test.questions)
          record(tally, question, choices[name as keyof typeof choices](question), beta);
      else replayInto(tally, table, name as PolicyName, { beta, seed, training });
    progress?.(done + 1, seeds.length);
  });
  const trained = Math.round(table.questions.length * training);
  return {
    task: 'bandit',
    questions: table.questions.length,
    strategies: table.strategies.length,
    beta,
    seeds: seeds.length,
    training,
    policies: [...tallies].map(([name, tally]) =>
      policyReport(name, tally, table, { fixed, trained, seed: seeds[0] ?? 1 }),
    ),
  };
}

function replayInto(tally: Tally, table: ReplayTable, name: PolicyName, options: ReplayOptions): void {
  const byId = new Map(table.questions.map((question) => [question.id, question]));
  const run = replay(table, (random, train) => makePolicy(name, { ...options, train, random }), options);
  const windows = tally.windows.map((): Measure[] => []);
  run.learning.forEach(({ id, strategy }, i) => {
    const question = byId.get(id);
    if (question)
      windows[Math.floor((i * windows.length) / run.learning.length)]?.push(measure(question, strategy, options.beta));
  });
  if (!INFORMED.has(name))
    windows.forEach((window, i) => {
      if (window.length > 0) tally.windows[i]?.push(average(window));
    });
  for (const { id, strategy } of run.test) {
    const question = byId.get(id);
    if (question) record(tally, question, strategy, options.beta);
  }
}

type TableQuestion = ReplayTable['questions'][number];

function record(tally: Tally, question: TableQuestion, strategy: number, beta: Beta): void {
  tally.test.set(question.id, [...(tally.test.get(question.id) ?? []), measure(question, strategy, beta)]);
}

function measure({ outcomes }: TableQuestion, strategy: number, beta: Beta): Measure {
  const { f1 = 0, tokens = 0, seconds = 0 } = outcomes[strategy] ?? {};
  return { reward: rewardAt(outcomes, strategy, beta), f1, tokens, seconds };
}

/** Something of each kind of number. */
const ofEach = <T>(make: (kind: keyof Measure) => T): Record<keyof Measure, T> => ({
  reward: make('reward'),
  f1: make('f1'),
  tokens: make('tokens'),
  seconds: make('seconds'),
});

const average = (measures: readonly Measure[]): Measure => ofEach((kind) => mean(measures.map((one) => one[kind])));

/** Mean F1 and tokens of each strategy over all questions: what the goals are measured against. */
const fixedFigures = (table: ReplayTable): { f1: number; tokens: number }[] =>
  table.strategies.map((_, strategy) => average(table.questions.map((question) => measure(question, strategy, 0.5))));

function policyReport(
  policy: string,
  tally: Tally,
  table: ReplayTable,
  { fixed, trained, seed }: { fixed: readonly { f1: number; tokens: number }[]; trained: number; seed: number },
): PolicyReport {
  const figures = figuresOf([...tally.test.values()].map(average), seed);
  const affordable = fixed.filter((one) => one.tokens <= figures.tokens.mean).map((one) => one.f1);
  const asGood = fixed.filter((one) => one.f1 >= figures.f1.mean).map((one) => one.tokens);
  const bestAffordable = Math.max(...affordable);
  const mixture = bestMixture(fixed, figures.tokens.mean);
  const cheapest = Math.min(...asGood);
  return {
    policy,
    ...figures,
    curve: tally.windows.flatMap((window, i) =>
      window.length > 0
        ? [{ questions: Math.round(((i + 1) * trained) / tally.windows.length), ...figuresOf(window, seed) }]
        : [],
    ),
    ...(affordable.length > 0 && bestAffordable > 0 && { f1AtEqualTokens: figures.f1.mean / bestAffordable }),
    ...(mixture.f1 > 0 && {
      f1OverMixture: figures.f1.mean / mixture.f1,
      f1AboveMixture: aboveMixture(tally, table, mixture, seed),
    }),
    ...(asGood.length > 0 && cheapest > 0 && { tokensAtEqualF1: figures.tokens.mean / cheapest }),
  };
}

/** Fixed strategies drawn by chance, each in its share of the questions. */
interface Mixture {
  f1: number;
  shares: { strategy: number; share: number }[];
}

/**
 * The best mixture of at most two fixed strategies that costs so many tokens: on the upper concave hull of (tokens,
 * F1); none, of F1 0, when none is so cheap.
 */
export function bestMixture(fixed: readonly { f1: number; tokens: number }[], tokens: number): Mixture {
  const places = fixed.map((one, strategy) => ({ ...one, strategy }));
  const cheap = places.filter((one) => one.tokens <= tokens);
  const dear = places.filter((one) => one.tokens > tokens);
  const alone = cheap.map(({ f1, strategy }): Mixture => ({ f1, shares: [{ strategy, share: 1 }] }));
  const between = cheap.flatMap((a) =>
    dear.map((b): Mixture => {
      const share = (tokens - a.tokens) / (b.tokens - a.tokens);
      return {
        f1: a.f1 + share * (b.f1 - a.f1),
        shares: [
          { strategy: a.strategy, share: 1 - share },
          { strategy: b.strategy, share },
        ],
      };
    }),
  );
  return [...alone, ...between].reduce((best, other) => (other.f1 > best.f1 ? other : best), { f1: 0, shares: [] });
}

function aboveMixture(tally: Tally, { questions }: ReplayTable, { shares }: Mixture, seed: number): Figure {
  const values = questions.flatMap(({ id, outcomes }) => {
    const tested = tally.test.get(id);
    return tested
      ? [
          mean(tested.map((one) => one.f1)) -
            shares.reduce((sum, { strategy, share }) => sum + share * (outcomes[strategy]?.f1 ?? 0), 0),
        ]
      : [];
  });
  return figureOf(values, seed, ROUNDS);
}

const figuresOf = (measures: readonly Measure[], seed: number): PolicyFigures =>
  ofEach((kind) => {
    const values = measures.map((one) => one[kind]);
    return figureOf(values, seed, ROUNDS);
  });

/** The report as a table for people. */
export function printBandit(report: BanditReport): string {
  const percent = ({ mean: value, ci95: [low, high] }: Figure): string =>
    `${(100 * value).toFixed(1).padStart(5)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
  const lines = [
    `bandit on ${report.questions} questions, ${report.strategies} strategies, β ${report.beta}, ` +
      `${report.seeds} orders, ${Math.round(report.training * 100)} % learnt from`,
  ];
  lines.push(
    `  ${'policy'.padEnd(26)} ${'F1 % [95 %]'.padEnd(22)} ${'reward × 100 [95 %]'.padEnd(24)} ` +
      `${'tokens'.padStart(8)}  F1 at equal tokens  over mixtures  ${'above them, F1 % [95 %]'.padEnd(23)}  ` +
      `tokens at equal F1`,
  );
  for (const one of report.policies) {
    const figures = `${percent(one.f1).padEnd(22)} ${percent(one.reward).padEnd(24)} ${one.tokens.mean.toFixed(0).padStart(8)}`;
    const above = (one.f1AboveMixture ? percent(one.f1AboveMixture) : '–').padEnd(23);
    const bars = `${ratio(one.f1AtEqualTokens).padStart(18)}  ${ratio(one.f1OverMixture).padStart(13)}  ${above}`;
    lines.push(`  ${one.policy.padEnd(26)} ${figures}  ${bars}  ${ratio(one.tokensAtEqualF1).padStart(18)}`);
  }
  for (const { policy, curve } of report.policies)
    if (curve.length > 0)
      lines.push(
        `  ${policy} while learning, reward × 100 after ${curve.map((point) => `${point.questions}: ${percent(point.reward).trim()}`).join('; ')}`,
      );
  return lines.join('\n');
}

const ratio = (value: number | undefined): string => (value === undefined ? '–' : `× ${value.toFixed(2)}`);
