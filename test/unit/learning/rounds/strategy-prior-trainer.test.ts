import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { assumedPrior } from '../../../../lab/bandit/assumed-outcomes.ts';
import {
  AS_SHIPPED,
  PriorBeliefs,
  rebelieve,
  type PriorBelief,
} from '../../../../src/learning/strategy/bandit/prior-belief.ts';
import type { TaughtDecision } from '../../../../src/learning/strategy/decision.ts';
import { decideGate } from '../../../../src/learning/gate.ts';
import { strategyPriorTrainer } from '../../../../src/learning/rounds/trainers.ts';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';

const actions = planActions();
const beliefs = new PriorBeliefs(JSON.parse(JSON.stringify(assumedPrior())), actions);
const shipped = beliefs.start(AS_SHIPPED);
const signal = new AbortController().signal;
const split = { seed: 1, share: 0.3 };

/** Runs whose outcomes are what the prior expects, times factors, and a little noise. */
function runsOf(count: number, factors: { quality: number; cost: number }): TaughtDecision[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, (_, i) => {
    const features = QUESTION_FEATURES.map((name) =>
      name === 'constant' || name === 'inference'
        ? 1
        : ['lookup', 'comparison', 'temporal', 'overview', 'null'].includes(name)
          ? 0
          : random(),
    );
    const place = i % actions.length;
    const expected = shipped.estimate(Float64Array.from(features))[place]?.expected ?? { quality: 0, cost: 0 };
    const noise = (): number => (random() - 0.5) / 20;
    return {
      runId: `run-${i}`,
      question: createHash('sha256').update(`question ${i}`).digest('hex').slice(0, 24),
      time: i,
      strategy: actions[place]?.name ?? '',
      beta: 0.5,
      features,
      learnt: { quality: expected.quality * factors.quality + noise(), cost: expected.cost * factors.cost + noise() },
    };
  });
}

describe('belief in the prior of the strategies', () => {
  it('gives what learning from the start under that belief would have given', () => {
    const belief: PriorBelief = { weight: 0.5, quality: 0.8, cost: 2 };
    const runs = runsOf(12, { quality: 1, cost: 1 });
    const [late, early] = [beliefs.start(AS_SHIPPED), beliefs.start(belief)];
    for (const bandit of [late, early])
      for (const [i, { features, learnt }] of runs.entries()) bandit.learn(Float64Array.from(features), i, learnt);
    const { covariance, moments } = rebelieve(late.model.parts(), shipped.model.parts(), AS_SHIPPED, belief);
    const wanted = early.model.parts();
    const near = (a: Float64Array, b: Float64Array): void =>
      a.forEach((value, i) => assert.ok(Math.abs(value - (b[i] ?? NaN)) < 1e-6, `${i}: ${value} ${b[i]}`));
    near(covariance, wanted.covariance);
    near(moments.quality, wanted.moments.quality);
    near(moments.cost, wanted.moments.cost);
    near(rebelieve(wanted, shipped.model.parts(), belief, AS_SHIPPED).moments.cost, late.model.parts().moments.cost);
  });
});

describe('strategy prior trainer', () => {
  it('finds that runs cost a third of what was expected here, and wins the gate', async () => {
    const decisions = runsOf(80, { quality: 1, cost: 1 / 3 });
    const trainer = strategyPriorTrainer({ decisions: async () => decisions, beliefs, split });
    assert.ok((await trainer.examples()) >= trainer.least);
    const candidate = (await trainer.train(signal)) as PriorBelief;
    assert.equal(candidate.cost, 0.33);
    const verdict = decideGate(await trainer.compare({ before: undefined, after: candidate }, signal), seededRandom(1));
    assert.ok(verdict.wins, JSON.stringify(verdict));
  });

  it('judges runs of one question as one', async () => {
    const decisions = runsOf(80, { quality: 1, cost: 1 }).map((decision, i) => ({
      ...decision,
      question: `question ${i % 20}`,
    }));
    const pairs = await strategyPriorTrainer({ decisions: async () => decisions, beliefs, split }).compare(
      { before: undefined, after: AS_SHIPPED },
      signal,
    );
    assert.equal(new Set(pairs.map(({ id }) => id)).size * 4, pairs.length);
  });

  it('keeps the prior as it came where runs are as it expects', async () => {
    const decisions = runsOf(80, { quality: 1, cost: 1 });
    const trainer = strategyPriorTrainer({ decisions: async () => decisions, beliefs, split });
    const candidate = (await trainer.train(signal)) as PriorBelief;
    assert.deepEqual([candidate.quality, candidate.cost], [1, 1]);
    assert.ok(
      !decideGate(await trainer.compare({ before: undefined, after: AS_SHIPPED }, signal), seededRandom(1)).wins,
    );
  });
});
