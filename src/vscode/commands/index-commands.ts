import os from 'node:os';
import * as vscode from 'vscode';
import type { IndexState } from '#search';
import { indexReportMarkdown } from '../index/index-report.ts';
import type { ReportDocuments } from '../report-documents.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { CommandName } from '../manifest-names.ts';
import type { ModelState, RunAction } from '../protocol.ts';
import { diagnosisMarkdown } from './diagnosis.ts';

/** Opens the report as a document of its own. */
export async function showIndexReport(sessions: SessionHolder, reports: ReportDocuments): Promise<void> {
  const { engine, config } = await sessions.get();
  const [state, report] = await Promise.all([engine.index.state(), engine.index.report()]);
  const content = indexReportMarkdown({ state, indexUri: config.indexUri, ...report }, vscode.l10n.t);
  await reports.show(vscode.l10n.t('Index Report'), content);
}

/** What the item in the status bar offers. */
export async function showMenu(
  state: IndexState | undefined,
  act: (action: RunAction) => Promise<void>,
): Promise<void> {
  const { l10n, commands, window } = vscode;
  const item = (icon: string, label: string, run: () => Thenable<unknown>) => ({ label: `$(${icon}) ${label}`, run });
  const command = (icon: string, label: string, name: CommandName) =>
    item(icon, label, () => commands.executeCommand(name));
  const indexing = state?.phase === 'reading' || state?.phase === 'embedding';
  const chosen = await window.showQuickPick(
    [
      command('comment-discussion', l10n.t('Ask'), 'hoptrail.ask'),
      command('search', l10n.t('Quick Answer'), 'hoptrail.quickAnswer'),
      ...(indexing ? [command('debug-pause', l10n.t('Pause Indexing'), 'hoptrail.toggleIndexing')] : []),
      ...(state?.phase === 'paused'
        ? [command('debug-continue', l10n.t('Resume Indexing'), 'hoptrail.toggleIndexing')]
        : []),
      command('output', l10n.t('Show Index Report'), 'hoptrail.showIndexReport'),
      command('refresh', l10n.t('Rebuild Index'), 'hoptrail.rebuildIndex'),
      command('chip', l10n.t('Choose Model'), 'hoptrail.chooseModel'),
      command('mortar-board', l10n.t('Learning'), 'hoptrail.showLearning'),
      item('gear', l10n.t('Open Settings'), () => act('open-settings')),
      item('list-flat', l10n.t('Show Log'), () => act('show-log')),
      command('pulse', l10n.t('Diagnose'), 'hoptrail.diagnose'),
    ],
    { title: 'Hoptrail' },
  );
  await chosen?.run();
}

/** Settings that hold an address. */
const ADDRESSES = ['model.baseUrl', 'embedder.baseUrl', 'index.uri'];

/** Opens what a bug report needs, and nothing private: no paths, no names of files, no addresses, no text. */
export async function diagnose(
  context: vscode.ExtensionContext,
  state: IndexState | undefined,
  model: ModelState,
  reports: ReportDocuments,
): Promise<void> {
  const kind = vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop';
  const remote = vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`;
  const content = diagnosisMarkdown(
    {
      version: String((context.extension.packageJSON as { version: unknown }).version),
      editor: `${vscode.version} (${kind}${remote})`,
      platform: `${process.platform} ${process.arch}, ${os.release()}, Node ${process.versions.node}`,
      cpus: os.cpus().length,
      memoryBytes: os.totalmem(),
      folders: vscode.workspace.workspaceFolders?.length ?? 0,
      schemes: [...new Set((vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme))],
      trusted: vscode.workspace.isTrusted,
      modelKind: model.id === null ? 'none' : (model.id.split(':')[0] ?? 'other'),
      state,
      settings: changedSettings(context),
      addresses: [...ADDRESSES.map((key) => vscode.workspace.getConfiguration('hoptrail').get(key, '')), os.hostname()],
    },
    vscode.l10n.t,
  );
  await reports.show(vscode.l10n.t('Hoptrail Diagnosis'), content);
  const copy = vscode.l10n.t('Copy');
  // Not waited for: the command has done its work.
  void vscode.window
    .showInformationMessage(vscode.l10n.t('Copy the diagnosis to paste it into a report.'), copy)
    .then(async (chosen) => {
      if (chosen === copy) await vscode.env.clipboard.writeText(content);
    });
}

/** Settings that differ from their default. Texts may hold addresses and paths: only that they are set is said. */
function changedSettings(context: vscode.ExtensionContext): Record<string, string> {
  const configuration = vscode.workspace.getConfiguration();
  const manifest = context.extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, { enum?: string[] }> }[] };
  };
  const properties = manifest.contributes.configuration.flatMap((section) => Object.entries(section.properties));
  return Object.fromEntries(
    properties.flatMap(([key, property]) => {
      const value = configuration.get(key);
      const unchanged = JSON.stringify(value) === JSON.stringify(configuration.inspect(key)?.defaultValue);
      const telling = typeof value === 'number' || typeof value === 'boolean' || property.enum !== undefined;
      return unchanged ? [] : [[key, telling ? String(value) : 'set']];
    }),
  );
}
