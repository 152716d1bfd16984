import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { IndexedPassage } from '../../../../src/search/store/passage-index.ts';
import { compareRows } from '../../../../src/search/indexer/passage-writer.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';

const row = (id: string, changes: Partial<Passage> = {}): IndexedPassage =>
  notePassage(id, '', `text of ${id}`, { path: 'a.ts', kind: 'code', language: 'typescript', ...changes });

describe('compareRows', () => {
  it('leaves rows alone that stay as they are, with a vector or without', () => {
    const before = [row('a'), { ...row('b'), vector: new Float32Array([1]) }, row('c')];
    const changes = compareRows(before, [row('b'), row('a'), row('new')]);
    assert.deepEqual(changes, { written: [row('new')], gone: ['c'], goneFiles: [] });
  });

  it('writes a row anew when anything of it differs', () => {
    const link = { kind: 'call', target: 'put', line: 1 } as const;
    const old = row('a', { links: [link] });
    for (const changes of [
      { path: 'b.ts' },
      { endLine: 3 },
      { kind: 'function' },
      { language: 'javascript' },
      { page: 2 },
      { links: [] },
      { references: 'x:{}' },
      { links: [{ ...link, path: 'store.ts' }] },
      { links: [{ ...link, via: './store.ts#put' }] },
    ] as const) {
      const now = row('a', { links: [link], ...(changes as Partial<Passage>) });
      assert.deepEqual(compareRows([old], [now]).written, [now], JSON.stringify(changes));
    }
  });

  it('replaces whole files where very many rows go', () => {
    const before = Array.from({ length: 501 }, (_, i) => row(`p${i}`, { uri: `file:///w/${i % 2}.ts` }));
    assert.deepEqual(compareRows(before, [row('new')]), {
      written: [row('new')],
      gone: [],
      goneFiles: ['file:///w/0.ts', 'file:///w/1.ts'],
    });
    const staying = row('p500', { uri: 'file:///w/0.ts' });
    assert.deepEqual(compareRows([...before, row('p501')], [staying, row('p501')]).written, []);
  });
});
