import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { QUESTION_FEATURES } from '../../../../src/learning/strategy/question-features.ts';
import { strategyReport } from '../../../../src/learning/strategy/strategy-report.ts';
import type { TaughtDecision } from '../../../../src/learning/strategy/decision.ts';

function decision(strategy: string, type: string | undefined, learnt: TaughtDecision['learnt']): TaughtDecision {
  return {
    runId: strategy,
    class: 'small',
    checked: 0.5,
    time: 0,
    strategy,
    features: QUESTION_FEATURES.map((name) => (name === type ? 0.8 : name === 'constant' ? 1 : 0)),
    learnt,
  };
}

describe('the report on strategies', () => {
  const report = strategyReport(
    [
      decision('ircot', 'inference', { quality: 0.9, cost: 0.5 }),
      decision('ircot', 'inference', { quality: 0.7, cost: 0.5 }),
      decision('one-retrieval', 'inference', { quality: 0.6, cost: 0.1 }),
      decision('one-retrieval', 'lookup', { quality: 1, cost: 0.2 }),
      decision('belle', undefined, { quality: 0.3, cost: 0.6 }),
    ],
    'a benchmark',
  );

  it('counts the runs that taught, by strategy', () => {
    assert.equal(report.runs, 5);
    assert.equal(report.prior, 'a benchmark');
    assert.deepEqual(
      report.strategies.map(({ strategy, runs }) => [strategy, runs]),
      [
        ['ircot', 2],
        ['one-retrieval', 2],
        ['belle', 1],
      ],
    );
    assert.equal(report.strategies[0]?.quality, 0.8);
  });

  it('names the strategy that paid best for each type of question: quality against cost', () => {
    assert.deepEqual(
      report.byType.map(({ type, runs, best }) => [type, runs, best.strategy]),
      [
        ['inference', 3, 'one-retrieval'],
        ['lookup', 1, 'one-retrieval'],
        ['null', 1, 'belle'],
      ],
    );
  });

  it('is empty when nothing was learnt', () => {
    assert.deepEqual(strategyReport([], undefined), {
      prior: undefined,
      runs: 0,
      strategies: [],
      byType: [],
    });
  });
});
