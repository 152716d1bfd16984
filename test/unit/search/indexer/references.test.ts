import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Query, Table } from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openStore, type IndexStore } from '../../../../src/search/store/index-store.ts';
import type { LocalIndexService } from '../../../../src/search/indexer/create-index-service.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { StoredReferences } from '../../../../src/search/store/stored-references.ts';
import { HashEmbedder } from '../../../doubles/hash-embedder.ts';
import { IndexHarness } from './index-harness.ts';

/** A table whose references are read only once they are let go; everything else of it is at hand. */
function heldReading(table: Table): { table: Table; readings: () => number; letGo: () => void } {
  let readings = 0;
  let letGo = (): void => undefined;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const query = (): Query => {
    const asked = table.query();
    const select = asked.select.bind(asked);
    asked.select = (columns) => {
      const rows = select(columns);
      const batches = rows[Symbol.asyncIterator].bind(rows);
      rows[Symbol.asyncIterator] = async function* () {
        if (Array.isArray(columns) && columns.includes('references')) {
          readings += 1;
          await free;
        }
        for await (const batch of { [Symbol.asyncIterator]: batches }) yield batch;
      } as typeof batches;
      return rows;
    };
    return asked;
  };
  const held = new Proxy(table, {
    get(target, name): unknown {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { table: held, readings: () => readings, letGo };
}

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

  it('are found through what project files say, and change with their file in one commit', async () => {
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

  it('are found through what composer.json, Cargo.toml and what a tsconfig.json extends say', async () => {
    await harness.write({
      'composer.json': '{ "autoload": { "psr-4": { "Shop\\\\": "src/" } } }\n',
      'src/Base.php': '<?php\nnamespace Shop;\nclass Base { static function load() {} }\n',
      'old/Base.php': '<?php\nnamespace Old;\nclass Base { static function load() {} }\n',
      'app.php': '<?php\nuse Shop\\Base;\nBase::load();\n',
      'depot/Cargo.toml': '[package]\nname = "shop-store"\n',
      'depot/src/lib.rs': 'pub fn load_store() {}\n',
      'gate/src/lib.rs': 'pub fn load_store() {}\n',
      'gate/src/main.rs': 'fn main() {\n    shop_store::load_store();\n}\n',
      'config/base.json': '{ "compilerOptions": { "paths": { "@far/*": ["../far/*"] } } }\n',
      'web/tsconfig.json': '{ "extends": "../config/base.json" }\n',
      'web/app.ts': "import { loadFar } from '@far/load';\nloadFar();\n",
      'far/load.ts': 'export function loadFar() {}\n',
      'near/load.ts': 'export function loadFar() {}\n',
    });
    await service.update({});
    const ends = async (symbol: string): Promise<string[]> => {
      const graph = await service.index.references();
      return (graph?.usesOf(graph.definitionsOf(symbol), 'calls') ?? [])
        .filter(({ confidence }) => confidence > 0.5)
        .map(({ path, to }) => `${path} ${to.file.path}`);
    };
    assert.deepEqual(await ends('Base.load'), ['app.php src/Base.php']);
    assert.deepEqual(await ends('load_store'), ['gate/src/main.rs depot/src/lib.rs']);
    assert.deepEqual(await ends('loadFar'), ['web/app.ts far/load.ts']);
  });

  it('go with a file that goes, and move with one that is renamed', async () => {
    await rename(file('serve.ts'), file('lib/serve.ts'));
    await service.filesChanged([harness.uri('serve.ts'), harness.uri('lib/serve.ts')]);
    assert.deepEqual(await calls(), ["lib/serve.ts:4 serve return load('a');"]);
    await harness.remove('lib/serve.ts');
    await service.filesChanged([harness.uri('lib/serve.ts')]);
    assert.deepEqual(await calls(), []);
  });

  it('are read again only now and then while searches ask and the table keeps changing', async () => {
    const { table, readings, letGo } = heldReading(store.passages.table);
    letGo();
    let now = 0;
    const graphs = new StoredReferences(table, () => (now += 100)); // so long takes every look at the clock
    const first = await graphs.recent();
    for (let edit = 0; edit < 5; edit++) {
      await harness.write({ 'more.ts': `export const edit${edit} = 1;\n` });
      await service.filesChanged([harness.uri('more.ts')]);
      assert.equal(await graphs.recent(), first);
    }
    assert.equal(readings(), 1);
    now += 10_000;
    assert.equal(await graphs.recent(), first, 'who asks does not wait');
    const second = await graphs.current();
    assert.equal(readings(), 2);
    assert.equal(second.definitionsOf('edit4').length, 1);
    assert.equal(await graphs.recent(), second);
  });

  it('of a moment ago are enough for a search, which waits for no others', async () => {
    const graph = await service.index.references();
    await harness.write({ 'more.ts': "import { load } from './lib/load.ts';\nload('c');\n" });
    await service.filesChanged([harness.uri('more.ts')]);
    assert.equal(await service.index.references({ stale: true }), graph);
    assert.notEqual(await service.index.references(), graph);
    assert.equal((await calls()).length, 2);
  });
});
