import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  bestMixture,
  printBandit,
  reportBandit,
  type BanditReport,
  type PolicyReport,
} from '../../../../lab/bandit/bandit-report.ts';
import { OutcomeLog, readOutcomes } from '../../../../lab/bandit/outcome-log.ts';
import { makePolicy, openStrategies, type PolicyName } from '../../../../lab/bandit/replay-policies.ts';
import {
  bestFixed,
  makeTable,
  oracleChoice,
  priorFromOutcomes,
  replay,
  rewardAt,
  splitTable,
} from '../../../../lab/bandit/replay.ts';
import { DatasetError } from '../../../../lab/evaluation/dataset.ts';
import type { Policy } from '../../../../src/learning/strategy/bandit/policy.ts';
import { defaultActions } from '../../../../src/learning/strategy/action-set.ts';
import { decodeBandit } from '../../../../src/learning/strategy/bandit/bandit-state.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { syntheticOutcomes } from './synthetic-outcomes.ts';

const records = syntheticOutcomes(200, 3);
const table = makeTable(records);

describe('replay of logged outcomes', () => {
  it('tells a learning policy the outcome of its own choice only, and tests on other questions', () => {
    const learnt: [number, { quality: number; cost: number }][] = [];
    const policy: Policy = {
      name: 'third',
      choose: () => 3,
      best: () => 4,
      learn: (_, action, outcome) => learnt.push([action, outcome]),
    };
    const run = replay(table, () => policy, { beta: 0.5, seed: 1, training: 0.25 });
    assert.equal(run.learning.length, 50);
    assert.equal(learnt.length, 50);
    assert.equal(run.test.length, 150);
    assert.ok(run.test.every(({ id, strategy }) => strategy === 4 && !run.learning.some((seen) => seen.id === id)));
    run.learning.forEach(({ id }, i) => {
      const outcome = table.questions.find((question) => question.id === id)?.outcomes[3];
      assert.deepEqual(learnt[i], [3, { quality: outcome?.f1, cost: outcome?.cost }]);
    });
  });

  it('splits alike for one seed and otherwise for another', () => {
    const ids = (seed: number): string =>
      splitTable(table, { seed, training: 0.5 })
        .train.questions.map((question) => question.id)
        .join();
    assert.equal(ids(1), ids(1));
    assert.notEqual(ids(1), ids(2));
  });

  it('knows the best fixed strategy and the oracle', () => {
    const fixed = bestFixed(table, 0.9);
    const total = (of: (i: number) => number): number => table.questions.reduce((sum, _, i) => sum + of(i), 0);
    const reward = (i: number, strategy: number): number => rewardAt(table.questions[i]?.outcomes ?? [], strategy, 0.9);
    table.strategies.forEach((_, strategy) =>
      assert.ok(total((i) => reward(i, strategy)) <= total((i) => reward(i, fixed)) + 1e-9),
    );
    assert.ok(
      total((i) => reward(i, oracleChoice(table.questions[i]?.outcomes ?? [], 0.9))) > total((i) => reward(i, fixed)),
    );
  });

  it('uses only strategies that were tried on every question', () => {
    const [first, ...rest] = records;
    assert.ok(first);
    const { ircot: _, ...without } = first.strategies;
    assert.equal(makeTable([{ ...first, strategies: without }, ...rest]).strategies.length, 96);
  });
});

describe('bandit report', function () {
  this.timeout(60_000);
  let report: BanditReport;
  before(() => {
    report = reportBandit(table, {
      beta: 0.7,
      seeds: [1, 2, 3],
      policies: ['product', 'product-warm', 'shared-lin-ucb', 'uniform', 'fixed-edges', 'fixed-trained'],
      points: 4,
    });
  });
  const of = (name: string): PolicyReport => {
    const policy = report.policies.find((one) => one.policy === name);
    assert.ok(policy, name);
    return policy;
  };

  it('puts the learner between chance and oracle, and above the best fixed strategy where questions differ', () => {
    const reward = (name: string): number => of(name).reward.mean;
    assert.ok(reward('oracle') >= reward('shared-lin-ucb'));
    assert.ok(reward('shared-lin-ucb') > reward('best-fixed'), printBandit(report));
    assert.ok(reward('best-fixed') >= reward('fixed-edges') - 0.02);
    assert.ok(reward('fixed-edges') > reward('uniform'));
  });

  it('measures the goals: more F1 at equal tokens, or equal F1 with fewer', () => {
    const learner = of('shared-lin-ucb');
    assert.ok((learner.f1AtEqualTokens ?? 0) > 1.1 || (learner.tokensAtEqualF1 ?? 9) < 0.8, printBandit(report));
  });

  it('closes what the product closes, unless quotes are opened: in all, or where a question asks to choose', () => {
    const quoted = makeTable(
      records.slice(0, 40).map((record, i) => ({
        ...record,
        features: record.features.map((value, at) => (at === QUESTION_FEATURES.indexOf('asks-choice') ? i % 2 : value)),
        strategies: {
          ...record.strategies,
          'beam-extractive': { f1: 1, calls: 0, tokens: 0, seconds: 0, answer: 'x' },
        },
      })),
    );
    const quotes = quoted.strategies.indexOf('beam-extractive');
    const chosen = (policy: PolicyName): (readonly [boolean, boolean])[] => {
      const run = replay(quoted, (random, train) => makePolicy(policy, { train, beta: 0.3, random }), {
        beta: 0.3,
        seed: 1,
        training: 0.5,
      });
      return [...run.learning, ...run.test].map(
        ({ id, strategy }) => [Number(id.slice(1)) % 2 === 1, strategy === quotes] as const,
      );
    };
    for (const closed of ['product', 'product-warm'] as const)
      assert.ok(
        chosen(closed).every(([, quote]) => !quote),
        closed,
      );
    assert.ok(chosen('product-with-quotes').some(([choice, quote]) => quote && !choice));
    assert.ok(chosen('product-quotes-for-choices').every(([choice, quote]) => !quote || choice));
    assert.ok(chosen('product-quotes-for-choices').some(([, quote]) => quote));
    assert.deepEqual(openStrategies(quoted).includes(quotes), false);
    const { policies } = reportBandit(quoted, { beta: 0.5, seeds: [1], policies: [] });
    const reward = (name: string): number => policies.find(({ policy }) => policy === name)?.reward.mean ?? NaN;
    assert.equal(reward('best-fixed'), 0.5);
    assert.ok(reward('best-fixed-open') < reward('best-fixed'));
  });

  it('starts a warm policy from all outcomes of the training questions, and draws no curve of what it knew before', () => {
    const { reward, curve } = of('product-warm');
    assert.ok(reward.mean > of('best-fixed').reward.mean, printBandit(report));
    assert.ok(reward.mean >= of('product').reward.mean, printBandit(report));
    assert.deepEqual(curve, []);
    assert.deepEqual(of('fixed-trained').curve, []);
  });

  it('draws a curve that rises, with intervals', () => {
    const { curve } = of('shared-lin-ucb');
    assert.deepEqual(
      curve.map((point) => point.questions),
      [25, 50, 75, 100],
    );
    assert.ok((curve.at(-1)?.reward.mean ?? 0) > (curve[0]?.reward.mean ?? 1), printBandit(report));
    for (const { reward } of [...curve, of('oracle')])
      assert.ok(reward.ci95[0] <= reward.mean + 1e-9 && reward.mean <= reward.ci95[1] + 1e-9);
    assert.deepEqual(of('oracle').curve, []);
  });

  it('holds F1 against mixtures of fixed strategies too, which cost any number of tokens between theirs', () => {
    const fixed = [
      { f1: 0.3, tokens: 0 },
      { f1: 0.5, tokens: 1000 },
      { f1: 0.35, tokens: 500 },
      { f1: 0.45, tokens: 3000 },
    ];
    assert.equal(bestMixture(fixed, 0).f1, 0.3);
    assert.ok(Math.abs(bestMixture(fixed, 500).f1 - 0.4) < 1e-9);
    assert.deepEqual(bestMixture(fixed, 500).shares, [
      { strategy: 0, share: 0.5 },
      { strategy: 1, share: 0.5 },
    ]);
    assert.equal(bestMixture(fixed, 2000).f1, 0.5);
    assert.deepEqual(bestMixture(fixed.slice(1), 100), { f1: 0, shares: [] });
    const learner = of('shared-lin-ucb');
    const above = learner.f1AboveMixture;
    assert.ok(above && above.ci95[0] <= above.mean && above.mean <= above.ci95[1]);
    assert.ok(
      Math.abs(above.mean - learner.f1.mean * (1 - 1 / (learner.f1OverMixture ?? NaN))) < 0.01,
      'the same as the ratio, but for the few questions that no order tested',
    );
    assert.ok((learner.f1OverMixture ?? 9) <= (learner.f1AtEqualTokens ?? 0) + 1e-9);
  });

  it('is the same again, and can be printed', () => {
    const options = { beta: 0.5, seeds: [5], policies: ['epsilon-greedy', 'lin-ucb-paper'] as const };
    assert.deepEqual(reportBandit(table, options), reportBandit(table, options));
    assert.match(printBandit(report), /shared-lin-ucb +\d/);
  });
});

describe('prior from outcomes', () => {
  it('chooses what paid on those questions, before anything is learnt', () => {
    const actions = defaultActions();
    const prior = priorFromOutcomes(records);
    assert.deepEqual(priorFromOutcomes(records), prior);
    assert.match(prior.learntFrom, /200 questions, with m$/);
    const bandit = decodeBandit(JSON.parse(JSON.stringify(prior)), actions, () => 0);
    const chosen = (type: 'lookup' | 'inference', beta: number): string => {
      const question = records.find((record) => record.features[QUESTION_FEATURES.indexOf(type)] === 1);
      return actions[bandit.best(Float64Array.from(question?.features ?? []), beta)]?.name ?? '';
    };
    assert.equal(chosen('lookup', 0.5), 'one-retrieval');
    assert.match(chosen('inference', 0.9), /ircot/);
  });
});

describe('outcome log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoptrail-outcomes-'));
  after(() => rmSync(folder, { recursive: true }));

  it('goes on where it was cut off', () => {
    const file = join(folder, 'outcomes.jsonl');
    const log = new OutcomeLog(file);
    for (const record of records.slice(0, 3)) log.add(record);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30));
    const again = new OutcomeLog(file);
    assert.deepEqual([again.has('q1'), again.has('q2')], [true, false]);
    const [, , third] = records;
    assert.ok(third);
    again.add(third);
    assert.deepEqual(readOutcomes(file), records.slice(0, 3));
  });

  it('names the line that is none, and outcomes of other features', () => {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, '{"version":1}\n');
    appendFileSync(file, `${JSON.stringify(records[0])}\n`);
    assert.throws(
      () => readOutcomes(file),
      (error: unknown) => error instanceof DatasetError && error.message.includes('Line 1'),
    );
    writeFileSync(file, `${JSON.stringify({ ...records[0], featuresVersion: 99 })}\n`);
    assert.throws(() => readOutcomes(file), /other question features/);
  });
});
