import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultPlan } from '../../../../src/research/plan/make-plan.ts';
import { planProblem, withoutIdleSteps, planCost, planningCost } from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { OPERATORS, type OperatorName } from '../../../../src/research/domain/plan.ts';

const allowed = defaultResearchOptions.operators;

/** Every choice of operators that may be allowed. */
const subsetsOf = (names: readonly OperatorName[]): OperatorName[][] =>
  Array.from({ length: 2 ** names.length - 1 }, (_, i) => names.filter((_name, bit) => ((i + 1) >> bit) & 1));

/** Every plan of one to three of these operators. */
const plansOf = (names: readonly OperatorName[]): OperatorName[][] => {
  const longer = (plans: OperatorName[][]) => plans.flatMap((plan) => names.map((name) => [...plan, name]));
  const [one, two] = [longer([[]]), longer(longer([[]]))];
  return [...one, ...two, ...longer(two)];
};

describe('a plan', () => {
  it('stands when it looks things up before it thinks', () => {
    assert.equal(planProblem(['sub-step', 'chain-of-thought'], allowed), undefined);
    assert.equal(planProblem(['single-step'], allowed), undefined);
  });

  it('is nonsense when it repeats itself, only thinks, or thinks first', () => {
    assert.equal(planProblem(['single-step', 'single-step'], allowed)?.code, 'twice');
    assert.equal(planProblem(['chain-of-thought'], allowed)?.code, 'looks-nothing-up');
    assert.deepEqual(planProblem(['chain-of-thought', 'single-step'], allowed), {
      code: 'thinks-first',
      operator: 'chain-of-thought',
    });
  });

  it('is what is left of it when steps that would do nothing are left out', () => {
    assert.deepEqual(withoutIdleSteps(['chain-of-thought', 'single-step', 'sub-step']), ['single-step', 'sub-step']);
    assert.deepEqual(withoutIdleSteps(['single-step', 'single-step', 'single-step']), ['single-step']);
    assert.deepEqual(withoutIdleSteps(['sub-step', 'chain-of-thought', 'sub-step']), ['sub-step', 'chain-of-thought']);
    assert.deepEqual(withoutIdleSteps(['chain-of-thought', 'chain-of-thought']), ['chain-of-thought']);
  });

  it('stands then whatever was proposed, unless it looks nothing up where it could', () => {
    for (const names of subsetsOf(OPERATORS))
      for (const plan of plansOf(names)) {
        const rest = withoutIdleSteps(plan);
        const left = planProblem(rest, names);
        if (left !== undefined)
          assert.deepEqual(rest, ['chain-of-thought'], `${plan.join()} of ${names.join()}: ${left.code}`);
      }
  });

  it('may only think when nothing else is allowed', () =>
    assert.equal(planProblem(['chain-of-thought'], ['chain-of-thought']), undefined));

  it('by default stands for every type, also with few operators', () => {
    for (const type of ['inference', 'comparison', 'temporal', 'lookup', 'overview', 'null'] as const) {
      for (const operators of [allowed, ['single-step'], ['iterative-step'], ['chain-of-thought']] as const) {
        const plan = defaultPlan(type, operators, 'because');
        assert.equal(
          planProblem(
            plan.steps.map((step) => step.operator),
            operators,
          ),
          undefined,
        );
        assert.ok(plan.steps.every((step) => step.purpose.length > 10));
      }
    }
  });
});

describe('what a plan may cost', () => {
  it('is the sum of its operators, without a most where one of them has none', () => {
    const off = { critique: false };
    assert.deepEqual(planCost(['single-step', 'chain-of-thought'], off), {
      calls: { least: 2, most: 4 },
      tokens: 1530,
    });
    assert.deepEqual(planCost(['iterative-step'], off), { calls: { least: 1, most: 6 }, tokens: 1000 });
    assert.deepEqual(planCost(['single-step', 'self-critical'], off).calls, { least: 3 });
    assert.deepEqual(planCost(['extractive'], off), { calls: { least: 0, most: 0 }, tokens: 0 });
  });

  it('is more where runs are criticised: a verdict on each node, one on the whole, and what a rejection leads to', () => {
    const on = { critique: true };
    const most = (...names: OperatorName[]): number | undefined => planCost(names, on).calls.most;
    assert.equal(most('single-step'), 4);
    assert.equal(most('single-step', 'chain-of-thought'), 7, 'the whole is judged once');
    assert.equal(most('iterative-step'), 12);
    assert.equal(most('sub-step'), 32);
    assert.equal(most('adaptive-step'), 46);
    assert.equal(most('self-critical'), undefined);
    assert.equal(most('extractive'), 0, 'no model wrote it');
    assert.equal(planCost(['sub-step'], on).calls.least, 2, 'what is beyond doubt is judged for nothing');
  });

  it('is one call for a plan made in one call, and a call for each turn of a debate', () => {
    assert.deepEqual(planningCost('off', defaultResearchOptions), { calls: { least: 0, most: 0 }, tokens: 0 });
    const one = planningCost('fast', defaultResearchOptions);
    assert.deepEqual(one.calls, { least: 1, most: 1 });
    const full = planningCost('full', defaultResearchOptions);
    assert.deepEqual([full.calls, full.tokens], [{ least: 5, most: 11 }, 10 * one.tokens]);
    const alone = planningCost('full', { rounds: 1, fastDebater: false, slowDebater: false, judge: 'both' });
    assert.deepEqual([alone.calls, alone.tokens], [{ least: 3, most: 4 }, 3 * one.tokens]);
    const soft = planningCost('full', { ...defaultResearchOptions, judge: 'soft' });
    assert.deepEqual(soft.calls, { least: 8, most: 9 }, 'nobody ends it before its last round');
  });
});
