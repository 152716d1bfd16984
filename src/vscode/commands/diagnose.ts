import os from 'node:os';
import * as vscode from 'vscode';
import type { IndexState } from '#search';
import type { ModelState } from '../protocol.ts';
import type { ReportDocuments } from '../report-documents.ts';
import { diagnosisMarkdown } from './diagnosis.ts';

/** Opens what a bug report needs, and nothing private: no paths, no names of files, no addresses, no text. */
export async function diagnose(
  context: vscode.ExtensionContext,
  state: IndexState | undefined,
  model: ModelState,
  reports: ReportDocuments,
): Promise<void> {
  const content = diagnosisMarkdown({
    version: String((context.extension.packageJSON as { version: unknown }).version),
    editor: `${vscode.version} (${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}${vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`})`,
    platform: `${process.platform} ${process.arch}, ${os.release()}, Node ${process.versions.node}`,
    cpus: os.cpus().length,
    memoryBytes: os.totalmem(),
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    schemes: [...new Set((vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme))],
    trusted: vscode.workspace.isTrusted,
    modelKind: model.id === null ? 'none' : (model.id.split(':')[0] ?? 'other'),
    state,
    settings: changedSettings(context),
  });
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
