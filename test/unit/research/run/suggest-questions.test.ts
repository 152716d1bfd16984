import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { suggestQuestions, provenQuestions } from '../../../../src/research/run/suggest-questions.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { Answer } from '../../../../src/research/domain/answer.ts';
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
      questions: [
        {
          question: 'What does “Radio, not satellite” say about “Satellite trial, autumn 2023”?',
          paths: ['radio.md', 'misc/0007-satellite-trial.md'],
        },
      ],
      linked: true,
    });
    const asked = async (kind: 'wikilink' | 'import', other?: string): Promise<string[]> =>
      (await suggested([{ kind, ...trial }], other)).questions.map(({ question }) => question);
    assert.deepEqual(await asked('wikilink', ''), ['What does “Radio, not satellite” say about “satellite trial”?']);
    assert.deepEqual(await asked('import'), ['What does radio.md use 0007-satellite-trial.md for?']);
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
          path: 'pad.md',
          title: 'Wardenpad > Device, What wardens asked for, …',
          kind: 'section',
          text: 'Rugged tablets. '.repeat(20),
          links: [],
        } as unknown as Passage,
      ],
    });
    assert.deepEqual(questions, [{ question: 'What does “Wardenpad” say about device?', paths: ['pad.md'] }]);
  });

  it('leaves out what nobody would read to its end', async () => {
    assert.deepEqual((await suggested([{ kind: 'markdown', ...trial }], 'A long way '.repeat(9))).questions, []);
  });

  it('says that nothing links to anything', async () => {
    assert.deepEqual(await suggested([]), { questions: [], linked: false });
  });
});

describe('provenQuestions', () => {
  /** An answer that leads with this file's line, over a trail through these and quotes of those. */
  const answered = (leads: string, hops: string[], quoted: string[] = []): Answer => {
    const cited = [...new Set([leads, ...quoted])];
    return {
      abstained: false,
      lead: { kind: 'quotes', text: '', citations: [1] },
      citations: cited.map((path, i) => ({ number: i + 1, passageId: path, startLine: 1, endLine: 1 })),
      passages: cited.map((path) => ({ id: path, path })),
      chain: { hops: hops.map((path) => ({ passage: { path } })) },
    } as unknown as Answer;
  };
  /** Runs whose trails lead through as many files as stand behind the question; 0: a refusal over two files. */
  const trailFor = (question: string): Answer => {
    const files = Number(question.at(-1));
    const paths = Array.from({ length: files || 2 }, (_, i) => `${i}.md`);
    return { ...answered('0.md', [...paths, '0.md']), abstained: files === 0 };
  };
  const asking = (asked: string[], answerTo = trailFor) =>
    async function* (question: string): AsyncGenerator<ResearchEvent> {
      asked.push(question);
      yield { type: 'answer-end', answer: answerTo(question) } as ResearchEvent;
    };
  const about = (questions: string[]) => questions.map((question) => ({ question, paths: ['0.md', '9.md'] }));
  const proven = async (questions: string[], linked = true): Promise<{ found: string[]; asked: string[] }> => {
    const asked: string[] = [];
    const found = await provenQuestions(
      { questions: about(questions), linked },
      asking(asked),
      new AbortController().signal,
    );
    return { found, asked };
  };

  it('keeps what is answered over two files, and shows no refusal', async () => {
    assert.deepEqual((await proven(['a 0', 'b 1', 'c 2', 'd 3'])).found, ['c 2', 'd 3']);
  });

  it('is content with one file where nothing links to anything', async () => {
    assert.deepEqual((await proven(['a 0', 'b 1'], false)).found, ['b 1']);
  });

  it('shows none whose leading line stands in a file that it is not about', async () => {
    const keeps = async (answer: Answer): Promise<boolean> =>
      (
        await provenQuestions(
          { questions: about(['Which?']), linked: true },
          asking([], () => answer),
          new AbortController().signal,
        )
      ).length === 1;
    assert.equal(await keeps(answered('3.md', ['0.md', '9.md'])), false);
    assert.equal(await keeps(answered('9.md', ['0.md', '9.md'])), true);
    assert.equal(await keeps(answered('0.md', ['0.md'], ['4.md'])), true, 'what is quoted counts beside the trail');
    assert.equal(await keeps(answered('0.md', ['0.md'])), false);
    const { lead: _, ...list } = answered('0.md', ['0.md', '4.md']);
    assert.equal(await keeps(list), true, 'a list begins with what is asked about');
    assert.equal(await keeps({ ...list, citations: [] }), false);
  });

  it('stops at three, and after six runs', async () => {
    assert.deepEqual((await proven(['a 2', 'b 2', 'c 2', 'd 2'])).asked, ['a 2', 'b 2', 'c 2']);
    assert.equal((await proven(Array.from({ length: 9 }, (_, i) => `${i} 0`))).asked.length, 6);
  });

  it('runs nothing more when it is told to stop', async () => {
    const asked: string[] = [];
    const stop = new AbortController();
    const found = await provenQuestions(
      { questions: about(['a 2', 'b 2']), linked: true },
      (question) => {
        stop.abort();
        return asking(asked)(question);
      },
      stop.signal,
    );
    assert.deepEqual([found, asked], [['a 2'], ['a 2']]);
  });
});
