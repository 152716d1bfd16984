import * as vscode from 'vscode';
import { indexReportMarkdown } from '../index/index-report.ts';
import type { ReportDocuments } from '../report-documents.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { IndexState } from '#search';

export async function rebuildIndex(sessions: SessionHolder): Promise<void> {
  const session = await sessions.get();
  await session.update({ rebuild: true });
}

export async function pauseIndexing(sessions: SessionHolder): Promise<void> {
  await (await sessions.get()).engine.index.pause();
}

export async function resumeIndexing(sessions: SessionHolder): Promise<void> {
  await (await sessions.get()).engine.index.resume();
}

/** Opens the report as a document of its own. */
export async function showIndexReport(sessions: SessionHolder, reports: ReportDocuments): Promise<void> {
  const { engine, config } = await sessions.get();
  const [state, report] = await Promise.all([engine.index.state(), engine.index.report()]);
  const content = indexReportMarkdown({ state, indexUri: config.indexUri, ...report });
  await reports.show(vscode.l10n.t('Index Report'), content);
}

/** What the item in the status bar offers. */
export async function showMenu(state: IndexState | undefined): Promise<void> {
  const { l10n } = vscode;
  const item = (icon: string, label: string, command: string): vscode.QuickPickItem & { command: string } => ({
    label: `$(${icon}) ${label}`,
    command,
  });
  const indexing = state?.phase === 'reading' || state?.phase === 'embedding';
  const items = [
    item('comment-discussion', l10n.t('Ask'), 'hoptrail.ask'),
    item('search', l10n.t('Quick Answer'), 'hoptrail.quickAnswer'),
    ...(indexing ? [item('debug-pause', l10n.t('Pause Indexing'), 'hoptrail.pauseIndexing')] : []),
    ...(state?.phase === 'paused'
      ? [item('debug-continue', l10n.t('Resume Indexing'), 'hoptrail.resumeIndexing')]
      : []),
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
