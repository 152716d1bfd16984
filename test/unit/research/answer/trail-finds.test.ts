import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answeredFinds, leadingFinds, trailFinds } from '../../../../src/research/answer/trail.ts';
import type { Quote } from '../../../../src/research/answer/quote.ts';
import { hop, supplierChain } from '../../../doubles/panel-runs.ts';

describe('what each hop found', () => {
  const { hops } = supplierChain;

  it('is the name by which the trail goes on; a path is named by what it leads to', () => {
    assert.deepEqual(trailFinds(hops, []), ['Mast Power', 'Halden Cells', 'Hamish Adeyemi', null]);
  });

  it('is the sure answer at the hop that holds it, and no verdict', () => {
    const passageId = hops[3]?.passage.id;
    assert.deepEqual(trailFinds(hops, [{ short: '461', passageId }]).slice(2), ['Hamish Adeyemi', '461']);
    assert.equal(trailFinds(hops, [{ short: 'yes', passageId }])[3], null);
  });

  it('is what a model answered, at the passage that says it, of those that it rests on', () => {
    const [, second, , last] = hops.map(({ passage }) => passage);
    assert.ok(second && last);
    const answers = [
      ...answeredFinds('**Tove**', [second]),
      ...answeredFinds('461', [second, last]),
      ...answeredFinds(' ', [last]),
    ];
    assert.deepEqual(trailFinds(hops, answers), ['Mast Power', 'Halden Cells, Tove', 'Hamish Adeyemi', '461']);
    for (const polar of ['Yes', 'No.'])
      assert.equal(trailFinds(hops, answeredFinds(polar, [last]))[3], null, `${polar} tells nothing at its hop`);
  });

  it('is the beginning of the unit that leads, at the hop that holds it, where no answer is sure', () => {
    const [passage, other] = [hops[3]?.passage, hops[0]?.passage];
    assert.ok(passage && other);
    const quote = (text: string, leads = true): Quote => ({
      passage,
      text,
      start: 0,
      end: text.length,
      score: 1,
      ...(leads && { leads: true as const }),
    });
    const found = (...quotes: Quote[]) => trailFinds(hops, leadingFinds(quotes));
    assert.deepEqual(found(quote('**Extension:** 461')), [
      'Mast Power',
      'Halden Cells',
      'Hamish Adeyemi',
      'Extension: 461',
    ]);
    assert.equal(found(quote(`It is ${'very '.repeat(20)}cold.`))[3]?.length, 60);
    assert.equal(found(quote('Beside it.', false))[3], null);
    assert.equal(found({ ...quote('Relay.'), passage: other })[0], 'Mast Power, Relay.');
  });

  it('is a name with dots as it stands, where no file is called so', () => {
    const [first, second] = hops.map(({ passage }) => passage);
    assert.ok(first && second);
    const start = hop(first, { kind: 'question', text: '', terms: [] });
    const by = (term: string) => hop(second, { kind: 'term', text: '', terms: [term], from: 0 }, first);
    assert.equal(trailFinds([start, by('Store.merge')], [])[0], 'Store.merge');
    const file = second.path.split('/').at(-1) ?? '';
    assert.notEqual(trailFinds([start, by(file)], [])[0], file);
  });

  it('is nothing where only meaning led on, and all names where several did', () => {
    const [first, second] = supplierChain.hops.map(({ passage }) => passage);
    assert.ok(first && second);
    const by = (kind: 'meaning' | 'term', term: string) =>
      hop(second, { kind, text: '', terms: [term], from: 0 }, first);
    const start = hop(first, { kind: 'question', text: '', terms: [] });
    assert.deepEqual(trailFinds([start, by('meaning', 'cold')], []), [null, null]);
    assert.deepEqual(trailFinds([start, by('term', 'Halden'), by('term', 'Mast'), by('term', 'Mast')], []), [
      'Halden, Mast',
      null,
      null,
      null,
    ]);
  });
});
