import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { suggestQuestions } from '../../../../src/research/run/suggest-questions.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';

describe('suggestQuestions', () => {
  const suggested = (links: Partial<Passage['links'][number]>[]) =>
    suggestQuestions({
      report: async () => ({
        files: [{ path: 'radio.md', language: 'markdown', passages: 1 }],
        skipped: [],
        fallbacks: [],
      }),
      passagesOf: async (path) => [
        { path, title: '0001 Radio', kind: 'section', text: '', links } as unknown as Passage,
      ],
    });

  it('asks in the words that people use for what files are called', async () => {
    assert.deepEqual(
      await suggested([{ kind: 'markdown', target: '0007-satellite-trial.md', path: '0007-satellite-trial.md' }]),
      { questions: ['What does Radio have to do with satellite trial?'], linked: true },
    );
  });

  it('says that nothing links to anything', async () => {
    assert.deepEqual(await suggested([]), { questions: [], linked: false });
  });
});
