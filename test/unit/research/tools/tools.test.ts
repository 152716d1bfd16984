import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FoundReference } from '../../../../src/search/domain/reference-answer.ts';
import { globTest } from '../../../../src/research/tools/list-tool.ts';
import { narrowed, type ToolContext, ToolInputError } from '../../../../src/research/tools/tool.ts';
import { tools, toolSchemas } from '../../../../src/research/tools/tool-table.ts';
import { heron, kestrel, mara } from '../../../doubles/relay-corpus.ts';
import { notePassage, ScriptedRetriever, type ScriptedRetrieverOptions } from '../../../doubles/scripted-retriever.ts';

const long = notePassage('long', 'Store > merge', Array.from({ length: 150 }, (_, i) => `line ${i + 1}`).join('\n'), {
  path: 'src/deep/store.ts',
  kind: 'function',
  language: 'typescript',
});
const passages = [kestrel, mara, heron, long];

const context = (options: ScriptedRetrieverOptions = {}, scope?: ToolContext['scope']): ToolContext => ({
  retriever: new ScriptedRetriever(passages, options),
  scope,
  signal: new AbortController().signal,
  files: async () => passages.map(({ path }) => ({ path })),
});

async function run(name: string, input: unknown, given = context()) {
  const tool = tools.find((one) => one.name === name);
  assert.ok(tool);
  return tool.run(given, tool.input.parse(input));
}

describe('the tool table', () => {
  it('has four tools, each with a schema of its arguments', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search', 'read', 'references', 'list'],
    );
    for (const { parameters } of toolSchemas) {
      assert.equal(parameters['type'], 'object');
      assert.equal(parameters['additionalProperties'], false);
    }
  });
  it('says no to arguments that a tool does not know', () => {
    for (const tool of tools)
      assert.equal(tool.input.safeParse({ query: 'x', path: 'x', symbol: 'x', glob: 'x', more: 1 }).success, false);
  });
});

describe('search', () => {
  it('gives places with the lines that match, and no bare scores', async () => {
    const { text, hits, structured } = await run('search', { query: 'line 140 of merge', limit: 1 });
    assert.match(text, /^src\/deep\/store\.ts:1-150 {2}Store > merge\n/);
    assert.match(text, /\n140\| line 140/);
    assert.ok((hits?.length ?? 0) > 0);
    assert.doesNotMatch(JSON.stringify(structured), /score/);
  });
  it('says plainly that nothing was found', async () =>
    assert.equal((await run('search', { query: 'zebra' })).text, 'Nothing was found for “zebra”.'));
  it('says which words no file has', async () => {
    const scripts = { csrf: { unknown: ['csrf', 'Fly'] } };
    const { text, note } = await run('search', { query: 'csrf of line 140 on Fly' }, context({ scripts }));
    assert.equal(note, 'No file has: csrf, Fly.');
    assert.match(text, /^No file has: csrf, Fly\.\n\nsrc\/deep\/store\.ts/);
    const inFolder = await run('search', { query: 'csrf of line 140', folder: 'src' }, context({ scripts }));
    assert.equal(inFolder.note, 'No file that was searched has: csrf, Fly.');
    const early = await run('search', { query: 'csrf' }, context({ scripts, coverage: { indexing: true } }));
    assert.equal(early.note, '');
  });
  it('is narrowed by a folder, and never widened', () => {
    assert.deepEqual(narrowed(undefined, 'src/'), { paths: ['src'] });
    assert.deepEqual(narrowed({ paths: ['src'] }, 'src/deep'), { paths: ['src/deep'] });
    assert.deepEqual(narrowed({ paths: ['src/deep'], languages: ['go'] }, 'src'), {
      paths: ['src/deep'],
      languages: ['go'],
    });
    assert.deepEqual(narrowed({ paths: ['src'] }, '.'), { paths: ['src'] });
    assert.throws(() => narrowed({ paths: ['src'] }, 'docs'), ToolInputError);
  });
});

describe('read', () => {
  it('gives lines with their numbers, 120 where nobody says how many', async () => {
    const { text, lines } = await run('read', { path: 'src/deep/store.ts', from: 5 });
    assert.match(text, /^src\/deep\/store\.ts:5-124 of 150 lines\n5\| line 5\n/);
    assert.deepEqual(lines, { path: 'src/deep/store.ts', from: 5, to: 124 });
  });
  it('finds a file by its name, and by the end of its path', async () => {
    for (const path of ['store.ts', 'deep/store.ts', './src/deep/store.ts'])
      assert.match((await run('read', { path, to: 1 })).text, /^src\/deep\/store\.ts:1-1 of/);
  });
  it('takes places as results, compilers and links show them, numbers as text, and null for nothing', async () => {
    for (const [input, from, to] of [
      [{ path: 'src/deep/store.ts:5-9' }, 5, 9],
      [{ path: 'deep/store.ts:31:12', from: null }, 31, 150],
      [{ path: 'store.ts#L3-L4', to: null }, 3, 4],
      [{ path: 'store.ts:5-9', from: '6', to: 7 }, 6, 7],
    ] as const)
      assert.deepEqual((await run('read', input)).lines, { path: 'src/deep/store.ts', from, to });
    await assert.rejects(run('read', { path: 'store.ts', from: 'six' }));
  });
  it('says what is wrong', async () => {
    await assert.rejects(run('read', { path: 'nowhere.md' }), /There is no file "nowhere\.md"/);
    await assert.rejects(run('read', { path: 'src/deep/store.ts', from: 200 }), /ends with line 150/);
    await assert.rejects(run('read', { path: 'src/deep/store.ts', from: 9, to: 4 }), /Line 4 comes before line 9/);
  });
  it('opens nothing outside of its scope', async () =>
    assert.rejects(run('read', { path: 'notes/mara.md' }, context({}, { paths: ['src'] })), ToolInputError));
});

describe('list', () => {
  it('lists files that fit', async () => {
    const { text, total } = await run('list', { glob: 'notes/*.md' });
    assert.equal(text, '3 files\nnotes/heron.md\nnotes/kestrel.md\nnotes/mara.md');
    assert.equal(total, 3);
    assert.equal((await run('list', { glob: '*.go' })).text, 'No file fits *.go.');
    assert.equal((await run('list', { glob: '**' }, context({}, { paths: ['src'] }))).total, 1);
  });
  for (const [glob, path, fits] of [
    ['*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**', 'src/a/b.ts', true],
    ['src/**/b.ts', 'src/b.ts', true],
    ['src/', 'src/a/b.ts', true],
    ['**/*store*', 'src/My-Store.ts', true],
    ['a?[c', 'ab[c', true],
    ['a?c', 'ac', false],
    ['', 'a', false],
    ['202[1-9]-*.md', 'notes/2023-04-01.md', true],
    ['202[!1-9]-*.md', 'notes/2023-04-01.md', false],
    ['src/*.{go,md}', 'src/a.md', true],
    ['src/*.{go,md}', 'src/a.ts', false],
  ] as const)
    it(`${glob} ${fits ? 'fits' : 'does not fit'} ${path}`, () => assert.equal(globTest(glob)(path), fits));
  it('takes no time for any pattern', () => {
    const started = Date.now();
    globTest(`${'*a'.repeat(100)}b`)(`${'a'.repeat(500)}`);
    globTest(`${'**/'.repeat(60)}${'{a,b}'.repeat(60)}`)('a/'.repeat(100));
    assert.ok(Date.now() - started < 1000);
  });
});

describe('references', () => {
  const place: FoundReference = {
    path: 'src/deep/store.ts',
    line: 7,
    text: 'merge(a, b)',
    passageId: 'long',
    relation: 'calls',
    from: 'sync',
    to: 'Store.merge',
    confidence: 1,
  };
  it('lists places by file and line', async () => {
    const {
      text,
      passages: found,
      total,
    } = await run(
      'references',
      { symbol: 'merge' },
      context({ references: { merge: { references: [place], total: 1, files: 1 } } }),
    );
    assert.match(text, /1 place in 1 file uses merge/);
    assert.match(text, /7: sync calls Store\.merge: merge\(a, b\)/);
    assert.deepEqual([found.map(({ id }) => id), total], [['long'], 1]);
  });
  it('says how a place is cited, and what is not seen', async () => {
    const references = { merge: { references: [place], total: 1, files: 1 } };
    assert.match((await run('references', { symbol: 'merge' }, context({ references }))).note ?? '', /\[path:line\]/);
    const none = await run('references', { symbol: 'split', kind: 'sets' });
    assert.match(none.text, /^No place was found that sets split by name; computed access is not seen\.$/m);
    assert.equal(none.note, undefined);
    assert.match((await run('references', { symbol: 'split', kind: 'imports' })).text, /that imports split\.$/m);
  });
  it('needs the other end of a way', () => {
    const tool = tools.find(({ name }) => name === 'references');
    assert.equal(tool?.input.safeParse({ symbol: 'a', kind: 'reaches' }).success, false);
    assert.equal(tool?.asked({ symbol: 'a', to: 'b' }), 'reaches of a to b');
  });
});
