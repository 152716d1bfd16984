import * as vscode from 'vscode';
import { cutTo } from '#base';
import { underNotification } from '../abort-signal.ts';
import { shownPath } from '../index/workspace-roots.ts';
import { MAX_SELECTION_LENGTH, type Selection } from '../protocol.ts';
import type { Conversations } from '../threads/conversations.ts';
import type { PanelHub } from '../panel/panel-hub.ts';
import type { Suggestions } from '../suggestions.ts';

/** Shows the panel, ready to type; with a question, asks it at once. */
export async function ask(panels: PanelHub, question: unknown): Promise<void> {
  if (typeof question === 'string' && question.trim() !== '')
    await panels.reveal({ type: 'fill-input', text: question, submit: true });
  else await panels.reveal();
}

/** Milliseconds that somebody waits for a question that was tried; a folder may be read for the first time. */
const SUGGESTION_MS = 120_000;

/** Asks what this workspace is known to answer; where nothing is, shows the panel, ready to type. */
export async function askSuggested(panels: PanelHub, suggestions: Suggestions): Promise<void> {
  const title = vscode.l10n.t('Looking for a question that this workspace answers');
  let stop: AbortSignal | undefined;
  const question = await underNotification(title, (signal) => suggestions.first(SUGGESTION_MS, (stop = signal)));
  if (!stop?.aborted) await ask(panels, question);
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

/** Asks the last question of the thread in view again, as if it had not been asked. */
export async function repeatQuestion(panels: PanelHub, conversations: Conversations): Promise<void> {
  await panels.reveal();
  const thread = await conversations.open(await panels.activeThreadId());
  const last = thread?.turns.at(-1);
  if (last) await conversations.again(last.runId);
  else vscode.window.setStatusBarMessage(vscode.l10n.t('There is no question to repeat yet.'), 3000);
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
