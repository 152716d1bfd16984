import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type AgentName,
  describeGraph,
  generateGraphs,
  graphName,
  makeGraph,
  parseGraphName,
  predecessorsOf,
} from '../../../../src/learning/strategy/graph.ts';

const TWO: AgentName[] = ['no-retrieval', 'one-retrieval'];
const THREE: AgentName[] = ['no-retrieval', 'one-retrieval', 'ircot'];

/**
 * Counts from the definition alone, without the code under test: every subset of all ordered pairs and all edges to the
 * vote, as an adjacency matrix whose powers tell of cycles and of paths.
 */
function bruteForce(n: number): { all: number; singleEdge: number; keys: Set<string> } {
  const edges: [number, number][] = [];
  for (let i = 0; i < n; i += 1) for (let j = 0; j <= n; j += 1) if (i !== j) edges.push([i, j]);
  let singleEdge = 0;
  const keys = new Set<string>();
  for (let mask = 1; mask < 2 ** edges.length; mask += 1) {
    const reach = Array.from({ length: n + 1 }, () => Array.from({ length: n + 1 }, () => false));
    const degree = Array.from({ length: n + 1 }, () => 0);
    const chosen = edges.filter((_, bit) => mask & (1 << bit));
    for (const [i, j] of chosen) {
      (reach[i] as boolean[])[j] = true;
      degree[i] = (degree[i] ?? 0) + 1;
      degree[j] = (degree[j] ?? 0) + 1;
    }
    for (let k = 0; k <= n; k += 1)
      for (let i = 0; i <= n; i += 1)
        for (let j = 0; j <= n; j += 1) if (reach[i]?.[k] && reach[k]?.[j]) (reach[i] as boolean[])[j] = true;
    const agents = Array.from({ length: n }, (_, i) => i);
    const valid = (degree[n] ?? 0) > 0 && agents.every((i) => !reach[i]?.[i] && (degree[i] === 0 || reach[i]?.[n]));
    if (!valid) continue;
    keys.add(
      chosen
        .map(([i, j]) => `${i}-${j}`)
        .sort()
        .join(),
    );
    if (chosen.length === 1) singleEdge += 1;
  }
  return { all: keys.size, singleEdge, keys };
}

describe('communication graphs', () => {
  for (const [agents, all, singles] of [
    [TWO, 7, 2],
    [THREE, 97, 3],
  ] as const) {
    it(`are ${all} over ${agents.length} agents, ${singles} of them with one edge`, () => {
      const graphs = generateGraphs(agents);
      assert.equal(graphs.length, all);
      assert.equal(graphs.filter((graph) => graph.edges.length === 1).length, singles);
      const counted = bruteForce(agents.length);
      assert.equal(counted.all, all);
      assert.equal(counted.singleEdge, singles);
      const place = (name: string): number => (name === 'vote' ? agents.length : agents.indexOf(name as AgentName));
      const keys = new Set(
        graphs.map((graph) =>
          graph.edges
            .map(([from, to]) => `${place(from)}-${place(to)}`)
            .sort()
            .join(),
        ),
      );
      assert.deepEqual([...keys].sort(), [...counted.keys].sort());
    });
  }

  it('put every agent behind its predecessors', () => {
    for (const graph of generateGraphs(THREE)) {
      for (const agent of graph.agents)
        for (const before of predecessorsOf(graph, agent))
          assert.ok(graph.agents.indexOf(before) < graph.agents.indexOf(agent));
    }
  });

  it('refuse a cycle, a dead end and nothing at all', () => {
    assert.equal(
      makeGraph([
        ['no-retrieval', 'ircot'],
        ['ircot', 'no-retrieval'],
        ['ircot', 'vote'],
      ]),
      undefined,
    );
    assert.equal(
      makeGraph([
        ['no-retrieval', 'ircot'],
        ['one-retrieval', 'vote'],
      ]),
      undefined,
    );
    assert.equal(makeGraph([]), undefined);
    assert.equal(
      makeGraph([
        ['ircot', 'ircot'],
        ['ircot', 'vote'],
      ]),
      undefined,
    );
  });

  it('have distinct names from which they can be read again, in any order of edges', () => {
    const graphs = generateGraphs(THREE);
    assert.equal(new Set(graphs.map(graphName)).size, graphs.length);
    for (const graph of graphs) assert.deepEqual(parseGraphName(graphName(graph)), graph);
    assert.deepEqual(parseGraphName('ircot>vote, no-retrieval>ircot'), parseGraphName('no-retrieval>ircot,ircot>vote'));
    for (const wrong of [
      '',
      'vote',
      'ircot>nobody',
      'ircot>',
      'ircot>vote>ircot',
      'belle',
      'beam-extractive',
      'no-retrieval>ircot',
    ])
      assert.equal(parseGraphName(wrong), undefined, wrong);
  });

  it('can be said in words', () => {
    const words = (name: string): string => {
      const graph = parseGraphName(name);
      assert.ok(graph);
      return describeGraph(graph);
    };
    assert.equal(words('one-retrieval'), 'one retrieval');
    assert.equal(words('no-retrieval>ircot,ircot>vote'), 'no retrieval, seen by step-by-step retrieval');
    assert.equal(words('no-retrieval>vote,ircot>vote'), 'a vote of no retrieval and step-by-step retrieval');
  });
});
