import * as vscode from 'vscode';
import type { Passage } from '#search';

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
/** Takes the mark away before its time. */
let unmark = (): void => undefined;

/** Marks the lines for a moment, so that the eye finds them; what was marked before is so no more. */
function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  decoration ??= vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  const marked = decoration;
  unmark();
  editor.setDecorations(marked, [range]);
  const fading = setTimeout(() => unmark(), 3000);
  unmark = () => {
    clearTimeout(fading);
    editor.setDecorations(marked, []);
  };
}

/** Where a passage stands now. Lines are 1-based and inclusive. */
export interface Relocated {
  /** `changed`: its text is not in the file any more; the place is where it was, as far as the file still reaches. */
  state: 'same' | 'moved' | 'changed';
  startLine: number;
  endLine: number;
  /** 1-based first column and exclusive last column, for a part of a line alone. */
  startColumn?: number;
  endColumn?: number;
}

/** The lines of a passage as indexed, and those of them that are meant. */
export interface IndexedLines {
  text: string;
  startLine: number;
  endLine: number;
  /** 1-based; only when the passage is a part of one long line. */
  startColumn?: number;
  /** The quoted lines, within the passage; the whole passage when undefined. */
  focus?: { startLine: number; endLine: number };
}

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());

/**
 * Finds a passage again after its file was edited, by content: where it was, else the nearest place with the same
 * lines, else the nearest place with the meant lines alone. Ends of lines and spaces before them do not count.
 */
export function relocatePassage(passage: IndexedLines, fileText: string): Relocated {
  const { startColumn } = passage;
  return startColumn === undefined
    ? relocateLines(passage, fileText)
    : relocatePart({ ...passage, startColumn }, fileText);
}

function relocateLines(passage: IndexedLines, fileText: string): Relocated {
  const file = linesOf(fileText);
  const lines = linesOf(passage.text);
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const focus = passage.focus ?? { startLine: passage.startLine, endLine: passage.endLine };
  const skip = Math.max(0, focus.startLine - passage.startLine);
  const length = Math.max(0, focus.endLine - focus.startLine);

  const whole = nearestMatch(file, lines, passage.startLine - 1);
  if (whole !== undefined) return found(whole + skip, length, focus.startLine, file.length);
  const wanted = lines.slice(skip, skip + length + 1);
  const part = wanted.some((line) => line.trim().length >= 8)
    ? nearestMatch(file, wanted, focus.startLine - 1)
    : undefined;
  if (part !== undefined) return found(part, length, focus.startLine, file.length);
  const startLine = Math.min(focus.startLine, Math.max(1, file.length));
  return {
    state: 'changed',
    startLine,
    endLine: Math.min(Math.max(startLine, focus.endLine), Math.max(1, file.length)),
  };
}

function found(index: number, length: number, before: number, fileLength: number): Relocated {
  const startLine = index + 1;
  return {
    state: startLine === before ? 'same' : 'moved',
    startLine,
    endLine: Math.min(startLine + length, fileLength),
  };
}

/** Finds a part of a line again, on whichever line it stands now. */
function relocatePart(
  { text, startLine, startColumn }: IndexedLines & { startColumn: number },
  fileText: string,
): Relocated {
  const file = fileText.split(/\r\n|\r|\n/);
  const part = text.trimEnd();
  const at =
    part === '' ? undefined : nearest(file.length, startLine - 1, (index) => file[index]?.includes(part) === true);
  const line = at === undefined ? Math.min(startLine, file.length) : at + 1;
  const content = file[line - 1] ?? '';
  const column =
    at === undefined
      ? Math.min(startColumn, content.length + 1)
      : nearestOccurrence(content, part, startColumn - 1) + 1;
  const state = at === undefined ? 'changed' : line === startLine && column === startColumn ? 'same' : 'moved';
  return {
    state,
    startLine: line,
    endLine: line,
    startColumn: column,
    endColumn: Math.min(column + part.length, content.length + 1),
  };
}

/** Index of the occurrence that begins closest to `near`; -1 when there is none. */
function nearestOccurrence(line: string, part: string, near: number): number {
  const before = line.lastIndexOf(part, near);
  const after = line.indexOf(part, near);
  if (before < 0 || after < 0) return Math.max(before, after);
  return near - before <= after - near ? before : after;
}

/** Index of the first line of the match closest to `near`; undefined when the lines stand nowhere together. */
function nearestMatch(file: readonly string[], lines: readonly string[], near: number): number | undefined {
  if (lines.length === 0) return undefined;
  return nearest(
    file.length,
    near,
    (at) => at + lines.length <= file.length && lines.every((line, offset) => file[at + offset] === line),
  );
}

/**
 * The index below `count` that is closest to `near`, which may lie beyond it, and for which `matches` holds; undefined
 * when there is none.
 */
function nearest(count: number, near: number, matches: (index: number) => boolean): number | undefined {
  for (let distance = 0; distance <= Math.max(near, count); distance++) {
    if (near - distance >= 0 && near - distance < count && matches(near - distance)) return near - distance;
    if (distance > 0 && near + distance < count && matches(near + distance)) return near + distance;
  }
  return undefined;
}
