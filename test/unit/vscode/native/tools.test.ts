import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { SearchOptions } from '../../../../src/retrieval/retriever.ts';
import { FakeSessions } from '../../../doubles/vscode/fake-sessions.ts';
import { openFolders, resetVscode } from '../../../doubles/vscode/vscode.ts';

const { searchTool } = await import('../../../../src/vscode/native/tools.ts');

describe('the search tool', () => {
  afterEach(resetVscode);

  async function filterFor(path: string | undefined): Promise<SearchOptions['filter']> {
    const sessions = new FakeSessions();
    const searches: SearchOptions[] = [];
    sessions.retriever.search = async (_query, options) => {
      searches.push(options);
      return { hits: [], coverage: { files: 1, passages: 1, embedded: 1, indexing: false } };
    };
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    await searchTool(sessions.holder, { query: 'batteries', path }, token as unknown as vscode.CancellationToken);
    return searches[0]?.filter;
  }

  it('looks where an agent says, also by an absolute path', async () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    assert.deepEqual(await filterFor('systems'), { paths: ['systems'] });
    assert.deepEqual(await filterFor('/home/ann/notes/systems'), { paths: ['systems'] });
    assert.deepEqual(await filterFor('/elsewhere/systems'), { paths: ['/elsewhere/systems'] });
    for (const everywhere of ['/home/ann/notes', '', undefined]) assert.equal(await filterFor(everywhere), undefined);
    openFolders({ path: '/home/ann/notes', name: 'notes' }, { path: '/srv/notes', name: 'notes' });
    assert.deepEqual(await filterFor('/srv/notes/systems/mast-power.md'), { paths: ['notes-2/systems/mast-power.md'] });
  });
});
