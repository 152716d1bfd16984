import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { edgesFrom, graphOf, shown } from './program-of.ts';

describe('edges between the files of a program', () => {
  it('follows calls, types and inheritance of TypeScript through imports, fields and results', async () => {
    const graph = await graphOf({
      'tsconfig.json': '{ // maps\n "compilerOptions": { "paths": { "@lib/*": ["./src/lib/*"] } }, }',
      'package.json': '{ "imports": { "#door": "./src/door.ts" } }',
      'src/lib/store.ts': [
        'export class Base { close(): void {} }',
        'export class Store extends Base {',
        '  lines: Lines = new Lines();',
        '  merge(): Lines { return this.lines.all(); }',
        '}',
        'export class Lines { all(): Lines { return this; } }',
        'export const openStore = (): Store => new Store();',
      ].join('\n'),
      'src/door.ts': "export { openStore as open } from '@lib/store';\nexport * from './lib/store.ts';",
      'src/app.ts': [
        "import { open, Store } from '#door';",
        "import * as lib from '@lib/store.ts';",
        'export function run(given: Store, merge: () => void) {',
        '  const store = open();',
        '  store.merge();',
        '  given.lines.all();',
        '  merge();',
        '  lib.openStore().close();',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'src/lib/store.ts'), [
      'extends src/lib/store.ts:2 Store → Base',
      'types src/lib/store.ts:3 Store → Lines',
      'calls src/lib/store.ts:3 Store → Lines',
      'types src/lib/store.ts:4 Store.merge → Lines',
      'reads src/lib/store.ts:4 Store.merge → Store.lines',
      'calls src/lib/store.ts:4 Store.merge → Lines.all',
      'types src/lib/store.ts:7 openStore → Store',
      'calls src/lib/store.ts:7 openStore → Store',
    ]);
    assert.deepEqual(edgesFrom(graph, 'src/app.ts'), [
      'types src/app.ts:3 run → Store',
      'calls src/app.ts:4 run → openStore',
      'calls src/app.ts:5 run → Store.merge',
      'reads src/app.ts:6 run → Store.lines',
      'calls src/app.ts:8 run → openStore',
      'calls src/app.ts:8 run → Base.close',
    ]);
  });

  it('follows members of enums, and fields that a constructor of TypeScript declares', async () => {
    const graph = await graphOf({
      'color.ts': "export enum Color { Red, Green = 2, 'dark blue' }\nexport const first = Color.Red;\n",
      'store.ts': 'export class Lines { all(): void {} }\n',
      'app.ts': [
        "import { Color } from './color.ts';",
        "import type { Lines } from './store.ts';",
        'export class App {',
        '  constructor(private lines?: Lines, readonly others: Lines) {}',
        '  run() { this.lines?.all(); this.others.all(); paint(Color.Green); }',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(
      graph.definitionsOf('Color.Red').map(({ kind, line }) => `${kind} ${line}`),
      ['field 1'],
    );
    const uses = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'uses').map(shown);
    assert.deepEqual(uses('Color.Red'), ['reads color.ts:2 - → Color.Red']);
    assert.deepEqual(uses('Color.Green'), ['reads app.ts:5 App.run → Color.Green']);
    assert.deepEqual(uses('Lines.all'), ['calls app.ts:5 App.run → Lines.all']);
    assert.deepEqual(graph.definitionsOf('App.lines').length, 1);
  });

  it('follows a default export under the name that an import gives it', async () => {
    const graph = await graphOf({
      'store.ts': 'class Store { merge() {} }\nexport default Store;',
      'load.ts': 'export default function load() {}',
      'app.ts': "import Shop from './store.ts';\nimport read from './load.ts';\nread();\nnew Shop();",
    });
    assert.deepEqual(edgesFrom(graph, 'app.ts'), ['calls app.ts:3 - → load', 'calls app.ts:4 - → Store']);
    assert.deepEqual(graph.usesOf(graph.definitionsOf('load'), 'calls').map(shown), ['calls app.ts:3 - → load']);
  });

  it('takes no names from a module that is only run, nor from one whose names are passed on', async () => {
    const graph = await graphOf({
      'setup.ts': 'export function run() {}\n',
      'index.ts': "export * from './setup';\nrun();\n",
      'app.ts': "import './setup';\nrun();\n",
      'main.ts': "import { run } from './index';\nrun();\n",
    });
    assert.deepEqual(edgesFrom(graph, 'index.ts'), []);
    assert.deepEqual(edgesFrom(graph, 'app.ts'), []);
    assert.deepEqual(edgesFrom(graph, 'main.ts'), ['calls main.ts:2 - → run']);
  });

  it('follows private fields and methods of TypeScript and JavaScript', async () => {
    const graph = await graphOf({
      'store.ts': 'export class Store {\n  merge(): void {}\n  next(): Store { return this; }\n}',
      'other.ts': 'export class Other {\n  merge(): void {}\n  shut() {}\n}',
      'shop.ts': [
        "import { Store } from './store.ts';",
        'export class Shop {',
        '  readonly #store: Store;',
        '  #spare? = new Store();',
        '  constructor(store: Store) {',
        '    this.#store = store;',
        '  }',
        '  run() {',
        '    this.#store.merge();',
        '    this.#spare?.next().merge();',
        '    this.#shut();',
        '  }',
        '  #shut() {}',
        '}',
      ].join('\n'),
      'till.js': [
        "import { Store } from './store.ts';",
        'export class Till {',
        '  #store = new Store();',
        '  run() { this.#store.merge(); }',
        '}',
      ].join('\n'),
    });
    const calls = (path: string): string[] => edgesFrom(graph, path).filter((edge) => edge.startsWith('calls'));
    assert.deepEqual(calls('shop.ts'), [
      'calls shop.ts:4 Shop → Store',
      'calls shop.ts:9 Shop.run → Store.merge',
      'calls shop.ts:10 Shop.run → Store.next',
      'calls shop.ts:11 Shop.run → Shop.shut',
    ]);
    assert.deepEqual(calls('till.js'), ['calls till.js:3 Till → Store', 'calls till.js:4 Till.run → Store.merge']);
  });

  it('follows relative imports, packages and self of Python', async () => {
    const graph = await graphOf({
      'shop/__init__.py': 'from .store import Store as Shop',
      'shop/store.py': [
        'MAX_AGE = 30',
        'class Base:',
        '    def close(self): pass',
        'class Store(Base):',
        '    def merge(self):',
        '        self.close()',
        '        return MAX_AGE',
        'def open_store() -> Store:',
        '    return Store()',
      ].join('\n'),
      'app.py': [
        'import shop.store',
        'from shop import Shop',
        'from shop.store import open_store, MAX_AGE',
        'def run(close, given: Shop):',
        '    found = open_store()',
        '    found.merge()',
        '    given.close()',
        '    shop.store.open_store()',
        '    close()',
        '    print(MAX_AGE)',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'shop/store.py'), [
      'extends shop/store.py:4 Store → Base',
      'calls shop/store.py:6 Store.merge → Base.close',
      'reads shop/store.py:7 Store.merge → MAX_AGE',
      'types shop/store.py:8 open_store → Store',
      'calls shop/store.py:9 open_store → Store',
    ]);
    assert.deepEqual(edgesFrom(graph, 'app.py'), [
      'types app.py:4 run → Store',
      'calls app.py:5 run → open_store',
      'calls app.py:6 run → Store.merge',
      'calls app.py:8 run → open_store',
      'reads app.py:10 run → MAX_AGE',
    ]);
  });

  it('follows super() of Python to the first class that has what is called', async () => {
    const graph = await graphOf({
      'shop/parts.py': [
        'class Named:',
        '    def label(self): pass',
        'class Store:',
        '    def shut(self): pass',
        '    def label(self): pass',
      ].join('\n'),
      'shop/app.py': [
        'from threading import Thread',
        'from .parts import Named, Store',
        'class Shop(Named, Store):',
        '    def shut(self):',
        '        super().shut()',
        '        super(Shop, self).label()',
        'class Worker(Thread):',
        '    def run(self):',
        '        super().shut()',
      ].join('\n'),
    });
    assert.deepEqual(
      edgesFrom(graph, 'shop/app.py').filter((edge) => edge.startsWith('calls')),
      ['calls shop/app.py:5 Shop.shut → Store.shut', 'calls shop/app.py:6 Shop.shut → Named.label'],
    );
  });

  it('follows inheritance however deep it goes', async () => {
    const heirs = Array.from(
      { length: 20 },
      (_, i) =>
        [`c${i}.ts`, `import { C${i + 1} } from './c${i + 1}.ts';\nexport class C${i} extends C${i + 1} {}`] as const,
    );
    const graph = await graphOf({
      ...Object.fromEntries(heirs),
      'c20.ts': "import { C0 } from './c0.ts';\nexport class C20 extends C0 { shut() {} }",
      'app.ts': "import { C0 } from './c0.ts';\nexport function run(c: C0) {\n  c.shut();\n}",
    });
    assert.deepEqual(edgesFrom(graph, 'app.ts').slice(-1), ['calls app.ts:3 run → C20.shut']);
  });

  it('follows packages and receivers of Go', async () => {
    const graph = await graphOf({
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'store/store.go': [
        'package store',
        'type Merger interface {',
        '  Merge(name string) error',
        '  Close()',
        '}',
        'type Store struct { lines *Lines }',
        'func Open() *Store { return &Store{} }',
        'func (s *Store) Merge(name string) error { return s.lines.Add(name) }',
      ].join('\n'),
      'store/lines.go': [
        'package store',
        'type Lines struct{}',
        'func (l *Lines) Add(name string) error { return nil }',
        'func (s *Store) Close() { Open() }',
      ].join('\n'),
      'main.go': [
        'package main',
        'import "example.com/shop/store"',
        'func main() {',
        '  found := store.Open()',
        '  found.Merge("a")',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(
      edgesFrom(graph, 'main.go').filter((edge) => edge.startsWith('calls')),
      ['calls main.go:4 main → Open'],
    );
    assert.deepEqual(
      edgesFrom(graph, 'store/lines.go').filter((edge) => edge.startsWith('calls')),
      ['calls store/lines.go:4 Store.Close → Open'],
    );
    assert.ok(edgesFrom(graph, 'store/store.go').includes('calls store/store.go:8 Store.Merge → Lines.Add'));
  });

  it('follows modules, impl blocks and traits of Rust', async () => {
    const graph = await graphOf({
      'src/store.rs': [
        'pub trait Merge { fn merge(&self) -> u32; }',
        'pub struct Store { size: u32 }',
        'impl Store {',
        '    pub fn open() -> Self { Store { size: 1 } }',
        '}',
        'impl Merge for Store {',
        '    fn merge(&self) -> u32 { self.size }',
        '}',
        'pub fn close(store: &Store) {}',
      ].join('\n'),
      'src/main.rs': [
        'mod store;',
        'use crate::store::{Store, close as shut};',
        'fn main() {',
        '    let found = Store::open();',
        '    found.merge();',
        '    shut(&found);',
        '    store::close(&found);',
        '}',
      ].join('\n'),
      'src/shop.rs': [
        'use crate::store;',
        'fn leave(found: &store::Store) {',
        '    store::close(found);',
        '    crate::store::close(found);',
        '    let next = super::store::Store::open();',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(
      edgesFrom(graph, 'src/shop.rs').filter((edge) => edge.startsWith('calls')),
      [
        'calls src/shop.rs:3 leave → close',
        'calls src/shop.rs:4 leave → close',
        'calls src/shop.rs:5 leave → Store.open',
      ],
    );
    assert.deepEqual(
      edgesFrom(graph, 'src/main.rs').filter((edge) => edge.startsWith('calls')),
      ['calls src/main.rs:4 main → Store.open', 'calls src/main.rs:6 main → close', 'calls src/main.rs:7 main → close'],
    );
    assert.deepEqual(graph.usesOf(graph.definitionsOf('Merge'), 'implements').map(shown), [
      'implements src/store.rs:6 Store → Merge',
    ]);
  });

  it('follows packages, fields and overrides of Java', async () => {
    const graph = await graphOf({
      'src/shop/Merger.java': 'package shop;\npublic interface Merger {\n  void merge(String name);\n}',
      'src/shop/Store.java': [
        'package shop;',
        'public class Store implements Merger {',
        '  private Lines lines = new Lines();',
        '  public void merge(String name) { lines.add(name); close(); }',
        '  void close() { throw new ShopError("the shop is shut"); }',
        '}',
      ].join('\n'),
      'src/shop/Lines.java': 'package shop;\npublic class Lines {\n  void add(String name) {}\n}',
      'src/app/App.java': [
        'package app;',
        'import shop.Store;',
        'class App {',
        '  void run(Merger other) {',
        '    Store store = new Store();',
        '    store.merge("a");',
        '  }',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(
      edgesFrom(graph, 'src/app/App.java').filter((edge) => edge.startsWith('calls')),
      ['calls src/app/App.java:5 App.run → Store', 'calls src/app/App.java:6 App.run → Store.merge'],
    );
    assert.deepEqual(
      edgesFrom(graph, 'src/shop/Store.java').filter((edge) => edge.startsWith('calls')),
      [
        'calls src/shop/Store.java:3 Store → Lines',
        'calls src/shop/Store.java:4 Store.merge → Lines.add',
        'calls src/shop/Store.java:4 Store.merge → Store.close',
      ],
    );
    assert.deepEqual(graph.usesOf(graph.definitionsOf('Merger.merge'), 'overrides').map(shown), [
      'overrides src/shop/Store.java:4 Store.merge → Merger.merge',
    ]);
  });

  it('takes the word of a language for what is inherited, and no package or variable that is called so', async () => {
    const graph = await graphOf({
      'base.py': 'def load(n): pass',
      'app.py': 'import base\nclass Store:\n    def load(self): base.load(1)\nclass Shop(Store):\n    pass',
      'base/base.go': 'package base\nfunc Load(n int) {}',
      'go.mod': 'module example.com/shop',
      'main.go': 'package main\nimport "example.com/shop/base"\nfunc main() { base.Load(1) }',
      'base.js': 'exports.load = function (n) {};',
      'app.js': "const base = require('./base');\nfunction run() { base.load(1); }",
      'tree.ts': [
        'class Node { shut(): void {} }',
        'class Leaf { shut(): void {} }',
        'export class Twig extends Node {',
        '  fold(parent: Leaf, base: Leaf) {',
        '    parent.shut();',
        '    base.shut();',
        '    super.shut();',
        '  }',
        '}',
      ].join('\n'),
      'Tree.cs': [
        'class Node { public void Shut() {} }',
        'class Leaf { public void Shut() {} }',
        'class Twig : Node {',
        '  void Fold(Leaf parent) { parent.Shut(); }',
        '  void Open() { base.Shut(); }',
        '}',
      ].join('\n'),
      'Tree.php': [
        '<?php',
        'class Node { function shut() {} }',
        'class Twig extends Node {',
        '  function fold() { parent::shut(); }',
        '}',
      ].join('\n'),
    });
    const calls = (path: string): string[] => edgesFrom(graph, path).filter((edge) => edge.startsWith('calls'));
    assert.deepEqual(calls('app.py'), ['calls app.py:3 Store.load → load']);
    assert.deepEqual(calls('main.go'), ['calls main.go:3 main → Load']);
    assert.deepEqual(calls('app.js'), ['calls app.js:2 run → load']);
    assert.deepEqual(calls('tree.ts'), [
      'calls tree.ts:5 Twig.fold → Leaf.shut',
      'calls tree.ts:6 Twig.fold → Leaf.shut',
      'calls tree.ts:7 Twig.fold → Node.shut',
    ]);
    assert.deepEqual(calls('Tree.cs'), [
      'calls Tree.cs:4 Twig.Fold → Leaf.Shut',
      'calls Tree.cs:5 Twig.Open → Node.Shut',
    ]);
    assert.deepEqual(calls('Tree.php'), ['calls Tree.php:4 Twig.fold → Node.shut']);
  });

  const others: Record<string, { file: string; text: string[]; edges: string[] }> = {
    JavaScript: {
      file: 'shop.js',
      text: [
        'class Base { close() {} }',
        'class Store extends Base {',
        '  merge() { this.close(); }',
        '}',
        'const open = () => new Store();',
        'function run() { open().merge(); }',
      ],
      edges: [
        'extends shop.js:2 Store → Base',
        'calls shop.js:3 Store.merge → Base.close',
        'calls shop.js:5 open → Store',
        'calls shop.js:6 run → open',
        'calls shop.js:6 run → Store.merge',
      ],
    },
    TSX: {
      file: 'shop.tsx',
      text: [
        'const Row = (props: Props) => <b />;',
        'interface Props { name: string }',
        'export const Table = () => <Row name="a" />;',
      ],
      edges: ['types shop.tsx:1 Row → Props', 'calls shop.tsx:3 Table → Row'],
    },
    C: {
      file: 'shop.c',
      text: [
        'struct lines { int size; };',
        'static int add(struct lines *to) { return to->size; }',
        'int run(void) { return add(0); }',
      ],
      edges: ['types shop.c:2 add → lines', 'reads shop.c:2 add → lines.size', 'calls shop.c:3 run → add'],
    },
    'C++': {
      file: 'shop.cpp',
      text: [
        'class Base { public: void shut(); };',
        'class Store : public Base { public: void merge(); };',
        'void Store::merge() { shut(); }',
        'void run(Store& given) { given.merge(); }',
      ],
      edges: [
        'extends shop.cpp:2 Store → Base',
        'calls shop.cpp:3 Store.merge → Base.shut',
        'types shop.cpp:4 run → Store',
        'calls shop.cpp:4 run → Store.merge',
      ],
    },
    'C#': {
      file: 'Shop.cs',
      text: [
        'interface IMerger { void Merge(); }',
        'class Store : IMerger {',
        '  public void Merge() { Shut(); }',
        '  void Shut() { throw new ShopError("shut"); }',
        '}',
        'class App { void Run(Store given) { given.Merge(); } }',
      ],
      edges: [
        'implements Shop.cs:2 Store → IMerger',
        'calls Shop.cs:3 Store.Merge → Store.Shut',
        'types Shop.cs:6 App.Run → Store',
        'calls Shop.cs:6 App.Run → Store.Merge',
      ],
    },
    Ruby: {
      file: 'shop.rb',
      text: [
        'class Base',
        '  def shut; end',
        'end',
        'class Store < Base',
        '  def merge',
        '    shut',
        '  end',
        'end',
        'def run',
        '  store = Store.new',
        '  store.merge',
        'end',
      ],
      edges: [
        'extends shop.rb:4 Store → Base',
        'calls shop.rb:6 Store.merge → Base.shut',
        'calls shop.rb:10 run → Store',
        'calls shop.rb:11 run → Store.merge',
      ],
    },
    PHP: {
      file: 'Shop.php',
      text: [
        '<?php',
        'interface Merger { function merge(); }',
        'class Store implements Merger {',
        '  function merge() { $this->shut(); }',
        '  function shut() {}',
        '}',
        'function run(Store $given) { $given->merge(); }',
      ],
      edges: [
        'implements Shop.php:3 Store → Merger',
        'calls Shop.php:4 Store.merge → Store.shut',
        'types Shop.php:7 run → Store',
        'calls Shop.php:7 run → Store.merge',
      ],
    },
    Kotlin: {
      file: 'Shop.kt',
      text: [
        'interface Merger { fun merge() }',
        'class Store : Merger {',
        '  override fun merge() { shut() }',
        '  fun shut() {}',
        '}',
        'fun run(given: Store) { given.merge() }',
      ],
      edges: [
        'implements Shop.kt:2 Store → Merger',
        'calls Shop.kt:3 Store.merge → Store.shut',
        'types Shop.kt:6 run → Store',
        'calls Shop.kt:6 run → Store.merge',
      ],
    },
    Swift: {
      file: 'Shop.swift',
      text: [
        'protocol Merger { func merge() }',
        'class Store: Merger {',
        '  func merge() { shut() }',
        '  func shut() {}',
        '}',
        'func run(given: Store) { given.merge() }',
      ],
      edges: [
        'extends Shop.swift:2 Store → Merger',
        'calls Shop.swift:3 Store.merge → Store.shut',
        'types Shop.swift:6 run → Store',
        'calls Shop.swift:6 run → Store.merge',
      ],
    },
  };
  for (const [language, { file, text, edges }] of Object.entries(others))
    it(`reads calls and inheritance of ${language}`, async () => {
      assert.deepEqual(edgesFrom(await graphOf({ [file]: text.join('\n') }), file), edges);
    });

  it('reads what can be read of half-typed code', async () => {
    const text = [
      'function load() {}',
      'export function serve() {',
      '  load();',
      '  if (load(',
      '',
      'class Half extends',
      'function other() { load(); }',
    ];
    assert.deepEqual(edgesFrom(await graphOf({ 'half.ts': text.join('\n') }), 'half.ts').slice(0, 1), [
      'calls half.ts:3 - → load',
    ]);
  });
});
