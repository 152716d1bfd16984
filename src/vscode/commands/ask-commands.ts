import * as vscode from 'vscode';
import { cutTo } from '#base';
import { shownPath } from '../index/workspace-roots.ts';
import { MAX_SELECTION_LENGTH, type Selection } from '../protocol.ts';
import type { PanelHub } from '../panel/panel-hub.ts';

/** Shows the panel, ready to type; with a question, asks it at once. */
export async function ask(panels: PanelHub, question: unknown): Promise<void> {
  if (typeof question === 'string' && question.trim() !== '')
    await panels.reveal({ type: 'fill-input', text: question, submit: true });
  else await panels.reveal();
}

/** Puts the selection, or the word at the cursor, beside the input: what is asked next is asked about it. */
export async function askAboutSelection(panels: PanelHub): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    await panels.reveal();
    return;
  }
  const { document } = editor;
  const path = shownPath(document.uri) ?? vscode.workspace.asRelativePath(document.uri);
  const selection = selectionOf(document, editor.selection, path);
  await panels.reveal(
    selection
      ? { type: 'fill-input', submit: false, selection }
      : {
          type: 'fill-input',
          text: vscode.l10n.t('What is {0} about, and what is it connected to?', path),
          submit: false,
        },
  );
}

function selectionOf(document: vscode.TextDocument, selection: vscode.Selection, path: string): Selection | undefined {
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  const text = range ? cutTo(document.getText(range), MAX_SELECTION_LENGTH) : '';
  if (!range || text.trim() === '') return undefined;
  return { path, startLine: range.start.line + 1, endLine: range.end.line + 1, text };
}

/** Limits the next question to a folder, or to the folder of a file. What is being typed stays. */
export async function askInFolder(panels: PanelHub, target: unknown): Promise<void> {
  if (!(target instanceof vscode.Uri)) {
    await panels.reveal();
    return;
  }
  const isFile = (await vscode.workspace.fs.stat(target)).type === vscode.FileType.File;
  const path = shownPath(isFile ? vscode.Uri.joinPath(target, '..') : target);
  await panels.reveal({
    type: 'fill-input',
    submit: false,
    scope: path === undefined || path === '' ? { kind: 'workspace' } : { kind: 'folder', path },
  });
}
