import * as vscode from 'vscode';
import { baseName, cutTo, folderOf, isAbortError, reportError } from '#base';
import { shownPath, uriOfShownPath } from '../index/workspace-roots.ts';
import { bestLine } from '../quick-answer/one-line.ts';
import { errorInOneText } from '../error-words.ts';
import type { SessionHolder } from '../session-holder.ts';
import { findRelated, type Related, type RelatedPassage } from './find-related.ts';
import path from 'node:path';
import type { PassageLink } from '#search';

const RELATED_VIEW_ID = 'hoptrail.related';

/** Milliseconds that the cursor rests before the view looks again. */
const REST_MS = 400;

type Node = vscode.TreeItem & { children?: Node[] };

/** What the open file has to do with others, from the index alone: nothing is asked of a language model. */
export class RelatedView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #sessions: SessionHolder;
  readonly #log: vscode.LogOutputChannel;
  readonly #view: vscode.TreeView<Node>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  readonly onDidChangeTreeData = this.#changed.event;
  #nodes: Node[] = [];
  #request = new AbortController();
  #shown: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sessions: SessionHolder, log: vscode.LogOutputChannel) {
    this.#sessions = sessions;
    this.#log = log;
    this.#view = vscode.window.createTreeView<Node>(RELATED_VIEW_ID, { treeDataProvider: this });
    this.#disposables = [
      this.#view,
      this.#changed,
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible) void this.refresh();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#later(); // a panel that takes the focus leaves what is shown
      }),
      vscode.window.onDidChangeTextEditorSelection(() => this.#later()),
      sessions.onState((state) => {
        if (state.phase === 'ready' || state.phase === 'read-only') void this.#refreshIfVisible();
      }),
    ];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node;
  }

  getChildren(node?: Node): Node[] {
    return node ? (node.children ?? []) : this.#nodes;
  }

  /** Looks again, from where the cursor stands now. */
  async refresh(): Promise<void> {
    const { l10n } = vscode;
    const editor = vscode.window.activeTextEditor;
    const path = editor && shownPath(editor.document.uri);
    if (!editor || path === undefined || path === '') {
      if (this.#shown === undefined) this.#show([], l10n.t('Open a file to see what links to it and what is near it.'));
      return; // what is being looked for of the file before goes on
    }
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    try {
      const session = await this.#sessions.ifWanted();
      if (!session) return this.#show([], l10n.t('The index is not open.'));
      const { index, retriever } = session.engine;
      const { uri } = editor.document;
      const related = await findRelated(
        path,
        editor.selection.active.line + 1,
        { index, retriever, withoutFile: (links, stop) => linksWithoutFile(links, uri, stop) },
        signal,
      );
      if (signal.aborted) return;
      this.#shown = path;
      this.#view.description = baseName(path);
      this.#show(
        relatedNodes(related, uri),
        related.indexed ? undefined : l10n.t('{0} is not in the index.', baseName(path)),
      );
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return;
      const report = reportError(error);
      this.#log.warn(`What is related to the open file cannot be shown: ${report.message}`);
      this.#show([], errorInOneText(report, l10n.t));
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Once the cursor rests. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refreshIfVisible(), REST_MS);
  }

  async #refreshIfVisible(): Promise<void> {
    if (this.#view.visible) await this.refresh();
  }

  #show(nodes: Node[], message: string | undefined): void {
    this.#nodes = nodes;
    this.#view.message = message;
    this.#changed.fire();
  }
}

/** The groups of the view, each with its number; empty ones are left out, and an only sentence says that all are. */
export function relatedNodes({ linksHere, linksTo, broken, nearest, indexed }: Related, document: vscode.Uri): Node[] {
  const { l10n } = vscode;
  if (!indexed) return [];
  const groups = [
    group(
      l10n.t('Links here'),
      'references',
      linksHere.map((found) => passageNode(found, '')),
    ),
    group(
      l10n.t('Links to'),
      'link',
      linksTo.map(({ path, line }) => {
        const uri = uriOfShownPath(path);
        return leaf(baseName(path), folderOf(path), { uri, line: 1 }, l10n.t('{0}, linked from line {1}', path, line));
      }),
    ),
    group(
      l10n.t('Broken links'),
      'warning',
      broken.map(({ target, line }) =>
        leaf(target, l10n.t('line {0}: there is no such file', line), { uri: document, line }, target, 'warning'),
      ),
    ),
    group(
      l10n.t('Nearest passages'),
      'sparkle',
      nearest.map((found) => passageNode(found, found.passage.title)),
    ),
  ].filter((node) => (node.children?.length ?? 0) > 0);
  return groups.length > 0 ? groups : [new vscode.TreeItem(l10n.t('Nothing here is related to this file.'))];
}

function group(label: string, icon: string, children: Node[]): Node {
  const node: Node = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  node.iconPath = new vscode.ThemeIcon(icon);
  node.description = String(children.length);
  node.children = children;
  return node;
}

function passageNode({ passage, line }: RelatedPassage, query: string): Node {
  const text =
    query === '' ? (passage.text.split('\n')[line - passage.startLine] ?? '') : bestLine(passage.text, query).text;
  const about = text.trim() === '' ? passage.title : text.trim();
  const place = { uri: vscode.Uri.parse(passage.uri), line };
  return leaf(
    `${baseName(passage.path)}:${line}`,
    cutTo(about, 200),
    place,
    `${passage.path}:${line}\n${passage.title}`,
  );
}

function leaf(
  label: string,
  description: string,
  { uri, line }: { uri: vscode.Uri | undefined; line: number },
  tooltip: string,
  icon?: string,
): Node {
  const node: Node = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  node.description = description;
  node.tooltip = tooltip;
  node.iconPath = icon === undefined ? vscode.ThemeIcon.File : new vscode.ThemeIcon(icon);
  if (!uri) return node;
  if (icon === undefined) node.resourceUri = uri;
  node.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [uri, { selection: new vscode.Range(line - 1, 0, line - 1, 0), preview: true }],
  };
  return node;
}

/** Signs that a glob pattern reads as something else than themselves. */
const GLOB_SIGNS = /[*?{}[\],]/g;
/** So many names are looked for at once: each search walks all folders. */
const NAMES_AT_ONCE = 100;

/** Those links of a document, which lead to no file of the index, that lead to none on disk either. */
export async function linksWithoutFile(
  links: readonly PassageLink[],
  document: vscode.Uri,
  signal: AbortSignal,
): Promise<PassageLink[]> {
  const leading = links
    .map((link) => ({ link, target: withoutPlace(link.target) }))
    .filter(({ target }) => target !== ''); // else a place in the document itself
  const names = leading.flatMap(({ link, target }) => (link.kind === 'wikilink' ? [target] : []));
  const named = await namesOfFiles(names, signal);
  const missing = await Promise.all(
    leading.map(async ({ link, target }) => {
      const there = link.kind === 'wikilink' ? named.has(target) : await fileIsThere(target, document);
      return there ? [] : [link];
    }),
  );
  return missing.flat();
}

async function fileIsThere(target: string, document: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(document)?.uri;
  const beside = vscode.Uri.joinPath(document, '..', target);
  const fromRoot = folder && vscode.Uri.joinPath(folder, target);
  for (const candidate of target.startsWith('/') ? [fromRoot] : [beside, fromRoot])
    if (candidate && (await isThere(candidate))) return true;
  return false;
}

/** The target without what names a place in it, and without its percent signs. */
function withoutPlace(target: string): string {
  const file = target.split(/[#?|]/)[0] ?? '';
  try {
    return decodeURIComponent(file).trim();
  } catch {
    return file.trim(); // a percent sign that means itself
  }
}

const isThere = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

/** Those of the names that files have, wherever they lie, with their ending or without. */
async function namesOfFiles(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
  const ends = new Map(names.map((name) => [name, path.posix.normalize(name).replace(/^\/+/, '')]));
  const all = [...ends.values()];
  const found: string[] = [];
  for (let at = 0; at < all.length; at += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const patterns = all.slice(at, at + NAMES_AT_ONCE).map((end) => end.replace(GLOB_SIGNS, '?'));
    const pattern = `**/{${patterns.flatMap((end) => [end, `${end}.*`]).join(',')}}`;
    found.push(...(await vscode.workspace.findFiles(pattern)).map((uri) => comparable(uri.path)));
  }
  const there = [...ends].filter(([, end]) => found.some((file) => endsIn(file, `/${comparable(end)}`)));
  return new Set(there.map(([name]) => name));
}

/** Composed, and in lower case: the search has looked at the case of letters as this machine does. */
const comparable = (text: string): string => text.normalize('NFC').toLowerCase();

/** Whether a file's path ends in this name, with an ending of the file behind it or without. */
function endsIn(file: string, name: string): boolean {
  const rest = file.slice(file.lastIndexOf(name) + name.length);
  return file.includes(name) && (rest === '' || (rest.startsWith('.') && !rest.includes('/')));
}
