import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReferenceKind } from '../../../../src/search/domain/reference-answer.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { graphOf, indexOf } from './program-of.ts';

async function places(files: Record<string, string>, symbol: string, kind: ReferenceKind): Promise<string[]> {
  const { references } = await findReferences(await indexOf(files), { symbol, kind });
  return references.map(({ path, line, from }) => `${path}:${line}${from === '' ? '' : ` ${from}`}`);
}

describe('a complete list', () => {
  it('of what extends a class has those that extend its heirs', async () => {
    const files = {
      'Thing.java': 'abstract class Thing implements Named {}\ninterface Named {}\n',
      'Boat.java': 'class Boat extends Thing {}\nclass Ferry extends Boat {}\n',
      'Other.java': 'class Other {}\n',
    };
    assert.deepEqual(await places(files, 'Named', 'implements'), [
      'Boat.java:1 Boat',
      'Boat.java:2 Ferry',
      'Thing.java:1 Thing',
    ]);
  });

  it('has sources before examples and tests', async () => {
    const files = {
      'examples/a.ts': "import { open } from '../src/open.ts';\nopen();\n",
      'src/open.ts': 'export function open() {}\n',
      'src/use.ts': "import { open } from './open.ts';\nopen();\n",
      'bench/b.test.ts': "import { open } from '../src/open.ts';\nopen();\n",
    };
    assert.deepEqual(await places(files, 'open', 'calls'), ['src/use.ts:2', 'examples/a.ts:2', 'bench/b.test.ts:2']);
  });

  it('counts a partial class of C# and a module of Ruby that is written in several files as one', async () => {
    const partial = {
      'Store.cs': 'partial class Store {\n  public Store() {}\n  public void Merge() {}\n}\n',
      'Store.Lines.cs': 'partial class Store {\n  class Lines {}\n}\n',
      'Shop.cs':
        'class Shop {\n  readonly Store _store;\n  void Open() { _store.Merge(); var other = new Store(); other.Merge(); }\n}\n',
    };
    assert.deepEqual(await places(partial, 'Store.Merge', 'calls'), ['Shop.cs:3 Shop.Open']);
    const reopened = {
      'lib/shop/tag.rb': 'module Shop\n  class Tag\n  end\nend\n',
      'lib/shop/tag/off.rb': 'module Shop\n  class Tag\n    module Off\n    end\n  end\nend\n',
      'lib/shop/tags/if.rb': 'module Shop\n  class If < Tag\n  end\nend\n',
      'test/tag_test.rb': 'class TagTest\n  class Own < Shop::Tag\n  end\nend\n',
    };
    assert.deepEqual(await places(reopened, 'Shop::Tag', 'implements'), [
      'lib/shop/tags/if.rb:2 Shop.If',
      'test/tag_test.rb:2 TagTest.Own',
    ]);
  });

  it('has what other files of a package of Go make of its values', async () => {
    const files = {
      'shop/errors.go': 'package shop\nvar errShut = errors.New("the shop is shut")\n',
      'shop/shop.go': 'package shop\nfunc open() error {\n\terrHere := 1\n\t_ = errHere\n\treturn errShut\n}\n',
    };
    assert.deepEqual(await places(files, 'errShut', 'uses'), ['shop/shop.go:5 open']);
  });

  it('of thrown texts has those that stand behind others, that are joined, and that a factory throws', async () => {
    const files = {
      'Shop.java': [
        'class Shop {',
        '  Owner find(int id) {',
        '    return owners.get(id).orElseThrow(() -> new IllegalArgumentException("no owner with id: " + id + ". Ask again"));',
        '  }',
        '}',
      ].join('\n'),
      'Shop.cs':
        'class Shop {\n  void Open() { throw new ArgumentOutOfRangeException(nameof(size), "The size must be positive."); }\n}\n',
      'shop.php':
        '<?php\nfunction open() { throw ShopError::shut(); }\nclass ShopError { static function shut() {} }\n',
    };
    assert.deepEqual(await places(files, 'no owner with id: 7. Ask again', 'throws'), ['Shop.java:3 Shop.find']);
    assert.deepEqual(await places(files, 'The size must be positive.', 'throws'), ['Shop.cs:2 Shop.Open']);
    assert.deepEqual(await places(files, 'ShopError', 'throws'), ['shop.php:2 open']);
  });

  it('has the environment variables that options of Rust are read from', async () => {
    const files = { 'src/main.rs': 'struct Args {\n  #[arg(long, env = "SHOP_PORT", help = "x")]\n  port: u32,\n}\n' };
    assert.deepEqual(await places(files, 'SHOP_PORT', 'keys'), ['src/main.rs:2 Args']);
  });

  it('takes what stands before a name for more than a decoration', async () => {
    const files = {
      'a.rb':
        'class ParseContext\n  def new_tokenizer\n  end\nend\nclass Other\n  def run(parse_context)\n    parse_context.new_tokenizer\n  end\nend\n',
      'b.rb': 'def first(list)\n  list.pick\nend\n',
    };
    assert.deepEqual(await places(files, 'parse_context.new_tokenizer', 'calls'), ['a.rb:7 Other.run']);
    assert.deepEqual(await places(files, 'Search.pick', 'calls'), []);
  });

  it('of what imports a file has each of several modules, and files that are no program', async () => {
    const files = {
      'pkg/__init__.py': '',
      'pkg/a.py': 'def x(): pass\n',
      'pkg/b.py': '',
      'pkg/app.py': 'from . import a, b\n',
      'app.ts': "import data from './data.json';\n",
      'data.json': '{}',
    };
    assert.deepEqual(await places(files, 'pkg/a.py', 'imports'), ['pkg/app.py:1']);
    assert.deepEqual(await places(files, 'pkg/b.py', 'imports'), ['pkg/app.py:1']);
    assert.deepEqual(await places(files, 'data.json', 'imports'), ['app.ts:1']);
  });

  it('of imports has those that call a default export as they like', async () => {
    const files = {
      'store.ts': 'export default class Store {}\nexport class Till {}\n',
      'app.ts': "import Shop from './store';\nnew Shop();\n",
      'till.ts': "import { Till } from './store';\nnew Till();\n",
    };
    assert.deepEqual(await places(files, 'Store', 'imports'), ['app.ts:1']);
    assert.deepEqual(await places(files, 'Store', 'uses'), ['app.ts:1', 'app.ts:2']);
    assert.deepEqual(await places(files, 'Till', 'imports'), ['till.ts:1']);
  });

  it('of a name that many classes have holds no use against each of them', async () => {
    const classes = Array.from({ length: 100 }, (_, i) => `export class C${i} {\n  settle() {}\n}`);
    const graph = await graphOf({
      'classes.ts': classes.join('\n'),
      'calls.ts': 'settle();\n'.repeat(100),
      'more.ts': 'export function f(given) {\n  given.settle();\n}\n',
    });
    const targets = graph.definitionsOf('settle');
    assert.equal(targets.length, classes.length);
    let looks = 0;
    for (const target of targets) {
      const { container } = target;
      Object.defineProperty(target, 'container', { get: () => ((looks += 1), container) });
    }
    const possible = graph.usesOf(targets, 'calls').filter(({ confidence }) => confidence < 0.5);
    assert.deepEqual(
      possible.map(({ path, line }) => `${path}:${line}`),
      ['more.ts:2'],
    );
    assert.ok(looks < 10 * targets.length, `${looks} looks`);
  });
});
