import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

describe('references in an index', function () {
  this.timeout(120_000);
  let harness: IndexHarness;
  let service: LocalIndexService;
  let store: IndexStore;

  beforeEach(async () => {
    harness = await IndexHarness.create({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }\n',
      'lib/load.ts': 'export function load(name: string): string {\n  return name;\n}\n',
      'serve.ts': "import { load } from '@lib/load';\n\nexport function serve(): string {\n  return load('a');\n}\n",
    });
    service = await harness.updated(new HashEmbedder(), {
      openStore: async (generation, options) => {
        const opened = await openStore(generation, options);
        if (opened) store = opened;
        return opened;
      },
    });
  });
  afterEach(() => harness.close());

  const calls = async (): Promise<string[]> =>
    (await findReferences(service.index, { symbol: 'load', kind: 'calls' })).references.map(
      ({ path, line, from, text }) => `${path}:${line} ${from} ${text}`,
    );
  const file = (path: string): string => fileURLToPath(harness.uri(path));

  it('are found over an alias of a module, and change with their file in one commit', async () => {
    assert.deepEqual(await calls(), ["serve.ts:4 serve return load('a');"]);
    const before = await store.passages.table.version();
    await harness.write({ 'serve.ts': "import { load } from '@lib/load';\n\nexport const later = () => load('b');\n" });
    await service.filesChanged([harness.uri('serve.ts')]);
    const [row] = await store.passages.table.query().where("path = 'serve.ts'").select(['references']).toArray();
    assert.match(String((row as { references?: unknown }).references), /later/);
    await service.update({});
    assert.ok((await store.passages.table.version()) > before);
    assert.deepEqual(await calls(), ["serve.ts:3 later export const later = () => load('b');"]);
  });

  it('are those of the text beside them in every version of the table', async () => {
    const { table } = store.passages;
    const before = await table.version();
    await harness.write({ 'serve.ts': "import { load } from '@lib/load';\n\nexport const later = () => load('b');\n" });
    await service.filesChanged([harness.uri('serve.ts')]);
    await service.update({});
    const last = await table.version();
    assert.ok(last > before);
    const seen: string[] = [];
    for (let version = before; version <= last; version++) {
      await table.checkout(version);
      const rows = (await table.query().where("path = 'serve.ts'").select(['text', 'references']).toArray()) as {
        text: string;
        references: string;
      }[];
      const has = (column: 'text' | 'references', word: string): boolean =>
        rows.some((row) => row[column].includes(word));
      seen.push(
        `old ${has('text', 'serve()')} ${has('references', '"serve"')}`,
        `new ${has('text', 'later')} ${has('references', '"later"')}`,
      );
    }
    await table.checkoutLatest();
    assert.deepEqual([...new Set(seen)].sort(), [
      'new false false',
      'new true true',
      'old false false',
      'old true true',
    ]);
  });

  it('go with a file that goes, and move with one that is renamed', async () => {
    await rename(file('serve.ts'), file('lib/serve.ts'));
    await service.filesChanged([harness.uri('serve.ts'), harness.uri('lib/serve.ts')]);
    assert.deepEqual(await calls(), ["lib/serve.ts:4 serve return load('a');"]);
    await harness.remove('lib/serve.ts');
    await service.filesChanged([harness.uri('lib/serve.ts')]);
    assert.deepEqual(await calls(), []);
  });
});
