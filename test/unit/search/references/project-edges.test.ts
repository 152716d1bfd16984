import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { edgesFrom, graphOf } from './program-of.ts';

describe('edges over modules of other names', () => {
  it('follows crates of Rust by their names and folders', async () => {
    const graph = await graphOf({
      'crates/store/Cargo.toml': '[package]\nname = "my-store"\nversion = "1.0.0"\n',
      'crates/store/src/lib.rs': 'pub mod lines;\npub fn open_store() {}\n',
      'crates/store/src/lines.rs': 'pub struct Lines;\npub fn all_lines() {}\n',
      'crates/gate/Cargo.toml': '[package]\nname = "gate-rs"\n\n[lib]\nname = "gate"\npath = "source/lib.rs"\n',
      'crates/gate/source/lib.rs': 'pub fn open_gate() {}\n',
      'crates/app/Cargo.toml': [
        '[package]',
        'name = "app"',
        '',
        '[dependencies]',
        'depot = { path = "../store", package = "my-store" }',
        'gate-rs = { path = "../gate" }',
      ].join('\n'),
      'crates/app/src/main.rs': [
        'use my_store::open_store;',
        'use depot::lines::Lines;',
        'fn main() {',
        '    open_store();',
        '    my_store::lines::all_lines();',
        '    gate::open_gate();',
        '    my_store::open_store();',
        '    let found: Lines;',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'crates/app/src/main.rs'), [
      'calls crates/app/src/main.rs:4 main → open_store',
      'calls crates/app/src/main.rs:5 main → all_lines',
      'calls crates/app/src/main.rs:6 main → open_gate',
      'types crates/app/src/main.rs:8 main → Lines',
    ]);
  });

  it('follows aliases of modules by the names of files', async () => {
    const graph = await graphOf({
      'config/tsconfig.base.json':
        '{ "extends": "./strict.json", "compilerOptions": { "paths": { "@l/*": ["../libs/*"] } } }',
      'config/strict.json': '{ "compilerOptions": { "strict": true, "baseUrl": "." } }',
      'packages/tsconfig/package.json': '{ "name": "@acme/tsconfig" }',
      'packages/tsconfig/web.json': '{ "compilerOptions": { "paths": { "@m/*": ["../../more/*"] } } }',
      'apps/a/tsconfig.json': '{ "extends": "../../config/tsconfig.base" }',
      'apps/a/app.ts': "import { open } from '@l/door';\nopen();\n",
      'apps/b/tsconfig.json': '{ "extends": ["@acme/tsconfig/web.json", "./missing.json"] }',
      'apps/b/app.ts': "import { open } from '@m/gate';\nopen();\n",
      'libs/door.ts': 'export function open() {}\n',
      'more/gate.ts': 'export function open() {}\n',
      'other/gate.ts': 'export function open() {}\n',
      'other/door.ts': 'export function open() {}\n',
    });
    assert.deepEqual(
      graph.usesOf(graph.definitionsOf('open'), 'calls').map(({ path, to }) => `${path} ${to.file.path}`),
      ['apps/a/app.ts libs/door.ts', 'apps/b/app.ts more/gate.ts'],
    );
  });

  it('follows the namespaces of PHP to files and folders', async () => {
    const graph = await graphOf({
      'composer.json': JSON.stringify({
        autoload: { 'psr-4': { 'Shop\\': 'src/', 'Shop\\Depot\\': ['depot/'] } },
        'autoload-dev': { 'psr-4': { 'Shop\\Tests\\': 'tests' } },
      }),
      'src/Base.php': '<?php\nnamespace Shop;\nclass Base implements Shutter {\n  function shut() {}\n}\n',
      'src/Shutter.php': '<?php\nnamespace Shop;\ninterface Shutter { function shut(); }\n',
      'old/Shutter.php': '<?php\nnamespace Old;\ninterface Shutter { function shut(); }\n',
      'src/functions.php': '<?php\nnamespace Shop;\nfunction count_lines() {}\n',
      'depot/Box.php': '<?php\nnamespace Shop\\Depot;\nclass Box { static function open() {} }\n',
      'tests/Case.php': '<?php\nnamespace Shop\\Tests;\nclass BaseCase {}\n',
      'app/Store.php': [
        '<?php',
        'namespace App;',
        'use Shop\\Base;',
        'use Shop\\{Depot\\Box as Case, Tests};',
        'use Shop\\Tests\\BaseCase;',
        'use function Shop\\count_lines;',
        'use Far\\Away\\Shutter;',
        'class Store extends Base {',
        '  function run(Base $given, Shutter $other) { $given->shut(); Case::open(); count_lines(); }',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'app/Store.php'), [
      'extends app/Store.php:8 Store → Base',
      'types app/Store.php:9 Store.run → Base',
      'calls app/Store.php:9 Store.run → Base.shut',
      'calls app/Store.php:9 Store.run → Box.open',
      'calls app/Store.php:9 Store.run → count_lines',
    ]);
    assert.deepEqual(
      graph.usesOf(graph.definitionsOf('Shutter'), 'implements').map(({ from, to }) => [from?.file.path, to.file.path]),
      [
        ['app/Store.php', 'src/Base.php'],
        ['src/Base.php', 'src/Shutter.php'],
      ],
    );
  });

  it('takes the outermost of packages and crates of one name, in whatever order they are stored', async () => {
    const files = {
      'packages/core/package.json': '{"name": "@shop/core", "main": "./src/store.ts"}',
      'packages/core/src/store.ts': 'export function open() {}\n',
      'packages/core/test/data/package.json': '{"name": "@shop/core", "main": "./other.ts"}',
      'packages/core/test/data/other.ts': 'export function open() {}\n',
      'app/main.ts': "import { open } from '@shop/core';\nopen();\n",
      'crates/core/Cargo.toml': '[package]\nname = "core-shop"\n',
      'crates/core/src/lib.rs': 'pub fn shut() {}\n',
      'crates/core/tests/data/Cargo.toml': '[package]\nname = "core-shop"\n',
      'crates/core/tests/data/src/lib.rs': 'pub fn shut() {}\n',
      'gate/src/main.rs': 'use core_shop::shut;\nfn main() {\n    shut();\n}\n',
    };
    for (const stored of [Object.entries(files), Object.entries(files).reverse()]) {
      const graph = await graphOf(Object.fromEntries(stored));
      const meant = (path: string): string[] =>
        (graph.program.files.get(path)?.uses ?? []).flatMap((use) => graph.edgesOf(use).map(({ to }) => to.file.path));
      assert.deepEqual(meant('app/main.ts'), ['packages/core/src/store.ts']);
      assert.deepEqual(meant('gate/src/main.rs'), ['crates/core/src/lib.rs']);
    }
  });
});
