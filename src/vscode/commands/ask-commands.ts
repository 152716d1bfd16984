import * as vscode from 'vscode';
import { shownPath } from '../index/workspace-roots.ts';
import type { PanelHub } from '../panel/panel-hub.ts';

/** Shows the panel, ready to type; with a question, asks it at once. */
export async function ask(panels: PanelHub, question: unknown): Promise<void> {
  if (typeof question === 'string' && question.trim() !== '')
    await panels.reveal({ type: 'fill-input', text: question, submit: true });
  else await panels.reveal();
}

/** Puts a question about the selection into the input, to be finished and sent. */
export async function askAboutSelection(panels: PanelHub): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    await panels.reveal();
    return;
  }
  await panels.reveal({ type: 'fill-input', text: questionAbout(editor.document, editor.selection), submit: false });
}

function questionAbout(document: vscode.TextDocument, selection: vscode.Selection): string {
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  const text = range ? document.getText(range).trim() : '';
  const path = shownPath(document.uri) ?? vscode.workspace.asRelativePath(document.uri);
  if (text === '') return vscode.l10n.t('What is {0} about, and what is it connected to?', path);
  if (!/\n/.test(text) && text.length <= 80)
    return vscode.l10n.t('What is "{0}" in {1}, and what is it connected to?', text, path);
  const quoted = text
    .slice(0, 1500)
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
  return `${quoted}\n\n${vscode.l10n.t('What does this in {0} mean, and what is it connected to?', path)}`;
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
