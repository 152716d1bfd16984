import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readOutcomes } from '../../../../lab/bandit/outcome-log.ts';
import { planOutcomes } from '../../../../lab/bandit/plan-outcomes.ts';
import { root } from '../../../../lab/places.ts';
import { mean } from '../../../../src/base/numbers.ts';
import { planActions } from '../../../../src/learning/strategy/plan-actions.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { planCost } from '../../../../src/research/plan/plan-steps.ts';

describe('the tokens that an operator is charged', () => {
  const outcomes = readOutcomes(path.join(root, 'lab/bench/strategy-outcomes.jsonl')).map(planOutcomes);
  const measured = planActions().flatMap(({ name, way }) => {
    const tokens = outcomes.flatMap((plans) => plans[name]?.tokens ?? []);
    return way.kind === 'operator' && tokens.length > 0 ? [{ operator: way.operator, tokens }] : [];
  });

  it('are compared for each operator whose own plan was measured', () => {
    assert.deepEqual(
      measured.map(({ operator, tokens }) => [operator, tokens.length]),
      [
        ['single-step', 60],
        ['iterative-step', 60],
      ],
    );
  });

  for (const { operator, tokens } of measured) {
    it(`lie within half and twice what was measured: ${operator}`, () => {
      const charged = planCost([operator], defaultResearchOptions).tokens;
      const average = mean(tokens);
      assert.ok(charged >= average / 2 && charged <= 2 * average, `${charged}, measured ${average}`);
    });
  }
});
