import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { WriterLockFile } from '../../../../src/indexing/store/writer-lock.ts';

describe('writer lock', () => {
  let folder: string;
  let file: string;
  let time = 0;
  const options = { now: () => time, staleMs: 30_000 };
  beforeEach(async () => {
    time = 0;
    folder = await mkdtemp(path.join(tmpdir(), 'hoptrail-lock-'));
    file = path.join(folder, 'deep', 'writer.lock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is held by one, and free again when given back', async () => {
    const first = await new WriterLockFile(file, options).tryAcquire();
    assert.ok(first && (await first.isHeld()));
    const other = new WriterLockFile(file, options);
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
    await (await new WriterLockFile(file, options).tryAcquire())?.release();
    await writeFile(file, JSON.stringify({ token: 'x', pid: 4_000_000, host: hostname() }));
    const lock = await new WriterLockFile(file, { ...options, isAlive: () => false }).tryAcquire();
    assert.ok(lock);
    await lock.release();
  });

  it('is taken from an owner elsewhere only after its sign of life was seen standing still', async () => {
    await (await new WriterLockFile(file, options).tryAcquire())?.release();
    await writeFile(file, JSON.stringify({ token: 'x', pid: 1, host: 'another-machine' }));
    const waiting = new WriterLockFile(file, options);
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 29_000;
    assert.equal(await waiting.tryAcquire(), undefined);
    await utimes(file, new Date(), new Date(Date.now() + 1_000)); // it lives
    time = 58_000;
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 89_000;
    const lock = await waiting.tryAcquire();
    assert.ok(lock);
    assert.notEqual(JSON.parse(await readFile(file, 'utf8')).token, 'x');
    await lock.release();
  });

  it('is soon taken when its file says nothing, as a kill in mid-writing leaves it', async () => {
    await (await new WriterLockFile(file, options).tryAcquire())?.release();
    await writeFile(file, '');
    const waiting = new WriterLockFile(file, options);
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 3_000;
    const lock = await waiting.tryAcquire();
    assert.ok(lock);
    await lock.release();
  });

  it('goes to exactly one of many that find it free or abandoned', async () => {
    for (let round = 0; round < 5; round++) {
      if (round % 2) await writeFile(file, JSON.stringify({ token: 'dead', pid: 4_000_000, host: hostname() }));
      const isAlive = (pid: number): boolean => pid === process.pid;
      const locks = await Promise.all(Array.from({ length: 8 }, () => new WriterLockFile(file, { ...options, isAlive }).tryAcquire()));
      const taken = locks.filter((lock) => lock !== undefined);
      assert.ok(taken.length <= 1, `${taken.length} took it`);
      for (const lock of taken) await lock.release();
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
      const lock = await new WriterLockFile(file, options).tryAcquire();
      const touchedAt = async (): Promise<number> => (await stat(file)).mtimeMs;
      await utimes(file, 1, 1);
      beat();
      while ((await touchedAt()) === 1_000); // its own is touched
      await writeFile(file, JSON.stringify({ token: 'x', pid: 1, host: 'another-machine' }));
      await utimes(file, 1, 1);
      beat();
      for (let i = 0; i < 100; i++) assert.equal(await touchedAt(), 1_000);
      await lock?.release();
    } finally {
      globalThis.setInterval = setInterval;
    }
  });
});
