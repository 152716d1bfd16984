import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultPlan } from '../../../../src/research/plan/make-plan.ts';
import {
  planProblem,
  withoutIdleSteps,
  callsInWords,
  planCost,
  planningCost,
} from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import type { OperatorName } from '../../../../src/research/domain/plan.ts';
import { operatorCalled } from '../../../../src/research/operators/operator-registry.ts';

const allowed = defaultResearchOptions.operators;

describe('a plan', () => {
  it('stands when it looks things up before it thinks', () => {
    assert.equal(planProblem(['sub-step', 'chain-of-thought'], allowed), undefined);
    assert.equal(planProblem(['single-step'], allowed), undefined);
  });

  it('is nonsense when it is empty, too long, foreign, repeats itself, only thinks, or thinks first', () => {
    assert.match(planProblem([], allowed) ?? '', /no step/);
    assert.match(
      planProblem(['single-step', 'sub-step', 'iterative-step', 'adaptive-step'], allowed) ?? '',
      /more than 3/,
    );
    assert.match(planProblem(['extractive'], allowed) ?? '', /not one of/);
    assert.match(planProblem(['single-step', 'single-step'], allowed) ?? '', /twice/);
    assert.match(planProblem(['chain-of-thought'], allowed) ?? '', /looks nothing up/);
    assert.match(planProblem(['chain-of-thought', 'single-step'], allowed) ?? '', /must come after/);
  });

  it('is what is left of it when steps that would do nothing are left out', () => {
    assert.deepEqual(withoutIdleSteps(['chain-of-thought', 'single-step', 'sub-step']), ['single-step', 'sub-step']);
    assert.deepEqual(withoutIdleSteps(['single-step', 'single-step', 'single-step']), ['single-step']);
    assert.deepEqual(withoutIdleSteps(['sub-step', 'chain-of-thought', 'sub-step']), ['sub-step', 'chain-of-thought']);
    assert.deepEqual(withoutIdleSteps(['chain-of-thought']), ['chain-of-thought'], 'that is for the model to mend');
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
    assert.deepEqual(planCost(['single-step', 'chain-of-thought']), { calls: { least: 2, most: 2 }, tokens: 1530 });
    assert.deepEqual(planCost(['iterative-step']), { calls: { least: 2, most: 5 }, tokens: 1000 });
    assert.deepEqual(planCost(['single-step', 'self-critical']).calls, { least: 5 });
    assert.deepEqual(planCost(['extractive']), { calls: { least: 0, most: 0 }, tokens: 0 });
  });

  it('is one call for a plan made in one call, and a call for each turn of a debate', () => {
    assert.deepEqual(planningCost('off', defaultResearchOptions), { calls: { least: 0, most: 0 }, tokens: 0 });
    const one = planningCost('fast', defaultResearchOptions);
    assert.deepEqual(one.calls, { least: 1, most: 1 });
    const full = planningCost('full', defaultResearchOptions);
    assert.deepEqual([full.calls, full.tokens], [{ least: 5, most: 11 }, 10 * one.tokens]);
    const alone = planningCost('full', { rounds: 1, fastDebater: false, slowDebater: false });
    assert.deepEqual([alone.calls, alone.tokens], [{ least: 3, most: 4 }, 3 * one.tokens]);
  });

  it('is told to debaters in words', () => {
    const told = (name: OperatorName): string => callsInWords(operatorCalled(name).cost);
    assert.equal(told('single-step'), '1 call');
    assert.equal(told('iterative-step'), '2 to 5 calls');
    assert.equal(told('self-critical'), '4 calls and more');
    assert.equal(told('extractive'), 'no call');
  });
});
