import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Passage, PassageLink } from '../../../../src/search/domain/passage.ts';
import type { PassageFilter } from '../../../../src/search/domain/passage-chain.ts';
import { findRelated, type RelatedPorts } from '../../../../src/vscode/related/find-related.ts';
import { examplePassage } from '../../../doubles/panel-runs.ts';

const example = examplePassage('notes/people/hamish-adeyemi.md', 1, 12, 'Hamish Adeyemi');
const link = (target: string, line: number, path?: string): PassageLink => ({
  kind: 'wikilink',
  target,
  line,
  ...(path !== undefined && { path }),
});
const passage = (path: string, startLine: number, links: PassageLink[]): Passage => ({
  ...example,
  id: `${path}:${startLine}`,
  path,
  startLine,
  endLine: startLine + 4,
  links,
});

const own = [
  passage('mast.md', 1, [link('ferry', 2, 'ferry.md'), link('gone', 3), link('photo.png', 4), link('#Power', 5)]),
  passage('mast.md', 10, [
    link('ferry', 11, 'ferry.md'),
    link('mast', 12, 'mast.md'),
    link('people/ann', 9, 'people/ann.md'),
  ]),
];
const searched: { query: string; filter: PassageFilter | undefined; retriever: string }[] = [];
const ports = (byMeaning: Passage[]): RelatedPorts => ({
  index: {
    passagesOf: async (path) => (path === 'mast.md' ? own : []),
    linkingTo: async () => [passage('z.md', 20, [link('mast', 23, 'mast.md')]), passage('a.md', 1, [])],
  },
  retriever: {
    search: async (query, { retriever, filter }) => {
      searched.push({ query, retriever, filter });
      const found = retriever === 'vector' ? byMeaning : [passage('words.md', 7, [])];
      return {
        hits: found.map((near) => ({ passage: near, score: 1, folded: [], parts: {} })),
        coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
      };
    },
  },
  withoutFile: async (links) => links.filter(({ target }) => target !== 'photo.png'),
});
const related = (byMeaning: Passage[], line = 1, path = 'mast.md') =>
  findRelated(path, line, ports(byMeaning), new AbortController().signal);

describe('findRelated', () => {
  it('lists what links here by its line, and each file that is linked to once', async () => {
    const { linksHere, linksTo } = await related([]);
    assert.deepEqual(
      linksHere.map((found) => [found.passage.path, found.line]),
      [
        ['a.md', 1],
        ['z.md', 23],
      ],
    );
    assert.deepEqual(linksTo, [
      { path: 'ferry.md', line: 2 },
      { path: 'people/ann.md', line: 9 },
    ]);
  });

  it('calls a link broken that leads to no file, in the index or on disk', async () => {
    assert.deepEqual((await related([])).broken, [{ target: 'gone', line: 3 }]);
  });

  it('looks for what is near the passage at the cursor, elsewhere, and by words where there are no vectors', async () => {
    searched.length = 0;
    const near = passage('near.md', 3, []);
    assert.deepEqual((await related([near], 12)).nearest, [{ passage: near, line: 3 }]);
    assert.deepEqual(searched[0]?.filter, { excludeIds: ['mast.md:1', 'mast.md:10'] });
    assert.equal((await related([], 12)).nearest[0]?.passage.path, 'words.md');
    assert.deepEqual(
      searched.map(({ retriever }) => retriever),
      ['vector', 'vector', 'text'],
    );
  });

  it('says of a file that it is not in the index', async () => {
    assert.deepEqual(await related([], 1, 'secret.md'), {
      indexed: false,
      linksHere: [],
      linksTo: [],
      broken: [],
      nearest: [],
    });
  });
});
