import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cutPassages } from '../../../../src/search/reading/chunk/cut-passages.ts';
import { markdown } from '../../../../src/search/reading/formats/markdown/markdown.ts';
import { markedText } from '../../../../src/search/reading/formats/marked-text.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import type { References } from '../../../../src/search/domain/references.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

const CACHE = [
  'export class MemoryStore {',
  '  merge(): void {}',
  '  clear(): void {}',
  '}',
  'export class DiskStore {',
  '  merge(): void {}',
  '}',
  'export function load(): void {}',
].join('\n');

const PAGE = [
  '---',
  'title: MemoryStore',
  '---',
  '# MemoryStore',
  '',
  'It keeps what `load` gives; see `MemoryStore.merge()`, and what merge means elsewhere.',
  'A load of lines, in notes/load.md and on https://example.org/MemoryStore, is none.',
  'Both stores know `merge`. Run `npm run load`.',
  '',
  '```ts',
  'const store = new MemoryStore();',
  '```',
  '',
  'How it is cleared stands [there](../src/cache.ts#L3), the other in src/cache.ts:6.',
].join('\n');

async function usesOf(path: string, text: string): Promise<string[]> {
  const format = path.endsWith('.md') ? markdown : markedText;
  const { references } = await format.read(new SourceText(text), path, {} as Parameters<typeof format.read>[2]);
  return (
    (references as References | undefined)?.uses.map(({ name, receiver, line }) => `${line} ${receiver}|${name}`) ?? []
  );
}

const FILES = { 'src/cache.ts': CACHE, 'docs/cache.md': PAGE, 'CHANGES.md': '- `MemoryStore` is new.\n' };

async function pages(symbol: string): Promise<string[]> {
  const { references } = await findReferences(await indexOf(FILES), { symbol, kind: 'documents' });
  return references.map(({ path, line, to, relation }) => `${relation} ${path}:${line} ${to}`);
}

describe('what a page says of a program', () => {
  it('are names in code, in headings, and where they are written as no word is', async () => {
    assert.deepEqual(await usesOf('docs/cache.md', PAGE), [
      '4 |MemoryStore',
      '6 |load',
      '6 MemoryStore|merge',
      '8 |merge',
      '11 |MemoryStore',
      '14 #3|../src/cache.ts',
      '14 #6|src/cache.ts',
    ]);
    assert.deepEqual(
      await usesOf('docs/cache.rst', 'MemoryStore\n===========\n\nSee ``load`` and :func:`load_all`.\n'),
      ['1 |MemoryStore', '4 |load', '4 |load_all'],
    );
    assert.deepEqual(await usesOf('notes.md', '# Load\n\nWords alone, and `the shop`.\n'), ['1 |Load']);
  });

  it('leads to the one thing that is called so, or that stands in what is named before it', async () => {
    assert.deepEqual(await pages('MemoryStore'), [
      'documents docs/cache.md:4 MemoryStore',
      'documents docs/cache.md:11 MemoryStore',
      'documents CHANGES.md:1 MemoryStore',
    ]);
    assert.deepEqual(await pages('MemoryStore.merge'), ['documents docs/cache.md:6 MemoryStore.merge']);
    assert.deepEqual(await pages('merge'), [
      'documents docs/cache.md:6 MemoryStore.merge',
      'documents docs/cache.md:8 MemoryStore.merge',
      'documents docs/cache.md:14 DiskStore.merge',
    ]);
    assert.deepEqual(await pages('MemoryStore.clear'), ['documents docs/cache.md:14 MemoryStore.clear']);
    assert.deepEqual(await pages('NoStore'), []);
  });

  it('is no use of a program', async () => {
    const index = await indexOf(FILES);
    assert.equal((await findReferences(index, { symbol: 'MemoryStore', kind: 'uses' })).total, 0);
  });

  it('is stored with the passage that its line stands in', async () => {
    const source = new SourceText(PAGE);
    const parsed = await markdown.read(source, 'docs/cache.md', {} as Parameters<typeof markdown.read>[2]);
    const passages = cutPassages(source, parsed, {
      file: { uri: 'file:///docs/cache.md', path: 'docs/cache.md' },
      language: 'markdown',
      countTokens: (text) => text.length / 4,
    });
    assert.ok(passages.some(({ references }) => references?.includes('MemoryStore')));
  });
});
