import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, it } from 'mocha';
import { SerialQueue } from '#base';
import { EmbeddingRun } from '../../../../src/search/indexer/embedding-run.ts';
import { PauseGate } from '../../../../src/search/indexer/pace.ts';
import type { PassageTable } from '../../../../src/search/store/passage-table.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('passages that wait for vectors', () => {
  it('are held by their ids alone: their texts are in the table', async () => {
    const run = new EmbeddingRun({
      passages: {} as PassageTable, // asked only once vectors are made
      embedder: new HashEmbedder(),
      writes: new SerialQueue(),
      gate: new PauseGate(),
      now: () => 0,
      onProgress: () => undefined,
    });
    const add = (id: string, urgent: boolean): WeakRef<object> => {
      const row = { id, uri: 'file:///a', contentHash: `content of ${id}`, text: 'x'.repeat(10_000), references: [] };
      run.add([row], urgent);
      return new WeakRef(row);
    };
    const rows = [add('waits', false), add('edited', true)];
    await nextTurn(); // a weak reference holds until the turn ends
    collectGarbage();
    assert.deepEqual(
      rows.map((row) => row.deref()),
      [undefined, undefined],
    );
    assert.equal(run.pending, 2);
  });

  it('are read many at once, what somebody waits for alone, and never twice', async () => {
    const reads: string[][] = [];
    const written: string[] = [];
    const embedder = new HashEmbedder();
    const run: EmbeddingRun = new EmbeddingRun({
      passages: {
        rowsByIds: async (ids: readonly string[]) => {
          reads.push([...ids]);
          if (reads.length === 1) run.add([{ id: 'edited', contentHash: 'edited', uri: 'file:///e' }], true);
          return ids
            .filter((id) => id !== 'p7') // is gone
            .map((id) => ({
              id,
              path: `${id}.md`,
              title: '',
              text: `Of ${id}.`,
              language: 'markdown',
              contentHash: id,
            }));
        },
        setVectors: async (entries: readonly { id: string }[]) => void written.push(...entries.map(({ id }) => id)),
      } as unknown as PassageTable,
      embedder,
      writes: new SerialQueue(),
      gate: new PauseGate(),
      now: () => 0,
      onProgress: () => undefined,
    });
    const ids = Array.from({ length: 400 }, (_, i) => `p${i}`);
    run.add(ids.map((id) => ({ id, contentHash: id, uri: `file:///${id}` })));
    await run.drain();
    const wanted = [...ids.filter((id) => id !== 'p7'), 'edited'];
    assert.deepEqual(written.toSorted(), wanted.toSorted());
    assert.equal(run.pending, 0);
    assert.ok(reads.length <= 4, `${reads.length} reads of ${reads.map(({ length }) => length).join(', ')}`);
    assert.equal(embedder.embedded.length, wanted.length);
  });

  it('come from all files in turn: a large text does not hold up the others', async () => {
    const embedder = new HashEmbedder();
    const run = new EmbeddingRun({
      passages: {
        rowsByIds: async (ids: readonly string[]) =>
          ids.map((id) => ({ id, path: id, title: '', text: `Of ${id}.`, language: 'markdown', contentHash: id })),
        setVectors: async () => undefined,
      } as unknown as PassageTable,
      embedder,
      writes: new SerialQueue(),
      gate: new PauseGate(),
      now: () => 0,
      onProgress: () => undefined,
    });
    const of = (file: string, count: number): Parameters<EmbeddingRun['add']>[0] =>
      Array.from({ length: count }, (_, i) => ({
        id: `${file}${i}`,
        contentHash: `${file}${i}`,
        uri: `file:///${file}`,
      }));
    run.add(of('huge', 1_000));
    run.add(of('small', 3));
    await run.drain();
    const last = embedder.embedded.findLastIndex((text) => text.includes('small'));
    assert.ok(last < 2 * 64, `the small file had to wait for ${last} texts`);
    assert.equal(embedder.embedded.length, 1_003);
  });
});
