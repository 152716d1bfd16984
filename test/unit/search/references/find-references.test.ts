import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReferenceAnswer, ReferenceKind } from '../../../../src/search/domain/reference-answer.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

const FILES = {
  'src/mime.ts': [
    'export const MAX_AGE = 30;',
    'export function getMimeType(name: string): string {',
    "  if (name === '') throw new MimeError('no name');",
    '  return name;',
    '}',
    'export class MimeError extends Error {}',
  ].join('\n'),
  'src/serve.ts': [
    "import { getMimeType as typeOf, MAX_AGE } from './mime.ts';",
    'export function serveStatic(name: string) {',
    '  return typeOf(name) + MAX_AGE;',
    '}',
    "on('file.served', serveStatic);",
  ].join('\n'),
  'src/thing.ts': ['export class Thing { settle(): void {} }', 'export class Other { settle(): void {} }'].join('\n'),
  'src/use-thing.ts': ['export function work(given) {', '  given.settle();', '}'].join('\n'),
  'test/serve.test.ts': [
    "import { serveStatic } from '../src/serve.ts';",
    "it('serves', () => { serveStatic('a'); });",
  ].join('\n'),
};

async function ask(symbol: string, kind: ReferenceKind, paths?: string[]): Promise<ReferenceAnswer> {
  return findReferences(await indexOf(FILES), { symbol, kind, ...(paths && { paths }) });
}

const places = ({ references }: ReferenceAnswer): string[] =>
  references.map(({ relation, path, line, from, text }) => `${relation} ${path}:${line} ${from} | ${text}`);

const SHOP = {
  'shop.ts': 'export function open(name: string) {\n  throw new ShopError(`cannot open ${name}: no such file`);\n}\n',
  'shop.go': 'package shop\nfunc open() error {\n  return fmt.Errorf("no room in %s", name)\n}\n',
  'shut.ts': "throw new ShopError('the shop is shut');\n",
};

describe('an option of a command line', () => {
  it('is found where it is added', async () => {
    const index = await indexOf({
      'main.py':
        'def run(\n    install: bool = typer.Option(None, "--install-completion", callback=install),\n): ...\n',
      'more.py': 'parser.add_argument("-i", "--install")\n',
    });
    const { references } = await findReferences(index, { symbol: '--install-completion', kind: 'keys' });
    assert.deepEqual(
      references.map(({ path, line, text }) => `${path}:${line} ${text}`),
      ['main.py:2 install: bool = typer.Option(None, "--install-completion", callback=install),'],
    );
  });
});

describe('a list of uses', () => {
  it('is given up at once, also while a large program is still read for it', async () => {
    const index = await indexOf(FILES);
    const waits = {
      references: () => new Promise<never>(() => {}),
      coverage: () => index.coverage(),
      read: () => Promise.resolve([]),
    };
    const stop = new AbortController();
    const asked = findReferences(waits, { symbol: 'getMimeType', kind: 'calls' }, stop.signal);
    setImmediate(() => stop.abort());
    await assert.rejects(asked, { name: 'AbortError' });
  });
});

describe('a name behind its module', () => {
  it('is found where a file or its folder is called so', async () => {
    const index = await indexOf({
      'src/Models/User.php': '<?php\nnamespace App\\Models;\nclass User { function save() {} }\n',
      'shop/store.py': 'class Store:\n    def merge(self): ...\n',
      'other/till.py': 'class Store:\n    def merge(self): ...\n',
      'lib/till.c': 'int c = 1;\nvoid ring(void) {}\n',
      'src/main/java/com/shop/Till.java': 'package com.shop;\npublic class Till { void open() {} }\n',
    });
    const defined = async (symbol: string): Promise<string[]> =>
      (await findReferences(index, { symbol, kind: 'definitions' })).definitions.map(
        ({ path, name }) => `${path} ${name}`,
      );
    assert.deepEqual(await defined('App\\Models\\User'), ['src/Models/User.php User']);
    assert.deepEqual(await defined('\\App\\Models\\User::save()'), ['src/Models/User.php User.save']);
    assert.deepEqual(await defined('shop.store.Store'), ['shop/store.py Store']);
    assert.deepEqual(await defined('shop.store.Store.merge'), ['shop/store.py Store.merge']);
    assert.deepEqual(await defined('com.shop.Till.open'), ['src/main/java/com/shop/Till.java Till.open']);
    assert.deepEqual(await defined('shop.nowhere.Store'), []);
    assert.deepEqual([await defined('till.ring'), await defined('till.c')], [['lib/till.c ring'], []]);
  });
});

describe('a path that is searched below', () => {
  it('may be written with a dot before it and a slash behind', async () => {
    for (const path of ['src', './src', 'src/', './src/serve.ts'])
      assert.deepEqual(places(await ask('getMimeType', 'calls', [path])), [
        'calls src/serve.ts:3 serveStatic | return typeOf(name) + MAX_AGE;',
      ]);
    assert.equal((await ask('getMimeType', 'calls', ['.'])).total, 1);
    assert.equal((await ask('getMimeType', 'calls', ['sr'])).total, 0);
  });
});

describe('a thrown text', () => {
  const places = async (symbol: string): Promise<string[]> =>
    (await findReferences(await indexOf(SHOP), { symbol, kind: 'throws' })).references.map(
      ({ path, line, to }) => `${path}:${line} ${to}`,
    );

  it('is found as it is written, and as it reads with a value filled in', async () => {
    const shop = ['shop.ts:2 cannot open ${name}: no such file'];
    assert.deepEqual(await places('cannot open ${name}: no such file'), shop);
    assert.deepEqual(await places('cannot open ferry.txt: no such file'), shop);
    assert.deepEqual(await places('cannot open %s: no such file'), shop);
    assert.deepEqual(await places('no such file'), shop);
    assert.deepEqual(await places('no room in the harbour'), ['shop.go:3 no room in %s']);
    assert.deepEqual(await places('the shop is shut'), ['shut.ts:1 the shop is shut']);
    assert.deepEqual(await places('no room'), []);
    assert.deepEqual(await places('cannot shut ferry.txt: no such file'), []);
    assert.deepEqual(await places(', '), [], 'punctuation is no part of a text');
  });
});

describe('a list of references', () => {
  it('has every call with its line, also under another name', async () => {
    const answer = await ask('getMimeType', 'calls');
    assert.deepEqual(places(answer), ['calls src/serve.ts:3 serveStatic | return typeOf(name) + MAX_AGE;']);
    assert.deepEqual(
      answer.definitions.map(({ path, line, name }) => `${path}:${line} ${name}`),
      ['src/mime.ts:2 getMimeType'],
    );
    assert.equal(answer.total, 1);
    assert.equal(answer.complete, true);
  });

  it('counts beside the calls where the name is handed on as a value', async () => {
    const calls = await ask('serveStatic', 'calls');
    assert.deepEqual([calls.total, calls.named], [1, 1]);
    assert.equal((await ask('serveStatic', 'calls', ['test'])).named, undefined);
    assert.equal((await ask('serveStatic', 'uses')).named, undefined, 'they are in that list');
    const { references } = await ask('serveStatic', 'uses');
    assert.ok(references.some(({ relation, line }) => relation === 'reads' && line === 5));
  });

  it('tells uses, imports, tests, throws and what is called, each apart', async () => {
    assert.deepEqual(places(await ask('MAX_AGE', 'uses')), [
      "imports src/serve.ts:1  | import { getMimeType as typeOf, MAX_AGE } from './mime.ts';",
      'reads src/serve.ts:3 serveStatic | return typeOf(name) + MAX_AGE;',
    ]);
    assert.deepEqual(
      places(await ask('serveStatic', 'tests')).map((place) => place.split(' | ')[0]),
      ['imports test/serve.test.ts:1 ', 'calls test/serve.test.ts:2 '],
    );
    assert.deepEqual(places(await ask('MimeError', 'throws')), [
      "throws src/mime.ts:3 getMimeType | if (name === '') throw new MimeError('no name');",
    ]);
    assert.deepEqual(
      (await ask('serveStatic', 'callees')).references.map(({ to }) => to),
      ['getMimeType'],
    );
    assert.deepEqual(
      places(await ask('mime.ts', 'imports')).map((place) => place.split(' | ')[0]),
      ['imports src/serve.ts:1 '],
    );
  });

  it('finds strings by which something is looked up, and thrown texts', async () => {
    assert.deepEqual(places(await ask('file.served', 'uses')), [
      "keys src/serve.ts:5  | on('file.served', serveStatic);",
    ]);
    assert.equal((await ask('no name', 'throws')).references[0]?.line, 3);
  });

  it('takes a name for the string where that is asked for, else for what is called so', async () => {
    const index = await indexOf({
      'port.ts': 'export const PORT = process.env.PORT;',
      'listen.ts': "import { PORT } from './port.ts';\nlisten(PORT);",
    });
    const asked = async (kind: ReferenceKind): Promise<string[]> =>
      places(await findReferences(index, { symbol: 'PORT', kind }));
    assert.deepEqual(await asked('keys'), ['keys port.ts:1  | export const PORT = process.env.PORT;']);
    assert.deepEqual(await asked('reads'), ['reads listen.ts:2  | listen(PORT);']);
    assert.equal((await ask('MAX_AGE', 'keys')).total, 2);
  });

  it('keeps apart what only may be meant', async () => {
    const answer = await ask('Thing.settle', 'calls');
    assert.equal(answer.total, 0);
    assert.deepEqual(
      answer.possible.map(({ path, line, confidence }) => [path, line, confidence < 0.5]),
      [['src/use-thing.ts', 2, true]],
    );
  });

  it('has the tests that Rust keeps in the file of their subject', async () => {
    const files = {
      'src/lib.rs': [
        'pub struct Store;',
        'pub fn open() -> Store { Store }',
        'pub fn reopen() -> Store { open() }',
        '#[cfg(test)]',
        'mod tests {',
        '    use super::*;',
        '    #[test]',
        '    fn opens() { open(); }',
        '}',
      ].join('\n'),
    };
    const answer = await findReferences(await indexOf(files), { symbol: 'open', kind: 'tests' });
    assert.deepEqual(places(answer), ['calls src/lib.rs:8 tests.opens | fn opens() { open(); }']);
  });

  describe('of names that cannot be resolved', () => {
    const files = {
      'src/stores.ts': ['A', 'B', 'C', 'D'].map((name) => `export class ${name} { settle(): void {} }`).join('\n'),
      'src/load.ts': 'export function unpack(): void {}\nexport class Pack { static unpack(): void {} }',
      'src/unknown.ts': [
        "import { Outer } from 'elsewhere';",
        "import * as other from 'elsewhere';",
        "import { made } from './made.ts';",
        'class Plain {}',
        'class Inner extends Outer { run() { this.settle(); } }',
        'export function work(given, typed: Plain, map: Map<string, A>) {',
        '  given.settle();',
        '  made.settle();',
        '  given.next.settle();',
        '  typed.settle();',
        '  map.settle();',
        '  other.settle();',
        '  new Outer().settle();',
        '  settle();',
        '  unpack();',
        '}',
      ].join('\n'),
      'src/made.ts': 'export const { made } = makeAll();',
      'src/other.py': 'def settle(): pass\ndef work(given):\n    given.settle()',
    };
    const possible = async (symbol: string): Promise<number[]> =>
      (await findReferences(await indexOf(files), { symbol, kind: 'calls' })).possible.map(({ line }) => line);

    it('counts every one that may be meant, and none that leads elsewhere', async () => {
      assert.deepEqual(await possible('A.settle'), [5, 7, 8, 9]);
    });

    it('says so where a name is too common to be counted', async () => {
      const store = {
        'a.ts': 'export class Store { get(): void {} }\nexport function get(): void {}',
        'b.ts': 'export function work(given) { given.get(); }',
      };
      const common = async (symbol: string, kind: ReferenceKind): Promise<[boolean, number]> => {
        const answer = await findReferences(await indexOf(store), { symbol, kind });
        return [answer.isCommon, answer.possibleTotal];
      };
      assert.deepEqual(await common('Store.get', 'calls'), [true, 0]);
      assert.deepEqual(await common('Store', 'calls'), [false, 0]);
    });

    it('counts a bare name for what can be named so', async () => {
      assert.deepEqual(await possible('unpack'), [15]);
      assert.deepEqual(await possible('Pack.unpack'), []);
    });
  });

  it('names what is like a symbol that nothing defines, and keeps to a folder', async () => {
    const answer = await ask('getMimeTipe', 'calls');
    assert.deepEqual([answer.definitions, answer.total, answer.near], [[], 0, ['getMimeType']]);
    assert.equal((await ask('MAX_AGE', 'uses', ['test'])).total, 0);
  });
});
