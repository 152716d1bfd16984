import * as vscode from 'vscode';
import { shownPath } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import { matchFiles } from './match-files.ts';

export interface CompletionItem {
  label: string;
  detail: string;
  path: string;
}

const FILES = 12;
const SYMBOLS = 8;
/** Milliseconds for which the list of indexed files is good enough. */
const FRESH_MS = 5000;

/** Files and symbols for `@` in the input, and folders for the scope. */
export class Completions {
  readonly #sessions: SessionHolder;
  #files: { paths: string[]; at: number } | undefined;

  constructor(sessions: SessionHolder) {
    this.#sessions = sessions;
  }

  /** Delivers files at once, and files with symbols when the languages of the workspace have answered, which may take long. */
  async complete(prefix: string, deliver: (items: CompletionItem[]) => void): Promise<void> {
    const matched = matchFiles(await this.filePaths(), prefix, FILES).map(({ path }) => ({ label: path.split('/').at(-1) ?? path, detail: path.split('/').slice(0, -1).join('/'), path }));
    deliver(matched);
    if (prefix.length < 2) return;
    const symbols = await this.#symbols(prefix);
    if (symbols.length > 0) deliver([...matched, ...symbols]);
  }

  /** Paths of the indexed files; those known last while the index is busy. */
  async filePaths(): Promise<string[]> {
    if (this.#files && Date.now() - this.#files.at < FRESH_MS) return this.#files.paths;
    const session = await this.#sessions.current();
    if (!session) return [];
    const { files } = await session.engine.index.report();
    this.#files = { paths: files.map((file) => file.path), at: Date.now() };
    return this.#files.paths;
  }

  async folders(): Promise<string[]> {
    const folders = new Set<string>();
    for (const path of await this.filePaths()) {
      const parts = path.split('/').slice(0, -1);
      for (let depth = 1; depth <= parts.length; depth++) folders.add(parts.slice(0, depth).join('/'));
    }
    return [...folders].sort();
  }

  async #symbols(prefix: string): Promise<CompletionItem[]> {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', prefix);
    return (found ?? []).slice(0, SYMBOLS).flatMap((symbol) => {
      const path = shownPath(symbol.location.uri);
      return path === undefined ? [] : [{ label: symbol.name, detail: path, path }];
    });
  }
}
