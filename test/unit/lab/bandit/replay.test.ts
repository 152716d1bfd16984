import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { printBandit, reportBandit } from '../../../../lab/bandit/bandit-report.ts';
import { optimiseEdges } from '../../../../lab/bandit/optimise-edges.ts';
import { readOutcomes } from '../../../../lab/bandit/outcome-log.ts';
import { makeTable, priorFromOutcomes } from '../../../../lab/bandit/replay.ts';
import { seededRandom } from '../../../../src/base/numbers.ts';
import { graphName, PAPER_AGENTS } from '../../../../src/learning/strategy/graph.ts';

const outcomes = readOutcomes('lab/bench/strategy-outcomes.jsonl');

describe('replaying choices over gathered outcomes', () => {
  it('compares LinUCB as published, the product, and fixed strategies on the same questions', () => {
    const report = reportBandit(makeTable(outcomes), { beta: 0.5, seeds: [1, 2, 3] });
    const rewardOf = (name: string): number =>
      report.policies.find(({ policy }) => policy === name)?.reward.mean ?? NaN;
    assert.deepEqual(
      report.policies.map(({ policy }) => policy),
      ['lin-ucb', 'product', 'uniform', 'fixed-trained', 'gptswarm', 'best-fixed', 'oracle'],
    );
    for (const { policy } of report.policies) assert.ok(rewardOf(policy) <= rewardOf('oracle'), policy);
    assert.equal(report.policies.find(({ policy }) => policy === 'fixed-trained')?.overFixed.mean, 0);
    assert.deepEqual(reportBandit(makeTable(outcomes), { beta: 0.5, seeds: [1, 2, 3] }), report, 'it is repeatable');
    assert.match(printBandit(report), /^bandit on 60 questions, 7 strategies/);
  });

  it('makes the prior that ships, of measured plans alone', async () => {
    const shipped: unknown = JSON.parse(await readFile('models/bandit-prior.json', 'utf8'));
    assert.deepEqual(shipped, JSON.parse(JSON.stringify(priorFromOutcomes(outcomes, 4096))));
  });

  it('finds the graph whose edges pay, as GPTSwarm does', () => {
    const { graph } = optimiseEdges({
      agents: PAPER_AGENTS,
      reward: (one) => (graphName(one) === 'no-retrieval>ircot,ircot>vote' ? 1 : -one.edges.length / 10),
      random: seededRandom(3),
    });
    assert.ok(['no-retrieval>ircot,ircot>vote', 'ircot', 'no-retrieval', 'one-retrieval'].includes(graphName(graph)));
  });
});
