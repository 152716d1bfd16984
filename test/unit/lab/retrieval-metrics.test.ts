import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rangeMetrics, rangesAt, retrievalMetrics } from '../../../lab/evaluation/retrieval-metrics.ts';

describe('retrieval metrics', () => {
  const ranked = ['x', 'a', 'y', 'z', 'b', 'c'];

  it('counts the share of gold among the first k', () => {
    const metrics = retrievalMetrics(ranked, undefined, ['a', 'b', 'c']);
    assert.equal(metrics['recall@1'], 0);
    assert.equal(metrics['recall@2'], 1 / 3);
    assert.equal(metrics['recall@5'], 2 / 3);
    assert.equal(metrics['all@5'], 0);
    assert.equal(metrics['all@10'], 1);
    assert.equal(metrics['goldLengthEM'], 0);
    assert.ok(!('chainEM' in metrics), 'a ranked list alone chooses no set');
  });

  it('scores the chain as a set, in any order', () => {
    assert.equal(retrievalMetrics(ranked, ['b', 'a'], ['a', 'b'])['chainEM'], 1);
    assert.equal(retrievalMetrics(ranked, ['a'], ['a', 'b'])['chainEM'], 0);
    assert.equal(retrievalMetrics(ranked, ['a'], ['a', 'b'])['chainF1'], 2 / 3);
  });

  it('does not count a passage twice', () => {
    assert.equal(retrievalMetrics(['a', 'a'], undefined, ['a', 'b'])['recall@2'], 0.5);
  });

  it('counts gold ranges that one of the first passages touches', () => {
    const passages = [
      { path: 'a.py', startLine: 1, endLine: 10 },
      { path: 'b.py', startLine: 5, endLine: 9 },
    ];
    const gold = [
      { path: 'a.py', start: 10, end: 12 },
      { path: 'a.py', start: 11, end: 12 },
      { path: 'b.py', start: 1, end: 5 },
      { path: 'c.py', start: 1, end: 5 },
    ];
    assert.equal(rangesAt(1, passages, gold), 0.25);
    assert.equal(rangesAt(5, passages, gold), 0.5);
    assert.equal(rangesAt(5, passages, []), 0);
  });

  it('takes a place that says the same for the gold range', () => {
    const passages = [{ path: 'b.py', startLine: 5, endLine: 9 }];
    const gold = { path: 'a.py', start: 1, end: 2 };
    assert.equal(rangesAt(1, passages, [{ ...gold, instead: [{ path: 'b.py', start: 9, end: 12 }] }]), 1);
    assert.equal(rangesAt(1, passages, [{ ...gold, instead: [{ path: 'b.py', start: 10, end: 12 }] }]), 0);
  });

  it('tells whether any gold range is in view, and whether all are', () => {
    const ranked = Array.from({ length: 30 }, (_, i) => ({ path: `${i}.go`, startLine: 1, endLine: 9 }));
    const at = (...files: number[]) =>
      rangeMetrics(
        ranked,
        files.map((file) => ({ path: `${file}.go`, start: 3, end: 4 })),
      );
    const told = (metrics: Record<string, number>): unknown[] =>
      ['lines any@12', 'lines all@12', 'lines all@60'].map((name) => metrics[name]);
    assert.deepEqual(told(at(11, 12)), [1, 0, 1]);
    assert.deepEqual(told(at(0, 11)), [1, 1, 1]);
    assert.deepEqual(told(at(12, 40)), [0, 0, 0]);
    assert.deepEqual(rangeMetrics(ranked, []), {});
  });
});
