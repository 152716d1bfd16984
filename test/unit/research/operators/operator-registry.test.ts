import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OPERATORS } from '../../../../src/research/domain/plan.ts';
import { operatorCalled, operators } from '../../../../src/research/operators/operator-registry.ts';
import { operatorGuide } from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';

describe('operators', () => {
  it('are named once, and what is asked for and planned with follows from the list', () => {
    assert.deepEqual(OPERATORS, [...operators.keys()]);
    assert.equal(new Set(OPERATORS).size, OPERATORS.length);
    assert.deepEqual(
      defaultResearchOptions.operators,
      OPERATORS.filter((name) => operatorCalled(name).needsModel),
    );
    assert.throws(() => operatorCalled('telepathy'), /no operator called telepathy/);
  });

  it('are offered to a planner as they describe themselves', () => {
    assert.match(operatorGuide(OPERATORS), /^- extractive: .* Costs no call\.$/m);
    assert.match(operatorGuide(OPERATORS), /^- single-step: .* Costs about \d+ tokens\.$/m);
  });
});
