import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { after, before, beforeEach, describe, it } from 'mocha';
import { connectLance } from '../../../../src/search/store/lance-connection.ts';
import { LeaseTable } from '../../../../src/search/store/lease-table.ts';
import type { LockOptions } from '../../../../src/base/held-lock.ts';
import { type Network, startNetwork, startObjectStore, storageOptions } from '../../../doubles/object-store-server.ts';

describe('the lease of an index in object storage', function () {
  this.timeout(120_000);
  let store: Awaited<ReturnType<typeof startObjectStore>>;
  let network: Network;
  let address = '';
  let time = 0;
  before(async () => {
    store = await startObjectStore();
    network = await startNetwork(store.url, 0);
  });
  after(async () => {
    await network.close();
    await store.close();
  });
  beforeEach(() => {
    time = 0;
    address = `s3://bucket/${randomUUID()}`;
  });

  const connect = () => connectLance(address, { following: true, storageOptions: storageOptions(network.url) });
  const contender = (options: LockOptions = {}) =>
    new LeaseTable(connect, 'lease', `${address}/lease`, { now: () => time, staleMs: 40_000, ...options });
  const rewrite = async (values: Record<string, string | number>): Promise<unknown> => {
    const table = await (await connect()).openTable('lease');
    for (let tries = 1; ; tries++)
      try {
        return await table.update({ where: 'true', values });
      } catch (error) {
        // Against a sign of life each millisecond LanceDB may give up: another machine would try again.
        if (tries === 5 || !/too many concurrent writers/iu.test(String(error))) throw error;
      }
  };
  /** As another machine would have taken it. */
  const takenElsewhere = async (): Promise<void> => {
    await (await contender().tryAcquire())?.release();
    await rewrite({ token: 'x', owner: JSON.stringify({ token: 'x', pid: 1, host: `not-${hostname()}` }), beat: 5 });
  };

  it('is had by one, who is told to others, and free again when given back', async () => {
    assert.equal(await contender().holder(), undefined);
    const first = await contender().tryAcquire();
    assert.ok(first && (await first.isHeld()));
    const other = contender();
    assert.equal(await other.tryAcquire(), undefined);
    const holder = await other.holder();
    assert.deepEqual([holder?.pid, holder?.host, holder?.file], [process.pid, hostname(), `${address}/lease`]);
    await first.release();
    assert.equal(await first.isHeld(), false);
    const second = await other.tryAcquire();
    assert.ok(second);
    await first.release(); // a second release does not take it from its new owner
    assert.equal(await contender().tryAcquire(), undefined);
    await second.release();
  });

  it('goes to exactly one of many that find nothing, or find it free, at the same moment', async () => {
    for (const found of ['nothing', 'free']) {
      const leases = (await Promise.all(Array.from({ length: 6 }, () => contender().tryAcquire()))).filter(Boolean);
      assert.equal(leases.length, 1, found);
      await leases[0]?.release();
    }
  });

  it('is taken again where a table that is made at the same moment is written over it', async () => {
    const claiming = contender().tryAcquire();
    const table = await (async () => {
      for (const connection = await connect(); ;) {
        const opened = await connection.openTable('lease').catch(() => undefined);
        const [row] =
          (await opened
            ?.query()
            .toArray()
            .catch(() => [])) ?? [];
        if (opened && String((row as { token?: string } | undefined)?.token ?? '') !== '') return opened;
      }
    })();
    const free = [{ token: '', owner: '', beat: 0 }];
    await (await connect()).createTable('lease', free, { mode: 'overwrite', schema: await table.schema() });
    const lease = await claiming;
    assert.ok(lease);
    assert.equal(await contender().tryAcquire(), undefined, 'whoever comes later sees that it is taken');
    await lease.release();
  });

  it('waits for a table that another process is making, and not for one that is damaged', async () => {
    await (await contender().tryAcquire())?.release();
    const failing = async (failures: number): Promise<LeaseTable> => {
      const connection = await connect();
      let left = failures;
      const halfMade = new Proxy(connection, {
        get: (of, key) =>
          key === 'openTable' && left-- > 0
            ? () => Promise.reject(new Error("Table 'lease' exists but could not be loaded: not found"))
            : Reflect.get(of, key, of),
      });
      return new LeaseTable(() => Promise.resolve(halfMade), 'lease', `${address}/lease`, { now: () => time });
    };
    const lease = await (await failing(3)).tryAcquire();
    assert.ok(lease && (await lease.isHeld()));
    await lease.release();
    await assert.rejects((await failing(100)).tryAcquire(), /damaged/);
  });

  it('is taken at once from an owner on this machine that is dead', async () => {
    const dead = await contender().tryAcquire();
    const lease = await contender({ isAlive: () => false }).tryAcquire();
    assert.ok(lease && (await lease.isHeld()));
    await dead?.release();
    assert.ok(await lease.isHeld(), 'which the dead one cannot undo');
    await lease.release();
  });

  it('is taken from an owner elsewhere only after its sign of life was seen standing still', async () => {
    await takenElsewhere();
    const waiting = contender();
    assert.equal(await waiting.tryAcquire(), undefined);
    time = 39_000;
    assert.equal(await waiting.tryAcquire(), undefined);
    await rewrite({ beat: 6 });
    time = 60_000;
    assert.equal(await waiting.tryAcquire(), undefined, 'it moved meanwhile');
    time = 101_000;
    const lease = await waiting.tryAcquire();
    assert.ok(lease);
    await lease.release();
  });

  it('can be taken over from an owner that lives, which writes no more when the new one begins', async () => {
    let lost = 0;
    const first = await contender({ heartbeatMs: 400 }).tryAcquire(() => lost++);
    const second = await contender({ heartbeatMs: 400 }).takeOver();
    assert.deepEqual([await first?.isHeld(), await second.isHeld()], [false, true]);
    assert.equal(lost, 1);
    await first?.release();
    assert.ok(await second.isHeld());
    await second.release();
  });

  it('is believed without a request for as long as a sign of life is worth, and never longer', async () => {
    const lease = await contender({ heartbeatMs: 1_000_000 }).tryAcquire();
    network.counted();
    for (let i = 0; i < 100; i++) assert.ok(await lease?.isHeld());
    assert.deepEqual(network.counted(), { read: 0, write: 0, list: 0, delete: 0 });
    await lease?.release();

    let lost = false;
    const slept = await contender({ heartbeatMs: 1 }).tryAcquire(() => (lost = true));
    await rewrite({ token: 'somebody else' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await slept?.isHeld(), false);
    assert.ok(lost);
  });

  it('is not believed where the storage cannot be asked', async () => {
    const unreachable = await startNetwork(store.url, 0);
    const lease = await new LeaseTable(
      () =>
        connectLance(address, {
          following: true,
          storageOptions: { ...storageOptions(unreachable.url), client_max_retries: '0' },
        }),
      'lease',
      'there',
      { heartbeatMs: 1 },
    ).tryAcquire();
    await unreachable.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await assert.rejects(async () => lease?.isHeld(), { code: 'storage-unreachable' });
    await lease?.release();
  });

  it('leaves no growing heap of objects behind', async () => {
    const lease = await contender({ heartbeatMs: 1 }).tryAcquire();
    const table = await (await connect()).openTable('lease');
    while ((await table.version()) < 40) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await lease?.isHeld();
    }
    const versions = await table.listVersions();
    assert.ok(versions.length < 30, `${versions.length} versions`);
    await lease?.release();
  });
});
