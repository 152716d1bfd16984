import * as vscode from 'vscode';
import type { Scope } from '../../protocol.ts';
import { shownPath } from '../index/workspace-roots.ts';
import type { Completions } from './completions.ts';

type Choice = vscode.QuickPickItem & { choose(): Promise<Scope | undefined> };

/** Asks where the next question looks; undefined when the person changes nothing. */
export async function pickScope(completions: Completions): Promise<Scope | undefined> {
  const { l10n, window } = vscode;
  const open = window.activeTextEditor && shownPath(window.activeTextEditor.document.uri);
  const choices: Choice[] = [
    { label: `$(root-folder) ${l10n.t('Whole Workspace')}`, choose: async () => ({ kind: 'workspace' }) },
    ...(open === undefined ? [] : [{ label: `$(file) ${l10n.t('Open File')}`, description: open, choose: async (): Promise<Scope> => ({ kind: 'files', paths: [open] }) }]),
    { label: `$(folder) ${l10n.t('Folder…')}`, choose: () => pickFolder(completions) },
    { label: `$(files) ${l10n.t('Files…')}`, choose: () => pickFiles(completions) },
  ];
  const chosen = await window.showQuickPick(choices, { title: l10n.t('Where should Hoptrail look?') });
  return chosen?.choose();
}

async function pickFolder(completions: Completions): Promise<Scope | undefined> {
  const path = await vscode.window.showQuickPick(completions.folders(), { placeHolder: vscode.l10n.t('Folder') });
  return path === undefined ? undefined : { kind: 'folder', path };
}

async function pickFiles(completions: Completions): Promise<Scope | undefined> {
  const paths = await vscode.window.showQuickPick(completions.filePaths(), { placeHolder: vscode.l10n.t('Files'), canPickMany: true });
  return paths === undefined || paths.length === 0 ? undefined : { kind: 'files', paths };
}
