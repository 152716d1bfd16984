import * as vscode from 'vscode';
import { currentSettings } from '../configuration.ts';
import type { LearnedSummary, LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

type Action = vscode.QuickPickItem & { run(): Thenable<unknown> };

/** Shows what was learned, and exports or deletes it. */
export async function showLearning(learning: LearningService, afterDeletion: () => Promise<void>): Promise<void> {
  const enabled = currentSettings().research.record !== false;
  const summary = await learning.summary();
  const actions: Action[] = [
    { label: `$(export) ${l10n.t('Export…')}`, run: () => exportLearning(learning) },
    {
      label: `$(trash) ${l10n.t('Delete Everything…')}`,
      run: async () => {
        if (await deleteLearning(learning, summary)) await afterDeletion();
      },
    },
    {
      label: `$(gear) ${enabled ? l10n.t('Turn Learning Off…') : l10n.t('Turn Learning On…')}`,
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'hoptrail.research.learn'),
    },
  ];
  const chosen = await window.showQuickPick(actions, {
    title: enabled ? l10n.t('Learning is on.') : l10n.t('Learning is off.'),
    placeHolder: inWords(summary),
  });
  await chosen?.run();
}

function inWords({ examples, good, bad }: LearnedSummary): string {
  return l10n.t('Examples: {0} · Good answers: {1} · Bad answers: {2}', examples ?? '?', good, bad);
}

/** Saves all that was learned where the person wants it. Nothing else takes it out of the editor's storage. */
async function exportLearning(learning: LearningService): Promise<void> {
  const folder = workspace.workspaceFolders?.[0];
  const target = await window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder.uri, 'hoptrail-learning.jsonl'),
    filters: { [l10n.t('JSON lines')]: ['jsonl'] },
  });
  if (!target) return;
  await workspace.fs.writeFile(target, Buffer.from(await learning.export(), 'utf8'));
  await window.showTextDocument(target, { preview: false });
}

/** Asks first. True when it was deleted. */
async function deleteLearning(learning: LearningService, summary: LearnedSummary): Promise<boolean> {
  const confirm = l10n.t('Delete Everything');
  const chosen = await window.showWarningMessage(
    l10n.t('Delete everything that Hoptrail has learned from you?'),
    { modal: true, detail: `${inWords(summary)}\n\n${l10n.t('This can’t be undone. Threads and the index stay.')}` },
    confirm,
  );
  if (chosen !== confirm) return false;
  await learning.deleteEverything();
  window.setStatusBarMessage(l10n.t('$(check) Everything that was learned is deleted'), 4000);
  return true;
}
