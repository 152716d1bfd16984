import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyChain, type Operator } from '../../../../src/research/operators/operator.ts';
import { OPERATORS, type OperatorName } from '../../../../src/research/domain/plan.ts';
import { operatorCalled, operators, operatorsByName } from '../../../../src/research/operators/operator-registry.ts';
import { defaultPurpose, operatorGuide, planProblem } from '../../../../src/research/plan/plan-steps.ts';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';

/** As an own file and a place in the list would add it. */
const guess: Operator<string> = {
  name: 'guess',
  needsModel: true,
  retrieves: false,
  whenToUse: { does: 'guess', goodFor: 'riddles' },
  cost: { leastCalls: 0, mostCalls: 0, tokens: 0 },
  run: async (context) => ({ operator: 'extractive', stepId: context.nextStepId(), chain: emptyChain, evidence: [] }),
};

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

  it('are offered to a planner as they describe themselves, one that is added among them', () => {
    const among = operatorsByName([...operators.values(), guess as Operator]);
    const names = [...OPERATORS, 'guess' as OperatorName];
    assert.match(operatorGuide(names, among), /^- guess: guess\. Good for riddles\. Costs no call\.$/m);
    assert.match(operatorGuide(names, among), /^- single-step: .* Costs about \d+ tokens\.$/m);
    assert.equal(defaultPurpose('guess' as OperatorName, among), 'Guess.');
    assert.match(planProblem(['guess' as OperatorName], names, among) ?? '', /looks nothing up/);
    assert.match(planProblem(['guess' as OperatorName, 'sub-step'], names, among) ?? '', /guess must come after/);
    assert.equal(planProblem(['sub-step', 'guess' as OperatorName], names, among), undefined);
  });
});
