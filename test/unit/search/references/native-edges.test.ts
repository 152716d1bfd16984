import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { edgesFrom, graphOf, shown } from './program-of.ts';

describe('edges of C, C++, Ruby, Kotlin and Swift', () => {
  it('follows what a header of C declares to what is defined for it', async () => {
    const graph = await graphOf({
      'store/store.h': 'struct store;\nstruct store *shop_open(void);\nextern int shop_count;\n',
      'store/store.c': [
        '#include "store.h"',
        'struct store { struct store *next; };',
        'int shop_count;',
        'static int merge(struct store *one);',
        'struct store *shop_open(void) { merge(0); return 0; }',
        'static int merge(struct store *one) { return shop_count; }',
      ].join('\n'),
      'app.c': '#include "store/store.h"\nint run(void) { return shop_open() != 0; }\n',
    });
    assert.deepEqual(edgesFrom(graph, 'app.c'), ['calls app.c:2 run → shop_open']);
    assert.deepEqual(edgesFrom(graph, 'store/store.c'), [
      'types store/store.c:4 merge → store',
      'types store/store.c:5 shop_open → store',
      'calls store/store.c:5 shop_open → merge',
      'types store/store.c:6 merge → store',
      'reads store/store.c:6 merge → shop_count',
    ]);
    assert.deepEqual(graph.usesOf(graph.definitionsOf('merge'), 'calls').map(shown), [
      'calls store/store.c:5 shop_open → merge',
    ]);
  });

  it('follows a method of C++ that returns a pointer or a reference', async () => {
    const graph = await graphOf({
      'line.hpp': 'class Line { public: static Line* make() { return 0; } Line& last(); Line* next; };\n',
      'line.cpp': '#include "line.hpp"\nLine& Line::last() { return *next; }\n',
      'app.cpp': '#include "line.hpp"\nvoid run(Line* given) { given->last(); Line::make(); given->next->last(); }\n',
    });
    assert.deepEqual(
      edgesFrom(graph, 'app.cpp').filter((edge) => edge.startsWith('calls')),
      ['calls app.cpp:2 run → Line.last', 'calls app.cpp:2 run → Line.make'],
    );
  });

  it('follows new of Ruby to the class, and the value to what it is of', async () => {
    const graph = await graphOf({
      'lib/store.rb': 'module Shop\n  class Store\n    def merge; end\n  end\nend\nclass Till\n  def merge; end\nend',
      'lib/app.rb': [
        "require_relative 'store'",
        'def run',
        '  store = Shop::Store.new(1)',
        '  store.merge',
        '  till = Till.new',
        '  till.merge',
        '  say(Till)',
        'end',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'lib/app.rb'), [
      'reads lib/app.rb:3 run → Shop',
      'calls lib/app.rb:3 run → Shop.Store',
      'calls lib/app.rb:4 run → Shop.Store.merge',
      'calls lib/app.rb:5 run → Till',
      'calls lib/app.rb:6 run → Till.merge',
      'reads lib/app.rb:7 run → Till',
    ]);
  });

  it('follows imports of functions and constants of Kotlin to the files of their package', async () => {
    const graph = await graphOf({
      'src/shop/Store.kt': 'package shop\nclass Store\n',
      'src/shop/Parts.kt': 'package shop\nconst val MAX_AGE = 3\nfun openStore(): Store = Store()\nclass Small\n',
      'src/other/Parts.kt': 'package other\nconst val MAX_AGE = 4\nfun openStore() {}\n',
      'src/app/App.kt': [
        'package app',
        'import kotlin.math.roundUp',
        'import shop.MAX_AGE',
        'import shop.openStore as unlock',
        'import shop.Small',
        'fun run(): Int {',
        '  unlock()',
        '  Small()',
        '  roundUp(1)',
        '  return MAX_AGE',
        '}',
      ].join('\n'),
    });
    assert.deepEqual(edgesFrom(graph, 'src/app/App.kt'), [
      'calls src/app/App.kt:7 run → openStore',
      'calls src/app/App.kt:8 run → Small',
      'reads src/app/App.kt:10 run → MAX_AGE',
    ]);
    const paths = graph.usesOf(graph.definitionsOf('MAX_AGE'), 'reads').map(({ to }) => to.file.path);
    assert.deepEqual(paths, ['src/shop/Parts.kt']);
  });

  it('tells what Swift throws from what it gives back', async () => {
    const graph = await graphOf({
      'Errors.swift': 'enum ShopError: Error {\n  case shut\n  case missing(String)\n}\nstruct Failure: Error {}\n',
      'Shop.swift': [
        'func make() -> Int { return 1 }',
        'func run() throws -> Int {',
        '  if a { throw ShopError.shut }',
        '  if b { throw ShopError.missing("x") }',
        '  if c { throw Failure() }',
        '  return make()',
        '}',
      ].join('\n'),
    });
    const throwing = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'throws').map(shown);
    assert.deepEqual(throwing('make'), []);
    assert.deepEqual(graph.usesOf(graph.definitionsOf('make'), 'calls').map(shown), ['calls Shop.swift:6 run → make']);
    assert.deepEqual(throwing('ShopError'), [
      'throws Shop.swift:3 run → ShopError',
      'throws Shop.swift:4 run → ShopError',
    ]);
    assert.deepEqual(throwing('ShopError.shut'), ['throws Shop.swift:3 run → ShopError.shut']);
    assert.deepEqual(throwing('Failure'), ['throws Shop.swift:5 run → Failure']);
  });
});
