import * as vscode from 'vscode';
import type { IndexState } from '../../model/index-state.ts';

/** What the item in the status bar offers. */
export async function showMenu(state: IndexState | undefined): Promise<void> {
  const { l10n } = vscode;
  const item = (icon: string, label: string, command: string): vscode.QuickPickItem & { command: string } => ({ label: `$(${icon}) ${label}`, command });
  const indexing = state?.phase === 'reading' || state?.phase === 'embedding';
  const items = [
    item('comment-discussion', l10n.t('Ask'), 'hoptrail.ask'),
    item('search', l10n.t('Quick Answer'), 'hoptrail.quickAnswer'),
    ...(indexing ? [item('debug-pause', l10n.t('Pause Indexing'), 'hoptrail.pauseIndexing')] : []),
    ...(state?.phase === 'paused' ? [item('debug-continue', l10n.t('Resume Indexing'), 'hoptrail.resumeIndexing')] : []),
    item('output', l10n.t('Show Index Report'), 'hoptrail.showIndexReport'),
    item('refresh', l10n.t('Rebuild Index'), 'hoptrail.rebuildIndex'),
    item('chip', l10n.t('Choose Model'), 'hoptrail.chooseModel'),
    item('mortar-board', l10n.t('Learning'), 'hoptrail.showLearning'),
    item('gear', l10n.t('Open Settings'), 'hoptrail.openSettings'),
    item('list-flat', l10n.t('Show Log'), 'hoptrail.showLog'),
    item('pulse', l10n.t('Diagnose'), 'hoptrail.diagnose'),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'Hoptrail' });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
