import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../../../scripts/vscode-host/locations.ts';
import { openEncoderSession } from '../../../../../src/search/embedding/encoder-session.ts';
import type { LaidOut, TokenPlace } from '../../../../../src/search/retrieval/encoder/input-layout.ts';
import { interpretOutput } from '../../../../../src/search/retrieval/encoder/joint-encoder.ts';

const place = (start: number, end: number, inHeader = false): TokenPlace => ({ inHeader, start, end });

/** [CLS] q [SEP] CANDIDATE h TEXT a b c [SEP] */
const laid: LaidOut = {
  ids: [101, 7, 102, 4, 8, 3, 9, 10, 11, 102],
  types: [0, 0, 0, 1, 1, 1, 1, 1, 1, 1],
  places: [
    undefined,
    undefined,
    undefined,
    undefined,
    place(0, 3, true),
    undefined,
    place(0, 2),
    place(3, 5),
    place(6, 9),
    undefined,
  ],
};

/** [tokens × 3] with what is named by token set, the rest low. */
function logits(set: Record<number, [start: number, end: number, support: number]>): Float32Array {
  return Float32Array.from(laid.ids.flatMap((_, token) => set[token] ?? [-9, -9, -2]));
}

describe('what the joint encoder says', () => {
  it('is a span, its places in the text, and how much likelier it is than none', () => {
    const passageLogits = new Float32Array([2, -1, 0.5, 3, 0, 0, 0, 0, 0]);
    const reading = interpretOutput(laid, {
      passageLogits,
      tokenLogits: logits({ 0: [1, 1, 0], 7: [4, 0, 3], 8: [0, 5, 1] }),
    });
    assert.deepEqual(reading.spans[0], { inHeader: false, start: 3, end: 9, score: 7 });
    assert.deepEqual([reading.extends, reading.complete], [2, -1]);
    assert.equal(reading.support(3, 9), 2);
    assert.equal(reading.support(20, 30), undefined);
  });

  it('never joins a header to a text, nor an end to a later start', () => {
    const { spans } = interpretOutput(laid, {
      passageLogits: new Float32Array(9),
      tokenLogits: logits({ 4: [6, 1, 0], 6: [1, 6, 0], 8: [5, 0, 0] }),
    });
    for (const span of spans) assert.ok(span.end > span.start);
    assert.ok(spans.every((span) => !span.inHeader || span.end <= 3));
    assert.ok(spans.some((span) => span.inHeader) && spans.some((span) => !span.inHeader));
  });

  it('has no overlapping spans', () => {
    const { spans } = interpretOutput(laid, {
      passageLogits: new Float32Array(9),
      tokenLogits: logits({ 6: [4, 4, 0], 7: [3, 3, 0], 8: [2, 2, 0] }),
    });
    const inText = spans.filter((span) => !span.inHeader).sort((a, b) => a.start - b.start);
    inText.slice(1).forEach((span, i) => assert.ok(span.start >= (inText[i]?.end ?? 0)));
  });
});

describe('a network of the joint encoder’s shape', () => {
  const fixture = path.join(repositoryRoot, 'test/fixtures/joint-encoder/tiny');

  it('is run by ONNX Runtime', async () => {
    const session = await openEncoderSession(fixture, 1);
    const { passageLogits, tokenLogits } = await session.run({
      ids: [101, 2000, 102, 4, 3, 2001, 102],
      types: [0, 0, 0, 1, 1, 1, 1],
    });
    await session.close();
    assert.deepEqual([passageLogits.length, tokenLogits.length], [9, 21]);
    // As NumPy works the same small network out.
    const near = (a: number | undefined, b: number): void =>
      assert.ok(Math.abs((a ?? NaN) - b) < 1e-4, `${a} is not ${b}`);
    near(tokenLogits[0], 1.59797);
    near(passageLogits[0], 0.60362);
  });

  it('is told from a model that embeds', async () => {
    const session = await openEncoderSession(path.join(repositoryRoot, 'models/Xenova/bge-small-en-v1.5'), 1);
    await assert.rejects(session.run({ ids: [101, 102], types: [0, 0] }), /not a joint encoder/);
    await session.close();
    await assert.rejects(openEncoderSession(path.join(fixture, 'nowhere'), 1), { name: 'EmbeddingModelError' });
  });
});
