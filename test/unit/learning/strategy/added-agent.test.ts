import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperatorContext, OperatorTask } from '../../../../src/research/operators/operator.ts';
import { Budget, defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { agentList } from '../../../../src/cli/research-flags.ts';
import { AGENTS, type AgentName, ALL_AGENTS, describeAgent } from '../../../../src/learning/strategy/agent.ts';
import { describeGraph, parseGraphName } from '../../../../src/learning/strategy/graph.ts';
import { operatorAgents } from '../../../../src/learning/strategy/operator-agents.ts';
import { scriptedOperator, signal } from './selector-doubles.ts';
import { filesBelow, readRepository } from '../../../doubles/repository-files.ts';

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
  const lookedUp: boolean[] = [];
  const agents = operatorAgents(
    run,
    { question: 'Where is rope bought?' } as OperatorTask,
    (name) => {
      const operator = scriptedOperator()(name);
      return {
        ...operator,
        run: (context, task) => {
          seenBy.push(...(task.seen ?? []).map(({ by }) => by));
          lookedUp.push(...(task.seen ?? []).map((said) => said.lookedUp));
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
    assert.deepEqual([seenBy, lookedUp], [['Somebody who guessed'], [true]]);
  });

  it('is in every list, since each is made of the table', () => {
    assert.deepEqual(ALL_AGENTS, Object.keys(AGENTS));
    assert.deepEqual(agentList(ALL_AGENTS.join()), ALL_AGENTS);
    for (const agent of ALL_AGENTS) {
      const graph = parseGraphName(`${agent}>vote`);
      assert.equal(graph && describeGraph(graph), describeAgent(agent).title);
    }
  });

  it('has to be named nowhere else: only names of past runs and of the paper stand in other files', () => {
    const quoted = new RegExp(ALL_AGENTS.map((name) => `'${name}'`).join('|'), 'g');
    const named = filesBelow('src')
      .filter((file) => file.endsWith('.ts') && file !== 'src/learning/strategy/agent.ts')
      .flatMap((file) => readRepository(file).match(quoted) ?? []);
    assert.deepEqual([...new Set(named)].sort(), ["'belle'", "'ircot'", "'one-retrieval'"]);
  });
});
