import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { z } from 'zod';
import { toolArguments } from '../../../../src/research/run/agent-tools.ts';
import { noReferences } from '../../../../src/search/domain/reference-answer.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import type { SearchHit } from '../../../../src/search/domain/passage-chain.ts';
import type { SearchOptions } from '../../../../src/search/retrieval/retriever.ts';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { openFolders, resetVscode } from '../../../doubles/vscode/vscode.ts';
import { readRepository } from '../../../doubles/repository-files.ts';

const { prepareReferences, prepareResearch, prepareSearch, referencesTool, searchTool } =
  await import('../../../../src/vscode/native/tools.ts');

describe('the search tool', () => {
  afterEach(resetVscode);

  const token = {
    isCancellationRequested: false,
    onCancellationRequested: () => ({ dispose: () => undefined }),
  } as unknown as vscode.CancellationToken;

  async function filterFor(
    path: string | undefined,
    files = ['systems/mast-power.md', 'notes-2/systems/mast-power.md'],
    roots?: string[],
  ): Promise<SearchOptions['filter']> {
    const sessions = new FakeSessions();
    sessions.files = files;
    const searches: SearchOptions[] = [];
    sessions.retriever.search = async (_query, options) => {
      searches.push(options);
      return { hits: [], coverage: { files: 1, passages: 1, embedded: 1, indexing: false } };
    };
    const places = { ...(path !== undefined && { paths: [path] }), ...(roots && { roots }) };
    await searchTool(sessions.holder, { query: 'batteries', ...places }, token);
    return searches[0]?.filter;
  }

  it('looks where an agent says, also by an absolute path', async () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    assert.deepEqual(await filterFor('systems'), { paths: ['systems'] });
    assert.deepEqual(await filterFor('/home/ann/notes/systems'), { paths: ['systems'] });
    assert.deepEqual(await filterFor('./systems/'), { paths: ['systems'] });
    for (const everywhere of ['/home/ann/notes', '', undefined]) assert.equal(await filterFor(everywhere), undefined);
    openFolders({ path: '/home/ann/notes', name: 'notes' }, { path: '/srv/notes', name: 'notes' });
    assert.deepEqual(await filterFor('/srv/notes/systems/mast-power.md'), { paths: ['notes-2/systems/mast-power.md'] });
  });

  it('looks in the folders of the workspace that an agent names', async () => {
    const files = ['notes/people/ann.md', 'code/main.py'];
    openFolders({ path: '/home/ann/notes', name: 'notes' }, { path: '/srv/code', name: 'code' });
    assert.deepEqual(await filterFor(undefined, files, ['code']), { paths: ['code'] });
    assert.deepEqual(await filterFor(undefined, files, ['/srv/code/']), { paths: ['code'] });
    assert.equal(await filterFor(undefined, files, ['code', 'notes']), undefined);
    assert.deepEqual(await filterFor('notes/people', files, ['notes']), { paths: ['notes/people'] });
    await assert.rejects(filterFor('notes/people', files, ['code']), {
      code: 'tool-input',
      message: /"notes\/people" lies in none of the roots/,
    });
    await assert.rejects(filterFor(undefined, files, ['archive']), {
      code: 'tool-input',
      message: /no folder "archive" here\. Those that are searched: "notes" \(.*\), "code" \(/,
    });
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    assert.equal(await filterFor(undefined, files, ['notes']), undefined);
  });

  it('gives each passage with a link to its lines', async () => {
    const sessions = new FakeSessions();
    const passage = {
      path: 'huts (old)/[a] keeper.md',
      uri: 'file:///home/ann/huts%20(old)/%5Ba%5D%20keeper.md',
      startLine: 12,
      endLine: 14,
      title: 'Keeper',
      text: 'Ada keeps the hut.',
    } as Passage;
    sessions.retriever.search = async () => ({
      hits: [{ passage, score: 1, parts: {} } as unknown as SearchHit],
      coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
    });
    const { content } = await searchTool(sessions.holder, { query: 'keeper' }, token);
    const [text = ''] = (content as { value: string }[])[0]?.value.split('\n\n(') ?? [];
    const link = 'file:///home/ann/huts%20%28old%29/%5Ba%5D%20keeper.md#L12';
    assert.equal(text, `[1] [huts (old)/\\[a\\] keeper.md:12-14](${link}) (Keeper)\nAda keeps the hut.`);
  });

  it('says how much it has searched', async () => {
    const sessions = new FakeSessions();
    sessions.retriever.search = async () => ({
      hits: [],
      coverage: { files: 3, passages: 9, embedded: 4, indexing: false },
    });
    const { content } = await searchTool(sessions.holder, { query: 'batteries' }, token);
    const [part] = content as { value: string }[];
    assert.equal(
      part?.value,
      'No passage matches.\n\n(Searched 9 passages of 3 files by words, 4 of 9 passages by meaning. About 5 tokens.)',
    );
  });

  it('says what it costs to read, and what is handed over before it is', async () => {
    const sessions = new FakeSessions();
    sessions.retriever.references = async (query) => ({
      ...noReferences(query, { files: 3, passages: 9, embedded: 4, indexing: false }),
      complete: true,
    });
    const { content } = await referencesTool(sessions.holder, { symbol: 'merge' }, token);
    assert.match(
      (content as { value: string }[])[0]?.value ?? '',
      /\n\n\(Looked through the references of 3 files\. About \d+ tokens\.\)$/,
    );
    const way = await referencesTool(sessions.holder, { symbol: 'merge', to: 'Store.save' }, token);
    assert.match((way.content as { value: string }[])[0]?.value ?? '', /^No way leads from merge to Store\.save: /);
    await assert.rejects(referencesTool(sessions.holder, { symbol: 'merge', kind: 'reaches' }, token), {
      code: 'tool-input',
      message: /→ at to$/,
    });
    for (const [prepared, asked] of [
      [prepareSearch({ query: 'batteries', limit: 3 }), 'batteries\n\nAt most 3 passages'],
      [prepareReferences({ symbol: 'merge' }), 'merge\n\nLines of'],
      [prepareResearch({ question: 'Which?' }, null), 'Which?\n\nPassages are quoted'],
    ] as const) {
      assert.match(String(prepared.confirmationMessages?.title), /workspace\?$/);
      assert.ok(String(prepared.confirmationMessages?.message).startsWith(asked));
    }
  });

  it('says so where nothing is indexed, and names what it does not take', async () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    for (const nowhere of ['/elsewhere/systems', 'sys', 'systems/mast'])
      await assert.rejects(filterFor(nowhere), {
        code: 'tool-input',
        message: new RegExp(`Nothing that is indexed lies at or below "${nowhere}"`),
      });
    await assert.rejects(searchTool(new FakeSessions().holder, { query: 'batteries', path: 'systems' }, token), {
      code: 'tool-input',
      message: /"path"/,
    });
  });

  it('is what the skill for agents speaks of, under the name that its folder has', () => {
    const { contributes } = JSON.parse(readRepository('package.json')) as {
      contributes: { chatSkills: { path: string }[] };
    };
    const [skill] = contributes.chatSkills;
    const text = readRepository(skill?.path ?? '');
    assert.equal(/^name: (.+)$/m.exec(text)?.[1], skill?.path.split('/').at(-2));
    for (const name of Object.keys(toolArguments)) assert.ok(text.includes(`\`${name}\``), name);
    assert.ok(readRepository('.vscodeignore').includes('!skills/**'), 'it ships');
  });

  it('takes what package.json says, and what the tools of the protocol take', () => {
    const manifest = JSON.parse(readRepository('package.json')) as {
      contributes: { languageModelTools: { name: string; inputSchema: unknown }[] };
    };
    const declared = Object.fromEntries(
      manifest.contributes.languageModelTools.map((tool) => [tool.name, tool.inputSchema]),
    );
    for (const [name, schema] of Object.entries(toolArguments)) {
      const { $schema: _, ...expected } = z.toJSONSchema(schema);
      assert.deepEqual(declared[name], expected, name);
    }
  });
});
