import * as vscode from 'vscode';
import { cutTo } from '#base';
import { shownPath } from '../index/workspace-roots.ts';

/** A file, or lines of it, that a person attached to a question in the chat. */
interface Attached {
  path: string;
  /** 1-based; only of a selection. */
  startLine?: number;
  /** The selected lines. */
  text?: string;
}

/** Longer selections are cut: the file itself can be read. */
const MOST_CHARACTERS = 3000;

/** Files and selections of this workspace that are attached to a request; others, such as pictures, are left out. */
export async function attachedTo({
  references = [],
}: Partial<Pick<vscode.ChatRequest, 'references'>>): Promise<Attached[]> {
  const found = await Promise.all(
    references.map(async ({ value }): Promise<Attached | undefined> => {
      if (value instanceof vscode.Uri) {
        const path = shownPath(value);
        return path === undefined ? undefined : { path };
      }
      if (!(value instanceof vscode.Location)) return undefined;
      const path = shownPath(value.uri);
      if (path === undefined) return undefined;
      const document = await vscode.workspace.openTextDocument(value.uri);
      const text = cutTo(document.getText(value.range), MOST_CHARACTERS);
      return { path, startLine: value.range.start.line + 1, text };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The question, then what is attached: paths, and selected lines as a quote. */
export function withAttached(question: string, attached: readonly Attached[]): string {
  const parts = attached.map(({ path, startLine, text }) => {
    if (text === undefined || text.trim() === '') return path;
    return [`${path}:${startLine}`, ...text.split(/\r?\n/).map((line) => `> ${line}`)].join('\n');
  });
  return [question, ...parts].join('\n\n');
}
