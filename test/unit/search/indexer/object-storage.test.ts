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
const LATENCY_MS = 5;

describe('an index in object storage 5 ms away', function () {
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
  /** Another machine has said that it writes. */
  const anotherMachineWrites = async (): Promise<void> => {
    const connection = await connectLance(harness.indexFolder(), { ...harness.config(), following: true });
    const table = await connection.openTable('hoptrail_writer');
    const owner = JSON.stringify({ token: 'x', pid: 1, host: `not-${hostname()}` });
    await table.update({ where: 'true', values: { token: 'x', owner, since: 1 } });
  };

  it('is written by the machine that it names; others read, follow, and write once a person says so', async () => {
    const first = await opened();
    const second = harness.service();
    const state = await second.open(harness.config());
    assert.deepEqual(
      [state.phase, state.heldBy?.host, state.notices.map(({ code }) => code)],
      ['read-only', hostname(), ['other-machine']],
    );
    assert.deepEqual(
      (await second.report()).files.map(({ path: file }) => file),
      Object.keys(NOTES).sort(),
    );
    assert.equal((await second.report()).skippedKnown, false);
    assert.equal((await second.update({})).passages, 3, 'an update reports what there is');
    await assert.rejects(second.update({ rebuild: true }), { code: 'index-not-writable' });
    await assert.rejects(second.importPassages([]), { code: 'index-not-writable' });
    await harness.write({ 'new.md': '# New\n\nA lighthouse.\n' });
    await first.update({ rebuild: true });
    await until(async () => (await finds(second, 'lighthouse')) === 'new.md', 'it follows the new build');
    await second.close();
    await first.close();
    await anotherMachineWrites();
    const third = harness.service(undefined, { lease: { heartbeatMs: 300 } });
    assert.equal((await third.open(harness.config())).phase, 'read-only');
    assert.equal((await third.open(harness.config({ takeOver: true }))).phase, 'ready');
    await third.update({});
    assert.deepEqual(await harness.dump(), await harness.freshDump());
  });

  it('goes to exactly one of several that make it at the same moment', async () => {
    const services = Array.from({ length: 3 }, () => harness.service());
    const states = await Promise.all(services.map((service) => service.open(harness.config())));
    assert.equal(states.filter(({ phase }) => phase === 'ready').length, 1, JSON.stringify(states));
  });

  it('is given up by a writer whose place another machine has taken, before it writes again', async () => {
    const first = await opened(harness.service(undefined, { lease: { heartbeatMs: 300 } }));
    await anotherMachineWrites();
    await new Promise((resolve) => setTimeout(resolve, 400));
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

  it('answers a question of several hops in some hundred requests, and writes nothing for it', async () => {
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
    assert.ok(read <= 110, `${read} requests for a question`);
  });

  it('says what is wrong where it cannot be had, and takes nothing for damaged', async () => {
    await (await opened()).close();
    const tables = await harness.dump();
    const { url } = network;
    const closed = await startNetwork(url, 0);
    await closed.close();
    const troubles = [
      ['storage-refused', harness.indexFolder(), storageOptions(url, 'unknown')],
      ['storage-missing', 's3://no-such-bucket/index', storageOptions(url)],
      ['storage-unreachable', harness.indexFolder(), storageOptions(closed.url)],
    ] as const;
    for (const [code, indexUri, options] of troubles) {
      const config = harness.config({ indexUri, storageOptions: { ...options, client_max_retries: '0' } });
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
