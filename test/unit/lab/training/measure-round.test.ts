import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import type { TrainingQuestion } from '../../../../lab/heads/question-sets.ts';
import { halvesOf, judgeRound, printRound, type TestedQuestion } from '../../../../lab/heads/round-report.ts';
import { teachersOf, trailsBy, type Asked, type TeacherPorts } from '../../../../lab/heads/round-teachers.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const question = (change: Partial<TrainingQuestion> = {}): TrainingQuestion => ({
  id: 'q1',
  set: 's',
  question: 'Where is rope bought?',
  answer: '',
  gold: ['a', 'b'],
  ...change,
});
const nothingFound = (of: TrainingQuestion): Asked => ({
  question: of,
  found: { result: { chains: [] } } as unknown as Asked['found'],
});
const at = (path: string, id: string, vector: number[]): Passage & { vector: Float32Array } => ({
  ...notePassage(id, id, id),
  path,
  vector: Float32Array.from(vector),
});

describe('measuring a round', () => {
  it('asks every question once, after learning from the other half', () => {
    const [even, odd] = halvesOf(['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(
      [even, odd],
      [
        ['a', 'c', 'e'],
        ['b', 'd'],
      ],
    );
  });

  it('judges all questions of both halves at once, and says among how many tests a p is one', () => {
    const tested = Array.from({ length: 40 }, (_, i): TestedQuestion => ({
      id: `q${i}`,
      before: { 'recall@5': 0.5, chainEM: 0 },
      after: { 'recall@5': i < 12 ? 1 : 0.5, chainEM: 0 },
    }));
    const results = judgeRound({ set: 'requests', teacher: 'files', trails: 47, right: 16 }, tested, 1);
    assert.deepEqual(
      results.map(({ metric, questions, wins }) => [metric, questions, wins]),
      [
        ['recall@5', 40, true],
        ['chainEM', 40, false],
      ],
    );
    assert.ok(Math.abs((results[0]?.difference ?? 0) - 0.15) < 1e-9);
    const [, , row, , , tests] = printRound(results).split('\n');
    assert.match(
      row ?? '',
      /^\| requests \| files \| 47 \| recall@5 \| 0\.500 \| 0\.650 \| \+0\.150 \[\+0\.\d+, \+0\.\d+\] \| 0\.000\d \| 40 \|$/,
    );
    assert.match(tests ?? '', /^2 tests, each one-sided; .* below 0\.0250 /);
  });

  it('teaches by passages where they are known, and by files where only those are', async () => {
    assert.deepEqual(teachersOf({ questions: [question()] }), ['alone', 'thumbs', 'gold']);
    assert.deepEqual(teachersOf({ questions: [question({ goldIs: 'files' })] }), ['alone', 'thumbs', 'files']);
    const index = new MemoryPassageIndex([
      at('api.py', 'far', [0, 1]),
      at('api.py', 'near', [1, 0]),
      at('auth.py', 'only', [0.5, 0.5]),
      at('other.py', 'nearest', [2, 0]),
    ]);
    const ports = { index, embedder: { embedQuery: async () => Float32Array.of(1, 0) } } as unknown as TeacherPorts;
    const files = question({ goldIs: 'files', gold: ['api.py', 'auth.py', 'gone.py'] });
    assert.deepEqual(await trailsBy('files', [nothingFound(files)], ports), [
      { id: 'q1', question: files.question, passageIds: ['near', 'only'] },
    ]);
    assert.deepEqual(
      (await trailsBy('gold', [nothingFound(question())], ports)).map((trail) => trail.passageIds),
      [['a', 'b']],
    );
    assert.deepEqual(
      await trailsBy('thumbs', [nothingFound(question())], ports),
      [],
      'nobody likes what was not found',
    );
  });
});
