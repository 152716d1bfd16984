import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperatorContext, OperatorTask } from '../../../../src/research/operators/operator.ts';
import { Budget, defaultResearchOptions } from '../../../../src/research/run/research-options.ts';
import { AGENTS, type AgentName, describeAgent } from '../../../../src/learning/strategy/agent.ts';
import { operatorAgents } from '../../../../src/learning/strategy/operator-agents.ts';
import { scriptedOperator, signal } from './selector-doubles.ts';

/** As a line in the table would add it. */
const guesser = {
  operator: 'sub-step',
  introducedAs: 'Somebody who guessed',
  title: 'a guess',
  ofPaper: false,
} as const;

describe('an agent that is added to the table', () => {
  const run = {
    signal,
    budget: new Budget(defaultResearchOptions.budget, () => 0),
    ledger: { numberOf: () => 1 },
    now: () => 0,
    nextStepId: () => 'step-1',
  } as unknown as OperatorContext;
  const seenBy: string[] = [];
  const agents = operatorAgents(
    run,
    { question: 'Where is rope bought?' } as OperatorTask,
    (name) => {
      const operator = scriptedOperator()(name);
      return {
        ...operator,
        run: (context, task) => {
          seenBy.push(...(task.seen ?? []).map(({ by }) => by));
          return operator.run(context, task);
        },
      };
    },
    { ...AGENTS, guesser } as typeof AGENTS,
  );

  it('answers by its operator, beside all that were there', async () => {
    const names = Object.keys(AGENTS).filter((name) => describeAgent(name as AgentName).operator !== undefined);
    assert.deepEqual(Object.keys(agents), [...names, 'guesser']);
    const reply = await agents['guesser' as AgentName]?.({ question: 'Where is rope bought?', seen: [] }, signal);
    assert.equal(reply?.answer, 'sub-step after nothing');
    assert.equal(reply?.cost.calls, 1);
    assert.deepEqual(seenBy, []);
  });

  it('is introduced to those that see its answer', async () => {
    const seen = [{ agent: 'guesser' as AgentName, answer: 'Tallinn' }];
    const reply = await agents['one-retrieval']?.({ question: 'Where is rope bought?', seen }, signal);
    assert.equal(reply?.answer, 'single-step after Tallinn');
    assert.deepEqual(seenBy, ['Somebody who guessed']);
  });
});
