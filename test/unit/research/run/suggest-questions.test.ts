import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { suggestQuestions, provenQuestions } from '../../../../src/research/run/suggest-questions.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';

describe('suggestQuestions', () => {
  const suggested = (links: Partial<Passage['links'][number]>[], other = 'Satellite trial, autumn 2023') =>
    suggestQuestions({
      report: async () => ({
        files: [{ path: 'radio.md', language: 'markdown', passages: 1 }],
        skipped: [],
        fallbacks: [],
      }),
      passagesOf: async (path) => [
        {
          path,
          title: path === 'radio.md' ? '0001 Radio, not satellite > Costs' : other,
          kind: 'function',
          text: '',
          links,
        } as unknown as Passage,
      ],
    });
  const trial = { target: '0007-satellite-trial.md', path: 'misc/0007-satellite-trial.md' };

  it('calls files what they call themselves', async () => {
    assert.deepEqual(await suggested([{ kind: 'markdown', ...trial }]), {
      questions: ['What does “Radio, not satellite” say about “Satellite trial, autumn 2023”?'],
      linked: true,
    });
    assert.deepEqual((await suggested([{ kind: 'wikilink', ...trial }], '')).questions, [
      'What does “Radio, not satellite” say about “satellite trial”?',
    ]);
    assert.deepEqual((await suggested([{ kind: 'import', ...trial }])).questions, [
      'What does radio.md use 0007-satellite-trial.md for?',
    ]);
  });

  it('asks about one part of a passage that several make up', async () => {
    const { questions } = await suggestQuestions({
      report: async () => ({
        files: [{ path: 'pad.md', language: 'markdown', passages: 1 }],
        skipped: [],
        fallbacks: [],
      }),
      passagesOf: async () => [
        {
          title: 'Wardenpad > Device, What wardens asked for, …',
          kind: 'section',
          text: 'Rugged tablets. '.repeat(20),
          links: [],
        } as unknown as Passage,
      ],
    });
    assert.deepEqual(questions, ['What does “Wardenpad” say about device?']);
  });

  it('leaves out what nobody would read to its end', async () => {
    assert.deepEqual((await suggested([{ kind: 'markdown', ...trial }], 'A long way '.repeat(9))).questions, []);
  });

  it('says that nothing links to anything', async () => {
    assert.deepEqual(await suggested([]), { questions: [], linked: false });
  });
});

describe('provenQuestions', () => {
  /** Runs whose trails lead through as many files as stand behind the question; 0: a refusal over two files. */
  const asking = (asked: string[]) =>
    async function* (question: string): AsyncGenerator<ResearchEvent> {
      asked.push(question);
      const files = Number(question.at(-1));
      const paths = Array.from({ length: files || 2 }, (_, i) => `${i}.md`);
      const hops = [...paths, '0.md'].map((path) => ({ passage: { path } }));
      yield { type: 'answer-end', answer: { abstained: files === 0, chain: { hops } } } as unknown as ResearchEvent;
    };
  const proven = async (questions: string[], linked = true): Promise<{ found: string[]; asked: string[] }> => {
    const asked: string[] = [];
    const found = await provenQuestions({ questions, linked }, asking(asked), new AbortController().signal);
    return { found, asked };
  };

  it('keeps what is answered over two files, and shows no refusal', async () => {
    assert.deepEqual((await proven(['a 0', 'b 1', 'c 2', 'd 3'])).found, ['c 2', 'd 3']);
  });

  it('is content with one file where nothing links to anything', async () => {
    assert.deepEqual((await proven(['a 0', 'b 1'], false)).found, ['b 1']);
  });

  it('stops at three, and after six runs', async () => {
    assert.deepEqual((await proven(['a 2', 'b 2', 'c 2', 'd 2'])).asked, ['a 2', 'b 2', 'c 2']);
    assert.equal((await proven(Array.from({ length: 9 }, (_, i) => `${i} 0`))).asked.length, 6);
  });

  it('runs nothing more when it is told to stop', async () => {
    const asked: string[] = [];
    const stop = new AbortController();
    const found = await provenQuestions(
      { questions: ['a 2', 'b 2'], linked: true },
      (question) => {
        stop.abort();
        return asking(asked)(question);
      },
      stop.signal,
    );
    assert.deepEqual([found, asked], [['a 2'], ['a 2']]);
  });
});
