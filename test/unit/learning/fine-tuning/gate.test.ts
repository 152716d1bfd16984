import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/numbers.ts';
import { decideGate, NothingToCompareError, type ScoredPair } from '../../../src/learning/fine-tuning/gate.ts';

const pairs = (differences: readonly number[]): ScoredPair[] =>
  differences.map((difference, i) => ({ id: String(i), before: 0.5, after: 0.5 + difference }));

describe('gate', () => {
  it('opens for a steady gain and stays shut for none, a loss, or a gain of chance', () => {
    const wins = (differences: readonly number[]): boolean => decideGate(pairs(differences), seededRandom(1)).wins;
    assert.ok(wins(Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? -0.1 : 0.2))));
    assert.ok(!wins(Array.from({ length: 20 }, () => 0)));
    assert.ok(!wins(Array.from({ length: 20 }, () => -0.2)));
    assert.ok(!wins([0.5, 0.4, 0.1]), 'three questions prove nothing');
    assert.ok(!wins(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0.31 : -0.3))));
  });

  it('lets an equal model through about as often as it says', () => {
    const random = seededRandom(7);
    let passed = 0;
    for (let i = 0; i < 150; i += 1)
      if (decideGate(pairs(Array.from({ length: 15 }, () => random() - 0.5)), seededRandom(i)).wins) passed += 1;
    assert.ok(passed / 150 < 0.12, String(passed));
  });

  it('counts what was scored on one question as one', () => {
    const repeated = (questions: number, lines: number): ScoredPair[] =>
      Array.from({ length: questions * lines }, (_, i) => ({
        id: `question ${i % questions}`,
        before: 0.2,
        after: 0.7,
      }));
    for (const [questions, lines, wins] of [
      [1, 5, false],
      [1, 500, false],
      [3, 40, false],
      [8, 3, true],
    ] as const) {
      const verdict = decideGate(repeated(questions, lines), seededRandom(1));
      assert.deepEqual(
        [verdict.questions, verdict.wins],
        [questions, wins],
        `${questions} questions of ${lines} lines`,
      );
    }
    const uneven: ScoredPair[] = [
      ...Array.from({ length: 9 }, () => ({ id: 'long', before: 1, after: 0 })),
      { id: 'short', before: 0, after: 1 },
    ];
    const verdict = decideGate(uneven, seededRandom(1));
    assert.deepEqual(
      [verdict.before, verdict.after, verdict.difference],
      [0.5, 0.5, 0],
      'a question with many lines weighs no more than one with few',
    );
  });

  it('reports means and an interval around the difference', () => {
    const verdict = decideGate(pairs([0.1, 0.2, 0.3, 0.2, 0.2, 0.1]), seededRandom(2));
    assert.equal(verdict.questions, 6);
    assert.ok(Math.abs(verdict.difference - (verdict.after - verdict.before)) < 1e-12);
    assert.ok(verdict.ci95[0] <= verdict.difference && verdict.difference <= verdict.ci95[1]);
    assert.deepEqual(decideGate(pairs([0.1, 0.2]), seededRandom(3)), decideGate(pairs([0.1, 0.2]), seededRandom(3)));
  });

  it('does not decide about nothing', () => {
    assert.throws(() => decideGate([], seededRandom(1)), NothingToCompareError);
  });
});
