import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before, describe, it } from 'mocha';
import {
  bestMixture,
  printBandit,
  reportBandit,
  type BanditReport,
  type PolicyReport,
} from '../../../../lab/bandit/bandit-report.ts';
import { OutcomeLog, readOutcomes } from '../../../../lab/bandit/outcome-log.ts';
import { makePolicy, openStrategies } from '../../../../lab/bandit/replay-policies.ts';
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
import { planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { decodeBandit } from '../../../../lab/bandit/prior-state.ts';
import { seededRandom, shuffled } from '../../../../src/base/numbers.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { syntheticOutcomes } from './synthetic-outcomes.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

const root = new URL('../../../../', import.meta.url);
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
  this.timeout(240_000);
  let report: BanditReport;
  before(() => {
    report = reportBandit(table, {
      beta: 0.7,
      seeds: [1, 2, 3],
      policies: ['shared-lin-ucb', 'uniform', 'fixed-edges', 'fixed-trained'],
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

describe('replay over plans', function () {
  this.timeout(300_000); // bandits are made and learn a hundred times each
  const plans = makeTable(records, { over: 'plans' });

  it('makes plans of what was gathered over graphs: the usual one does what its operator did', () => {
    assert.deepEqual(plans.strategies, [
      'ircot',
      'one-retrieval',
      'one-retrieval>ircot,ircot>vote',
      'one-retrieval>vote,ircot>one-retrieval',
      'one-retrieval>vote,ircot>vote',
      'usual',
    ]);
    const [usual, one] = ['usual', 'one-retrieval'].map((name) => plans.strategies.indexOf(name));
    for (const { outcomes } of plans.questions) assert.deepEqual(outcomes[usual as number], outcomes[one as number]);
  });

  it('chooses as the product does, and knows what that may choose', () => {
    const report = reportBandit(plans, { over: 'plans', beta: 0.7, seeds: [1, 2, 3], points: 4 });
    const reward = (name: string): number => report.policies.find((one) => one.policy === name)?.reward.mean ?? NaN;
    assert.ok(reward('oracle') >= reward('product') && reward('product') > reward('uniform'), printBandit(report));
    assert.ok(reward('product-warm') >= reward('uniform'), printBandit(report));
    assert.ok(reward('best-fixed') >= reward('best-fixed-open') - 1e-9);
    assert.deepEqual(report.policies.find((one) => one.policy === 'product-warm')?.curve, []);
    assert.deepEqual(
      openStrategies(plans)
        .map((place) => plans.strategies[place])
        .sort(),
      plans.strategies.filter((name) => name !== 'one-retrieval'), // the usual plan is one look
    );
  });

  it('equals or beats the usual plan, and steps alone, with the first hundred choices after installation, at every setting', () => {
    const logged = makeTable(readOutcomes(fileURLToPath(new URL('lab/bench/strategy-outcomes.jsonl', root))), {
      over: 'plans',
    });
    const alone = ['usual', 'ircot'].map((name) => logged.strategies.indexOf(name));
    for (const beta of [0.3, 0.5, 0.8]) {
      let chosen = 0;
      const fixed = alone.map(() => 0);
      for (let seed = 1; seed <= 6; seed += 1) {
        const random = seededRandom(seed);
        const policy = makePolicy('product', { train: logged, beta, random });
        const asked = [...shuffled(logged.questions, random), ...shuffled(logged.questions, random)].slice(0, 100);
        for (const { features, outcomes } of asked) {
          const strategy = policy.choose(features, beta);
          const { f1 = 0, cost = 1 } = outcomes[strategy] ?? {};
          policy.learn(features, strategy, { quality: f1, cost });
          chosen += rewardAt(outcomes, strategy, beta);
          alone.forEach((place, i) => (fixed[i] = (fixed[i] ?? 0) + rewardAt(outcomes, place, beta)));
        }
      }
      for (const other of fixed) assert.ok(chosen >= other, `β ${beta}: ${chosen / 600} for ${other / 600}`);
    }
  });
});

describe('prior from outcomes', () => {
  it('chooses what paid on those questions, before anything is learnt', () => {
    const actions = planActions();
    const prior = priorFromOutcomes(records);
    assert.deepEqual(priorFromOutcomes(records), prior);
    assert.match(prior.learntFrom, /200 questions, with m$/);
    const bandit = decodeBandit(JSON.parse(JSON.stringify(prior)), actions, () => 0);
    const chosen = (type: 'lookup' | 'inference', beta: number): string => {
      const question = records.find((record) => record.features[QUESTION_FEATURES.indexOf(type)] === 1);
      return actions[bandit.best(Float64Array.from(question?.features ?? []), beta)]?.name ?? '';
    };
    assert.match(chosen('lookup', 0.5), /^(?:usual|one-retrieval)$/);
    assert.match(chosen('inference', 0.9), /^usual$|ircot/);
    assert.equal(prior.measured['usual'], 200);
    assert.equal(prior.measured['debate'], undefined);
  });
});

describe('outcome log', () => {
  const folder = temporaryFolder();

  it('goes on where it was cut off', () => {
    const file = join(folder, 'outcomes.jsonl');
    const log = new OutcomeLog(file);
    for (const record of records.slice(0, 3)) log.add(record);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30));
    const again = new OutcomeLog(file);
    const [, second, third] = records;
    assert.ok(second && third);
    assert.deepEqual([again.has(second, second.model), again.has(third, third.model)], [true, false]);
    again.add(third);
    assert.deepEqual(readOutcomes(file), records.slice(0, 3));
  });

  it('takes the outcomes of no other model or question for those that are asked for', () => {
    const log = new OutcomeLog(join(folder, 'others.jsonl'));
    const [first] = records;
    assert.ok(first);
    log.add(first);
    assert.throws(() => log.has(first, 'larger'), /outcomes of m, not of larger/);
    assert.throws(() => log.has({ ...first, question: 'Who?' }, first.model), /another question q0/);
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
