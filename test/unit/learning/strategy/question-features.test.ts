import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SearchHit } from '../../../../src/search/domain/passage-chain.ts';
import type { QuestionClassification } from '../../../../src/search/domain/question.ts';
import {
  expectedHops,
  type FeatureInput,
  QUESTION_FEATURES,
  type QuestionFeature,
  questionFeatures,
} from '../../../../src/learning/strategy/question-features.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const classification: QuestionClassification = {
  type: 'inference',
  probabilities: { inference: 0.7, lookup: 0.3 },
  classifier: 'embedded',
};
const hit = (path: string, text: string, cosine: number, rank: number, language = 'markdown'): SearchHit => ({
  score: 1,
  folded: [],
  parts: { vector: { rank, score: cosine }, text: { rank, score: 3 } },
  passage: notePassage(path, path, text, { path, endLine: 2, language }),
});
const base: FeatureInput = {
  question: 'Who directed the film in which Ada Lovelace is played by Nora Berg?',
  historyLength: 0,
  classification,
  hits: [hit('a.md', 'A film about Ada Lovelace.', 0.8, 1), hit('b.ts', 'const x = 1', 0.6, 2, 'typescript')],
  model: { id: 'openai:qwen2.5-1.5b@127.0.0.1:8099', contextTokens: 8192 },
};
const featuresOf = (change: Partial<FeatureInput> = {}): Record<QuestionFeature, number> => {
  const values = questionFeatures({ ...base, ...change });
  return Object.fromEntries(QUESTION_FEATURES.map((name, i) => [name, values[i] ?? NaN])) as Record<
    QuestionFeature,
    number
  >;
};

describe('question features', () => {
  it('are numbers from 0 to 1, one per name, whatever there is to see', () => {
    for (const input of [
      base,
      { ...base, hits: [] },
      { ...base, question: '' },
      { ...base, question: 'x '.repeat(3000) },
      { ...base, model: { id: 'vscode:copilot/gpt', contextTokens: 1_000_000 } },
    ]) {
      const values = questionFeatures(input);
      assert.equal(values.length, QUESTION_FEATURES.length);
      values.forEach((value, i) => assert.ok(value >= 0 && value <= 1, `${QUESTION_FEATURES[i]}: ${value}`));
    }
  });

  it('tell the type, the names found and not found, and the spread of scores', () => {
    const values = featuresOf();
    assert.equal(values.inference, 0.7);
    assert.equal(values.comparison, 0);
    assert.equal(values['names-covered-first'], 0.5);
    assert.equal(values['lists-agree'], 1);
    assert.ok(Math.abs(values['score-spread'] - 1) < 1e-9);
    assert.equal(
      featuresOf({ hits: [hit('a.md', '', 0.8, 1), hit('c.md', '', 0.78, 2)] })['score-spread'].toFixed(6),
      '0.100000',
    );
  });

  it('tell code from notes and a small local model from a large hosted one', () => {
    const values = featuresOf();
    assert.deepEqual([values.code, values.notes], [0.5, 0.5]);
    assert.equal(values['model-local'], 1);
    assert.ok(values['model-size'] < 0.15);
    const hosted = featuresOf({ model: { id: 'vscode:copilot/gpt-4o', contextTokens: 128_000 } });
    assert.deepEqual([hosted['model-local'], hosted['model-size']], [0, 1]);
  });

  it('tell a choice and a yes-or-no question from those that ask for something else', () => {
    const asks = (question: string): number[] => {
      const values = featuresOf({ question });
      return [values['asks-yes-no'], values['asks-choice']];
    };
    assert.deepEqual(asks('Are Ada Lovelace and Nora Berg from the same town?'), [1, 0]);
    assert.deepEqual(asks('Who was born first, Ada Lovelace or Nora Berg?'), [0, 1]);
    assert.deepEqual(asks('Who directed the film?'), [0, 0]);
    assert.deepEqual(asks('Where does the cache live, or is there none?'), [0, 0]);
  });

  it('expect more hops of nested questions than of plain ones', () => {
    assert.equal(expectedHops('What is the default timeout?', 'lookup'), 1);
    assert.ok(
      expectedHops(
        "Who is the mother of the director of the film whose star was born in the city where Ada's school stood?",
        'inference',
      ) >= 3,
    );
    assert.equal(expectedHops('Is A older than B?', 'comparison'), 2);
    assert.ok(expectedHops('Who wrote Faust?', 'inference') === 1);
  });
});
