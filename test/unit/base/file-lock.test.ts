import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { whileLocked } from '../../../src/base/held-lock.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('file lock', () => {
  let folder = '';
  const path = (): string => join(folder, 'deep', 'records.jsonl');
  const lockOf = async (owner: object): Promise<void> => {
    await whileLocked(path(), async () => undefined); // makes the folder
    await writeFile(`${path()}.lock`, JSON.stringify(owner));
  };
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('lets one piece of work in after the other, and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await readdir(folder); // lets others run
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => whileLocked(path(), work)));
    assert.equal(most, 1);
    assert.deepEqual(await readdir(join(folder, 'deep')), []);
  });

  it('is free again after work that failed, and gives back what work came to', async () => {
    await assert.rejects(
      whileLocked(path(), async () => {
        throw new Error('disk full');
      }),
      /disk full/,
    );
    assert.equal(await whileLocked(path(), async () => 7), 7);
  });

  it('takes over at once from a process of this machine that has died', async () => {
    await lockOf({ token: 'dead', pid: 99, host: hostname() });
    const asked: number[] = [];
    const done = await whileLocked(path(), async () => 'done', {
      staleMs: 1e9,
      isAlive: (pid) => {
        asked.push(pid);
        return false;
      },
    });
    assert.equal(done, 'done');
    assert.deepEqual([...new Set(asked)], [99]);
    assert.deepEqual(await readdir(join(folder, 'deep')), []);
  });

  it('takes over at once from one that has died and whose id another process has now', async function () {
    if (process.platform !== 'linux') return;
    await lockOf({ token: 'dead', pid: process.pid, host: hostname(), started: '12345678901' });
    const before = performance.now();
    await whileLocked(path(), async () => undefined, { staleMs: 60_000 });
    assert.ok(performance.now() - before < 5_000);
  });

  it('takes over at once from one that has ended and that its parent does not ask about', async function () {
    if (process.platform !== 'linux') return;
    // The child ends with its input, which is closed once its parent has become one that asks about no child.
    const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 60';
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
      while ((await readFile(`/proc/${parent.pid}/comm`, 'utf8')) !== 'sleep\n') await pause();
      parent.stdin.end();
      const statOf = (): Promise<string> => readFile(`/proc/${String(pid).trim()}/stat`, 'utf8');
      while (!/\) Z /.test(await statOf())) await pause();
      const started = (await statOf()).split(') ')[1]?.split(' ')[19];
      await lockOf({ token: 'dead', pid: Number(pid), host: hostname(), started });
      const before = performance.now();
      await whileLocked(path(), async () => undefined, { staleMs: 60_000 });
      assert.ok(performance.now() - before < 5_000);
    } finally {
      parent.kill();
    }
  });

  it('lets only one take over, however many wait', async () => {
    await lockOf({ token: 'dead', pid: 99, host: hostname() });
    let text = '';
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        whileLocked(
          path(),
          async () => {
            const before = text;
            await readdir(folder);
            text = `${before}${i},`;
          },
          { isAlive: (pid) => pid === process.pid },
        ),
      ),
    );
    assert.equal(text.split(',').length - 1, 12);
  });

  it('takes over from one elsewhere, and from one that says nothing, only after watching it stand still', async () => {
    for (const text of [JSON.stringify({ token: 'elsewhere', pid: process.pid, host: 'another' }), '']) {
      await lockOf({});
      await writeFile(`${path()}.lock`, text);
      assert.equal(await whileLocked(path(), async () => 'done', { staleMs: 20, pollMs: 1 }), 'done');
    }
  });

  it('leaves alone what another has taken meanwhile', async () => {
    await whileLocked(path(), () =>
      writeFile(`${path()}.lock`, JSON.stringify({ token: 'theirs', pid: process.pid, host: hostname() })),
    );
    assert.match(await readFile(`${path()}.lock`, 'utf8'), /theirs/);
  });
});
