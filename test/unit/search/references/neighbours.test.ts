import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PassageFilter } from '../../../../src/search/domain/passage-chain.ts';
import { neighboursIn } from '../../../../src/search/references/neighbours.ts';
import { reasonInWords } from '../../../../src/search/domain/reason-words.ts';
import { explainHop } from '../../../../src/search/retrieval/chain/hop-reason.ts';
import { DEFAULT_LIMITS, IndexCandidates } from '../../../../src/search/retrieval/chain/index-candidates.ts';
import { PassageProfiles } from '../../../../src/search/retrieval/features/passage-profile.ts';
import { profileQuestion } from '../../../../src/search/retrieval/question.ts';
import { WordEmbedder } from '../../../doubles/word-embedder.ts';
import { graphOf, graphOfParts, indexOf } from './program-of.ts';

const FILES = {
  'router.ts': 'export interface Router {\n  match(path: string): void;\n}',
  'trie.ts':
    "import { Router } from './router.ts';\nexport class TrieRouter implements Router {\n  match(path: string): void {}\n}",
  'mime.ts': 'export function getMimeType() {}\nexport function log() {}',
  'serve.ts':
    "import { getMimeType, log } from './mime.ts';\nexport function serveStatic() {\n  log();\n  getMimeType();\n}",
  'other.ts': "import { log } from './mime.ts';\nlog();\nlog();",
  'test/serve.test.ts': "import { serveStatic } from '../serve.ts';\nserveStatic();",
};

describe('neighbours along edges', () => {
  it('are found both ways, sources before tests', async () => {
    const neighbours = neighboursIn(await graphOf(FILES));
    assert.deepEqual(
      neighbours.of('serve.ts').map(({ passageId, outward, edge }) => [passageId, outward, edge.relation]),
      [
        ['mime.ts', true, 'calls'],
        ['test/serve.test.ts', false, 'calls'],
      ],
    );
    assert.deepEqual(
      neighbours.of('router.ts').map(({ passageId, outward, edge }) => [passageId, outward, edge.relation]),
      [['trie.ts', false, 'implements']],
    );
  });

  it('are not the users of a hub', async () => {
    const users = Array.from(
      { length: 80 },
      (_, i) => [`user${i}.ts`, "import { log } from './mime.ts';\nlog();"] as const,
    );
    const neighbours = neighboursIn(
      await graphOf({ 'mime.ts': 'export function log() {}', ...Object.fromEntries(users) }),
    );
    assert.deepEqual(neighbours.of('mime.ts'), []);
    assert.equal(neighbours.of('user3.ts')[0]?.passageId, 'mime.ts');
  });

  it('are what is read of a module, whatever it is called, and not what a class reads of itself', async () => {
    const neighbours = neighboursIn(
      await graphOf({
        'limits.ts': 'export const LIMIT = 1;',
        'a.ts': "import * as thisLimits from './limits.ts';\nexport const f = () => thisLimits.LIMIT;",
        'b.ts': 'export class Base {\n  limit = 1;\n}',
        'c.ts':
          "import { Base } from './b.ts';\nexport class Heir extends Base {\n  f() {\n    return this.limit;\n  }\n}",
      }),
    );
    const found = (id: string): string[] => neighbours.of(id).map(({ edge }) => `${edge.relation} ${edge.to.name}`);
    assert.deepEqual(found('a.ts'), ['reads LIMIT']);
    assert.deepEqual(found('c.ts'), ['extends Base']);
  });

  it('stand at both ends of an import, an override, and what a type of Go covers', async () => {
    const graph = neighboursIn(
      await graphOf({
        'names.ts': 'export interface Names {}\nexport type Line = string;',
        'open.ts': "import type { Line } from './names.ts';\nexport const open = (x) => x;",
        'base.ts': 'export class Base {\n  find() {}\n}',
        'heir.ts': "import { Base } from './base.ts';\nexport class Heir extends Base {\n  find() {}\n}",
        'store.go': 'package shop\ntype Store interface {\n  Find() string\n  Save() error\n}\n',
        'disk.go':
          'package shop\ntype Disk struct{}\nfunc (d *Disk) Find() string { return "" }\nfunc (d *Disk) Save() error { return nil }\n',
      }),
    );
    const joined = (from: string, to: string): string[] =>
      [graph.between(from, to), graph.between(to, from)].map((one) =>
        one ? `${one.edge.relation} ${one.edge.to.name} ${one.outward ? 'outward' : 'inward'}` : 'none',
      );
    assert.deepEqual(joined('open.ts', 'names.ts'), ['imports Line outward', 'imports Line inward']);
    assert.deepEqual(joined('heir.ts', 'base.ts'), ['extends Base outward', 'extends Base inward']);
    assert.deepEqual(joined('disk.go', 'store.go'), ['implements Store outward', 'implements Store inward']);
    // Of an heir whose passage is only the method.
    const parts = neighboursIn(
      await graphOfParts({
        'base.ts': ['export class Base {', '  find() {}', '}'],
        'heir.ts': ["import { Base } from './base.ts';\nexport class Heir extends Base {", '  find() {}', '}'],
      }),
    );
    const found = (id: string): string[] =>
      parts
        .of(id)
        .map(({ passageId, edge, outward }) => `${edge.relation} ${passageId} ${outward ? 'outward' : 'inward'}`);
    assert.deepEqual(found('heir.ts:3'), ['overrides base.ts:2 outward']);
    assert.deepEqual(found('base.ts:2'), ['overrides heir.ts:3 inward']);
  });

  it('are less near the more a file imports, and none of an index that imports everything', async () => {
    const many = (count: number): Record<string, string> => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`part${i}.ts`, `export const part${i} = ${i};`])),
      'index.ts': Array.from({ length: count }, (_, i) => `export { part${i} } from './part${i}.ts';`).join('\n'),
      'two.ts': "import { part0 } from './part0.ts';\nexport const two = (x) => x;",
    });
    const few = neighboursIn(await graphOf(many(20)));
    assert.equal(few.of('index.ts').length, 20);
    assert.deepEqual(
      few.of('part0.ts').map(({ passageId }) => passageId),
      ['two.ts', 'index.ts'],
    );
    const all = neighboursIn(await graphOf(many(80)));
    assert.deepEqual(all.of('index.ts'), []);
    assert.deepEqual(
      all.of('part0.ts').map(({ passageId }) => passageId),
      ['two.ts'],
    );
  });

  it('are a rare callee before a logger that many call', async () => {
    const callers = Array.from(
      { length: 40 },
      (_, i) => [`caller${i}.ts`, "import { log } from './log.ts';\nlog();"] as const,
    );
    const neighbours = neighboursIn(
      await graphOf({
        ...Object.fromEntries(callers),
        'log.ts': 'export function log() {}',
        'mime.ts': 'export function getMimeType() {}',
        'serve.ts':
          "import { log } from './log.ts';\nimport { getMimeType } from './mime.ts';\nexport function serve() {\n  log();\n  getMimeType();\n}",
      }),
    );
    const [first, second] = neighbours.of('serve.ts');
    assert.deepEqual([first?.passageId, second?.passageId], ['mime.ts', 'log.ts']);
    assert.ok((first?.weight ?? 0) > 3 * (second?.weight ?? 1));
  });

  it('are candidates of the next hop, as far as the search is not restricted to others', async () => {
    const index = await indexOf(FILES);
    const [start] = await index.get(['router.ts']);
    assert.ok(start);
    const none = { ...DEFAULT_LIMITS, named: 0, linking: 0, text: 0, vector: 0 };
    const found = async (paths?: string[]): Promise<string[]> => {
      const source = new IndexCandidates(index, new WordEmbedder(), 'Router', [], none, paths && { paths });
      return (await source.next([start], undefined)).candidates.map(({ path }) => path);
    };
    assert.deepEqual(await found(), ['trie.ts']);
    assert.deepEqual(await found(['test']), []);
  });

  it('are candidates also where weightier ones lie outside of the search', async () => {
    const users = Array.from(
      { length: 8 },
      (_, i) => [`src/user${i}.ts`, "import { load } from '../store.ts';\nload();"] as const,
    );
    const index = await indexOf({
      'store.ts': 'export function load() {}',
      ...Object.fromEntries(users),
      'test/store.test.ts': "import { load } from '../store.ts';\nload();",
    });
    const [start] = await index.get(['store.ts']);
    assert.ok(start);
    const found = async (filter: PassageFilter): Promise<string[]> => {
      const none = { ...DEFAULT_LIMITS, named: 0, linking: 0, text: 0, vector: 0 };
      const source = new IndexCandidates(index, new WordEmbedder(), 'load', [], none, filter);
      return (await source.next([start], undefined)).candidates.map(({ path }) => path);
    };
    assert.deepEqual(await found({ paths: ['test'] }), ['test/store.test.ts']);
    assert.deepEqual(await found({ excludeIds: users.map(([path]) => path) }), ['test/store.test.ts']);
    assert.equal((await found({ languages: ['typescript'], kinds: ['code'] })).length, DEFAULT_LIMITS.edges);
    assert.deepEqual(await found({ kinds: ['section'] }), []);
  });

  it('read the links of pages to lines once, however many definitions are looked at', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `src/file${i}.ts`,
        `export function one${i}() {}\nexport function two${i}() {}`,
      ]),
    );
    const graph = await graphOf({
      ...files,
      'docs/page.md': 'See [one](file3.ts#L1), [two](../src/file4.ts#L2) and [none](file99.ts#L1).\n',
    });
    let walks = 0;
    for (const name of ['keys', 'values'] as const) {
      const walk = graph.program.files[name].bind(graph.program.files) as () => never;
      graph.program.files[name] = () => {
        walks += 1;
        return walk();
      };
    }
    const neighbours = neighboursIn(graph);
    assert.deepEqual(
      ['src/file3.ts', 'src/file4.ts'].map((id) => neighbours.of(id).map(({ passageId }) => passageId)),
      [['docs/page.md'], ['docs/page.md']],
    );
    const first = walks;
    for (const path of Object.keys(files)) neighbours.of(path);
    assert.equal(walks, first);
  });

  it('give the reason of a hop in words, with both places', async () => {
    const index = await indexOf(FILES);
    const graph = neighboursIn(await graphOf(FILES));
    const profiles = new PassageProfiles();
    const explain = async (from: string, to: string) => {
      const passages = (await index.get([from, to])).map((passage) => profiles.of(passage));
      return explainHop(profileQuestion('', undefined, [], 0), passages, (a, b) => graph.between(a, b));
    };
    const calls = await explain('serve.ts', 'mime.ts');
    assert.equal(reasonInWords(calls).text, '“serveStatic” calls “getMimeType” on line 4');
    assert.equal(FILES['serve.ts'].slice(calls.fromSpan?.start, calls.fromSpan?.end), 'getMimeType');
    assert.equal(FILES['mime.ts'].slice(calls.toSpan?.start, calls.toSpan?.end), 'getMimeType');
    const implemented = await explain('router.ts', 'trie.ts');
    assert.equal(reasonInWords(implemented).text, '“Router” is implemented by “TrieRouter” in trie.ts on line 2');
    // The word itself, and no part of “TrieRouter” before it.
    assert.equal(
      implemented.toSpan?.start,
      FILES['trie.ts'].indexOf('Router implements') + 'Router implements '.length,
    );
    assert.equal(
      reasonInWords(await explain('mime.ts', 'serve.ts')).text,
      '“getMimeType” is called by “serveStatic” in serve.ts on line 4',
    );
  });
});
