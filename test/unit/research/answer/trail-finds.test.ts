import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { trailFinds } from '../../../../src/research/answer/extractive-answer.ts';
import { hop, supplierChain } from '../../../doubles/panel-runs.ts';

describe('what each hop found', () => {
  const { hops } = supplierChain;

  it('is the name by which the trail goes on; a path is named by what it leads to', () => {
    assert.deepEqual(trailFinds(hops, undefined), ['Mast Power', 'Halden Cells', 'Hamish Adeyemi', null]);
  });

  it('is the sure answer at the hop that holds it, and no verdict', () => {
    const quote = hops[3];
    assert.deepEqual(trailFinds(hops, { short: '461', quote }).slice(2), ['Hamish Adeyemi', '461']);
    assert.equal(trailFinds(hops, { short: 'yes', quote })[3], null);
  });

  it('is nothing where only meaning led on, and all names where several did', () => {
    const [first, second] = supplierChain.hops.map(({ passage }) => passage);
    assert.ok(first && second);
    const by = (kind: 'meaning' | 'term', term: string) =>
      hop(second, { kind, text: '', terms: [term], from: 0 }, first);
    const start = hop(first, { kind: 'question', text: '', terms: [] });
    assert.deepEqual(trailFinds([start, by('meaning', 'cold')], undefined), [null, null]);
    assert.deepEqual(trailFinds([start, by('term', 'Halden'), by('term', 'Mast'), by('term', 'Mast')], undefined), [
      'Halden, Mast',
      null,
      null,
      null,
    ]);
  });
});
