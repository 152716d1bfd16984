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
          startLine: 1,
          text: 'In the trial a terminal cost 31 marks each month, and no warden heard the huts in snow.',
          links: links.map((link) => ({ line: 1, ...link })),
        } as unknown as Passage,
      ],
    });
  const trial = { target: '0007-satellite-trial.md', path: 'misc/0007-satellite-trial.md' };

  it('calls files what they call themselves', async () => {
    const { questions, linked } = await suggested([{ kind: 'markdown', ...trial }]);
    assert.deepEqual(
      [questions.map(({ question, path }) => [question, path]), linked],
      [[['What does “Radio, not satellite” say about “Satellite trial, autumn 2023”?', 'radio.md']], true],
    );
    const asked = async (kind: 'wikilink' | 'import', other?: string, target?: string): Promise<string[]> =>
      (await suggested([{ kind, ...trial, ...(target !== undefined && { target }) }], other)).questions.map(
        ({ question }) => question,
      );
    assert.deepEqual(await asked('wikilink', ''), ['What does “Radio, not satellite” say about “satellite trial”?']);
    assert.deepEqual(await asked('wikilink', 'Halden Cells'), [
      'What does “Radio, not satellite” say about Halden Cells?',
    ]);
    assert.deepEqual(await asked('import', '', './trial.ts#costs'), [
      'What does radio.md use 0007-satellite-trial.md for?',
    ]);
    assert.deepEqual(await asked('import'), [], 'nothing is taken from it');
  });

  it('reads no file twice', async () => {
    const files = ['a', 'b', 'c', 'd'].flatMap((name) => [
      { path: `${name}.md`, language: 'markdown', passages: 1 },
      { path: `${name}.ts`, language: 'typescript', passages: 1 },
    ]);
    const read: string[] = [];
    await suggestQuestions({
      report: async () => ({ files, skipped: [], fallbacks: [] }),
      passagesOf: async (path) => (read.push(path), []),
    });
    assert.deepEqual(read.sort(), files.map(({ path }) => path).sort());
  });

  it('asks about a link whose line says something', async () => {
    const from = async (line: number): Promise<number> =>
      (await suggested([{ kind: 'markdown', ...trial, line }])).questions.length;
    assert.deepEqual([await from(1), await from(2)], [1, 0]);
  });

  /** The questions about one note of this text. */
  const about = async (title: string, text: string) =>
    (
      await suggestQuestions({
        report: async () => ({
          files: [{ path: 'pad.md', language: 'markdown', passages: 1 }],
          skipped: [],
          fallbacks: [],
        }),
        passagesOf: async () => [
          { path: 'pad.md', title, kind: 'section', startLine: 10, text, links: [] } as unknown as Passage,
        ],
      })
    ).questions;
  const tablets = 'Rugged tablets, one for each hut and one in a drawer. '.repeat(4);

  it('asks about one part of a passage as a person does', async () => {
    const asked = async (title: string): Promise<string[]> =>
      (await about(title, tablets)).map(({ question }) => question);
    assert.deepEqual(await asked('Wardenpad > Device, What wardens asked for, …'), [
      'What does Wardenpad say about the device?',
    ]);
    assert.deepEqual(await asked('Wardenpad > Costs'), ['What does Wardenpad say about costs?']);
    assert.deepEqual(await asked('The pad > Mast Power'), ['What does “The pad” say about Mast Power?']);
    assert.deepEqual(await asked('The pad > Good to know'), ['What does “The pad” say about “Good to know”?']);
    assert.deepEqual(await asked('The pad > Why two programs'), [], 'that is no thing');
  });

  it('takes for an answer a line of that part, or one that names it', async () => {
    const [asked] = await about('Pad', `# Pad\n\n## Device\n\n${tablets}\n\n## Costs\n\nThey were cheap.`);
    assert.equal(asked?.question, 'What does Pad say about the device?');
    assert.equal(asked.says?.('Rugged tablets, one for each hut.', 14), true);
    assert.equal(asked.says('They were cheap.', 18), false);
    assert.equal(asked.says('A device is cheap.', 18), true);
  });

  it('takes for an answer a line with a word of what is asked about, beside the name of what is asked', async () => {
    const says = async (text: string, other?: string) =>
      (await suggested([{ kind: 'wikilink', ...trial }], other)).questions[0]?.says?.(text, 1);
    assert.equal(await says('The trial was dear.'), true);
    assert.equal(await says('A satellite costs more.'), false, 'it is in both names');
    assert.equal(await says('no sound, ever'), false);
    assert.equal(await says('see [[0007-satellite-trial]]', 'Sky'), true, 'a link to it is one');
    const taken = (await suggested([{ kind: 'import', ...trial, target: './trial.ts#costs' }])).questions[0];
    assert.deepEqual([taken?.says?.('return costs(3)', 1), taken?.says?.('const allcosts = 3', 1)], [true, false]);
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
      passages: cited.map((path) => ({ id: path, path, startLine: 1, text: `The line of ${path}` })),
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
  const about = (questions: string[], says: (text: string) => boolean = () => true) =>
    questions.map((question) => ({ question, path: '0.md', says }));
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

  it('shows none whose leading line stands in another file, or says nothing of what is asked', async () => {
    const keeps = async (
      answer: Answer,
      questions: Parameters<typeof provenQuestions>[0]['questions'] = about(['?']),
    ) =>
      (
        await provenQuestions(
          { questions, linked: true },
          asking([], () => answer),
          new AbortController().signal,
        )
      ).length === 1;
    assert.equal(await keeps(answered('3.md', ['0.md', '9.md'])), false);
    assert.equal(await keeps(answered('0.md', ['0.md', '9.md'])), true);
    assert.equal(await keeps(answered('0.md', ['0.md'], ['4.md'])), true, 'what is quoted counts beside the trail');
    assert.equal(await keeps(answered('0.md', ['0.md'])), false);
    const of = (word: string) => about(['?'], (text) => text.includes(word));
    assert.equal(await keeps(answered('0.md', ['0.md', '9.md']), of('line of 0')), true);
    assert.equal(await keeps(answered('0.md', ['0.md', '9.md']), of('trial')), false);
    const calls = [{ question: 'What calls it?', path: '0.md' }];
    const { lead: _, ...list } = answered('0.md', ['0.md', '4.md'], ['4.md']);
    assert.equal(await keeps({ ...list, list: { definitions: 1, gaps: [] } }, calls), true);
    assert.equal(await keeps({ ...list, list: { definitions: 2, gaps: [] } }, calls), false, 'nothing calls it');
    assert.equal(await keeps(list, calls), false, 'it is no list');
    assert.equal(await keeps({ ...list, citations: [] }, calls), false);
  });

  it('stops at three, and after nine runs', async () => {
    assert.deepEqual((await proven(['a 2', 'b 2', 'c 2', 'd 2'])).asked, ['a 2', 'b 2', 'c 2']);
    assert.equal((await proven(Array.from({ length: 12 }, (_, i) => `${i} 0`))).asked.length, 9);
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
