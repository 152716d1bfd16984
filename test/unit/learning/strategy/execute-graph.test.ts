import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type AgentName,
  generateGraphs,
  parseGraphName,
  type StrategyGraph,
} from '../../../../src/learning/strategy/graph.ts';
import {
  type Agent,
  AgentFailure,
  type AgentInput,
  type Agents,
  executeGraph,
  MissingAgentError,
} from '../../../../src/learning/strategy/run-graph.ts';
import { shareCalls, type CallCache } from '../../../../lab/bandit/share-calls.ts';

const graphOf = (name: string): StrategyGraph => {
  const graph = parseGraphName(name);
  assert.ok(graph, name);
  return graph;
};
const signal = new AbortController().signal;

/** Agents that answer from a script and remember what they saw. */
function scripted(
  answers: Partial<Record<AgentName, string | Error | ((input: AgentInput) => string)>>,
  seconds = 1,
): { agents: Agents<AgentName>; calls: { agent: AgentName; input: AgentInput }[] } {
  const calls: { agent: AgentName; input: AgentInput }[] = [];
  const agents: Partial<Record<AgentName, Agent<AgentName>>> = {};
  for (const [name, answer] of Object.entries(answers) as [
    AgentName,
    string | Error | ((input: AgentInput) => string),
  ][]) {
    agents[name] = async (input) => {
      calls.push({ agent: name, input });
      await Promise.resolve();
      if (answer instanceof Error) throw answer;
      return {
        answer: typeof answer === 'function' ? answer(input) : answer,
        cost: { calls: 1, tokens: 100, seconds },
        evidence: name,
      };
    };
  }
  return { agents, calls };
}

describe('graph execution', () => {
  it('shows each agent what its predecessors said, and only that', async () => {
    const { agents, calls } = scripted({ 'no-retrieval': 'A', 'one-retrieval': 'B', ircot: 'C' });
    await executeGraph(graphOf('no-retrieval>one-retrieval,one-retrieval>ircot,ircot>vote'), agents, 'q', signal);
    assert.deepEqual(
      calls.map(({ agent, input }) => [agent, input.seen]),
      [
        ['no-retrieval', []],
        ['one-retrieval', [{ agent: 'no-retrieval', answer: 'A' }]],
        ['ircot', [{ agent: 'one-retrieval', answer: 'B' }]],
      ],
    );
  });

  it('runs independent agents side by side', async () => {
    let running = 0;
    let most = 0;
    let release = (): void => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting: Agent<null> = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 2) release();
      await both;
      running -= 1;
      return { answer: 'A', cost: { calls: 1, tokens: 10, seconds: 5 }, evidence: null };
    };
    const result = await executeGraph(
      graphOf('no-retrieval>vote,one-retrieval>vote'),
      { 'no-retrieval': waiting, 'one-retrieval': waiting },
      'q',
      signal,
    );
    assert.equal(most, 2);
    assert.deepEqual(result.cost, { calls: 2, tokens: 20, seconds: 5 });
  });

  it('adds up tokens, and seconds along the longest path', async () => {
    const { agents } = scripted({ 'no-retrieval': 'A', 'one-retrieval': 'B', ircot: 'A' });
    const result = await executeGraph(graphOf('no-retrieval>ircot,one-retrieval>vote,ircot>vote'), agents, 'q', signal);
    assert.deepEqual(result.cost, { calls: 3, tokens: 300, seconds: 2 });
  });

  it('names the winner and its evidence', async () => {
    const { agents } = scripted({ 'no-retrieval': 'Paris', 'one-retrieval': 'paris', ircot: 'Lyon' });
    const result = await executeGraph(graphOf('no-retrieval>vote,one-retrieval>vote,ircot>vote'), agents, 'q', signal);
    assert.equal(result.winner, 'one-retrieval');
    assert.equal(result.winner && result.replies.get(result.winner)?.evidence, 'one-retrieval');
  });

  it('does without an agent that fails, until no voter is left', async () => {
    const trouble = new Error('server is down');
    const some = scripted({ 'no-retrieval': 'A', 'one-retrieval': trouble });
    const result = await executeGraph(graphOf('no-retrieval>vote,one-retrieval>vote'), some.agents, 'q', signal);
    assert.equal(result.answer, 'A');
    assert.equal(result.failures.get('one-retrieval'), trouble);
    const none = await executeGraph(graphOf('one-retrieval'), some.agents, 'q', signal);
    assert.deepEqual([none.winner, none.answer, none.failures.get('one-retrieval')], [undefined, '', trouble]);
  });

  it('charges what an agent used before it failed, and passes on what it failed with', async () => {
    const trouble = new Error('too long');
    const { agents } = scripted({
      'no-retrieval': 'A',
      ircot: new AgentFailure(trouble, { calls: 3, tokens: 900, seconds: 7 }),
    });
    const result = await executeGraph(graphOf('no-retrieval>vote,ircot>vote'), agents, 'q', signal);
    assert.deepEqual(result.cost, { calls: 4, tokens: 1000, seconds: 7 });
    assert.equal(result.failures.get('ircot'), trouble);
  });

  it('ends with AbortError when cancelled between agents', async () => {
    const controller = new AbortController();
    const { agents, calls } = scripted({
      'no-retrieval': () => {
        controller.abort('enough');
        return 'A';
      },
      ircot: 'C',
    });
    await assert.rejects(executeGraph(graphOf('no-retrieval>ircot,ircot>vote'), agents, 'q', controller.signal), {
      name: 'AbortError',
    });
    assert.deepEqual(
      calls.map(({ agent }) => agent),
      ['no-retrieval'],
    );
  });

  it('says which agent is missing before any call is made', async () => {
    const { agents, calls } = scripted({ 'no-retrieval': 'A' });
    await assert.rejects(
      executeGraph(graphOf('no-retrieval>vote,ircot>vote'), agents, 'q', signal),
      (error: unknown) => error instanceof MissingAgentError && /ircot/.test(error.message),
    );
    assert.equal(calls.length, 0);
  });
});

describe('shared calls', () => {
  it('answer all 97 graphs with 24 calls when every answer differs, and charge each graph in full', async () => {
    const { agents, calls } = scripted(
      Object.fromEntries(
        (['no-retrieval', 'one-retrieval', 'ircot'] as const).map((name) => [
          name,
          (input: AgentInput) => `${name}(${input.seen.map((said) => said.answer).join()})`,
        ]),
      ),
    );
    const shared = shareCalls(agents, new Map() as CallCache<AgentName>);
    let charged = 0;
    for (const graph of generateGraphs()) charged += (await executeGraph(graph, shared, 'q', signal)).cost.calls;
    assert.equal(calls.length, 24);
    assert.equal(
      charged,
      generateGraphs().reduce((sum, graph) => sum + graph.agents.length, 0),
    );
  });

  it('do not keep a failure', async () => {
    let attempts = 0;
    const flaky: Agents<null> = {
      ircot: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('once');
        return { answer: 'A', cost: { calls: 1, tokens: 1, seconds: 1 }, evidence: null };
      },
    };
    const shared = shareCalls(flaky, new Map());
    assert.match(String((await executeGraph(graphOf('ircot'), shared, 'q', signal)).failures.get('ircot')), /once/);
    assert.equal((await executeGraph(graphOf('ircot'), shared, 'q', signal)).answer, 'A');
  });

  it('are told apart by question and by what was seen', async () => {
    const { agents, calls } = scripted({ 'no-retrieval': 'A', ircot: 'C' });
    const shared = shareCalls(agents, new Map());
    for (const question of ['q', 'p'])
      for (const name of ['ircot', 'no-retrieval>ircot,ircot>vote'])
        await executeGraph(graphOf(name), shared, question, signal);
    assert.equal(calls.length, 6);
  });
});
