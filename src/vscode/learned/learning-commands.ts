import * as vscode from 'vscode';
import type { LanguageModel } from '#research';
import { hostOf, type LearningProgress, mostCalls } from '#learning';
import { underNotification } from '../abort-signal.ts';
import { trainerLabel } from '../labels.ts';
import { translateError } from '../said-in-errors.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { LearningPage } from './learning-page.ts';
import type { LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

/** Saves everything that was learnt where the person wants it: the one way in which it leaves the editor's storage. */
export async function exportLearning(learning: LearningService): Promise<void> {
  const folder = workspace.workspaceFolders?.[0];
  const defaultUri = folder && vscode.Uri.joinPath(folder.uri, 'hoptrail-learning.jsonl');
  const target = await window.showSaveDialog({
    defaultUri,
    filters: { [l10n.t('JSON lines')]: ['jsonl'] },
    title: l10n.t('Export What Was Learnt'),
  });
  if (!target) return;
  await workspace.fs.writeFile(target, Buffer.from(await learning.export(), 'utf8'));
  await window.showTextDocument(target, { preview: false });
}

/** Questions made from the workspace's own chains for one round. */
const MADE = 60;

/**
 * A round of learning on this machine, under a notification that can cancel it; a cancelled round goes on with the
 * next.
 */
export async function learnFromRuns(
  learning: LearningService,
  sessions: SessionHolder,
  page: LearningPage,
): Promise<void> {
  const { engine } = await sessions.get();
  const withModel = engine.model ? await mayAsk(engine.model) : false;
  if (withModel === undefined) return;
  const title = l10n.t('Learning from your runs and from questions made of this workspace');
  const results = await learning.change(async () =>
    underNotification(title, async (signal, tell) => {
      try {
        const asked = { made: MADE, withModel, onProgress: (now: LearningProgress) => tell(progressWords(now)) };
        return (await engine.learn(asked, signal)).results;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    }),
  );
  if (!results) return;
  const won = results.filter((result) => result.phase === 'installed').map((result) => result.trainer);
  const failed = results.find((result) => result.phase === 'failed');
  const details = l10n.t('Details');
  const said = failed
    ? window.showWarningMessage(
        l10n.t(
          'Learning did not work: {0}',
          failed.problem === undefined ? trainerWords(failed.trainer) : translateError(failed.problem, l10n.t),
        ),
        details,
      )
    : won.length > 0
      ? window.showInformationMessage(
          l10n.t('In use now, as it did better on questions held out: {0}', won.map(trainerWords).join(', ')),
          details,
        )
      : window.showInformationMessage(
          l10n.t('Nothing did certainly better on questions held out: everything stays as it was.'),
          details,
        );
  void said.then((chosen) => {
    if (chosen === details) page.show();
  });
}

/**
 * Whether the round may ask the language model: the person is told how often at most, and where what goes. undefined:
 * no round is wanted.
 */
async function mayAsk(model: LanguageModel): Promise<boolean | undefined> {
  const without = {
    label: `$(shield) ${l10n.t('Without a Language Model')}`,
    detail: l10n.t('Questions are made by templates. No language model is asked.'),
  };
  const asked = {
    label: `$(sparkle) ${l10n.t('With {0}', model.name)}`,
    detail: l10n.t(
      'At most {0} calls to {1}: passages of this workspace, to make questions, and questions of yours that it ' +
        'has read before, to try examples on them.',
      mostCalls(MADE).all,
      hostOf(model) ?? model.id,
    ),
  };
  const chosen = await window.showQuickPick([without, asked], {
    title: l10n.t('Learn from My Runs'),
    placeHolder: l10n.t('What does not win on questions held out is dropped'),
  });
  return chosen && chosen === asked;
}

function progressWords({ what, done, of }: LearningProgress): string {
  switch (what) {
    case 'questions':
      return l10n.t('making questions: {0} of {1}', done, of);
    case 'examples':
      return l10n.t('comparing examples: {0} of {1}', done, of);
  }
}

/**
 * Brings back what the last winner of a trainer replaced, whichever round it won in; the person says which where there
 * are several.
 */
export async function undoLearning(learning: LearningService, sessions: SessionHolder): Promise<void> {
  const undoable = await learning.undoable();
  if (undoable.length === 0) return void window.setStatusBarMessage(l10n.t('There is nothing to undo'), 4000);
  const trainer = await chooseUndo(undoable);
  if (trainer === undefined) return;
  const { engine } = await sessions.get();
  const undone = await learning.change(() => engine.unlearn(trainer));
  window.setStatusBarMessage(
    undone ? l10n.t('$(check) Undone: {0}', trainerWords(trainer)) : l10n.t('There is nothing to undo'),
    4000,
  );
}

/** One is asked about, several are picked from; undefined: the person thought better of it. */
async function chooseUndo(trainers: readonly string[]): Promise<string | undefined> {
  const [only, ...others] = trainers;
  if (others.length > 0)
    return (
      await window.showQuickPick(
        trainers.map((trainer) => ({ label: trainerWords(trainer), trainer })),
        { title: l10n.t('Undo What Was Learnt'), placeHolder: l10n.t('What was in use before it comes back') },
      )
    )?.trainer;
  const confirm = l10n.t('Undo');
  const chosen = await window.showWarningMessage(
    l10n.t('Undo what was learnt last: {0}?', trainerWords(only ?? '')),
    {
      modal: true,
      detail: l10n.t(
        'What was in use before it comes back. What your runs have taught stays, and the next round learns ' +
          'from it again.',
      ),
    },
    confirm,
  );
  return chosen === confirm ? only : undefined;
}

const trainerWords = (trainer: string): string => trainerLabel(trainer, l10n.t);

/** Deletes everything that was learnt, after asking: also what cannot be read or counted. */
export async function deleteLearning(learning: LearningService, sessions: SessionHolder): Promise<void> {
  const confirm = l10n.t('Delete Everything');
  const chosen = await window.showWarningMessage(
    l10n.t('Delete everything that Hoptrail has learnt from you?'),
    { modal: true, detail: await deletionWords(learning) },
    confirm,
  );
  if (chosen !== confirm) return;
  await learning.deleteEverything((await sessions.current())?.engine);
  window.setStatusBarMessage(l10n.t('$(check) What was learnt is deleted'), 4000);
}

async function deletionWords(learning: LearningService): Promise<string> {
  try {
    const { examples, runs } = await learning.report();
    return l10n.t(
      '{0} examples, what {1} runs have taught about strategies, and the judgements of this workspace. This ' +
        'cannot be undone; threads and the index stay.',
      examples.decomposition + examples.reading + examples.critique,
      runs,
    );
  } catch {
    return l10n.t('How much that is cannot be read. This cannot be undone; threads and the index stay.');
  }
}
