import * as vscode from 'vscode';
import type { SessionHolder } from '../session-holder.ts';
import type { LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

/** Saves everything that was learnt where the person wants it: the one way in which it leaves the editor's storage. */
export async function exportLearning(learning: LearningService): Promise<void> {
  const folder = workspace.workspaceFolders?.[0];
  const defaultUri = folder && vscode.Uri.joinPath(folder.uri, 'hoptrail-learning.jsonl');
  const target = await window.showSaveDialog({ defaultUri, filters: { [l10n.t('JSON lines')]: ['jsonl'] }, title: l10n.t('Export What Was Learnt') });
  if (!target) return;
  await workspace.fs.writeFile(target, Buffer.from(await learning.export(), 'utf8'));
  await window.showTextDocument(target, { preview: false });
}

/** Deletes everything that was learnt, after asking. */
export async function deleteLearning(learning: LearningService, sessions: SessionHolder): Promise<void> {
  const { examples, runs } = await learning.report();
  const count = examples.decomposition + examples.reading + examples.critique;
  const confirm = l10n.t('Delete Everything');
  const chosen = await window.showWarningMessage(l10n.t('Delete everything that Hoptrail has learnt from you?'), {
    modal: true,
    detail: l10n.t('{0} examples, what {1} runs have taught about strategies, and the judgements of this workspace. This cannot be undone; threads and the index stay.', count, runs),
  }, confirm);
  if (chosen !== confirm) return;
  await learning.deleteEverything();
  await (await sessions.current())?.engine.unlearn(); // what an open index uses of it
  window.setStatusBarMessage(l10n.t('$(check) What was learnt is deleted'), 4000);
}
