import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ReadFile } from '../../src/search/reading/passage-source.ts';
import { causeInWords } from '../../src/search/domain/file-cause.ts';
import type { SkippedFile, SourceFile } from '../../src/search/domain/source-file.ts';
import { ReadingProcess, type ReadingProcessOptions } from '../../src/search/process/reading/reading-process.ts';
import { builtEntry, ProcessHarness, processLives } from './process-harness.ts';
import { until } from '../doubles/waiting.ts';

const FERRY = { 'ferry.md': '# Ferry\n\nThe ferry across the sound was chosen in spring.\n' };
const counting = { kind: 'careful' as const };
const wasmDir = path.resolve('dist/wasm');

/** Makes the real reading process misbehave: its parsers of notebooks do what a notebook says. */
const MISBEHAVING = `
  const parse = JSON.parse;
  let others = 0;
  JSON.parse = (text, ...rest) => {
    const what = String(text);
    if (what.includes('HANG')) for (;;);
    if (what.includes('HOG')) for (const kept = []; ;) kept.push(Buffer.alloc(20_000_000, 1));
    if (what.includes('HEAP')) for (const kept = []; ;) kept.push({ a: kept.length, b: String(kept.length) });
    if (what.includes('CRASH')) process.kill(process.pid, 'SIGSEGV');
    if (what.includes('TIRED') && others > 0) for (;;);
    if (what.includes('TIRING')) others++;
    if (what.includes('LATE')) void Promise.reject(new Error('nobody waits for this'));
    return parse(text, ...rest);
  };
  const split = String.prototype.split;
  String.prototype.split = function (...how) {
    if (this.includes('STUCK IN EVERY WAY')) for (;;);
    return split.apply(this, how);
  };
`;

describe('a file that holds up what reads it', function () {
  this.timeout(180_000);
  let harness: ProcessHarness;
  const readers: ReadingProcess[] = [];
  beforeEach(async () => {
    harness = await ProcessHarness.create(FERRY);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await harness.close();
  });

  /** The real reading process, after a script of the test's. */
  async function readerAfter(script: string, changes: Partial<ReadingProcessOptions> = {}): Promise<ReadingProcess> {
    const entry = path.join(harness.base, 'misbehaving.cjs');
    await writeFile(entry, `${script}\nrequire(${JSON.stringify(builtEntry)});\n`);
    const reader = new ReadingProcess({
      entry,
      wasmDir,
      counting,
      log: (level, text) => harness.logged.push(`${level} ${text}`),
      ...changes,
    });
    readers.push(reader);
    return reader;
  }

  async function read(
    reader: ReadingProcess,
    name: string,
    text: string,
    signal?: AbortSignal,
  ): Promise<ReadFile | SkippedFile> {
    await harness.write({ [name]: text });
    const file: SourceFile = {
      uri: harness.uri(name),
      path: name,
      rootUri: pathToFileURL(harness.workspace).href,
      size: text.length,
      mtimeMs: 1,
    };
    return reader.read(file, 50e6, signal);
  }

  const said = (result: ReadFile | SkippedFile): string =>
    'reason' in result
      ? `${result.reason}: ${causeInWords(result.why)}`
      : `read: ${result.fallback ? causeInWords(result.fallback) : 'as ever'}`;

  it('is told of when work on it begins, and not while it waits for the process or for another file', async () => {
    const reader = await readerAfter('');
    const told: string[] = [];
    await harness.write({ 'one.md': '# One\n', 'two.md': '# Two\n' });
    const fileOf = (name: string): SourceFile => ({
      uri: harness.uri(name),
      path: name,
      rootUri: pathToFileURL(harness.workspace).href,
      size: 6,
      mtimeMs: 0,
    });
    const reading = ['one.md', 'two.md'].map(async (name) => {
      await reader.read(fileOf(name), 1_000_000, undefined, () => told.push(`begins ${name}`));
      told.push(`has ${name}`);
    });
    assert.equal(told.length, 0, 'the process has not even started');
    await Promise.all(reading);
    assert.ok(told.indexOf('begins one.md') < told.indexOf('begins two.md'));
    assert.equal(told.filter((what) => what.startsWith('begins')).length, 2);
  });

  it('is read as text blocks when its parser takes too long, too much memory, or ends the process; the others are read as ever', async () => {
    const reader = await readerAfter(MISBEHAVING);
    const names = ['hang', 'fine', 'hog', 'heap', 'crash', 'last'];
    const results = await Promise.all(
      names.map((name) =>
        read(
          reader,
          `${name}.ipynb`,
          `{"cells": [{"cell_type": "markdown", "source": ["${name.toUpperCase()} of the sound"]}]}`,
        ),
      ),
    );
    assert.match(said(results[0] as ReadFile), /^read: the jupyter parser took longer than 5 s, read as text blocks$/);
    assert.equal(said(results[1] as ReadFile), 'read: as ever');
    assert.match(
      said(results[2] as ReadFile),
      /^read: the jupyter parser needed more than 700 MB of memory, read as text blocks$/,
    );
    assert.match(
      said(results[3] as ReadFile),
      /^read: the jupyter parser (?:needed more than 700 MB of memory|took longer than 5 s), read as text blocks$/,
      'what collects garbage all the time meets either limit',
    );
    assert.match(
      said(results[4] as ReadFile),
      /^read: the jupyter parser ended the process that read it \(SIGSEGV\), read as text blocks$/,
    );
    assert.equal(said(results[5] as ReadFile), 'read: as ever');
    for (const result of results)
      assert.ok(
        'passages' in result && result.passages.some((passage) => passage.text.includes('of the sound')),
        'its words can be found',
      );
  });

  it('is read as ever when another file is to blame: in a fresh process', async () => {
    const reader = await readerAfter(MISBEHAVING);
    const notebook = (text: string): string =>
      JSON.stringify({ cells: [{ cell_type: 'markdown', source: [text] }], nbformat: 4 });
    assert.equal(said(await read(reader, 'first.ipynb', notebook('# TIRING'))), 'read: as ever');
    assert.equal(said(await read(reader, 'second.ipynb', notebook('# TIRED'))), 'read: as ever');
  });

  it('is read as ever when a library fails behind its back', async () => {
    const reader = await readerAfter(MISBEHAVING);
    const late = JSON.stringify({ cells: [{ cell_type: 'markdown', source: ['# LATE'] }], nbformat: 4 });
    assert.equal(said(await read(reader, 'late.ipynb', late)), 'read: as ever');
    const { pid } = reader;
    assert.equal(said(await read(reader, 'b.md', '# B\n')), 'read: as ever');
    assert.equal(reader.pid, pid, 'in the same process');
    assert.ok(harness.logged.some((line) => line.includes('nobody waits for this')));
  });

  it('is left out with the reason when even text blocks cannot be made of it', async () => {
    const reader = await readerAfter(MISBEHAVING);
    const [stuck, fine] = await Promise.all([
      read(reader, 'stuck.md', '# STUCK IN EVERY WAY\n'),
      read(reader, 'fine.md', '# Fine\n'),
    ]);
    assert.equal(said(stuck), 'gave-up: its parser took longer than 5 s, and reading it as text took longer than 5 s');
    assert.equal(said(fine), 'read: as ever');
  });

  it('costs nobody else anything: what is aborted ends at once, and a closed reader leaves no process', async () => {
    const reader = await readerAfter(MISBEHAVING);
    const stop = new AbortController();
    const hanging = read(reader, 'hang.ipynb', '{"cells": "HANG"}', stop.signal);
    await until(() => reader.pid !== undefined, 'the process has started');
    const { pid } = reader;
    stop.abort();
    await assert.rejects(hanging, { name: 'AbortError' });
    const other = read(reader, 'b.md', '# B\n');
    await until(() => reader.pid !== undefined, 'it reads');
    reader.close();
    await assert.rejects(other, { name: 'AbortError' });
    await until(() => !processLives(pid ?? 0), 'the process has ended');
  });

  it('ends with what waits for it: soon after kill -9 of the parent', async () => {
    const entry = path.join(harness.base, 'misbehaving.cjs');
    await readerAfter(MISBEHAVING);
    await harness.write({ 'hang.ipynb': '{"cells": "HANG"}' });
    const module = new URL('../../src/search/process/reading/reading-process.ts', import.meta.url).href;
    const pid = await harness.killedParentOf(`
      import { ReadingProcess } from ${JSON.stringify(module)};
      const reader = new ReadingProcess({ entry: ${JSON.stringify(entry)}, wasmDir: ${JSON.stringify(wasmDir)}, counting: { kind: 'careful' }, log: () => {} });
      const uri = ${JSON.stringify(harness.uri('hang.ipynb'))};
      const rootUri = ${JSON.stringify(pathToFileURL(harness.workspace).href)};
      const file = { uri, path: 'hang.ipynb', rootUri, size: 1, mtimeMs: 1 };
      reader.read(file, 1e6).catch(() => undefined);
      setTimeout(() => process.send(reader.pid), 1_000);
    `);
    await until(() => !processLives(pid), 'the reading process has ended too');
  });

  it('that says why it does not start is told, and no file is blamed', async () => {
    const reader = await readerAfter("throw new Error('no such thing');");
    await assert.rejects(read(reader, 'a.md', '# A\n'), {
      code: 'reading-process-unavailable',
      message: /no such thing/,
    });
  });

  it('sees no key: neither in the index process nor in the one that reads', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-secret';
    process.env['HOPTRAIL_API_KEY'] = 'sk-other';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'not for a local index';
    try {
      const [index, reading] = [path.join(harness.base, 'index-env.json'), path.join(harness.base, 'reading-env.json')];
      const write = (file: string): string =>
        `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));`;
      const script = path.join(harness.base, 'write-env.cjs');
      await writeFile(script, `if (process.argv[2] !== 'reading') ${write(index)}`);
      const running = harness.start({ execArgv: ['--require', script] });
      await running.index.open(harness.config());
      await read(await readerAfter(write(reading)), 'a.md', '# A\n');
      for (const file of [index, reading]) {
        const seen = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
        assert.equal(seen['PATH'], process.env['PATH']);
        assert.equal(seen['HOME'], process.env['HOME']);
        assert.deepEqual(
          Object.keys(seen).filter((name) => /key|secret|token|password/i.test(name)),
          [],
        );
        assert.ok(!JSON.stringify(seen).includes('sk-'));
      }
    } finally {
      for (const name of ['OPENAI_API_KEY', 'HOPTRAIL_API_KEY', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name];
    }
  });

  it('in a folder does not stop the others from being indexed, today nor tomorrow', async () => {
    const labels = Array.from({ length: 40 }, (_, i) => `    label-${i}: value-${i}`).join('\n');
    await harness.write({
      'job.yaml': `apiVersion: batch/v1\nkind: Job\nmetadata:\n  generateName: job-\n  labels:\n${labels}\nspec: {}\n`,
      'blanks.yaml': `a${' '.repeat(100_000)}b\n`,
    });
    const running = harness.start();
    await running.index.open(harness.config());
    await running.index.update({});
    const { hits } = await running.retriever.search('ferry across the sound', { retriever: 'text', limit: 1 });
    assert.equal(hits[0]?.passage.path, 'ferry.md');
    const report = await running.index.report();
    const told = [...report.files.map((file) => file.path), ...report.skipped.map((file) => file.path)];
    for (const name of ['job.yaml', 'blanks.yaml']) assert.ok(told.includes(name), `${name} is accounted for`);
    await harness.end(running);
    const again = harness.start();
    await again.index.open(harness.config());
    const broken = (): string[] => harness.logged.filter((line) => line.includes(': reading it '));
    const before = broken();
    await again.index.update({});
    assert.deepEqual(broken(), before, 'what broke a limit is not tried again');
  });
});

describe('a daemon whose main thread is stuck', function () {
  this.timeout(180_000);
  let harness: ProcessHarness;
  beforeEach(async () => {
    harness = await ProcessHarness.create(FERRY);
  });
  afterEach(() => harness.close());

  it('is ended by its guard after a minute, here five seconds, and another takes its place', async () => {
    const blocking = path.join(harness.base, 'blocking.cjs');
    const blocked = path.join(harness.base, 'blocked');
    await writeFile(
      blocking,
      `const threads = require('node:worker_threads');
      if (process.argv[2] !== 'reading' && threads.isMainThread) {
        const fs = require('node:fs');
        threads.Worker = class extends threads.Worker {
          constructor(file, options) {
            const { workerData } = options ?? {};
            super(file, workerData?.deafMs === 60_000 ? { ...options, workerData: { ...workerData, deafMs: 5_000 } } : options);
          }
        };
        setInterval(() => {
          if (fs.existsSync(${JSON.stringify(blocked)})) { fs.rmSync(${JSON.stringify(blocked)}); for (;;); }
        }, 50).unref();
      }`,
    );
    const running = harness.start({ execArgv: ['--require', blocking] });
    await running.index.open(harness.config());
    await running.index.update({});
    const { pid } = running;
    await writeFile(blocked, '');
    await until(() => !existsSync(blocked), 'it is stuck');
    const { hits } = await running.retriever.search('ferry', { retriever: 'text', limit: 1 });
    assert.equal(hits[0]?.passage.path, 'ferry.md');
    assert.notEqual(running.pid, pid);
  });
});
