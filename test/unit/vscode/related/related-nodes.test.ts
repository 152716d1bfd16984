import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { HoptrailError } from '../../../../src/base/errors.ts';
import type { PassageLink } from '../../../../src/search/domain/passage.ts';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import type { Related } from '../../../../src/vscode/related/find-related.ts';
import { examplePassage } from '../../../doubles/panel-runs.ts';
import {
  EventEmitter,
  FileType,
  openFolders,
  resetVscode,
  Uri,
  window,
  workspace,
} from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { linksWithoutFile, relatedNodes, RelatedView } = await import('../../../../src/vscode/related/related-view.ts');

const document = Uri.file('/vault/notes/mast.md') as unknown as vscode.Uri;
const example = examplePassage('notes/people/hamish-adeyemi.md', 1, 12, 'Hamish Adeyemi');
const never = new AbortController().signal;
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
    workspace.findFiles = async () =>
      ['Ferry Plan.md', 'photos/Mast.tar.gz', 'v1.2/notes.md'].map((file) => Uri.file(`/vault/${file}`));
    const links = (
      [
        ['markdown', 'my%20photo.png#top'],
        ['markdown', 'assets/plan.pdf'],
        ['markdown', '/assets/plan.pdf'],
        ['markdown', '100%.md'],
        ['markdown', '#top'],
        ['wikilink', 'Ferry Plan|the plan'],
        ['wikilink', 'photos/mast#Power'],
        ['wikilink', 'v1'],
        ['wikilink', 'Gone'],
      ] as const
    ).map(([kind, target], line): PassageLink => ({ kind, target, line }));
    assert.deepEqual(
      (await linksWithoutFile(links, document, never)).map(({ target }) => target),
      ['100%.md', 'v1', 'Gone'],
    );
  });

  it('looks for the files of many links at once, and no longer than it is wanted', async () => {
    const patterns: string[] = [];
    const stop = new AbortController();
    workspace.findFiles = async (pattern) => {
      patterns.push(String(pattern));
      if (stop.signal.aborted) assert.fail('nobody wants to know any more');
      if (patterns.length === 4) stop.abort();
      return [];
    };
    const links = Array.from({ length: 250 }, (_, i): PassageLink => ({
      kind: 'wikilink',
      target: `Gone ${i}`,
      line: 1,
    }));
    assert.equal((await linksWithoutFile(links, document, never)).length, 250);
    assert.equal(patterns.length, 3);
    assert.ok(patterns[0]?.startsWith('**/{Gone 0,Gone 0.*,Gone 1,'));
    await assert.rejects(linksWithoutFile(links, document, stop.signal));
    assert.equal(patterns.length, 4);
  });

  describe('of the open file', () => {
    const view: { message?: string; visible: boolean; onDidChangeVisibility(): { dispose(): void } } = {
      visible: true,
      onDidChangeVisibility: () => ({ dispose: () => undefined }),
    };
    const changed = new EventEmitter<{ phase: string }>();
    const open = (passagesOf: () => Promise<[]>) => {
      let shown: { message?: string } = {};
      Object.assign(window, { createTreeView: () => (shown = { ...view }) });
      const related = new RelatedView(
        {
          onState: changed.event,
          ifWanted: async () => ({ engine: { index: { passagesOf } } }),
        } as unknown as SessionHolder,
        { warn: () => undefined } as unknown as vscode.LogOutputChannel,
      );
      window.activeTextEditor = { document: { uri: document }, selection: { active: { line: 0 } } };
      return { related, shown };
    };

    it('goes on looking while the keyboard goes to a panel', async () => {
      let found: (own: []) => void = () => undefined;
      const { related, shown } = open(() => new Promise((resolve) => (found = resolve)));
      const looking = related.refresh();
      await settled();
      window.activeTextEditor = undefined;
      changed.fire({ phase: 'ready' });
      found([]);
      await looking;
      assert.equal(shown.message, 'mast.md is not in the index.');
    });

    it('says what to do about what went wrong', async () => {
      const { related, shown } = open(() =>
        Promise.reject(new HowToError('It failed.', { advice: 'Reload the window.' })),
      );
      await related.refresh();
      assert.equal(shown.message, 'It failed. Reload the window.');
    });
  });
});

class HowToError extends HoptrailError {
  readonly code = 'how-to';
}
