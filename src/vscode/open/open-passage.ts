import * as vscode from 'vscode';
import type { Passage } from '#search';
import { relocatePassage } from './relocate-passage.ts';

export interface OpenOptions {
  /** Lines that are meant, in the file as indexed; the whole passage when undefined. */
  focus?: { startLine: number; endLine: number };
  toSide: boolean;
  preserveFocus?: boolean;
}

/** Formats that no text editor shows. */
const RENDERED = /\.(pdf|docx)$/i;

/**
 * Opens the passage's file and reveals its lines, wherever edits have moved them. Says so when they are no longer
 * there.
 */
export async function openPassage(passage: Passage, options: OpenOptions): Promise<void> {
  const uri = vscode.Uri.parse(passage.uri, true);
  const viewColumn = options.toSide ? vscode.ViewColumn.Beside : editorColumn();
  if (RENDERED.test(uri.path)) {
    await vscode.commands.executeCommand('vscode.open', uri, { viewColumn, preserveFocus: options.preserveFocus });
    return;
  }
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} cannot be opened: it was moved or deleted since the answer.', passage.path),
    );
    return;
  }
  const { text, startLine, endLine, startColumn } = passage;
  const now = relocatePassage({ text, startLine, endLine, startColumn, focus: options.focus }, document.getText());
  const start = new vscode.Position(now.startLine - 1, (now.startColumn ?? 1) - 1);
  const lastLine = document.lineAt(Math.min(now.endLine, document.lineCount) - 1).range;
  const range = new vscode.Range(
    start,
    now.endColumn === undefined ? lastLine.end : new vscode.Position(now.endLine - 1, now.endColumn - 1),
  );
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn,
    preserveFocus: options.preserveFocus ?? false,
    preview: true,
  });
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, range);
  if (now.state === 'changed')
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('$(warning) This passage changed since the answer; showing where it was.'),
      8000,
    );
}

/** The column of the text editors: not the one that Hoptrail's own editor stands in, when there is another. */
function editorColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const isOurs = (group: vscode.TabGroup): boolean =>
    group.activeTab?.input instanceof vscode.TabInputWebview &&
    group.activeTab.input.viewType.endsWith('hoptrail.panel');
  if (!isOurs(activeTabGroup)) return vscode.ViewColumn.Active;
  return all.find((group) => !isOurs(group))?.viewColumn ?? vscode.ViewColumn.Beside;
}

let decoration: vscode.TextEditorDecorationType | undefined;
let fading: ReturnType<typeof setTimeout> | undefined;

/** Marks the lines for a moment, so that the eye finds them. */
function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  decoration ??= vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  clearTimeout(fading);
  const marked = decoration;
  editor.setDecorations(marked, [range]);
  fading = setTimeout(() => editor.setDecorations(marked, []), 3000);
}
