import assert from 'node:assert/strict';
import { promises, type RmOptions } from 'node:fs';
import { readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { HeldLock } from '../../../src/base/held-lock.ts';
import { turnsOnDisk } from '../../../src/base/line-file.ts';
import { whileLocked } from '../../../src/base/held-lock.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('a lock that is held for long', () => {
  let folder = '';
  const file = (): string => join(folder, 'round.lock');
  const refusal = (): Error => new Error('somebody else is at it');
  const elsewhere = JSON.stringify({ token: 'theirs', pid: 1, host: 'another-machine' });
  beforeEach(() => {
    folder = temporaryFolder();
  });

  /** Removing the lock fails so often, as with a scanner that has it open, or in a folder that was made read-only. */
  async function whileKept(times: number, work: () => Promise<void>, kept = file()): Promise<void> {
    const { rm: remove } = promises;
    let left = times;
    promises.rm = (path, options?: RmOptions) =>
      path === kept && left-- > 0
        ? Promise.reject(Object.assign(new Error('EPERM: operation not permitted, unlink'), { code: 'EPERM' }))
        : remove(path, options);
    syncBuiltinESMExports();
    try {
      await work();
    } finally {
      promises.rm = remove;
      syncBuiltinESMExports();
    }
  }

  it('gives back what its work came to, and how it failed, where its file cannot be removed', async () => {
    const alone = turnsOnDisk(file(), refusal);
    await whileKept(Infinity, async () => {
      assert.equal(await alone(async () => 'learnt'), 'learnt');
    });
    await rm(file());
    await whileKept(Infinity, async () => {
      await assert.rejects(
        alone(async () => {
          throw new Error('the model is gone');
        }),
        /the model is gone/,
      );
    });
    assert.equal(await alone(async () => 'again'), 'again');
    assert.deepEqual(await readdir(folder), []);
  });

  it('is free for others where its file could not be removed for a moment', async () => {
    await whileKept(2, async () => {
      await turnsOnDisk(file(), refusal)(async () => 'learnt');
    });
    assert.deepEqual(await readdir(folder), []);
  });

  it('gives back what was done in a moment, where its file cannot be removed', async () => {
    await whileKept(Infinity, async () => {
      assert.equal(await whileLocked(join(folder, 'round'), async () => 'written'), 'written');
    });
    assert.deepEqual(await readdir(folder), ['round.lock']);
  });

  it('is left to who took it just when it was given back', async () => {
    const mine = (token: string): string => JSON.stringify({ token, pid: process.pid, host: hostname() });
    await writeFile(file(), mine('gives it back'));
    const { readFile: read } = promises;
    let looks = 0;
    promises.readFile = (async (...asked: Parameters<typeof read>) => {
      if (asked[0] !== file()) return read(...asked);
      if (++looks === 1) await rm(file());
      // The second look, guarded, finds it free: before anything is done about that, somebody else takes it.
      return read(...asked).finally(() => (looks === 2 ? writeFile(file(), mine('takes it')) : undefined));
    }) as typeof read;
    syncBuiltinESMExports();
    try {
      assert.equal(await new HeldLock(file()).tryAcquire(), undefined);
    } finally {
      promises.readFile = read;
      syncBuiltinESMExports();
    }
    assert.equal(looks, 2);
    assert.match(await readFile(file(), 'utf8'), /takes it/);
  });

  it('is had where what guards its taking cannot be removed', async () => {
    await writeFile(file(), JSON.stringify({ token: 'dead', pid: 4_000_000, host: hostname() }));
    const isAlive = (pid: number): boolean => pid === process.pid;
    await whileKept(
      Infinity,
      async () => {
        const lease = await new HeldLock(file(), { isAlive }).tryAcquire();
        assert.ok(lease && (await lease.isHeld()));
        await lease.release();
      },
      `${file()}.guard`,
    );
    assert.deepEqual(await readdir(folder), ['round.lock.guard']);
  });

  it('is left to an owner whose file cannot be looked at for a moment', async () => {
    const lease = await new HeldLock(file()).tryAcquire();
    assert.ok(lease);
    await rename(file(), `${file()}.away`);
    await symlink(file(), file()); // which cannot be read or looked at, whoever asks
    assert.equal(await new HeldLock(file()).tryAcquire(), undefined);
    await rename(`${file()}.away`, file());
    assert.ok(await lease.isHeld());
    await lease.release();
  });

  it('is left to an owner that gives signs of life, although what it wrote cannot be read', async () => {
    await writeFile(file(), 'what a scanner gives in its place');
    const touched = new Date(Date.now() - 4_000); // it is touched every five seconds
    await utimes(file(), touched, touched);
    assert.equal(await new HeldLock(file()).tryAcquire(), undefined);
    const long = new Date(Date.now() - 31_000);
    await utimes(file(), long, long);
    assert.ok(await new HeldLock(file()).tryAcquire());
  });

  it('is waited for where only signs of life tell of its owner, and none comes', async () => {
    await writeFile(file(), elsewhere);
    assert.equal(await turnsOnDisk(file(), refusal, { staleMs: 30, heartbeatMs: 5 })(async () => 'learnt'), 'learnt');
  });

  it('is not waited for any longer where somebody cancels that', async () => {
    await writeFile(file(), elsewhere);
    const cancel = new AbortController();
    const asked = turnsOnDisk(file(), refusal, { staleMs: 1e9, heartbeatMs: 1e9 })(async () => 'learnt', cancel.signal);
    setTimeout(() => cancel.abort(), 10);
    await assert.rejects(asked, { name: 'AbortError' });
    assert.match(await readFile(file(), 'utf8'), /theirs/);
  });

  it('is refused as soon as its owner elsewhere gives a sign of life, and at once for one that lives here', async () => {
    await writeFile(file(), elsewhere);
    const options = { staleMs: 1e9, heartbeatMs: 5 };
    const asked = assert.rejects(
      turnsOnDisk(file(), refusal, options)(async () => 'learnt'),
      /somebody else/,
    );
    let beats = 0;
    const beating = setInterval(() => {
      const now = new Date(Date.now() + ++beats);
      utimes(file(), now, now).catch(() => undefined);
    }, 5);
    await asked.finally(() => clearInterval(beating));
    assert.match(await readFile(file(), 'utf8'), /theirs/);
    await writeFile(file(), JSON.stringify({ token: 'windows', pid: process.pid, host: hostname() }));
    await assert.rejects(
      turnsOnDisk(file(), refusal, { staleMs: 1e9, heartbeatMs: 1e9 })(async () => 'learnt'),
      /somebody else/,
    );
  });
});
