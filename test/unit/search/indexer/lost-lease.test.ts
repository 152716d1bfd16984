import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openStore } from '../../../../src/search/store/index-store.ts';
import { NotTheWriterError } from '../../../../src/search/store/storage-errors.ts';
import type { IndexServiceDependencies } from '../../../../src/search/indexer/create-index-service.ts';
import { LeasedWrites } from '../../../../src/search/indexer/leased-writes.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';
import { settled } from '../../../doubles/waiting.ts';

/** A clock whose callbacks come when they are asked for. */
class HandClock {
  readonly timers = new Map<symbol, { after: number; callback: () => void }>();

  now = (): number => performance.now();

  later = (after: number, callback: () => void): (() => void) => {
    const key = Symbol('timer');
    this.timers.set(key, { after, callback });
    return () => {
      this.timers.delete(key);
    };
  };

  waiting(after: number): (() => void)[] {
    return [...this.timers].flatMap(([key, timer]) =>
      timer.after === after
        ? [
            () => {
              this.timers.delete(key);
              timer.callback();
            },
          ]
        : [],
    );
  }
}

describe('a writer that has lost its lease', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  let clock: HandClock;
  let lock: string;
  beforeEach(async () => {
    harness = await IndexHarness.create(
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`note-${i}.md`, `# Note ${i}\n\nText about harbour ${i}.\n`]),
      ),
    );
    clock = new HandClock();
    lock = path.join(harness.indexFolder(), 'writer.lock');
  });
  afterEach(() => harness.close());

  const service = (embedder: HashEmbedder, changes: Partial<IndexServiceDependencies> = {}) =>
    harness.service(embedder, { clock, ...changes });
  const stealLease = (): Promise<void> =>
    writeFile(lock, JSON.stringify({ token: 'another', pid: process.pid, host: hostname() }));

  it('steps down once, whatever notices it, and opens one build with the next update', async () => {
    let opened = 0;
    const first = service(new HashEmbedder(), {
      openStore: (generation, options) => {
        if (options.writable) opened += 1;
        return openStore(generation, options);
      },
    });
    await first.open(harness.config());
    await first.update({});
    await stealLease();
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    const ended = await Promise.allSettled([
      first.update({}),
      first.filesChanged([harness.uri('new.md')]),
      first.filesChanged([harness.uri('note-1.md')]),
    ]);
    assert.ok(ended.some((end) => end.status === 'rejected' && end.reason instanceof NotTheWriterError));
    assert.equal((await first.state()).phase, 'read-only');
    await rm(lock);
    await first.update({});
    const { phase, coverage } = await first.state();
    assert.deepEqual([phase, coverage.passages, opened], ['ready', 11, 2]);
  });

  it('writes no vectors', async () => {
    const embedder = new HashEmbedder();
    embedder.beforePassage = () => (embedder.embedded.length === 0 ? stealLease() : undefined);
    const first = service(embedder);
    await first.open(harness.config());
    await assert.rejects(first.update({}), { code: 'index-not-writable' });
    const rows = (await harness.dump()).filter(
      (row): row is { vector: unknown } => typeof row === 'object' && row !== null && 'vector' in row,
    );
    assert.deepEqual(
      rows.map((row) => row.vector),
      Array.from({ length: 10 }, () => null),
    );
    assert.equal((await first.state()).phase, 'read-only');
  });

  it('tidies nothing up', async () => {
    const IDLE = 5;
    let optimized = 0;
    const first = service(new HashEmbedder(), {
      idleMs: IDLE,
      openStore: async (generation, options) => {
        const store = await openStore(generation, options);
        const table = store?.passages.table;
        if (table) {
          const optimize = table.optimize.bind(table);
          table.optimize = (how) => {
            optimized += 1;
            return optimize(how);
          };
          table.listVersions = () =>
            Promise.resolve(
              Array.from({ length: 100 }, (_, version) => ({ version, timestamp: new Date(0), metadata: {} })),
            );
        }
        return store;
      },
    });
    await first.open(harness.config());
    await first.update({});
    assert.ok(optimized > 0, 'there is something to tidy');
    optimized = 0;
    await stealLease();
    while ((await first.state()).phase !== 'read-only') {
      for (const rest of clock.waiting(IDLE)) rest();
      await settled();
    }
    assert.equal(optimized, 0);
  });
});

describe('what is written', () => {
  it('is written only by the owner, and what fails does not hold up the next', async () => {
    let mine = false;
    const writes = new LeasedWrites(() => (mine ? Promise.resolve() : Promise.reject(new NotTheWriterError())));
    const written: string[] = [];
    const write = (what: string): Promise<void> =>
      writes.run(async () => {
        written.push(what);
      });
    await assert.rejects(write('a'), NotTheWriterError);
    mine = true;
    await write('b');
    assert.deepEqual(written, ['b']);
  });
});
