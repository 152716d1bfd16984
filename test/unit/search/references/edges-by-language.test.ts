import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { qualifiedName } from '../../../../src/search/references/program.ts';
import { edgesFrom, graphOf, referencesOf, shown } from './program-of.ts';

describe('imports', () => {
  it('lead to what a package exports for a condition and below a path', async () => {
    const graph = await graphOf({
      'packages/store/package.json': JSON.stringify({
        name: '@shop/store',
        exports: {
          '.': { types: './dist/index.d.ts', import: './src/main.ts', default: './lib/main.cjs' },
          './lines': { node: { import: './src/lines/all.ts' } },
          './parts/*': './src/parts/*.ts',
        },
      }),
      'packages/store/src/main.ts': 'export function open() {}\n',
      'packages/store/src/lines/all.ts': 'export function find() {}\n',
      'packages/store/src/parts/door.ts': 'export function shut() {}\n',
      'app.ts': [
        "import { open } from '@shop/store';",
        "import { find } from '@shop/store/lines';",
        "import { shut } from '@shop/store/parts/door';",
        'open();',
        'find();',
        'shut();',
      ].join('\n'),
    });
    const found = graph.program.files.get('app.ts')?.uses.flatMap((use) => graph.edgesOf(use)) ?? [];
    assert.deepEqual(
      found.map(({ relation, to, confidence }) => `${relation} ${to.file.path} ${confidence}`),
      [
        'calls packages/store/src/main.ts 0.9',
        'calls packages/store/src/lines/all.ts 0.9',
        'calls packages/store/src/parts/door.ts 0.9',
      ],
    );
  });

  it('of Java bring all of a package, and single members of a class', async () => {
    const graph = await graphOf({
      'src/shop/Store.java':
        'package shop;\npublic class Store {\n  public static void open() {}\n  void find() {}\n}\n',
      'src/shop/Limits.java': 'package shop;\npublic class Limits {\n  public static int most() { return 1; }\n}\n',
      'src/app/Main.java': [
        'package app;',
        'import shop.*;',
        'import static shop.Limits.most;',
        'class Main {',
        '  void run(Store store) {',
        '    store.find();',
        '    Store.open();',
        '    most();',
        '  }',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'src/app/Main.java'), [
      'types src/app/Main.java:5 Main.run → Store',
      'calls src/app/Main.java:6 Main.run → Store.find',
      'reads src/app/Main.java:7 Main.run → Store',
      'calls src/app/Main.java:7 Main.run → Store.open',
      'calls src/app/Main.java:8 Main.run → Limits.most',
    ]);
  });

  it('of Python lead to the packages above', async () => {
    const graph = await graphOf({
      'shop/__init__.py': '',
      'shop/lines.py': 'def find():\n    pass\n',
      'shop/door/__init__.py': '',
      'shop/door/open.py':
        'from ..lines import find\nfrom .. import lines\n\ndef start():\n    find()\n    lines.find()\n',
    });
    assert.deepEqual(edgesFrom(graph, 'shop/door/open.py'), [
      'calls shop/door/open.py:5 start → find',
      'calls shop/door/open.py:6 start → find',
    ]);
  });
});

describe('overrides of each language', () => {
  const programs: Record<string, readonly [string, string]> = {
    TypeScript: ['a.ts', 'class Base {\n  find() {}\n}\nclass Heir extends Base {\n  override find() {}\n}\n'],
    JavaScript: ['a.js', 'class Base {\n  find() {}\n}\nclass Heir extends Base {\n  find() {}\n}\n'],
    Python: ['a.py', 'class Base:\n    def find(self): ...\n\nclass Heir(Base):\n    def find(self): ...\n'],
    Java: ['A.java', 'class Base {\n  void find() {}\n}\nclass Heir extends Base {\n  @Override void find() {}\n}\n'],
    'C++': [
      'a.cpp',
      'class Base {\n  virtual void find() {}\n};\nclass Heir : public Base {\n  void find() override {}\n};\n',
    ],
    'C#': ['A.cs', 'class Base {\n  virtual void Find() {}\n}\nclass Heir : Base {\n  override void Find() {}\n}\n'],
    Ruby: ['a.rb', 'class Base\n  def find; end\nend\nclass Heir < Base\n  def find; end\nend\n'],
    PHP: ['a.php', '<?php class Base {\n  function find() {}\n}\nclass Heir extends Base {\n  function find() {}\n}\n'],
    Kotlin: [
      'A.kt',
      'open class Base {\n  open fun find() {}\n}\nclass Heir : Base() {\n  override fun find() {}\n}\n',
    ],
    Swift: ['a.swift', 'class Base {\n  func find() {}\n}\nclass Heir: Base {\n  override func find() {}\n}\n'],
  };
  for (const [language, [path, text]] of Object.entries(programs))
    it(`are found in ${language}`, async () => {
      const graph = await graphOf({ [path]: text });
      const find = language === 'C#' ? 'Find' : 'find';
      const overriding = graph.usesOf(graph.definitionsOf(`Base.${find}`), 'overrides');
      assert.deepEqual(overriding.map(shown), [`overrides ${path}:5 Heir.${find} → Base.${find}`]);
    });
});

describe('how sure an edge is', () => {
  it('follows from how its end was found', async () => {
    const graph = await graphOf({
      'store.ts': 'export class Store {\n  find() {}\n}\n',
      'base.rb': 'class Base\n  def keep_line; end\nend\n',
      'heir.rb': 'class Heir < Base\n  def start\n    keep_line()\n  end\nend\n',
      'app.ts': [
        "import { Store } from './store.ts';",
        'function start(store: Store) {',
        '  help();', // of the same file
        '  new Store();', // imported
        '  store.find();', // of the value's type
        '  anything.loneName();', // the only one that is called so
        '}',
        'function help() {}',
        'class Lone {',
        '  loneName() {}',
        '}',
      ].join('\n'),
      'door.go': 'package shop\nfunc open() {\n  shut()\n}\n',
      'shut.go': 'package shop\nfunc shut() {}\n',
    });
    const sure = (path: string): Record<string, number> =>
      Object.fromEntries(
        (graph.program.files.get(path)?.uses ?? [])
          .filter(({ kind }) => kind === 'call')
          .flatMap((use) => graph.edgesOf(use))
          .map(({ to, confidence }) => [qualifiedName(to), confidence]),
      );
    assert.deepEqual(sure('app.ts'), { help: 0.9, Store: 0.9, 'Store.find': 0.9, 'Lone.loneName': 0.5 });
    assert.deepEqual(sure('heir.rb'), { 'Base.keep_line': 0.9 });
    assert.deepEqual(sure('door.go'), { shut: 0.9 });
  });
});

describe('half-typed code', () => {
  const programs: Record<string, readonly [string, string]> = {
    TypeScript: ['a.ts', 'function first() {\n  call(\n}\n\nfunction second() {\n  wanted();\n}\n'],
    TSX: ['a.tsx', 'function First() {\n  return <Box\n}\n\nfunction second() {\n  wanted();\n}\n'],
    JavaScript: ['a.js', 'function first() {\n  call(\n}\n\nfunction second() {\n  wanted();\n}\n'],
    Python: ['a.py', 'def first():\n    call(\n\ndef second():\n    wanted()\n'],
    Go: ['a.go', 'package a\n\nfunc first() {\n\tcall(\n}\n\nfunc second() {\n\twanted()\n}\n'],
    Rust: ['a.rs', 'fn first() {\n    call(\n}\n\nfn second() {\n    wanted();\n}\n'],
    Java: ['A.java', 'class A {\n  void first() {\n    call(\n  }\n\n  void second() {\n    wanted();\n  }\n}\n'],
    C: ['a.c', 'void first(void) {\n  call(\n}\n\nvoid second(void) {\n  wanted();\n}\n'],
    'C++': ['a.cpp', 'void first() {\n  call(\n}\n\nvoid second() {\n  wanted();\n}\n'],
    'C#': ['A.cs', 'class A {\n  void first() {\n    call(\n  }\n\n  void second() {\n    wanted();\n  }\n}\n'],
    Ruby: ['a.rb', 'def first\n  call(\nend\n\ndef second\n  wanted()\nend\n'],
    PHP: ['a.php', '<?php\nfunction first() {\n  call(\n}\n\nfunction second() {\n  wanted();\n}\n'],
    Kotlin: ['A.kt', 'fun first() {\n  call(\n}\n\nfun second() {\n  wanted()\n}\n'],
    Swift: ['a.swift', 'func first() {\n  call(\n}\n\nfunc second() {\n  wanted()\n}\n'],
  };
  for (const [language, [path, text]] of Object.entries(programs))
    it(`still tells what can be read of ${language}`, async () => {
      const { definitions, uses } = await referencesOf(path, text);
      const defined = definitions.map(({ name }) => name);
      const called = uses.filter(({ kind }) => kind === 'call').map(({ name }) => name);
      assert.ok(called.includes('wanted'), `calls ${called.join(' ')}`);
      assert.ok(defined.includes('second'), `defines ${defined.join(' ')}`);
    });
});
