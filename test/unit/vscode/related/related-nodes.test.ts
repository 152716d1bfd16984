import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { PassageLink } from '../../../../src/search/domain/passage.ts';
import type { Related } from '../../../../src/vscode/related/find-related.ts';
import { examplePassage } from '../../../doubles/panel-runs.ts';
import { FileType, openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';

const { relatedNodes } = await import('../../../../src/vscode/related/related-view.ts');
const { linkExists } = await import('../../../../src/vscode/related/related-view.ts');

const document = Uri.file('/vault/notes/mast.md') as unknown as vscode.Uri;
const example = examplePassage('notes/people/hamish-adeyemi.md', 1, 12, 'Hamish Adeyemi');
const nothing: Related = { indexed: true, linksHere: [], linksTo: [], broken: [], nearest: [] };

describe('the related view', () => {
  beforeEach(() => openFolders({ path: '/vault', name: 'vault' }));
  afterEach(resetVscode);

  it('shows groups that hold something, each row leading to its line', () => {
    const groups = relatedNodes(
      {
        ...nothing,
        linksTo: [{ path: 'notes/ferry.md', line: 4 }],
        broken: [{ target: 'gone', line: 9 }],
        nearest: [{ passage: { ...example, path: 'people/ann.md', startLine: 3 }, line: 3 }],
      },
      document,
    );
    assert.deepEqual(
      groups.map((group) => [group.label, group.description, group.children?.map((row) => row.label)]),
      [
        ['Links to', '1', ['ferry.md']],
        ['Broken links', '1', ['gone']],
        ['Nearest passages', '1', ['ann.md:3']],
      ],
    );
    const [ferry] = groups[0]?.children ?? [];
    assert.equal(String(ferry?.command?.arguments?.[0]), 'file:///vault/notes/ferry.md');
    const broken = groups[1]?.children?.[0];
    assert.equal(broken?.description, 'line 9: there is no such file');
    const how = broken?.command?.arguments?.[1] as { selection: vscode.Range } | undefined;
    assert.equal(how?.selection.start.line, 8);
  });

  it('says so where nothing is related', () => {
    assert.deepEqual(
      relatedNodes(nothing, document).map((node) => node.label),
      ['Nothing here is related to this file.'],
    );
  });

  it('knows files that are there without being indexed', async () => {
    const there = new Set(['/vault/notes/my photo.png', '/vault/assets/plan.pdf']);
    workspace.fs.stat = async (uri) => {
      if (there.has(uri.path)) return { type: FileType.File };
      throw new Error('no such file');
    };
    workspace.findFiles = async (pattern) => (String(pattern).includes('Ferry Plan') ? [document] : []);
    const exists = (kind: PassageLink['kind'], target: string) => linkExists({ kind, target, line: 1 }, document);
    assert.deepEqual(
      await Promise.all([
        exists('markdown', 'my%20photo.png#top'),
        exists('markdown', 'assets/plan.pdf'),
        exists('markdown', '/assets/plan.pdf'),
        exists('markdown', '100%.md'),
        exists('wikilink', 'Ferry Plan|the plan'),
        exists('wikilink', 'Gone'),
      ]),
      [true, true, true, false, true, false],
    );
  });
});
