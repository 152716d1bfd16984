import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Ports } from '../../../../src/search/process/messages.ts';
import { withinFolder } from '../../../../src/search/process/within-folder.ts';

const roots = [
  { uri: 'file:///w/notes', name: 'notes' },
  { uri: 'file:///w/more/code', name: 'code' },
];
const coverage = { files: 3, passages: 10, embedded: 5, indexing: false };
const ada = { path: 'notes/people/ada.md', links: [{ kind: 'path', target: 'lamp', line: 1, path: 'code/lamp.py' }] };

/** Ports that answer as told, by method; `asked` keeps what they are asked. */
function scripted(answers: Record<string, unknown>): { ports: Ports; asked: Record<string, unknown[]> } {
  const asked: Record<string, unknown[]> = {};
  const port = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      async (...given: unknown[]): Promise<unknown> => {
        asked[name] = given;
        return answer;
      },
    ]),
  );
  return { ports: { index: port, retriever: port, learner: port } as unknown as Ports, asked };
}

describe('an index of several folders as it is for one of them', () => {
  const report = {
    files: [
      { path: 'notes/people/ada.md', language: 'markdown', passages: 3 },
      { path: 'notes/ferry.md', language: 'markdown', passages: 1 },
      { path: 'code/lamp.py', language: 'python', passages: 6 },
    ],
    skipped: [
      { path: 'notes/a.bin', reason: 'binary' },
      { path: 'code/b.bin', reason: 'binary' },
    ],
    fallbacks: [],
  };
  const { ports, asked } = scripted({
    report,
    state: { phase: 'embedding', coverage },
    search: { hits: [{ passage: ada, folded: [ada] }], coverage },
    connect: { chains: [], hits: [], coverage },
    passagesOf: [ada],
    linkingTo: [ada, { path: 'code/lamp.py', links: [] }],
  });
  const { index, retriever } = withinFolder(ports, { uri: 'file:///w/notes', roots });
  const seen = {
    path: 'people/ada.md',
    links: [{ kind: 'path', target: 'lamp', line: 1, path: '../more/code/lamp.py' }],
  };

  it('is searched there alone, wherever else a search is narrowed to', async () => {
    const { hits } = await retriever.search('keeper', { retriever: 'hybrid', limit: 5 });
    assert.deepEqual(hits, [{ passage: seen, folded: [seen] }]);
    assert.deepEqual(asked['search']?.[1], { retriever: 'hybrid', limit: 5, filter: { paths: ['notes'] } });
    const filter = { paths: ['people'], languages: ['markdown'] };
    await retriever.search('keeper', { retriever: 'hybrid', limit: 5, filter });
    const narrowed = { paths: ['notes/people'], languages: ['markdown'] };
    assert.deepEqual(asked['search']?.[1], { retriever: 'hybrid', limit: 5, filter: narrowed });
    await retriever.connect('people/ada.md', 'ferry.md', {});
    assert.deepEqual(asked['connect']?.slice(0, 3), [
      'notes/people/ada.md',
      'notes/ferry.md',
      { filter: { paths: ['notes'] } },
    ]);
  });

  it('counts and lists what lies there, with vectors by their share of all', async () => {
    const { files, skipped } = await index.report();
    assert.deepEqual(
      files.map(({ path }) => path),
      ['people/ada.md', 'ferry.md'],
    );
    assert.deepEqual(
      skipped.map(({ path }) => path),
      ['a.bin'],
    );
    const counted = { files: 2, passages: 4, embedded: 2, indexing: false };
    assert.deepEqual((await index.state()).coverage, counted);
    assert.deepEqual((await retriever.search('keeper', { retriever: 'text', limit: 1 })).coverage, counted);
  });

  it('is asked for files by their paths there', async () => {
    for (const { passagesOf } of [index, retriever]) {
      assert.deepEqual(await passagesOf('people/ada.md'), [seen]);
      assert.deepEqual(asked['passagesOf']?.[0], 'notes/people/ada.md');
      asked['passagesOf'] = [];
    }
    assert.deepEqual(await index.linkingTo('ferry.md'), [seen], 'not what lies elsewhere');
    assert.deepEqual(asked['linkingTo']?.[0], 'notes/ferry.md');
  });
});
