import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { MAX_SELECTION_LENGTH, type ToWebview } from '../../../../src/vscode/protocol.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import { FileType, openFolders, Range, resetVscode, Uri, window, workspace } from '../../../doubles/vscode/vscode.ts';

const { askAboutSelection, askInFolder } = await import('../../../../src/vscode/commands/ask-commands.ts');

describe('askInFolder', () => {
  afterEach(resetVscode);

  async function messageFor(path: string): Promise<ToWebview | undefined> {
    const messages: (ToWebview | undefined)[] = [];
    await askInFolder(
      {
        reveal: async (message?: ToWebview) => {
          messages.push(message);
        },
      } as unknown as PanelHub,
      Uri.file(path),
    );
    return messages[0];
  }

  it('limits the question to the folder and leaves alone what is being typed', async () => {
    openFolders({ path: '/one/docs', name: 'docs' }, { path: '/two/docs', name: 'docs' });
    assert.deepEqual(await messageFor('/two/docs/plans'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'docs-2/plans' },
    });
    assert.deepEqual(await messageFor('/two/docs'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'docs-2' },
    });
  });

  it('takes the folder of a file, and the whole workspace for its only folder', async () => {
    openFolders({ path: '/one/docs', name: 'docs' });
    assert.deepEqual(await messageFor('/one/docs'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'workspace' },
    });
    workspace.fs.stat = async () => ({ type: FileType.File });
    assert.deepEqual(await messageFor('/one/docs/plans/a.md'), {
      type: 'fill-input',
      submit: false,
      scope: { kind: 'folder', path: 'plans' },
    });
  });
});

describe('askAboutSelection', () => {
  afterEach(resetVscode);

  async function messageFor(selected: { text: string; isEmpty: boolean; word?: string }): Promise<unknown> {
    openFolders({ path: '/one', name: 'one' });
    const word = selected.word === undefined ? undefined : new Range(4, 0, 4, 5);
    window.activeTextEditor = {
      selection: Object.assign(new Range(2, 0, 3, 4), { isEmpty: selected.isEmpty }),
      document: {
        uri: Uri.file('/one/notes/a.md'),
        getWordRangeAtPosition: () => word,
        getText: (range: Range) => (range === word ? selected.word : selected.text),
      },
    };
    const messages: unknown[] = [];
    await askAboutSelection({ reveal: async (message: unknown) => void messages.push(message) } as unknown as PanelHub);
    return messages[0];
  }

  it('brings the lines beside the question and leaves alone what is being typed', async () => {
    assert.deepEqual(await messageFor({ text: 'two\nlines', isEmpty: false }), {
      type: 'fill-input',
      submit: false,
      selection: { path: 'notes/a.md', startLine: 3, endLine: 4, text: 'two\nlines' },
    });
  });

  it('brings no half of an emoji where a long selection is cut', async () => {
    const text = 'x'.repeat(MAX_SELECTION_LENGTH - 1);
    const message = (await messageFor({ text: `${text}🚢`, isEmpty: false })) as { selection: { text: string } };
    assert.equal(message.selection.text, text);
  });

  it('takes the word at the cursor, and asks about the file where there is none', async () => {
    assert.deepEqual(await messageFor({ text: '', isEmpty: true, word: 'merge' }), {
      type: 'fill-input',
      submit: false,
      selection: { path: 'notes/a.md', startLine: 5, endLine: 5, text: 'merge' },
    });
    assert.deepEqual(await messageFor({ text: '', isEmpty: true }), {
      type: 'fill-input',
      submit: false,
      text: 'What is notes/a.md about, and what is it connected to?',
    });
  });
});
