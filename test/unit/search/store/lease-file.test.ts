import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, symlink, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { LeaseFile } from '../../../../src/search/store/writer-lease.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { until } from '../../../doubles/waiting.ts';

describe('lease in a file', () => {
  let folder: string;
  let file: string;
  let time = 0;
  const options = { now: () => time, staleMs: 30_000 };
  beforeEach(() => {
    time = 0;
    folder = temporaryFolder();
    file = path.join(folder, 'deep', 'writer.lock');
  });

  it('is held by one, and free again when given back', async () => {
    const first = await new LeaseFile(file, options).tryAcquire();
    assert.ok(first && (await first.isHeld()));
    const other = new LeaseFile(file, options);
    assert.equal(await other.tryAcquire(), undefined);
    await first.release();
    assert.equal(await first.isHeld(), false);
    const second = await other.tryAcquire();
    assert.ok(second);
    await first.release(); // a second release does not take it from its new owner
    assert.ok(await second.isHeld());
    await second.release();
  });

  it('is taken at once from an owner on this machine that is dead', async () => {
    await (await new LeaseFile(file, options).tryAcquire())?.release();
    await writeFile(file, JSON.stringify({ token: 'x', pid: 4_000_000, host: hostname() }));
    const lease = await new LeaseFile(file, { ...options, isAlive: () => false }).tryAcquire();
    assert.ok(lease);
    await lease.release();
  });

  it('is taken from an owner elsewhere only after its sign of life was seen standing still', async () => {
    await (await new LeaseFile(file, options).tryAcquire())?.release();
    await writeFile(file, JSON.stringify({ token: 'x', pid: 1, host: 'another-machine' }));
    const waiting = new LeaseFile(file, options);
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 29_000;
    assert.equal(await waiting.tryAcquire(), undefined);
    await utimes(file, new Date(), new Date(Date.now() + 1_000)); // it lives
    time = 58_000;
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 89_000;
    const lease = await waiting.tryAcquire();
    assert.ok(lease);
    assert.notEqual(JSON.parse(await readFile(file, 'utf8')).token, 'x');
    await lease.release();
  });

  it('is soon taken when its file says nothing, as a kill in mid-writing leaves it', async () => {
    await (await new LeaseFile(file, options).tryAcquire())?.release();
    await writeFile(file, '');
    const waiting = new LeaseFile(file, options);
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 3_000;
    const lease = await waiting.tryAcquire();
    assert.ok(lease);
    await lease.release();
  });

  it('is taken at once where a process was killed while it took it from one that was killed', async () => {
    await (await new LeaseFile(file, options).tryAcquire())?.release();
    const isAlive = (pid: number): boolean => pid === process.pid;
    const takes = async (): Promise<boolean> => {
      await writeFile(file, JSON.stringify({ token: 'dead', pid: 4_000_000, host: hostname() }));
      const lease = await new LeaseFile(file, { ...options, isAlive }).tryAcquire();
      await lease?.release();
      return lease !== undefined;
    };
    const guard = `${file}.guard`;
    await writeFile(guard, JSON.stringify({ token: 'dead, too', pid: 4_000_001, host: hostname() }));
    assert.equal(await takes(), true);
    await writeFile(guard, JSON.stringify({ token: 'lives', pid: process.pid, host: hostname() }));
    assert.equal(await takes(), false, 'who lives is left to it');
    await writeFile(guard, '');
    assert.equal(await takes(), false, 'it may be about to sign');
    await utimes(guard, new Date(), new Date(Date.now() - 3_000));
    assert.equal(await takes(), true, 'killed before it signed');
    assert.deepEqual(await readdir(path.dirname(file)), []);
  });

  it('stays held where its file cannot be read for a moment', async () => {
    const lease = await new LeaseFile(file, options).tryAcquire();
    assert.ok(lease);
    await rename(file, `${file}.away`);
    await symlink(file, file); // which cannot be read, whoever asks
    const held = lease.isHeld();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await rename(`${file}.away`, file); // takes its place in one step: there is no moment without a file
    assert.equal(await held, true);
    await lease.release();
  });

  it('is free again for who gave it back while its file could not be read', async () => {
    const lease = await new LeaseFile(file, options).tryAcquire();
    assert.ok(lease);
    await rename(file, `${file}.away`);
    await mkdir(file);
    assert.equal(await lease.isHeld(), false, 'what is not known to be ours is not written to');
    await lease.release();
    await rmdir(file);
    await rename(`${file}.away`, file);
    const again = await new LeaseFile(file, options).tryAcquire();
    assert.ok(again && (await again.isHeld()));
    assert.equal(await lease.isHeld(), false);
    await again.release();
    assert.deepEqual(await readdir(path.dirname(file)), []);
  });

  it('goes to exactly one of many that find it free or abandoned', async () => {
    for (let round = 0; round < 5; round++) {
      if (round % 2) await writeFile(file, JSON.stringify({ token: 'dead', pid: 4_000_000, host: hostname() }));
      const isAlive = (pid: number): boolean => pid === process.pid;
      const leases = await Promise.all(
        Array.from({ length: 8 }, () => new LeaseFile(file, { ...options, isAlive }).tryAcquire()),
      );
      const taken = leases.filter((lease) => lease !== undefined);
      assert.ok(taken.length <= 1, `${taken.length} took it`);
      for (const lease of taken) await lease.release();
      await rm(file, { force: true });
    }
  });

  it('is given no sign of life by an owner that has lost it', async () => {
    const { setInterval } = globalThis;
    let beat: () => void = () => undefined;
    globalThis.setInterval = ((callback: () => void) => {
      beat = callback;
      return setInterval(() => undefined, 1_000_000);
    }) as typeof globalThis.setInterval;
    try {
      const lease = await new LeaseFile(file, options).tryAcquire();
      const touchedAt = async (): Promise<number> => (await stat(file)).mtimeMs;
      await utimes(file, 1, 1);
      beat();
      while ((await touchedAt()) === 1_000); // its own is touched
      await writeFile(file, JSON.stringify({ token: 'x', pid: 1, host: 'another-machine' }));
      await utimes(file, 1, 1);
      beat();
      for (let i = 0; i < 100; i++) assert.equal(await touchedAt(), 1_000);
      await lease?.release();
    } finally {
      globalThis.setInterval = setInterval;
    }
  });

  describe('left behind by an owner whose id another process has now', () => {
    let unrelated: ChildProcess;
    before(async () => {
      unrelated = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
      await once(unrelated, 'spawn');
    });
    after(() => unrelated.kill());

    const forge = async (owner: object, beatAgoMs = 0): Promise<void> => {
      await (await new LeaseFile(file, options).tryAcquire())?.release();
      await writeFile(file, JSON.stringify({ token: 'x', host: hostname(), ...owner }));
      const beat = new Date(Date.now() - beatAgoMs);
      await utimes(file, beat, beat);
    };
    const isTaken = async (): Promise<boolean> => {
      const lease = await new LeaseFile(file, options).tryAcquire();
      await lease?.release();
      return lease !== undefined;
    };
    /** As the system tells it, read here on its own: the lock must hold the same. */
    const startOf = (pid: number): string | undefined => {
      if (process.platform !== 'linux') return undefined;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    };

    it('is taken at once where that process began at another time', async function () {
      if (process.platform !== 'linux') return;
      for (const pid of [1, process.pid, unrelated.pid ?? 0]) {
        await forge({ pid, started: '12345678901' });
        assert.equal(await isTaken(), true, `the lock of process ${pid}`);
      }
    });

    it('is left alone where that process began when its owner did, even with an old sign of life: it may only be held up', async function () {
      if (process.platform !== 'linux') return;
      await forge({ pid: unrelated.pid, started: startOf(unrelated.pid ?? 0) }, 3_600_000);
      assert.equal(await isTaken(), false);
    });

    it('is taken where the start is not told and the sign of life is old, and only then', async () => {
      await forge({ pid: unrelated.pid }, 1_000);
      assert.equal(await isTaken(), false);
      await forge({ pid: unrelated.pid }, 31_000);
      assert.equal(await isTaken(), true);
    });

    it('is taken from an owner of an earlier boot or another container once its sign of life is old', async function () {
      if (process.platform !== 'linux') return;
      const earlier = {
        pid: unrelated.pid,
        started: startOf(unrelated.pid ?? 0),
        space: '00000000-0000-0000-0000-000000000000 pid:[1]',
      };
      await forge(earlier, 1_000);
      assert.equal(await isTaken(), false, 'it may run in another container of this machine');
      await forge(earlier, 31_000);
      assert.equal(await isTaken(), true);
    });

    it('is taken when its file has said nothing for a while', async () => {
      await forge({});
      await writeFile(file, '');
      const old = new Date(Date.now() - 60_000);
      await utimes(file, old, old);
      assert.equal(await isTaken(), true);
    });

    it('keeps out whoever does not know when its owner gave its last sign of life: another machine has another clock', async () => {
      await forge({ pid: 1, host: 'another-machine' }, 3_600_000);
      assert.equal(await isTaken(), false);
    });
  });

  it('says who holds it, since when, and when that process gave its last sign of life', async () => {
    const before = Date.now();
    const lease = await new LeaseFile(file, options).tryAcquire();
    const holder = await new LeaseFile(file, options).holder();
    assert.deepEqual(
      { ...holder, since: 0, lastBeat: 0 },
      { file, pid: process.pid, host: hostname(), since: 0, lastBeat: 0 },
    );
    assert.ok(
      Math.abs((holder?.since ?? 0) - before) < 5_000 && Math.abs((holder?.lastBeat ?? 0) - before) < 5_000,
      JSON.stringify(holder),
    );
    await lease?.release();
    assert.equal(await new LeaseFile(file, options).holder(), undefined);
  });

  it('replaces a file that is none of ours once that is old, and says what to do about a folder', async () => {
    await mkdir(path.dirname(file));
    await writeFile(file, 'of some other program');
    const old = new Date(Date.now() - 60_000);
    await utimes(file, old, old);
    const lease = await new LeaseFile(file, options).tryAcquire();
    assert.ok(await lease?.isHeld());
    await lease?.release();
    await mkdir(file);
    await assert.rejects(new LeaseFile(file, options).tryAcquire(), { code: 'lock-blocked', message: /is a folder/ });
  });

  it('says where its owner is met, to this user alone', async () => {
    const lease = await new LeaseFile(file, options, { address: 'here', secret: 'x' }).tryAcquire();
    assert.equal((JSON.parse(await readFile(file, 'utf8')) as { address: string }).address, 'here');
    if (process.getuid) assert.equal((await stat(file)).mode & 0o777, 0o600);
    await lease?.release();
  });
});
