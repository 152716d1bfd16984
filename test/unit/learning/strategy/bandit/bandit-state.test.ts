import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../../../src/base/numbers.ts';
import { planActions } from '../../../../../src/learning/strategy/plan-actions.ts';
import { assumedPrior } from '../../../../../lab/bandit/assumed-outcomes.ts';
import { BanditStateError, freshBandit } from '../../../../../src/learning/strategy/bandit/bandit-state.ts';
import { annealedExploration } from '../../../../../src/learning/strategy/bandit/policy.ts';
import { QUESTION_FEATURES } from '../../../../../src/learning/strategy/question-features.ts';
import { decodeBandit, encodeBandit } from '../../../../../lab/bandit/prior-state.ts';

const actions = planActions();
const exploration = annealedExploration();

describe('bandit state', () => {
  const random = seededRandom(4);
  const question = (): Float64Array => Float64Array.from(QUESTION_FEATURES, () => random());
  const learnt = freshBandit(actions, exploration);
  for (let i = 0; i < 80; i += 1) learnt.learn(question(), i % actions.length, { quality: random(), cost: random() });

  it('goes through JSON without loss, and nearly without at half the size', () => {
    const x = question();
    for (const [encoding, tolerance] of [
      ['f64', 1e-9],
      ['f32', 1e-3],
    ] as const) {
      const again = decodeBandit(
        JSON.parse(JSON.stringify(encodeBandit(learnt, actions, 'a test', encoding))),
        actions,
        exploration,
      );
      assert.equal(again.steps, 80);
      again.estimate(x).forEach((estimate, i) => {
        const before = learnt.estimate(x)[i];
        assert.ok(Math.abs(estimate.expected.quality - (before?.expected.quality ?? NaN)) < tolerance);
        assert.ok(Math.abs(estimate.width - (before?.width ?? NaN)) < tolerance);
      });
    }
  });

  it('is refused when it is damaged, not a number, or of other strategies', () => {
    const state = encodeBandit(learnt, actions, 'a test');
    const nan = Buffer.from(state.parameters, 'base64');
    nan.writeDoubleLE(Number.NaN, 80);
    const negative = Buffer.from(state.parameters, 'base64');
    negative.writeDoubleLE(-5, 0);
    const wrong = [
      undefined,
      {},
      { ...state, parameters: state.parameters.slice(4) },
      { ...state, parameters: nan.toString('base64') },
      { ...state, parameters: negative.toString('base64') },
      { ...state, actions: state.actions.slice(1) },
      { ...state, actionFeatures: 99 },
    ];
    for (const stored of wrong) assert.throws(() => decodeBandit(stored, actions, exploration), BanditStateError);
  });

  it('ships as what it says it is', async () => {
    const shipped = JSON.parse(
      await readFile(new URL('../../../../../models/bandit-prior.json', import.meta.url), 'utf8'),
    ) as { learntFrom: string };
    assert.ok(decodeBandit(shipped, actions, exploration).steps > 100);
    assert.deepEqual(shipped, assumedPrior());
  });
});
