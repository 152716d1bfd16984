import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Network, startNetwork, startObjectStore, storageOptions } from '../doubles/object-store-server.ts';
import { ProcessHarness } from './process-harness.ts';

/** More by hand: `KILLS=200 npm test -- --only process --grep "kill -9"`. */
const KILLS = Number(process.env['KILLS'] ?? 12);
const FILES = 120;

const note = (n: number, version: number): string =>
  `# Note ${n}\n\nHarbour ${n % 9}, version ${version}. See [[note-${(n * 7) % FILES}]].\n\n## Crew\n\n${'The crew met and spoke of ropes. '.repeat(n % 5)}\n`;
const nameOf = (n: number): string => `area-${n % 6}/note-${n}.md`;

describe('kill -9 of the index process', function () {
  this.timeout(Math.max(480_000, KILLS * 15_000));
  let harness: ProcessHarness;
  beforeEach(async () => {
    harness = await ProcessHarness.create(
      Object.fromEntries(Array.from({ length: FILES }, (_, n) => [nameOf(n), note(n, 0)])),
    );
  });
  afterEach(() => harness.close());

  it(`at ${KILLS} random moments leaves an index that equals a fresh one`, () => survives(KILLS, 'index'));

  describe('of an index in object storage', () => {
    let store: Awaited<ReturnType<typeof startObjectStore>>;
    let network: Network;
    const before = { ...process.env };
    beforeEach(async () => {
      store = await startObjectStore();
      network = await startNetwork(store.url, 5);
      // As people say it: the variables reach the process that needs them, and no other.
      for (const [name, value] of Object.entries(storageOptions(network.url)))
        process.env[name.startsWith('aws_') ? name.toUpperCase() : `AWS_${name.toUpperCase()}`] = value;
    });
    afterEach(async () => {
      process.env = before;
      await network.close();
      await store.close();
    });

    it('leaves an index that equals a fresh one', () => survives(3, `s3://bucket/${path.basename(harness.base)}`));
  });

  async function survives(kills: number, place: string): Promise<void> {
    const running = harness.start();
    await running.index.open(harness.config(place));
    for (let kill = 0; kill < kills; kill++) {
      // Something to do: edits, a deletion, a new file, and now and then everything anew.
      const changed = Array.from({ length: 6 }, (_, i) => (kill * 11 + i * 5) % FILES);
      await harness.write(Object.fromEntries(changed.map((n) => [nameOf(n), note(n, kill)])));
      await rm(path.join(harness.workspace, nameOf((kill * 17) % FILES)), { force: true });
      await harness.write({ [`new/${kill}.md`]: note(kill, kill) });
      const update = running.index.update({ rebuild: kill % 7 === 6 });
      update.catch(() => undefined); // it is about to be killed
      // At random, but also early: reading takes less time than embedding.
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 1_500));
      const { pid } = running;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      // It is asked again of the next process; now and then it says "it keeps ending", and the next request tries
      // again.
      await update.catch(() => undefined);
      await running.index.state().catch(() => undefined);
    }
    const report = await running.index.update({});
    assert.equal(report.passages, (await running.index.state()).coverage.embedded);
    await harness.end(running);

    const fresh = harness.start();
    await fresh.index.open(harness.config('fresh'));
    await fresh.index.update({});
    await harness.end(fresh);
    const [survivor, expected] = [await harness.dump(place), await harness.dump('fresh')];
    assert.deepEqual(survivor.passages, expected.passages, 'nothing is lost, nothing doubled');
    for (const [id, vector] of expected.vectors) {
      const other = survivor.vectors.get(id);
      const cosine = vector?.reduce((sum, value, i) => sum + value * (other?.[i] ?? 0), 0) ?? 0;
      assert.ok(cosine > 0.9999, `the vector of ${id} is that of its text (cosine ${cosine})`);
    }
    assert.ok(!harness.logged.some((line) => line.includes('damaged')), 'and nothing was taken for damage');
  }
});
