import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PAPER_AGENTS } from '../../../../../src/learning/strategy/agent.ts';
import { optimiseEdges } from '../../../../../lab/bandit/optimise-edges.ts';
import { generateGraphs, graphName } from '../../../../../src/learning/strategy/graph.ts';
import { seededRandom } from '../../../../../src/base/numbers.ts';

describe('edge probabilities', () => {
  const rewards = new Map(generateGraphs(PAPER_AGENTS).map((graph, i) => [graphName(graph), { i, graph }]));

  it('lead to the best graph where one edge decides', () => {
    const { graph, probabilities } = optimiseEdges({
      agents: PAPER_AGENTS,
      reward: (candidate) =>
        (candidate.edges.some(([from, to]) => from === 'one-retrieval' && to === 'ircot') ? 1 : 0) -
        0.1 * candidate.edges.length,
      random: seededRandom(1),
    });
    assert.equal(graphName(graph), 'one-retrieval>ircot,ircot>vote');
    const sure = probabilities.find(({ edge }) => edge.join('>') === 'one-retrieval>ircot');
    assert.ok((sure?.probability ?? 0) > 0.8);
  });

  it('take one step along the gradient of a whole batch', () => {
    const [better, worse] = [
      [true, true, false, true],
      [false, true, true, false],
    ]; // of a>b, a>vote, b>a, b>vote
    const draws = [...better, ...worse].map((taken) => (taken ? 0.1 : 0.9));
    const rewards = [1, 0];
    const { probabilities } = optimiseEdges({
      agents: ['no-retrieval', 'ircot'],
      steps: 1,
      batch: 2,
      learningRate: 3,
      reward: () => rewards.shift() ?? 0,
      random: () => draws.shift() ?? 0,
    });
    // Advantages 1 and −1, every edge at one half before: the slope of an edge is (taken by the better − taken by the
    // worse) / 2.
    probabilities.forEach(({ probability }, i) =>
      assert.ok(
        Math.abs(probability - 1 / (1 + Math.exp((-3 * (Number(better[i]) - Number(worse[i]))) / 2))) < 1e-12,
        `${i}: ${probability}`,
      ),
    );
  });

  it('find a cheap lone agent when quality is equal', () => {
    const { graph } = optimiseEdges({
      agents: PAPER_AGENTS,
      reward: (candidate) => -candidate.agents.length - 0.01 * candidate.edges.length,
      random: seededRandom(2),
    });
    assert.equal(graph.agents.length, 1);
  });

  it('only ever ask for graphs of the action set', () => {
    optimiseEdges({
      agents: PAPER_AGENTS,
      reward: (candidate) => {
        assert.ok(rewards.has(graphName(candidate)), graphName(candidate));
        return rewards.get(graphName(candidate))?.i ?? 0;
      },
      random: seededRandom(3),
      steps: 40,
    });
  });
});
