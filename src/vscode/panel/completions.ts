import { baseName } from '#base';
import * as vscode from 'vscode';
import { underNotification } from '../abort-signal.ts';
import { filesRead, isReading } from '../index/index-report.ts';
import { shownPath } from '../index/workspace-roots.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Session } from '../session.ts';
import { matchFiles } from './match-files.ts';

export interface CompletionItem {
  label: string;
  detail: string;
  path: string;
  /** Of a symbol: the line (1-based) where it is defined. */
  line?: number;
}

const FILES = 12;
const SYMBOLS = 8;
/** Milliseconds for which the list of indexed files is good enough. */
const FRESH_MS = 5000;

/**
 * Files and symbols for `@` in the input; files and folders for the lists to pick from. Whoever asks for them wants the
 * index: it is started where it waits.
 */
export class Completions {
  readonly #sessions: SessionHolder;
  #files: { session: Session; paths: string[]; at: number } | undefined;
  /** Number of the newest request. Results for older requests are dropped. */
  #request = 0;

  constructor(sessions: SessionHolder) {
    this.#sessions = sessions;
  }

  /**
   * Delivers files at once, again when the index has read them all, and with symbols when the languages of the
   * workspace have answered, which may take long.
   */
  async complete(prefix: string, deliver: (items: CompletionItem[]) => void): Promise<void> {
    const request = ++this.#request;
    const session = await this.#sessionWhileTyping();
    let files = await this.#matches(session, prefix);
    deliver(files);
    if (isReading(this.#sessions.state)) {
      await filesRead(this.#sessions);
      if (request !== this.#request) return;
      this.#files = undefined;
      files = await this.#matches(session, prefix);
      deliver(files);
    }
    if (prefix.length < 2) return;
    const symbols = await this.#symbols(prefix);
    if (symbols.length > 0 && request === this.#request) deliver([...files, ...symbols]);
  }

  /**
   * Paths of all indexed files. Shows progress while they are still being read; undefined when the person does not want
   * to wait.
   *
   * @throws what keeps the index from opening
   */
  async filePaths(): Promise<string[] | undefined> {
    const { state } = this.#sessions;
    if (state && state.phase !== 'failed' && !isReading(state)) return this.#paths(await this.#sessions.get());
    return underNotification(vscode.l10n.t('Reading the files of this workspace…'), async (signal) => {
      const cancelled = new Promise<undefined>((resolve) =>
        signal.addEventListener('abort', () => resolve(undefined), { once: true }),
      );
      return Promise.race([this.#pathsWhenRead(), cancelled]);
    });
  }

  /** Folders that hold indexed files; as {@link filePaths}. */
  async folders(): Promise<string[] | undefined> {
    const files = await this.filePaths();
    if (!files) return undefined;
    const folders = new Set<string>();
    for (const path of files) {
      const parts = path.split('/').slice(0, -1);
      for (let depth = 1; depth <= parts.length; depth++) folders.add(parts.slice(0, depth).join('/'));
    }
    return [...folders].sort();
  }

  /**
   * Names that the languages of the workspace know, each once, with the place where it is defined; none where they
   * fail.
   */
  async symbols(prefix: string): Promise<{ name: string; place: string }[]> {
    if (prefix.length < 2) return [];
    const places = new Map<string, string>();
    for (const { label, detail } of await this.#symbols(prefix).catch(() => [])) {
      const name = label.split('(', 1)[0] ?? label;
      if (!places.has(name)) places.set(name, detail);
    }
    return [...places].map(([name, place]) => ({ name, place }));
  }

  /** A failed index is told in the panel, and not tried again with every letter. */
  async #sessionWhileTyping(): Promise<Session | undefined> {
    if (this.#sessions.state?.phase === 'failed') return this.#sessions.current();
    return this.#sessions.get().catch(() => undefined); // told through the state
  }

  async #matches(session: Session | undefined, prefix: string): Promise<CompletionItem[]> {
    const paths = session ? await this.#paths(session) : [];
    return matchFiles(paths, prefix, FILES).map((path) => ({
      label: baseName(path),
      detail: path.split('/').slice(0, -1).join('/'),
      path,
    }));
  }

  async #pathsWhenRead(): Promise<string[]> {
    const session = await this.#sessions.get();
    await filesRead(this.#sessions);
    this.#files = undefined;
    return this.#paths(session);
  }

  /** Paths of the indexed files; those known last while they are good enough. */
  async #paths(session: Session): Promise<string[]> {
    if (this.#files?.session === session && Date.now() - this.#files.at < FRESH_MS) return this.#files.paths;
    const { files } = await session.engine.index.report();
    const paths = files.map((file) => file.path);
    this.#files = { session, paths, at: Date.now() };
    return paths;
  }

  async #symbols(prefix: string): Promise<CompletionItem[]> {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      prefix,
    );
    return (found ?? []).slice(0, SYMBOLS).flatMap((symbol) => {
      const path = shownPath(symbol.location.uri);
      if (path === undefined) return [];
      const line = symbol.location.range.start.line + 1;
      return [{ label: symbol.name, detail: `${path}:${line}`, path, line }];
    });
  }
}
