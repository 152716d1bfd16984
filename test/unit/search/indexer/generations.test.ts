import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Generations, type GenerationsOptions } from '../../../../src/search/indexer/generations.ts';
import { generationPrefix } from '../../../../src/search/store/index-layout.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

describe('an earlier generation that cannot be removed', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  beforeEach(async () => {
    harness = await IndexHarness.create({ 'a.md': '# A\n\nA harbour.\n' });
  });
  afterEach(() => harness.close());

  it('stays, and keeps no window from opening the one that answers', async () => {
    const service = await harness.updated();
    await service.close();
    const embedder = new HashEmbedder();
    const logged: string[] = [];
    const generations = new Generations({
      config: harness.config(),
      embedder,
      ports: { log: (level: string, message: string) => logged.push(`${level} ${message}`) },
    } as unknown as GenerationsOptions);
    const { layout } = generations;
    const [current, left] = [`${generationPrefix(embedder.id)}1`, `${generationPrefix(embedder.id)}2`];
    (await layout.open(left, { following: false })).connection.close();
    layout.remove = () => Promise.reject(new Error('EBUSY: resource busy or locked'));
    assert.deepEqual(await generations.choose(), { writing: current, answering: undefined, leftovers: [left] });
    assert.equal(await layout.current(), current);
    assert.deepEqual(logged, [
      `warn the earlier generation ${left} stays for now: Error: EBUSY: resource busy or locked`,
    ]);
  });
});
