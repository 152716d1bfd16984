import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { Answer, Hop, Thread } from '../protocol.ts';
import {
  answerAsMarkdown,
  linksByPath,
  linksFrom,
  threadAsMarkdown,
  fileNameFrom,
  trailAsTour,
} from './trail-formats.ts';

const { l10n, window, workspace } = vscode;

/** Puts the answer on the clipboard, with links relative to the workspace. */
export async function copyAnswer(question: string, answer: Answer): Promise<void> {
  await vscode.env.clipboard.writeText(answerAsMarkdown(question, answer, linksByPath, l10n.t));
  window.setStatusBarMessage(l10n.t('$(check) Answer copied as Markdown'), 3000);
}

/**
 * Writes the answer where the cursor is, with links relative to that file. Where it was written, and what; undefined
 * when it was not.
 */
export async function insertAnswer(
  question: string,
  answer: Answer,
): Promise<{ document: vscode.TextDocument; text: string } | undefined> {
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (!editor) {
    void window.showInformationMessage(l10n.t('Open a file and put the cursor where the answer belongs.'));
    return undefined;
  }
  const linkTo =
    editor.document.uri.scheme === 'file' ? linksFrom(path.dirname(editor.document.uri.fsPath)) : linksByPath;
  const text = answerAsMarkdown(question, answer, linkTo, l10n.t);
  const done = await editor.edit((edit) => edit.replace(editor.selection, text));
  if (!done)
    void window.showWarningMessage(l10n.t('{0} cannot be edited.', workspace.asRelativePath(editor.document.uri)));
  return done ? { document: editor.document, text } : undefined;
}

/** Where a thread was exported to last, since the editor was started. */
let lastFolder: string | undefined;

/**
 * Where an exported thread is offered to go: where the last one went, or the home folder; not into the workspace, whose
 * files are evidence.
 */
export function exportPlace(name: string): string {
  return path.join(lastFolder ?? os.homedir(), name);
}

export async function exportThread(thread: Thread): Promise<void> {
  const target = await window.showSaveDialog({
    defaultUri: vscode.Uri.file(exportPlace(`${fileNameFrom(thread.title)}.md`)),
    filters: { Markdown: ['md'] },
  });
  if (!target) return;
  lastFolder = path.dirname(target.fsPath);
  await write(target, threadAsMarkdown(thread, linksFrom(path.dirname(target.fsPath)), l10n.t));
}

/** Saves the trail where CodeTour looks for tours: in `.tours` of the folder that holds the first hop. */
export async function exportTour(question: string, answer: Answer): Promise<void> {
  const first = answer.chain.hops[0];
  if (!first) {
    void window.showInformationMessage(l10n.t('This answer has no sources to export.'));
    return;
  }
  const folder = workspace.getWorkspaceFolder(vscode.Uri.parse(first.passage.uri));
  const offered = (folder ?? workspace.workspaceFolders?.[0])?.uri;
  const target = await window.showSaveDialog({
    defaultUri: offered && vscode.Uri.joinPath(offered, '.tours', `${fileNameFrom(question)}.tour`),
    filters: { CodeTour: ['tour'] },
  });
  if (!target) return;
  const root = folder?.uri.fsPath ?? path.dirname(path.dirname(target.fsPath));
  const fileOf = (hop: Hop): string => path.relative(root, fileURLToPath(hop.passage.uri)).split(path.sep).join('/');
  await write(target, `${JSON.stringify(trailAsTour(question, answer, fileOf, l10n.t), null, 2)}\n`);
}

async function write(target: vscode.Uri, text: string): Promise<void> {
  await workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  await window.showTextDocument(target, { preview: false });
}
