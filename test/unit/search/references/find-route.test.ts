import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReferenceAnswer } from '../../../../src/search/domain/reference-answer.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

async function route(files: Readonly<Record<string, string>>, symbol: string, to: string): Promise<ReferenceAnswer> {
  return findReferences(await indexOf(files), { symbol, kind: 'reaches', to });
}

const steps = ({ references }: ReferenceAnswer): string[] =>
  references.map(({ from, relation, to, path, line }) => `${from} ${relation} ${to} ${path}:${line}`);
const nodes = ({ definitions }: ReferenceAnswer): string[] =>
  definitions.map(({ name, path, line }) => `${name} ${path}:${line}`);

const SHOP = {
  'app.ts': [
    "import { serve } from './serve.ts';",
    "import { log } from './log.ts';",
    'export function main() {',
    "  log('begin');",
    '  serve();',
    '}',
    'export function alone() {}',
  ].join('\n'),
  'serve.ts': [
    "import { Store } from './store.ts';",
    "import { onError } from './log.ts';",
    'export function serve() {',
    '  const store = new Store(3);',
    '  process.on(onError);',
    '}',
  ].join('\n'),
  'store.ts': [
    "import { openFile } from './files.ts';",
    'export class Store {',
    '  constructor(size: number) {',
    '    openFile(size);',
    '  }',
    '  drop() {',
    '    remove();',
    '  }',
    '}',
    'function remove() {}',
  ].join('\n'),
  'files.ts': 'export function openFile(size: number) {\n  return size;\n}',
  'log.ts': 'export function log(text: string) {}\nexport function onError() {}',
};

describe('the way from one symbol to another', () => {
  it('is the shortest one over calls and construction, each step with its line', async () => {
    const answer = await route(SHOP, 'main', 'openFile');
    assert.deepEqual(steps(answer), [
      'main calls serve app.ts:5',
      'serve calls Store serve.ts:4',
      'Store.constructor calls openFile store.ts:4',
    ]);
    assert.deepEqual(nodes(answer), ['main app.ts:3', 'serve serve.ts:3', 'Store store.ts:2', 'openFile files.ts:1']);
    assert.equal(answer.references[0]?.text, 'serve();');
    assert.deepEqual(answer.route, { found: 'forwards', reached: 5, ambiguous: [] });
  });

  it('goes on from what is constructed by its constructor alone', async () => {
    const answer = await route(SHOP, 'main', 'remove');
    assert.deepEqual([steps(answer), answer.total], [[], 0]);
    assert.equal(answer.route?.found, 'none');
    assert.deepEqual(nodes(answer), ['main app.ts:3', 'remove store.ts:10']);
  });

  it('is told the other way around where only that exists', async () => {
    const answer = await route(SHOP, 'openFile', 'serve');
    assert.equal(answer.route?.found, 'backwards');
    assert.deepEqual(steps(answer), ['serve calls Store serve.ts:4', 'Store.constructor calls openFile store.ts:4']);
  });

  it('goes over names that are handed on where no call leads there', async () => {
    assert.deepEqual(steps(await route(SHOP, 'main', 'onError')), [
      'main calls serve app.ts:5',
      'serve reads onError serve.ts:5',
    ]);
  });

  it('begins and ends with files and classes by what they hold', async () => {
    assert.deepEqual(steps(await route(SHOP, 'app.ts', 'Store')), [
      'main calls serve app.ts:5',
      'serve calls Store serve.ts:4',
    ]);
    assert.deepEqual(steps(await route(SHOP, 'Store', 'remove')), ['Store.drop calls remove store.ts:7']);
  });

  it('goes over imports from file to file', async () => {
    const files = {
      'a.ts': "import { X } from './b.ts';\nexport const y = 1;",
      'b.ts': "export { z } from './c.ts';\nexport const X = 1;",
      'c.ts': 'export const z = 1;',
    };
    assert.deepEqual(steps(await route(files, 'a.ts', 'b.ts')), [' imports X a.ts:1']);
    assert.equal((await route(files, 'y', 'X')).route?.found, 'none');
  });

  it('goes through what overrides a method that is called', async () => {
    const files = {
      'job.py': 'class Job:\n    def run(self):\n        pass\n',
      'mail.py': [
        'from job import Job',
        'from wire import send',
        'class Mail(Job):',
        '    def run(self):',
        '        send()',
      ].join('\n'),
      'wire.py': 'def send():\n    pass\n',
      'queue.py': 'from job import Job\ndef work(job: Job):\n    job.run()\n',
    };
    assert.deepEqual(steps(await route(files, 'work', 'send')), [
      'work calls Job.run queue.py:3',
      'Mail.run overrides Job.run mail.py:4',
      'Mail.run calls send mail.py:5',
    ]);
  });

  it('tries every definition of a name, and tells those that it did not take', async () => {
    const files = {
      'a.py': 'def load():\n    pass\n',
      'b.py': 'def load():\n    parse()\ndef parse():\n    pass\n',
      'c.py': 'class Options:\n    parse: bool = True\n',
    };
    const answer = await route(files, 'load', 'parse');
    assert.deepEqual(steps(answer), ['load calls parse b.py:2']);
    assert.deepEqual(
      answer.route?.ambiguous.map(({ name, path }) => `${name} ${path}`),
      ['load a.py'],
    );
  });

  it('takes the way around what everything calls, where there is one', async () => {
    const users = Array.from({ length: 70 }, (_, i) => `def user_${i}():\n    report()`);
    const hub = [
      'def report():',
      '    write()',
      'def write():',
      '    pass',
      'def begin():',
      '    report()',
      '    middle()',
    ];
    const files = {
      'a.py': [...hub, 'def middle():', '    last()', 'def last():', '    write()', ...users].join('\n'),
    };
    assert.deepEqual(steps(await route(files, 'begin', 'write')), [
      'begin calls middle a.py:7',
      'middle calls last a.py:9',
      'last calls write a.py:11',
    ]);
    assert.deepEqual(steps(await route(files, 'user_3', 'write')), [
      'user_3 calls report a.py:19',
      'report calls write a.py:2',
    ]);
  });

  it('takes no way of more than six steps', async () => {
    const chain = Array.from({ length: 8 }, (_, i) => `export function f${i}() { f${i + 1}(); }`);
    const files = { 'chain.ts': [...chain, 'export function f8() {}'].join('\n') };
    assert.equal((await route(files, 'f0', 'f6')).total, 6);
    assert.equal((await route(files, 'f0', 'f7')).route?.found, 'none');
  });

  it('names what is like a symbol that nothing defines', async () => {
    const answer = await route(SHOP, 'main', 'openFiles');
    assert.deepEqual([answer.definitions, answer.total, answer.route], [[], 0, undefined]);
    assert.deepEqual(answer.near, ['openFile']);
  });

  it('is looked for no longer than somebody waits for it', async () => {
    const index = await indexOf(SHOP);
    const graph = await index.references();
    const controller = new AbortController();
    const edgesOf = graph.edgesOf.bind(graph);
    let looks = 0;
    graph.edgesOf = (...given) => {
      looks += 1;
      controller.abort();
      return edgesOf(...given);
    };
    const asked = { symbol: 'main', kind: 'reaches', to: 'openFile' } as const;
    await assert.rejects(findReferences(index, asked, controller.signal), { name: 'AbortError' });
    assert.equal(looks, 3, 'what is opened is looked at, and nothing after it');
  });
});
