import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isProseLanguage } from '#search';
import { accepted } from '../accepted.ts';
import { filesRead } from '../index/index-report.ts';
import { shownPath } from '../index/workspace-roots.ts';
import type { Completions } from '../panel/completions.ts';
import type { PanelHub } from '../panel/panel-hub.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Conversations } from '../threads/conversations.ts';
import { type ReferenceSource, withLanguageServers } from '../references/language-servers.ts';
import { connectRun } from './connect-run.ts';

export interface ConnectServices {
  panels: PanelHub;
  sessions: SessionHolder;
  conversations: Conversations;
  completions: Completions;
}

/** What is to be connected: a file by its path, or a name that a program gives to something. */
interface End {
  name: string;
  isFile: boolean;
}

/**
 * "How are these connected?" for two files, or for names of a program: those selected in the explorer, the name at the
 * cursor, else what is chosen from a list or typed.
 * @param clicked The editor's menu gives its file, and nothing that is selected.
 */
export async function connectFiles(services: ConnectServices, clicked: unknown, selected: unknown): Promise<void> {
  const ends = await twoEnds(services.completions, clicked, selected);
  if (!ends) return;
  const [from, to] = ends;
  const { conversations, panels, sessions } = services;
  await panels.reveal();
  const threadId = await panels.activeThreadId();
  await conversations.ask(
    threadId,
    vscode.l10n.t('How are {0} and {1} connected?', from.name, to.name),
    { kind: 'workspace' },
    {
      research: async (question, signal) => {
        const { engine } = await sessions.get();
        await filesRead(sessions); // a link to a file that is not read yet leads nowhere
        let foundBy: ReferenceSource | undefined;
        const retriever = withLanguageServers(engine.retriever, engine.index, (source) => (foundBy = source));
        const ports = { retriever, now: Date.now, newId: randomUUID, t: vscode.l10n.t, foundBy: () => foundBy };
        const between = from.isFile && to.isFile ? 'files' : 'names';
        return connectRun(question, from.name, to.name, ports, signal, between);
      },
    },
  );
}

async function twoEnds(completions: Completions, clicked: unknown, selected: unknown): Promise<[End, End] | undefined> {
  const uris = Array.isArray(selected) ? selected.filter((item): item is vscode.Uri => item instanceof vscode.Uri) : [];
  const paths = uris.flatMap((uri) => shownPath(uri) ?? []);
  const [from, to] = paths.map((name): End => ({ name, isFile: true }));
  if (from && to) return [from, to];
  const atCursor = nameAtCursor();
  const files = await completions.filePaths();
  if (!files) return undefined;
  const { l10n } = vscode;
  const inEditor = clicked instanceof vscode.Uri && !from ? (atCursor ?? fileEnd(clicked)) : undefined;
  const first =
    from ??
    inEditor ??
    (await chooseEnd(completions, files, l10n.t('From this file, or the name of a function, class, …'), atCursor));
  if (!first) return undefined;
  const others = files.filter((file) => file !== first.name);
  const offered = atCursor?.name === first.name ? undefined : atCursor;
  const second = await chooseEnd(completions, others, l10n.t('To this file or name'), offered);
  return second && second.name !== first.name ? [first, second] : undefined;
}

function fileEnd(uri: vscode.Uri): End | undefined {
  const name = shownPath(uri);
  return name === undefined ? undefined : { name, isFile: true };
}

/** As programs write names: `merge`, `Store.merge()`, `Store::merge`. */
const NAME = /^[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#.:>-]{0,200}(?:\(\))?$/u;

/** The selected name, or the word at the cursor. */
function nameAtCursor(): End | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  // There a word is no name of a program. `mdx` is the id of an extension that many have.
  if (isProseLanguage(document.languageId) || document.languageId === 'mdx') return undefined;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  const name = range ? document.getText(range).slice(0, LONGEST_SELECTION).trim() : '';
  return NAME.test(name) ? { name, isFile: false } : undefined;
}

const LONGEST_SELECTION = 300;

type EndItem = vscode.QuickPickItem & { end: End };

/** Files, names that the editor knows while something is typed, and what is typed itself. */
function chooseEnd(
  completions: Completions,
  files: readonly string[],
  placeholder: string,
  atCursor: End | undefined,
): Promise<End | undefined> {
  const { l10n, window } = vscode;
  const pick = window.createQuickPick<EndItem>();
  pick.title = l10n.t('How are these connected?');
  pick.placeholder = placeholder;
  const known: EndItem[] = [
    ...(atCursor ? [nameItem(atCursor.name, l10n.t('The name at the cursor'))] : []),
    ...files.map((name): EndItem => ({ label: name, end: { name, isFile: true } })),
  ];
  pick.items = known;
  pick.onDidChangeValue((value) => {
    const typed = value.trim();
    const isName = NAME.test(typed) && !files.includes(typed);
    // The list puts what is typed above the file that it is a part of: whoever looks for a file means that.
    const isOfFile = files.some((file) => file.toLowerCase().includes(typed.toLowerCase()));
    const own = isName && !isOfFile ? [nameItem(typed, l10n.t('A name in code'))] : [];
    // Whoever is about to click a file is not moved to another: the list is drawn anew only where it changes.
    if (own.length > 0 || pick.items.length > known.length) pick.items = [...known, ...own];
    if (!isName || files.some((file) => file.endsWith(`/${typed}`))) return;
    void completions.symbols(typed).then((symbols) => {
      if (pick.value !== value) return;
      const isOther = (name: string): boolean => own.length === 0 || name !== typed;
      const others = symbols.filter(({ name }) => isOther(name)).map(({ name, place }) => nameItem(name, place));
      if (others.length > 0) pick.items = [...known, ...own, ...others];
    });
  });
  // Not the active one: that is the row which was under the keyboard before the list was narrowed or clicked.
  return accepted(pick, () => pick.selectedItems[0]?.end);
}

const nameItem = (name: string, description: string): EndItem => ({
  label: `$(symbol-method) ${name}`,
  description,
  alwaysShow: true,
  end: { name, isFile: false },
});
