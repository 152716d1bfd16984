import assert from 'node:assert/strict';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

/** A small generator of numbers, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const note = (n: number, links: readonly number[], extra = ''): string =>
  `# Note ${n}\n\nAbout topic ${n % 7}. ${links.map((link) => `See [[note-${link}]].`).join(' ')}\n${extra}`;
const nameOf = (n: number): string => `area-${n % 20}/note-${n}.md`;

describe('an updated index equals a fresh one', function () {
  this.timeout(240_000);
  let harness: IndexHarness;
  let service: LocalIndexService;
  let embedder: HashEmbedder;

  beforeEach(async () => {
    harness = await IndexHarness.create();
    embedder = new HashEmbedder();
    service = harness.service(embedder);
  });
  afterEach(() => harness.close());

  const assertEqualsFresh = async (): Promise<void> => {
    await service.update({});
    const [updated, fresh] = [await harness.dump(), await harness.freshDump()];
    assert.equal(updated.length, fresh.length);
    assert.deepEqual(updated, fresh);
  };

  it('after a branch switch that touches 400 files, and back', async () => {
    const branch = (shift: number): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: 400 }, (_, i) => [
          nameOf(i + shift),
          note(i + shift, [(i * 7) % 400, i + 1], shift && i % 2 ? 'Changed on the branch.\n' : ''),
        ]),
      );
    await harness.write(branch(0));
    await service.open(harness.config());
    await service.update({});
    await assertEqualsFresh();
    // The branch lacks the first 40 files, has 40 others, and differs in half of what both have.
    for (let i = 0; i < 40; i++) await rm(harness.path(nameOf(i)));
    await harness.write(branch(40));
    await assertEqualsFresh();
    const embedded = embedder.embedded.length;
    for (let i = 400; i < 440; i++) await rm(harness.path(nameOf(i)));
    await harness.write(branch(0));
    await assertEqualsFresh();
    assert.equal(embedder.embedded.length, embedded, 'switching back costs no inference');
  });

  it('after a storm of saves that overlap', async () => {
    await harness.write(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [nameOf(i), note(i, [i + 1])])));
    await service.open(harness.config());
    await service.update({});
    const saves: Promise<void>[] = [];
    for (let round = 1; round <= 5; round++) {
      await harness.write(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [nameOf(i), note(i, [i + 1], `Formatted ${round} times.\n`)]),
        ),
      );
      for (let i = 0; i < 60; i++) saves.push(service.filesChanged([harness.uri(nameOf(i))]));
    }
    await Promise.all(saves);
    const found = await service.index.textSearch('formatted 5 times', { limit: 100 });
    assert.equal(found.filter((hit) => hit.passage.text.includes('Formatted 5 times')).length, 60);
    assert.equal((await service.state()).coverage.passages, 60);
    await assertEqualsFresh();
  });

  it('after any sequence of edits, deletions, moves of files and folders, told in any order', async () => {
    const next = numbers(20_241);
    const pick = (below: number): number => Math.floor(next() * below);
    await harness.write(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [nameOf(i), note(i, [pick(40), pick(80)])])),
    );
    await service.open(harness.config());
    await service.update({});
    for (let round = 0; round < 12; round++) {
      const told: string[] = [];
      for (let step = 0; step < 6; step++) {
        const n = pick(60);
        const name = nameOf(n);
        switch (pick(5)) {
          case 0:
          case 1:
            await harness.write({ [name]: note(n, [pick(60)], `Round ${round}.\n`) });
            told.push(name);
            break;
          case 2:
            await rm(harness.path(name), { force: true });
            told.push(name);
            break;
          case 3: {
            const moved = `moved-${pick(4)}/note-${n}.md`;
            await mkdir(path.dirname(harness.path(moved)), { recursive: true });
            await rename(harness.path(name), harness.path(moved)).then(
              () => told.push(moved, name),
              () => undefined,
            );
            break;
          }
          case 4: {
            const [from, to] = [`area-${pick(20)}`, `area-${pick(20)}-${round}`];
            await rename(harness.path(from), harness.path(to)).then(
              () => told.push(to, from),
              () => undefined,
            );
            break;
          }
        }
      }
      if (round % 3 !== 2) await Promise.all(told.map((name) => service.filesChanged([harness.uri(name)])));
      if (round % 4 === 3) await assertEqualsFresh();
    }
    await assertEqualsFresh();
  });

  it('when links lead to files that come, go, or turn out to hold nothing', async () => {
    await harness.write({ 'a.md': '# A\n\n[[b]] and [picture](b.bin)\n', 'b.bin': 'text that will be binary\n' });
    await service.open(harness.config());
    await assertEqualsFresh();
    await harness.write({ 'sub/b.md': '# B\n' });
    await service.filesChanged([harness.uri('sub/b.md')]);
    await assertEqualsFresh();
    await harness.write({ 'b.md': '# Nearer B\n', 'b.bin': '\u0000\u0001\u0002\u0000'.repeat(100) });
    await service.filesChanged([harness.uri('b.md'), harness.uri('b.bin')]);
    await assertEqualsFresh();
    await rm(harness.path('b.md'));
    await service.filesChanged([harness.uri('b.md')]);
    await assertEqualsFresh();
  });

  it('when only times have changed, without reading twice', async () => {
    await harness.write({ 'a.md': '# A\n', 'b.md': '# B\n' });
    await service.open(harness.config());
    await service.update({});
    const before = await harness.dump();
    await utimes(harness.path('a.md'), new Date(1), new Date(2));
    const report = await service.update({});
    assert.equal(report.embedded, 0);
    assert.deepEqual(await harness.dump(), before);
  });
});
