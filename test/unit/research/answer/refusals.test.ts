import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  abstainedAnswer,
  refusalOf,
  type Abstention,
  speaksOf,
} from '../../../../src/research/answer/abstained-answer.ts';
import { bestUnit } from '../../../../src/research/answer/select-quotes.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { SearchHit } from '../../../../src/search/domain/passage-chain.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const hit = (passage: Passage, cosine?: number): SearchHit => ({
  passage,
  score: 1,
  folded: [],
  parts: cosine === undefined ? {} : { vector: { rank: 1, score: cosine } },
});
const mast = notePassage('mast', 'Systems > Mast Power', 'The pack froze.\nIts warranty is 36 months.');
const rope = notePassage('rope', 'Suppliers > Rope', 'Rope is bought in Tallinn.');
const whole = { files: 2, passages: 2, embedded: 2, indexing: false };

describe('whether the files speak of what is asked', () => {
  const moon = 'Which moon of Jupiter did Galileo photograph?';

  it('they do not where the nearest passage is far and has nothing of the question', () => {
    assert.equal(speaksOf(moon, [hit(mast, 0.42), hit(rope, 0.4)]), false);
    assert.equal(speaksOf(moon, []), false);
    assert.equal(speaksOf('', []), false);
  });

  it('they do where a passage is near in meaning', () => {
    assert.equal(speaksOf(moon, [hit(rope, 0.4), hit(mast, 0.61)]), true);
  });

  it('they do where a passage names what the question names, in its text, title or path', () => {
    assert.equal(speaksOf('Which bird sits on the Mast Power cabinet?', [hit(mast, 0.4)]), true);
    const named = notePassage('galileo', 'Log', 'Nothing.', { path: 'probes/galileo.md' });
    assert.equal(speaksOf(moon, [hit(named, 0.4)]), true);
  });

  it('they do where a passage has a word of the question as a part of its own', () => {
    const table = notePassage('services', 'Services', '| service | owner |\n|---|---|\n| portal | Dan |');
    assert.equal(speaksOf('Who owns the portal?', [hit(table, 0.4)]), true);
    assert.equal(speaksOf('Who owns the quay?', [hit(table, 0.4)]), false);
  });

  it('they do where a passage has half of the words', () => {
    assert.equal(speaksOf('how long is the warranty in months', [hit(mast, 0.4)]), true);
    assert.equal(speaksOf('how is the warranty of a bicycle from Norway handled', [hit(mast, 0.4)]), false);
  });

  it('words decide alone while nothing has a vector yet', () => {
    assert.equal(speaksOf(moon, [hit(mast)]), false);
    assert.equal(speaksOf('warranty months', [hit(mast)]), true);
  });
});

describe('a refusal', () => {
  it('says that no file speaks of it only where all were looked at', () => {
    assert.deepEqual(refusalOf(false, whole, undefined), { refusal: 'nothing-speaks' });
    assert.deepEqual(refusalOf(true, whole, undefined), { refusal: 'no-line-answers' });
    assert.deepEqual(refusalOf(false, whole, { paths: ['incidents/'] }), {
      refusal: 'part-looked-at',
      reason: 'Only incidents/ was looked at.',
    });
    assert.equal(refusalOf(true, whole, { paths: ['a.md', 'b.md'] }).reason, 'Only 2 files or folders were looked at.');
    assert.equal(
      refusalOf(false, { files: 40, passages: 200, embedded: 8, indexing: true }, undefined).reason,
      'Files read so far: 40, 4 % of them indexed by meaning.',
    );
    assert.equal(
      refusalOf(false, { files: 1, passages: 9, embedded: 9, indexing: true }, undefined).reason,
      'The index is still being built; files read so far: 1.',
    );
    assert.equal(
      refusalOf(false, { files: 0, passages: 0, embedded: 0, indexing: true }, { paths: ['docs/'] }).reason,
      'Only docs/ was looked at. No file has been read yet.',
    );
  });

  it('is not about the whole when only its passages are named, as an evaluation does', () => {
    assert.equal(refusalOf(false, whole, { ids: ['a'] }).refusal, 'nothing-speaks');
  });

  it('names what no file has, where all were looked at', () => {
    assert.deepEqual(refusalOf(true, whole, undefined, ['CSRF']), { refusal: 'nothing-speaks', absent: ['CSRF'] });
    assert.deepEqual(refusalOf(true, whole, { paths: ['incidents/'] }, ['CSRF', 'Fly']), {
      refusal: 'part-looked-at',
      reason: 'Only incidents/ was looked at. Nothing there speaks of CSRF or Fly.',
      absent: ['CSRF', 'Fly'],
    });
    assert.match(
      refused({ refusal: 'nothing-speaks', absent: ['CSRF', 'Fly', 'Narvik'] }).text,
      /^No file speaks of CSRF, Fly or Narvik\.\n\nThe nearest passages:/,
    );
  });

  const best = bestUnit(
    'How long is the warranty of the beacon?',
    {
      answerability: 0.2,
      sentences: [{ passageId: 'mast', start: 16, end: 42, text: 'Its warranty is 36 months.', score: 0.3 }],
    },
    [mast, rope],
  );
  const refused = (rest: Partial<Abstention>) =>
    abstainedAnswer({
      refusal: 'no-line-answers',
      nearest: [mast, rope],
      best,
      chain: { hops: [], score: 0, completeness: 0 },
      coverage: whole,
      subAnswers: [],
      by: 'extractive',
      ...rest,
    });

  it('shows the line that comes nearest, with its place, and then the others', () => {
    const { text, lead, citations, short, abstainReason } = refused({});
    assert.equal(
      text,
      'These files speak of it; no line was found that answers.\n\n> Its warranty is 36 months. [1]\n\nNear it:\n\n- Suppliers > Rope [2]',
    );
    assert.deepEqual(lead, { kind: 'quotes', text: '> Its warranty is 36 months. [1]', citations: [1] });
    assert.deepEqual(
      citations.map(({ number, passageId, startLine }) => [number, passageId, startLine]),
      [
        [1, 'mast', 2],
        [2, 'rope', 1],
      ],
    );
    assert.equal(short, '');
    assert.equal(abstainReason, undefined);
  });

  it('shows no data that have no word of the question, though they were thought nearest', () => {
    const data = { kind: 'block', language: 'plaintext', path: '.baseline' } as const;
    const lock = notePassage('lock', '', '{ "plugins": [{ "name": "Base64" }] }', data);
    const unit = (passage: Passage, score: number) => ({
      passageId: passage.id,
      start: 0,
      end: 9,
      text: passage.text,
      score,
    });
    const reading = {
      answerability: 0.2,
      sentences: [unit(lock, 0.4), unit(mast, 0.3)],
    } as const;
    const nearest = (question: string) =>
      bestUnit(question, { ...reading, sentences: [...reading.sentences] }, [lock, mast]);
    assert.equal(nearest('Which disk do we encrypt?')?.passage.id, 'mast');
    assert.equal(nearest('Which plugins do we use?')?.passage.id, 'lock');
    assert.equal(bestUnit('Which disk?', { ...reading, sentences: [unit(lock, 0.4)] }, [lock]), undefined);
    const comment = notePassage('clear', 'clear', '# The cache is cleared at midnight.', {
      language: 'python',
      kind: 'code',
    });
    const remark = { ...reading, sentences: [unit(comment, 0.9), unit(mast, 0.1)] };
    assert.equal(
      bestUnit('When is it cleared?', remark, [comment, mast])?.passage.id,
      'clear',
      'a remark is no heading',
    );
  });

  it('shows no line where no file speaks of it', () => {
    const { text, lead } = refused({ refusal: 'nothing-speaks' });
    assert.match(text, /^No file speaks of this\.\n\nThe nearest passages:\n\n- Systems > Mast Power \[1\]/);
    assert.equal(lead, undefined);
    assert.equal(refused({ refusal: 'nothing-speaks', nearest: [], best: undefined }).text, 'No file speaks of this.');
  });

  it('never says workspace of a part', () => {
    const { text } = refused(refusalOf(true, whole, { paths: ['incidents/'] }));
    assert.match(
      text,
      /^Only part was looked at, and no answer was found there\. Only incidents\/ was looked at\.\n\n> /,
    );
    assert.doesNotMatch(text, /workspace/i);
  });
});
