import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { CachingEmbedder } from '../../../../lab/heads/caching-embedder.ts';
import { searchesFile } from '../../../../lab/heads/folder-sets.ts';
import type { JointEncoder } from '../../../../src/search/retrieval/encoder/joint-encoder.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { MemoryPassageIndex } from '../../../../lab/heads/memory-passage-index.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('vectors that training keeps', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('are made once, those behind a record that was cut off, too', async () => {
    const file = join(folder, 'vectors.bin');
    const texts = ['rope', 'huts', 'bunks'];
    const inner = new HashEmbedder();
    const made = await inner.embedPassages(texts);
    await new CachingEmbedder(inner, file).embedPassages(['rope']);
    appendFileSync(file, Buffer.alloc(21, 7));
    await new CachingEmbedder(inner, file).embedPassages(texts);
    const again = new CachingEmbedder(inner, file);
    assert.deepEqual(await again.embedPassages(texts), made);
    assert.equal(again.inferences, 0);
  });

  it('are asked for as those of the embedder itself', () => {
    const inner = Object.assign(new HashEmbedder(), { language: 'en' as const, moveQuestion: (v: Float32Array) => v });
    const cached = new CachingEmbedder(inner, join(folder, 'vectors.bin'));
    for (const name of ['id', 'dimensions', 'maxTokens', 'language', 'moveQuestion'] as const)
      assert.equal(cached[name], inner[name], name);
  });
});

const UNASKED: JointEncoder = {
  read: () => Promise.reject(new Error('nobody asks it')),
  close: async () => {},
};

describe('searches that training keeps', () => {
  let models = '';
  beforeEach(() => {
    models = temporaryFolder();
  });

  it('are those of the same heads, map of questions, embedder, joint encoder and passages', async () => {
    const index = (many: number): MemoryPassageIndex =>
      new MemoryPassageIndex(Array.from({ length: many }, (_, i) => notePassage(`p${i}`, 'Huts', 'Huts have bunks.')));
    const keptFor = (embedder = new HashEmbedder(), many = 3, network?: string): Promise<string> =>
      searchesFile(
        'huts',
        { embedder, models, cache: 'cache', ...(network !== undefined && { encoder: { network, joint: UNASKED } }) },
        index(many),
      );
    const moving = Object.assign(new HashEmbedder(), { moveQuestion: (v: Float32Array) => v.map((each) => -each) });
    writeFileSync(join(models, 'chain-scorer.json'), '{"prose":1}');
    const first = await keptFor();
    assert.equal(await keptFor(), first);
    const others = [await keptFor(new HashEmbedder('hash/2')), await keptFor(moving), await keptFor(undefined, 4)];
    for (const network of ['one', 'two']) others.push(await keptFor(undefined, 3, network));
    writeFileSync(join(models, 'chain-scorer.json'), '{"prose":2}');
    assert.equal(new Set([first, ...others, await keptFor()]).size, 7);
  });
});
