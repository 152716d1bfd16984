import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OPERATORS, operatorCalled } from '../../../../src/research/operators/operator-registry.ts';
import { callsInWords, planCost, planningCost } from '../../../../src/research/plan/plan-cost.ts';
import { defaultResearchOptions } from '../../../../src/research/run/research-options.ts';

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
    assert.deepEqual(
      OPERATORS.map((name) => callsInWords(operatorCalled(name).cost)),
      ['1 call', '1 call', '2 to 5 calls', '3 to 6 calls', '1 to 6 calls', '4 calls and more', 'no call'],
    );
  });
});
