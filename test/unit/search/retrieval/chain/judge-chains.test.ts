import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beginWith, type BeamChain } from '../../../../../src/search/retrieval/chain/beam-search.ts';
import { mostCompleteFirst } from '../../../../../src/search/retrieval/chain/judge-chains.ts';
import type { EncoderInput } from '../../../../../src/search/retrieval/encoder/input-layout.ts';
import {
  type EncoderReading,
  type JointEncoder,
  rememberReadings,
} from '../../../../../src/search/retrieval/encoder/joint-encoder.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

/** Holds what it is told of chains, by their passages' texts, and notes what it was asked. */
class ToldEncoder implements JointEncoder {
  readonly asked: EncoderInput[] = [];
  readonly #complete: Readonly<Record<string, number>>;

  constructor(complete: Readonly<Record<string, number>>) {
    this.#complete = complete;
  }

  async read(input: EncoderInput, signal?: AbortSignal): Promise<EncoderReading> {
    signal?.throwIfAborted();
    this.asked.push(input);
    const read = [...(input.chain ?? []), input.candidate].map(({ text }) => text).join('>');
    return { extends: 0, complete: this.#complete[read] ?? 0, spans: [], support: () => 0 };
  }

  async close(): Promise<void> {}
}

const chainOf = (path: string, completeness: number): BeamChain => ({
  ...beginWith(path.split('>').map((name) => notePassage(name, name, name))),
  completeness,
});
const pathsOf = (chains: readonly BeamChain[]): string[] =>
  chains.map(({ passages }) => passages.map(({ text }) => text).join('>'));

describe('chains that the joint encoder has read', () => {
  const chains = [chainOf('a', 1), chainOf('a>b', 0.5), chainOf('a>b>c', -0.5), chainOf('d', -4)];

  it('are led by the one that both judges together hold most complete; the others keep their order', async () => {
    const encoder = new ToldEncoder({ a: -3, 'a>b': 4, 'a>b>c': 5, d: 50 });
    const judged = await mostCompleteFirst('Which?', chains, encoder);
    assert.deepEqual(pathsOf(judged), ['a>b', 'a', 'a>b>c', 'd'], '0.5 + 2 is more than -0.5 + 2.5');
    assert.deepEqual(encoder.asked[2], {
      question: 'Which?',
      chain: ['a', 'b'].map((name) => ({ header: `notes/${name}.md: ${name}`, text: name })),
      candidate: { header: 'notes/c.md: c', text: 'c' },
    });
    assert.equal(encoder.asked.length, 3, 'what lacks more than two logits is not read');
  });

  it('are four at most, and none where the first is far ahead', async () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => chainOf(name, 0));
    const encoder = new ToldEncoder({ f: 9, d: 2 });
    assert.equal(pathsOf(await mostCompleteFirst('Which?', many, encoder))[0], 'd');
    assert.equal(encoder.asked.length, 4);
    const clear = new ToldEncoder({});
    const decided = [chainOf('a', 3), chainOf('b', 0)];
    assert.deepEqual(await mostCompleteFirst('Which?', decided, clear), decided);
    assert.deepEqual(await mostCompleteFirst('Which?', [], clear), []);
    assert.equal(clear.asked.length, 0);
  });

  it('are no less complete than what they take the place of', async () => {
    const judged = await mostCompleteFirst('Which?', chains, new ToldEncoder({ a: -9, 'a>b>c': 9 }));
    assert.deepEqual(
      judged.map(({ completeness }) => completeness),
      [1, 1, 0.5, -4],
    );
    assert.deepEqual(pathsOf(judged), ['a>b>c', 'a', 'a>b', 'd']);
  });

  it('of one passage are asked for as that passage is elsewhere, so that it is read once', async () => {
    const encoder = new ToldEncoder({});
    const remembering = rememberReadings(encoder);
    const candidate = { header: 'notes/a.md: a', text: 'a' };
    await remembering.read({ question: 'Which?', candidate });
    await mostCompleteFirst('Which?', chains, remembering);
    assert.deepEqual(
      encoder.asked.map(({ chain = [] }) => chain.length),
      [0, 1, 2],
    );
  });

  it('are not read with more than six passages: nothing would be left of them', async () => {
    const long = chainOf('a>b>c>d>e>f>g', 1);
    const encoder = new ToldEncoder({ h: 50 });
    assert.deepEqual(await mostCompleteFirst('Which?', [long, chainOf('h', 0), chainOf('i', 0)], encoder), [
      long,
      chainOf('h', 0),
      chainOf('i', 0),
    ]);
    assert.equal(encoder.asked.length, 0);
  });

  it('stop with the signal', async () => {
    const asked = mostCompleteFirst('Which?', chains, new ToldEncoder({}), AbortSignal.abort());
    await assert.rejects(asked, { name: 'AbortError' });
  });
});
