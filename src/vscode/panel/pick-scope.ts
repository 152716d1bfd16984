import * as vscode from 'vscode';
import { accepted } from '../accepted.ts';
import { MAX_SCOPE_FILES, type Scope } from '../protocol.ts';
import { shownPath } from '../index/workspace-roots.ts';
import type { Completions } from './completions.ts';

type Choice = vscode.QuickPickItem & { choose(): Promise<Scope | undefined> };

/** Asks where the next question looks; undefined when the person changes nothing. */
export async function pickScope(completions: Completions): Promise<Scope | undefined> {
  const { l10n, window } = vscode;
  const open = window.activeTextEditor && shownPath(window.activeTextEditor.document.uri);
  const choices: Choice[] = [
    { label: `$(root-folder) ${l10n.t('Whole Workspace')}`, choose: async () => ({ kind: 'workspace' }) },
    ...(open === undefined
      ? []
      : [
          {
            label: `$(file) ${l10n.t('Open File')}`,
            description: open,
            choose: async (): Promise<Scope> => ({ kind: 'files', paths: [open] }),
          },
        ]),
    { label: `$(folder) ${l10n.t('Folder…')}`, choose: () => pickFolder(completions) },
    { label: `$(files) ${l10n.t('Files…')}`, choose: () => pickFiles(completions) },
  ];
  const chosen = await window.showQuickPick(choices, { title: l10n.t('Where should Hoptrail look?') });
  return chosen?.choose();
}

async function pickFolder(completions: Completions): Promise<Scope | undefined> {
  const folders = await completions.folders();
  const path = folders && (await vscode.window.showQuickPick(folders, { placeHolder: vscode.l10n.t('Folder') }));
  return path === undefined ? undefined : { kind: 'folder', path };
}

async function pickFiles(completions: Completions): Promise<Scope | undefined> {
  const files = await completions.filePaths();
  const paths = files && (await tickFiles(files));
  return paths === undefined || paths.length === 0 ? undefined : { kind: 'files', paths };
}

/**
 * The files that the person ticks; undefined when the list is left. With more than a scope may hold it stays open, and
 * says so.
 */
function tickFiles(files: readonly string[]): Promise<string[] | undefined> {
  const { l10n, window } = vscode;
  const pick = window.createQuickPick();
  const tooMany = (): boolean => pick.selectedItems.length > MAX_SCOPE_FILES;
  pick.canSelectMany = true;
  pick.placeholder = l10n.t('Files');
  pick.items = files.map((label) => ({ label }));
  pick.onDidChangeSelection(() => {
    pick.title = tooMany()
      ? l10n.t('More than {0} files are chosen. Choose fewer, or a folder, or the whole workspace.', MAX_SCOPE_FILES)
      : undefined;
  });
  return accepted(pick, () => (tooMany() ? undefined : pick.selectedItems.map((item) => item.label)));
}
