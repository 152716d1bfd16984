/** Several windows keep one file of experience: real processes, a real file. */
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ExperienceStore } from '../../src/learning/experience/experience-store.ts';
import { fileOnDisk } from '../../src/base/line-file.ts';
import { temporaryFolder } from '../doubles/temporary-folder.ts';

const script = fileURLToPath(new URL('add-runs.ts', import.meta.url));

describe('experience kept by several windows', function () {
  this.timeout(60_000);
  let folder = '';
  const windows: ChildProcess[] = [];
  const file = (): string => join(folder, 'learning', 'experience.jsonl');
  const open = async (name: string, runs: number): Promise<ChildProcess> => {
    const child = fork(script, [file(), name, String(runs)], { execArgv: ['--import', 'tsx'] });
    windows.push(child);
    await once(child, 'message'); // it is ready
    return child;
  };
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => {
    for (const child of windows.splice(0))
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });

  it('loses no run of either', async () => {
    const both = await Promise.all([open('left', 20), open('right', 20)]);
    const ended = both.map((child) => once(child, 'exit'));
    for (const child of both) child.send('go');
    assert.deepEqual(
      (await Promise.all(ended)).map(([code]) => code as number),
      [0, 0],
    );
    const store = new ExperienceStore(fileOnDisk(file()));
    assert.equal((await store.summary()).runs, 40);
    assert.equal((await store.list()).length, 40 * 5);
    assert.deepEqual(await readdir(join(folder, 'learning')), ['experience.jsonl'], 'and leaves no lock');
  });

  it('goes on after a window was killed in the middle', async () => {
    const killed = await open('killed', 100_000);
    killed.send('go');
    const store = new ExperienceStore(fileOnDisk(file()));
    while ((await store.summary()).runs < 3); // until it is at work
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    const { runs, damaged } = await store.summary();
    assert.equal(damaged, 0);
    const [first] = await store.list();
    assert.ok(first);
    await store.replaceRun('after', [{ ...first, id: 'after', source: { ...first.source, runId: 'after' } }]);
    assert.equal((await store.summary()).runs, runs + 1);
  });
});
