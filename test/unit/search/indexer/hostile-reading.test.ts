import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
import {
  createPassageSource,
  readerHere,
  type FileReader,
} from '../../../../src/search/reading/create-passage-source.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

describe('files that broke a limit, or a process', function () {
  this.timeout(60_000);
  let harness: IndexHarness;
  /**
   * Paths in the order in which they were handed to be read; a path ends in `…` when it was begun while another was
   * being read.
   */
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    harness = await IndexHarness.create({
      'a.md': '# Ferry\n',
      'b.md': '# Boat\n',
      'c.md': '# Lighthouse\n',
      'd.md': '# Keeper\n',
      'e.md': '# Harbour\n',
    });
  });
  afterEach(() => harness.close());

  /** A service whose reader does something else with some files. */
  function serviceWith(
    misread: (name: string) => ReturnType<FileReader['read']> | undefined,
    program = '',
  ): LocalIndexService {
    const embedder = new HashEmbedder();
    let busy = 0;
    return harness.service(embedder, {
      program,
      createSource: (config) => {
        const deps = { countTokens: (text: string) => embedder.countTokens(text), wasmDir: path.resolve('.') };
        const here = readerHere(nodeFileSystem, deps);
        const reader: FileReader = {
          read: async (file, ...rest) => {
            const [, , onBegins] = rest;
            onBegins?.();
            asked.push(busy > 0 ? `${file.path}…` : file.path);
            busy += 1;
            try {
              return await (misread(file.path) ?? here.read(file, ...rest));
            } finally {
              busy -= 1;
            }
          },
          close: () => here.close(),
        };
        return createPassageSource(config, { ...deps, reader });
      },
    });
  }

  async function updated(service: LocalIndexService, rebuild = false): Promise<Record<string, string>> {
    await service.open(harness.config());
    const report = await service.update({ rebuild });
    await service.close();
    return Object.fromEntries(
      report.skipped.map(({ path: skipped, reason, why }) => [skipped, `${reason}: ${causeInWords(why)}`]),
    );
  }

  it('are not tried again until they change, by another process neither', async () => {
    const broke = { code: 'took-longer' as const, details: { seconds: 5 } };
    const giveUp = (name: string): ReturnType<FileReader['read']> | undefined =>
      name === 'b.md'
        ? Promise.resolve({
            path: name,
            reason: 'gave-up',
            why: { code: 'extraction', details: { broke } },
          })
        : undefined;
    assert.deepEqual(await updated(serviceWith(giveUp)), {
      'b.md': 'gave-up: taking the text out of it took longer than 5 s',
    });
    asked = [];
    assert.deepEqual(
      await updated(serviceWith(giveUp)),
      { 'b.md': 'gave-up: taking the text out of it took longer than 5 s' },
      'it is still told of',
    );
    assert.deepEqual(asked, []);
    await harness.write({ 'b.md': '# Boat, mended\n' });
    assert.deepEqual(await updated(serviceWith(() => undefined)), {});
    assert.deepEqual(asked, ['b.md']);
  });

  it('are tried again by another version of the program, and by that one once', async () => {
    const broke = { code: 'took-longer' as const, details: { seconds: 5 } };
    const asText = (name: string): ReturnType<FileReader['read']> | undefined =>
      name === 'b.md'
        ? Promise.resolve({ path: name, reason: 'gave-up', why: { code: 'extraction', details: { broke } } })
        : undefined;
    await updated(serviceWith(asText, '1'));
    for (const expected of [['b.md'], []]) {
      asked = [];
      await updated(serviceWith(asText, '2'));
      assert.deepEqual(asked, expected);
    }
  });

  /** What a process leaves behind that ended while it read these files. */
  function endsWhileReading(...names: string[]): void {
    const notes = path.join(harness.indexFolder(), 'writer.reading.json');
    const before = JSON.parse(readFileSync(notes, 'utf8')) as { ended: unknown[] };
    const reading = names.map((name) => {
      utimesSync(harness.path(name), 1_700_000_000, 1_700_000_000);
      return { uri: harness.uri(name), size: readFileSync(harness.path(name)).length, mtimeMs: 1_700_000_000_000 };
    });
    writeFileSync(notes, JSON.stringify({ ...before, reading }));
  }

  it('are read last and alone once a process ended over them, and left out after the second time', async () => {
    await updated(serviceWith(() => undefined));
    endsWhileReading('a.md', 'b.md');
    asked = [];
    assert.deepEqual(
      await updated(
        serviceWith(() => undefined),
        true,
      ),
      {},
    );
    assert.deepEqual(asked.slice(-2).sort(), ['a.md', 'b.md'], 'last, and nothing else is read meanwhile');
    assert.ok(
      asked.slice(0, 3).some((name) => name.endsWith('…')),
      'the others go side by side',
    );

    endsWhileReading('b.md');
    endsWhileReading('b.md');
    const service = serviceWith(() => undefined);
    await service.open(harness.config());
    await service.close();
    endsWhileReading('b.md');
    asked = [];
    assert.deepEqual(
      await updated(
        serviceWith(() => undefined),
        true,
      ),
      { 'b.md': 'gave-up: the index process ended twice while reading it' },
    );
    assert.ok(!asked.some((name) => name.startsWith('b.md')));
    assert.ok(
      asked.some((name) => name.startsWith('a.md')),
      'the one that was read since is above suspicion',
    );

    await harness.write({ 'b.md': '# Boat, mended\n' });
    asked = [];
    assert.deepEqual(await updated(serviceWith(() => undefined)), {});
    assert.ok(asked.includes('b.md'), 'it has changed');
  });

  it('leave notes that say what is being read, and nothing afterwards', async () => {
    let seen = '';
    await updated(
      serviceWith((name) => {
        if (name === 'c.md') seen = readFileSync(path.join(harness.indexFolder(), 'writer.reading.json'), 'utf8');
        return undefined;
      }),
    );
    assert.ok(
      (JSON.parse(seen) as { reading: { uri: string }[] }).reading.some(({ uri }) => uri === harness.uri('c.md')),
    );
    assert.deepEqual(JSON.parse(readFileSync(path.join(harness.indexFolder(), 'writer.reading.json'), 'utf8')), {
      program: '',
      reading: [],
      ended: [],
    });
  });
});
