import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { IndexState } from '../../src/search/domain/index-state.ts';
import { builtEntry, ProcessHarness, processLives } from './process-harness.ts';
import { until } from '../doubles/waiting.ts';

const FILES = {
  'ferry.md': '# Ferry\n\nThe ferry across the sound was chosen in spring. See [[costs]].\n',
  'costs.md': '# Costs\n\nRunning the boat is nine thousand a year, Ines Aaltonen decided.\n',
  'lighthouse.md': '# Lighthouse\n\nThe keeper repaints the tower every second summer.\n',
  'src/store.ts': 'export class RowStore {\n  putAll(rows: number[]): number { return rows.length; }\n}\n',
};

describe('index process', function () {
  this.timeout(120_000);
  let harness: ProcessHarness;
  beforeEach(async () => {
    harness = await ProcessHarness.create(FILES);
  });
  afterEach(() => harness.close());

  it('indexes with the bundled model and answers by words, meaning and chains', async () => {
    const running = harness.start();
    const states: IndexState[] = [];
    running.onState((state) => states.push(state));
    const opened = await running.index.open(harness.config());
    assert.equal(opened.embedderId, 'bge-small-en-v1.5/q8/cls');
    const report = await running.index.update({ hints: { openUris: [harness.uri('costs.md')] } });
    assert.deepEqual({ files: report.files, embedded: report.embedded }, { files: 4, embedded: report.passages });
    const { hits, coverage } = await running.retriever.search('how expensive is the ship', {
      retriever: 'vector',
      limit: 2,
    });
    assert.equal(hits[0]?.passage.path, 'costs.md');
    assert.equal(coverage.embedded, report.passages);
    const words = await running.retriever.search('putAll', { retriever: 'text', limit: 2 });
    assert.equal(words.hits[0]?.passage.path, 'src/store.ts');
    const others = await running.retriever.search('putAll', {
      retriever: 'text',
      limit: 5,
      filter: { excludeIds: words.hits.map((hit) => hit.passage.id) },
    });
    assert.ok(
      others.hits.every((hit) => words.hits.every((word) => word.passage.id !== hit.passage.id)),
      'evidence that is taken away is not found',
    );
    const { chains } = await running.retriever.chains('Who decided the costs of the ferry?', {});
    assert.ok((chains[0]?.hops.length ?? 0) > 0);
    const [vector] = await running.retriever.embed(['hello']);
    assert.ok(vector instanceof Float32Array);
    assert.ok(Math.abs(Math.hypot(...(vector ?? [])) - 1) < 1e-3);
    assert.equal((await running.index.update({})).embedded, 0);
    assert.ok(states.some((state) => state.phase === 'embedding') && states.at(-1)?.phase === 'ready');
  });

  it('indexes where the storage is told to read and write with one thread, which hangs by itself', async () => {
    process.env['LANCE_IO_THREADS'] = '1';
    try {
      const running = harness.start();
      await running.index.open(harness.config());
      assert.equal((await running.index.update({})).files, 4);
    } finally {
      delete process.env['LANCE_IO_THREADS'];
    }
  });

  it('reads what an editor shows in place of the file, also after a crash', async () => {
    const running = harness.start();
    await running.index.open(harness.config());
    await running.index.update({});
    await running.index.unsaved([{ uri: harness.uri('ferry.md'), text: '# Ferry\n\n\nThe catamaran.\n' }]);
    const found = async (): Promise<string[]> =>
      (await running.retriever.search('catamaran', { retriever: 'text', limit: 5 })).hits.map(
        ({ passage }) => `${passage.path}:${passage.startLine}-${passage.endLine}`,
      );
    assert.deepEqual(await found(), ['ferry.md:1-4']);
    const pid = running.pid;
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    await until(() => running.pid !== undefined && running.pid !== pid, 'another process runs');
    await running.index.update({});
    assert.deepEqual(await found(), ['ferry.md:1-4']);
    await running.index.unsaved([{ uri: harness.uri('ferry.md'), text: null }]);
    assert.deepEqual(await found(), []);
  });

  it('cancels by signal, and refuses what is not a request', async () => {
    const running = harness.start();
    await running.index.open(harness.config());
    const stop = new AbortController();
    const update = running.index.update({}, stop.signal);
    stop.abort();
    await assert.rejects(update, { name: 'AbortError' });
    await assert.rejects(running.retriever.search('x', { retriever: 'nothing' as 'text', limit: 5 }), /Invalid/);
    await assert.rejects(running.retriever.search('x', { retriever: 'text', limit: -1 }));
    assert.equal((await running.index.update({})).files, 4, 'it goes on after that');
  });

  it('is started again after a crash, asks again what was asked, and goes on with what it was doing', async () => {
    const running = harness.start();
    const states: IndexState[] = [];
    running.onState((state) => states.push(state));
    await running.index.open(harness.config());
    await running.index.update({});
    const first = running.pid;
    assert.ok(first);
    const pending = running.index.update({ rebuild: true });
    const asked = running.retriever.search('lighthouse keeper', { retriever: 'hybrid', limit: 2 });
    process.kill(first, 'SIGKILL');
    assert.equal((await asked).hits[0]?.passage.path, 'lighthouse.md', 'a question is asked again');
    assert.equal((await pending).files, 4);
    assert.ok(states.some((state) => state.error?.code === 'index-process-crashed'));
    assert.notEqual(running.pid, first);
    await until(async () => (await running.index.state()).phase === 'ready', 'the update has gone on');
  });

  it('says why it cannot start', async () => {
    const starting = (script: string): Promise<IndexState> => {
      const entry = path.join(harness.base, 'entry.cjs');
      writeFileSync(entry, script);
      return harness.start({ entry }).index.open(harness.config());
    };
    await assert.rejects(
      starting("require('@lancedb/lancedb-none');\n"),
      (error: Error & { code?: string; advice?: string }) => {
        assert.equal(error.code, 'index-process-unavailable');
        assert.match(error.message, /part of it is missing \(@lancedb\/lancedb-none\)/);
        assert.match(error.advice ?? '', /Reinstall/);
        return true;
      },
    );
    await assert.rejects(
      starting("process.kill(process.pid, 'SIGILL'); setTimeout(() => {}, 10_000);\n"),
      /processor lacks instructions/,
    );
  });

  it('is left alone when it keeps ending over what it is asked', async () => {
    const running = harness.start();
    const states: IndexState[] = [];
    running.onState((state) => states.push(state));
    await running.index.open(harness.config());
    const killing = setInterval(() => running.pid !== undefined && process.kill(running.pid, 'SIGKILL'), 20);
    try {
      await assert.rejects(running.index.update({ rebuild: true }), {
        code: /^index-process-(?:crashed|unavailable)$/,
      });
    } finally {
      clearInterval(killing);
    }
    assert.equal((await running.index.update({})).files, 4, 'and goes on when it is asked again');
  });

  it('says what is wrong with a model folder', async () => {
    const running = harness.start();
    await assert.rejects(
      running.index.open({ ...harness.config(), embedder: { kind: 'folder', path: harness.workspace } }),
      {
        code: 'embedding-model-unusable',
        message: /config\.json is missing/,
      },
    );
    assert.equal((await running.index.open(harness.config())).phase, 'ready', 'another choice can be made then');
  });

  it('ends soon after its last client was killed, and goes on for the others', async () => {
    const client = new URL('../../src/search/process/index-process-client.ts', import.meta.url).href;
    const options = { entry: builtEntry, modelsDir: path.resolve('models'), wasmDir: path.resolve('dist/wasm') };
    const killedClient = (): Promise<number> =>
      harness.killedParentOf(`
        import { startIndexProcess } from ${JSON.stringify(client)};
        const running = startIndexProcess({ ...${JSON.stringify(options)}, lingerMs: 200, log: () => {} });
        running.onState((state) => { if (state.phase === 'ready') process.send(running.pid); });
        await running.index.open(${JSON.stringify(harness.config())});
        await running.index.update({});
      `);
    const pid = await killedClient();
    await until(() => !processLives(pid), 'the daemon has ended too', 15);
    const running = harness.start();
    assert.equal((await running.index.open(harness.config())).phase, 'ready', 'its lock is free');
    assert.equal(await killedClient(), running.pid, 'one daemon for all');
    assert.equal((await running.index.update({})).files, 4);
  });
});
