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
    service = harness.service(new HashEmbedder(), {
      openStore: async (generation, options) => {
        const opened = await openStore(generation, options);
        if (opened) store = opened;
        return opened;
      },
    });
    await service.open(harness.config());
    await service.update({});
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

  it('of a moment ago are enough for a search, which waits for no others', async () => {
    const graph = await service.index.references();
    await harness.write({ 'more.ts': "import { load } from './lib/load.ts';\nload('c');\n" });
    await service.filesChanged([harness.uri('more.ts')]);
    assert.equal(await service.index.references({ stale: true }), graph);
    assert.notEqual(await service.index.references(), graph);
    assert.equal((await calls()).length, 2);
  });
});
