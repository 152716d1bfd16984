import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { FeatureChainScorer } from '../../../../../src/search/retrieval/feature-chain-scorer.ts';
import { headsFor, HeadsInUse, shippedHeads } from '../../../../../src/search/retrieval/heads/heads-in-use.ts';
import { temporaryFolder } from '../../../../doubles/temporary-folder.ts';

describe('heads in use', () => {
  const folder = temporaryFolder();
  const shipped = shippedHeads('models');
  const own = { ...shipped, embedder: 'multilingual', trainedOn: { own: true } };
  const file = path.join(folder, 'chain-scorer.json');
  const choice = { kind: 'folder', path: folder } as const;

  it('are those in the folder of the embedder, else those that ship', () => {
    assert.deepEqual(headsFor(choice, shipped), shipped);
    writeFileSync(file, JSON.stringify(own));
    assert.deepEqual(headsFor(choice, shipped), own);
    assert.deepEqual(headsFor({ kind: 'bundled' }, shipped), shipped);
    writeFileSync(file, '{}');
    assert.throws(
      () => headsFor(choice, shipped),
      (error: Error) => error.message.includes(file),
    );
  });

  it('are those of the embedder that was opened last', () => {
    const scorer = new FeatureChainScorer(shipped);
    const used: unknown[] = [];
    scorer.use = (weights) => used.push(weights);
    const heads = new HeadsInUse(shipped, scorer);
    heads.startWith(own);
    heads.startWith(shipped);
    assert.deepEqual(used, [shipped, own, shipped]);
  });
});
