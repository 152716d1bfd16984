import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { rootFolders, rootOf, shownPath as crawledAs } from '../../../../src/search/reading/crawl/root-paths.ts';
import { openFolders, resetVscode, Uri } from '../../../doubles/vscode/vscode.ts';

const { shownPath, workspaceRoots } = await import('../../../../src/vscode/index/workspace-roots.ts');
const shown = (path: string): string | undefined => shownPath(Uri.file(path) as unknown as vscode.Uri);

describe('shownPath', () => {
  afterEach(resetVscode);

  it('is the path within the only folder', () => {
    openFolders({ path: '/home/ann/my docs', name: 'my docs' });
    assert.equal(shown('/home/ann/my docs/a/b c.md'), 'a/b c.md');
    assert.equal(shown('/home/ann/my docs'), '');
    assert.equal(shown('/home/ann/other/a.md'), undefined);
  });

  it('tells folders of the same name apart, as the index does', () => {
    openFolders(
      { path: '/work/one/docs', name: 'docs' },
      { path: '/work/two/docs', name: 'docs' },
      { path: '/work/two/docs/inner', name: 'inner' },
      { path: '/virtual', name: 'docs', scheme: 'memfs' },
    );
    assert.equal(shown('/work/one/docs/a.md'), 'docs/a.md');
    assert.equal(shown('/work/two/docs/a.md'), 'docs-2/a.md');
    assert.equal(shown('/work/two/docs'), 'docs-2');
    assert.equal(shown('/work/two/docs/inner/a.md'), 'inner/a.md');
    const roots = rootFolders(workspaceRoots());
    for (const path of ['/work/one/docs/a.md', '/work/two/docs/a.md', '/work/two/docs/inner/a.md']) {
      const root = rootOf(roots, path);
      assert.equal(shown(path), root && crawledAs(root, path));
    }
    assert.equal(shownPath(Uri.parse('memfs:/virtual/a.md') as unknown as vscode.Uri), undefined);
  });
});
