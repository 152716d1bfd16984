import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import { provenQuestions, suggestQuestions } from '../../../../src/research/run/suggest-questions.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const suggested = async (passages: readonly Passage[]) => {
  const read: string[] = [];
  const made = await suggestQuestions({
    report: async () => ({
      files: [...new Set(passages.map(({ path }) => path))].map((path) => ({
        path,
        language: 'markdown',
        passages: 1,
      })),
      skipped: [],
      fallbacks: [],
    }),
    passagesOf: async (path) => (read.push(path), passages.filter((passage) => passage.path === path)),
  });
  assert.equal(new Set(read).size, read.length, 'no file is read twice');
  return made;
};
const to = (path: string, kind: 'wikilink' | 'import' = 'wikilink') => [{ kind, target: path, path, line: 1 }];

describe('suggested questions', () => {
  it('are about linked files and about parts of documents, called as they call themselves', async () => {
    const radio = notePassage('radio', 'Radio > Costs', 'A terminal cost 31 marks. '.repeat(12), {
      links: to('notes/trial.md'),
    });
    const trial = notePassage('trial', 'Satellite trial', 'short');
    assert.deepEqual(await suggested([radio, trial]), {
      questions: [
        { question: 'What does “Radio” say about “Satellite trial”?', path: 'notes/radio.md' },
        { question: 'What does “Radio” say about “Costs”?', path: 'notes/radio.md' },
      ],
      linked: true,
    });
    const code = notePassage('a', 'a', 'x', { path: 'src/a.ts', links: to('src/b.ts', 'import') });
    assert.equal((await suggested([code])).questions[0]?.question, 'What does a.ts use b.ts for?');
    assert.deepEqual(await suggested([trial]), { questions: [], linked: false });
    assert.deepEqual(
      (await suggested([notePassage('long', 'A long way '.repeat(9), 'x', { links: to('b.md') })])).questions,
      [],
    );
  });

  it('are shown where a run without a model leads with the file, three at most', async () => {
    const passages = [notePassage('a', 'A', 'x'), notePassage('b', 'B', 'y')];
    const answer = {
      abstained: false,
      lead: { kind: 'quotes', text: 'x', citations: [1] },
      citations: [{ number: 1, passageId: 'a', startLine: 1, endLine: 1 }],
      passages,
    } as unknown as Answer;
    const proven = async (one: Answer, path: string, linked = true) =>
      provenQuestions(
        { questions: Array.from({ length: 5 }, (_, i) => ({ question: `Q${i}`, path })), linked },
        async function* () {
          yield { type: 'answer-end', answer: one } as ResearchEvent;
        },
        new AbortController().signal,
      );
    assert.deepEqual(await proven(answer, 'notes/a.md'), ['Q0', 'Q1', 'Q2']);
    assert.deepEqual(await proven(answer, 'notes/b.md'), []);
    assert.deepEqual(await proven({ ...answer, abstained: true }, 'notes/a.md'), []);
    assert.deepEqual(await proven({ ...answer, passages: passages.slice(0, 1) }, 'notes/a.md'), []);
    assert.equal((await proven({ ...answer, passages: passages.slice(0, 1) }, 'notes/a.md', false)).length, 3);
  });
});
