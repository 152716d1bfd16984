import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { readChainScorerWeights } from '../../../../src/search/retrieval/chain-scorer.ts';
import { createRetriever } from '../../../../src/search/retrieval/create-retriever.ts';
import { FeatureChainScorer } from '../../../../src/search/retrieval/feature-chain-scorer.ts';
import { readReaderWeights } from '../../../../src/search/retrieval/reader/read-passages.ts';
import { connectLance } from '../../../../src/search/store/lance-connection.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { type Network, startNetwork, startObjectStore, storageOptions } from '../../../doubles/object-store-server.ts';
import { IndexHarness } from './index-harness.ts';
import { until } from '../../../doubles/waiting.ts';

const NOTES = {
  'ferry.md': '# Ferry\n\nThe ferry was chosen in spring. See [[costs]].\n',
  'costs.md': '# Costs\n\nThe ferry costs nine thousand a year. Decided by Ines.\n',
  'plan.md': '# Plan\n\nBuy it in May.\n',
};
const LATENCY_MS = 20;

describe('an index in object storage 20 ms away', function () {
  this.timeout(120_000);
  let store: Awaited<ReturnType<typeof startObjectStore>>;
  let network: Network;
  let harness: IndexHarness;
  before(async () => {
    store = await startObjectStore();
    network = await startNetwork(store.url, LATENCY_MS);
  });
  after(async () => {
    await network.close();
    await store.close();
  });
  beforeEach(async () => {
    harness = await IndexHarness.create(NOTES, { uri: 's3://bucket', storageOptions: storageOptions(network.url) });
  });
  afterEach(() => harness.close());

  const opened = async (service = harness.service()): Promise<LocalIndexService> => {
    await service.open(harness.config());
    await service.update({});
    return service;
  };
  const finds = async (service: LocalIndexService, word: string): Promise<string | undefined> =>
    (await service.index.textSearch(word, { limit: 1 }))[0]?.passage.path;
  /** As a machine that has gone from the network leaves it. */
  const leaseOfAnotherMachine = async (): Promise<void> => {
    const connection = await connectLance(harness.indexFolder(), { ...harness.config(), following: true });
    const table = await connection.openTable('hoptrail_lease');
    const owner = JSON.stringify({ token: 'x', pid: 1, host: `not-${hostname()}` });
    await table.update({ where: 'true', values: { token: 'x', owner, beat: 1 } });
  };

  it('is written by one of two machines; the other follows, and goes on once the first is silent', async () => {
    await (await opened()).close();
    await leaseOfAnotherMachine();
    const second = harness.service(undefined, { lease: { staleMs: 1_000 } });
    const state = await second.open(harness.config());
    assert.deepEqual([state.phase, state.heldBy?.host], ['read-only', `not-${hostname()}`]);
    assert.equal(await finds(second, 'spring'), 'ferry.md');
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    await until(async () => (await finds(second, 'lighthouse')) === 'new.md', 'the second one writes');
    await second.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('is given up by a writer whose lease another machine has taken, before it writes again', async () => {
    const first = await opened(harness.service(undefined, { lease: { heartbeatMs: 300 }, takeoverMs: 3_600_000 }));
    await leaseOfAnotherMachine();
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    await first.filesChanged([harness.uri('new.md')]).catch(() => undefined);
    await until(async () => (await first.state()).phase === 'read-only', 'it only reads');
    assert.notEqual(await finds(first, 'lighthouse'), 'new.md');
  });

  it('answers a search in a few rounds of requests, and takes an edit in some more', async () => {
    const service = await opened();
    await finds(service, 'spring');
    network.counted();
    await finds(service, 'ferry');
    const search = network.counted();
    assert.deepEqual([search.write, search.list, search.delete], [0, 0, 0], 'whoever writes knows what is the newest');
    assert.ok(search.read <= 10, `${search.read} requests for a search by words`);
    await harness.write({ 'plan.md': '# Plan\n\nBuy it in June.\n' });
    await service.filesChanged([harness.uri('plan.md')]);
    assert.equal(await finds(service, 'June'), 'plan.md');
    const edit = Object.values(network.counted()).reduce((sum, count) => sum + count);
    assert.ok(edit <= 60, `${edit} requests for an edit`);
  });

  it('answers a question of several hops in a hundred requests, and writes nothing for it', async () => {
    const service = await opened();
    const models = fileURLToPath(new URL('../../../../models/', import.meta.url));
    const retriever = createRetriever({
      index: service.index,
      embedder: service.embedder,
      scorer: new FeatureChainScorer(readChainScorerWeights(path.join(models, 'chain-scorer.json'))),
      reader: readReaderWeights(path.join(models, 'reader.json')),
      now: () => 0,
    });
    network.counted();
    const { chains } = await retriever.chains('Who decided what the ferry costs?', {});
    const { read, write, list, delete: removed } = network.counted();
    assert.ok(chains.length > 0);
    assert.deepEqual([write, list, removed], [0, 0, 0]);
    assert.ok(read <= 100, `${read} requests for a question`);
  });

  it('says what is wrong where it cannot be had, and takes nothing for damaged', async () => {
    await (await opened()).close();
    const tables = await harness.dump();
    const { url } = network;
    const closed = await startNetwork(url, 0);
    await closed.close();
    const troubles = [
      ['storage-refused', harness.indexFolder(), storageOptions(url, 'unknown'), undefined],
      ['storage-refused', harness.indexFolder(), storageOptions(url, 'unknown'), true],
      ['storage-missing', 's3://no-such-bucket/index', storageOptions(url), undefined],
      ['storage-unreachable', harness.indexFolder(), storageOptions(closed.url), undefined],
    ] as const;
    for (const [code, indexUri, options, follow] of troubles) {
      const config = harness.config({ indexUri, storageOptions: { ...options, client_max_retries: '0' }, follow });
      await assert.rejects(harness.service().open(config), { code }, code);
    }
    assert.deepEqual(await harness.dump(), tables);
  });

  it('goes on after the network was gone, and loses nothing', async () => {
    const away = await startNetwork(network.url, 0);
    const { url } = away;
    const options = { ...storageOptions(url), client_max_retries: '0' };
    const service = harness.service(undefined, { lease: { heartbeatMs: 300 } });
    await service.open(harness.config({ storageOptions: options }));
    await service.update({});
    await away.close();
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    await assert.rejects(service.filesChanged([harness.uri('new.md')]), { code: 'storage-unreachable' });
    assert.deepEqual((await service.state()).error?.code, 'storage-unreachable');
    const back = await startNetwork(network.url, 0, Number(new URL(url).port));
    await service.update({});
    assert.equal(await finds(service, 'lighthouse'), 'new.md');
    assert.ok(!harness.logged.some((line) => line.includes('damaged')));
    assert.deepEqual(await harness.dump(), await harness.freshDump());
    await service.close();
    await back.close();
  });
});
