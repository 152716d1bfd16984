import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bestReadFirst } from '../../../../../src/search/retrieval/chain/find-chains.ts';
import { candidateOf, type EncoderInput } from '../../../../../src/search/retrieval/encoder/input-layout.ts';
import {
  type EncoderReading,
  forOneStage,
  type JointEncoder,
  rememberReadings,
} from '../../../../../src/search/retrieval/encoder/joint-encoder.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

/** Takes a passage to lead on by the number that stands in it, and notes what it was asked. */
class CountingEncoder implements JointEncoder {
  readonly asked: EncoderInput[] = [];
  failing = false;

  async read(input: EncoderInput, signal?: AbortSignal): Promise<EncoderReading> {
    signal?.throwIfAborted();
    this.asked.push(input);
    if (this.failing) throw new Error('no network');
    return {
      extends: Number(/\d+/.exec(input.candidate.text)?.[0]),
      complete: 0,
      spans: [],
      support: () => 0,
    };
  }

  async close(): Promise<void> {}
}

const hitsOf = (numbers: readonly number[]): { passage: ReturnType<typeof notePassage> }[] =>
  numbers.map((number, i) => ({ passage: notePassage(`p${i}`, `Note ${i}`, `Says ${number}.`) }));

const textsOf = (hits: readonly { passage: { text: string } }[]): string[] => hits.map(({ passage }) => passage.text);

describe('hits that the joint encoder has read', () => {
  it('stand in the order in which they lead on, behind those of the chain', async () => {
    const encoder = new CountingEncoder();
    const ordered = await bestReadFirst('Which?', hitsOf([1, 0, 5, 2, 9]), 2, encoder);
    assert.deepEqual(textsOf(ordered), ['Says 1.', 'Says 0.', 'Says 9.', 'Says 5.', 'Says 2.']);
    assert.deepEqual(encoder.asked[0], {
      question: 'Which?',
      candidate: { header: 'notes/p2.md: Note 2', text: 'Says 5.' },
    });
  });

  it('are ten at most; the others keep their places behind', async () => {
    const many = hitsOf(Array.from({ length: 14 }, (_, i) => i));
    const all = new CountingEncoder();
    const ordered = await bestReadFirst('Which?', many, 1, all);
    assert.equal(all.asked.length, 10);
    assert.deepEqual(textsOf(ordered.slice(0, 3)), ['Says 0.', 'Says 10.', 'Says 9.']);
    assert.deepEqual(textsOf(ordered.slice(-3)), ['Says 11.', 'Says 12.', 'Says 13.']);
  });

  it('stop with the signal', async () => {
    const aborted = AbortSignal.abort();
    await assert.rejects(bestReadFirst('?', hitsOf([1, 2]), 0, new CountingEncoder(), aborted), {
      name: 'AbortError',
    });
  });
});

describe('a stage that takes far too long', () => {
  it('fails as a whole, so that its order is not half of each', async () => {
    let clock = 0;
    const slow = forOneStage(new CountingEncoder(), () => (clock += 5_000));
    await assert.rejects(bestReadFirst('Which?', hitsOf([1, 2, 3, 4, 5]), 0, slow), { code: 'encoder-too-slow' });
  });
});

describe('an encoder that remembers', () => {
  const inputOf = (number: number): EncoderInput => ({
    question: 'Which?',
    candidate: candidateOf(notePassage(`p${number}`, 'Note', `Says ${number}.`)),
  });

  it('reads nothing twice, until much else was read', async () => {
    const inner = new CountingEncoder();
    const encoder = rememberReadings(inner);
    assert.equal((await encoder.read(inputOf(1))).extends, 1);
    assert.equal((await encoder.read(inputOf(1))).extends, 1);
    assert.equal(inner.asked.length, 1);
    for (let i = 2; i <= 97; i++) await encoder.read(inputOf(i));
    await encoder.read(inputOf(97));
    assert.equal(inner.asked.length, 97);
    await encoder.read(inputOf(1));
    assert.equal(inner.asked.length, 98);
  });

  it('forgets what failed', async () => {
    const inner = new CountingEncoder();
    const encoder = rememberReadings(inner);
    inner.failing = true;
    await assert.rejects(encoder.read(inputOf(1)), /no network/);
    inner.failing = false;
    assert.equal((await encoder.read(inputOf(1))).extends, 1);
  });
});
