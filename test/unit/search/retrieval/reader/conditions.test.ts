import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tellsWhatHappens } from '../../../../../src/search/retrieval/reader/conditions.ts';

describe('what happens under a condition', () => {
  it('is what is thrown, or written into a log', () => {
    for (const text of ['throw new TooHot()', 'log.warning("too hot")', 'log.Printf("%d", heat)', 'logger.warn("hot")'])
      assert.ok(tellsWhatHappens('statement', text, ''), text);
    for (const text of ['heat = math.log(2)', 'const heat = Math.log(all)', 'catalog.add(kiln)'])
      assert.ok(!tellsWhatHappens('statement', text, ''), text);
  });
});
