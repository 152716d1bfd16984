import * as vscode from 'vscode';
import { openAiModel } from '#research';
import { OneAtATime } from '#base';
import {
  type FineTuning,
  FineTuningError,
  isAtService,
  type LearningRound,
  openFineTuning,
  standingModel,
  storedRound,
} from '#learning';
import { underNotification } from '../abort-signal.ts';
import { currentSettings } from '../configuration.ts';
import { modelProviders } from '../model/model-providers.ts';
import { secretKeyOf, type ModelService } from '../model/model-service.ts';
import type { LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

export interface FineTunePorts {
  models: Pick<ModelService, 'refresh'>;
  secrets: Pick<vscode.SecretStorage, 'get'>;
  learning: Pick<LearningService, 'open'>;
}

/** One command at a time looks after the round in this window. */
const rounds = new OneAtATime(
  () =>
    new FineTuningError(l10n.t('A round of fine-tuning is looked after in this window.'), {
      advice: l10n.t('Wait for its end, or cancel it in its notification.'),
    }),
);

/**
 * Fine-tunes the model of the chosen endpoint with what runs left: begins a round, or looks after the one that is under
 * way. Nothing is sent before the person has seen how many examples go where, and has agreed.
 */
export async function fineTune(ports: FineTunePorts): Promise<void> {
  if (!workspace.isTrusted)
    throw new FineTuningError(l10n.t('In restricted mode no language model is used.'), { action: 'manage-trust' });
  await rounds.run(async () => {
    const round = await storedRound(ports.learning.open().folder);
    const standing = round && standingModel(round);
    if (round && (isAtService(round) || standing)) return lookAfter(round, ports);
    await begin(ports);
  });
}

async function begin(ports: FineTunePorts): Promise<void> {
  const { model, loss: weights } = currentSettings();
  const { provider, baseUrl, name: baseModel } = model;
  if (!modelProviders.get(provider)?.tunes || baseUrl === '' || baseModel === '')
    throw new FineTuningError(l10n.t('The chosen language model can’t be fine-tuned.'), {
      advice: l10n.t('Choose a model of an OpenAI-compatible endpoint whose service fine-tunes.'),
      action: 'choose-model',
    });
  const tuning = tuningAt(baseUrl, ports);
  const draft = await tuning.draft({ baseModel, weights }); // too few examples are told before anything is asked
  const { estimate } = draft;
  const send = l10n.t('Send and Fine-Tune');
  const show = l10n.t('Show Examples');
  const chosen = await window.showWarningMessage(
    l10n.t('Send {0} examples to {1} to fine-tune {2}?', estimate.examples, estimate.host, baseModel),
    {
      modal: true,
      detail: l10n.t(
        'They come from all your workspaces and hold questions, answers and passages of files. {0} more stay here to ' +
          'compare both models: the new one is used only if it does better. About {1} tokens are trained.',
        estimate.heldOut,
        estimate.tokens.toLocaleString(vscode.env.language),
      ),
    },
    send,
    show,
  );
  if (chosen === show)
    await window.showTextDocument(
      await workspace.openTextDocument({ content: draft.training + draft.heldOut, language: 'jsonl' }),
      { preview: false },
    );
  if (chosen === send) await run(await tuning.agree(draft), ports);
}

/** Goes on with a round, cancels it, or goes back from a model that won. */
async function lookAfter(round: LearningRound, ports: FineTunePorts): Promise<void> {
  const standing = standingModel(round);
  const goOn = { label: `$(play) ${l10n.t('Go On with the Round')}`, description: round.baseModel };
  const cancel = { label: `$(circle-slash) ${l10n.t('Cancel the Round')}`, description: round.estimate.host };
  const another = { label: `$(mortar-board) ${l10n.t('Begin Another Round')}` };
  const back = standing && {
    label: `$(discard) ${l10n.t('Step Back to {0}', standing.previousModel)}`,
    description: standing.model,
  };
  const chosen = await window.showQuickPick(
    [...(isAtService(round) ? [goOn, cancel] : [another]), ...(back ? [back] : [])],
    { title: l10n.t('Fine-Tuning') },
  );
  if (chosen === goOn) await run(round, ports);
  else if (chosen === cancel) await cancelRound(round, ports);
  else if (chosen === another) await begin(ports);
  else if (chosen && standing) {
    await tuningAt(standing.baseUrl, ports).stepBack();
    await ports.models.refresh();
    window.setStatusBarMessage(l10n.t('$(check) {0} is in use again', standing.previousModel), 4000);
  }
}

/** The job ends at the service, and the examples are deleted there. */
async function cancelRound(round: LearningRound, ports: FineTunePorts): Promise<void> {
  const ended = await underNotification(l10n.t('Cancelling the round of fine-tuning'), (signal) =>
    tuningAt(round.baseUrl, ports).cancel(signal),
  );
  if (ended.phase !== 'cancelled' || ended.problem !== undefined)
    void window.showWarningMessage(l10n.t('The round ended as “{0}”. {1}', ended.phase, ended.problem ?? ''));
  else window.setStatusBarMessage(l10n.t('$(check) The round is cancelled'), 4000);
}

/** Takes the round as far as it goes. A cancelled notification leaves the job to the service. */
async function run(begun: LearningRound, ports: FineTunePorts): Promise<void> {
  const { baseModel } = begun;
  const round = await underNotification(l10n.t('Fine-tuning {0}', baseModel), async (signal, tell) => {
    const tuning = tuningAt(begun.baseUrl, ports);
    try {
      return await tuning.run(signal, (now) => tell(now.jobStatus ?? now.phase));
    } catch (error) {
      if (!signal.aborted) throw error;
      void window.showInformationMessage(l10n.t('“Hoptrail: Fine-Tune Model” goes on with the round, or cancels it.'));
      return undefined;
    }
  });
  if (!round) return;
  const { verdict } = round;
  const scores = verdict
    ? l10n.t(
        '{0} before, {1} after on {2} held-out questions',
        verdict.before.toFixed(2),
        verdict.after.toFixed(2),
        verdict.questions,
      )
    : (round.problem ?? round.phase);
  if (round.phase === 'switched') {
    await ports.models.refresh();
    void window.showInformationMessage(l10n.t('The fine-tuned model does better and is in use now: {0}.', scores));
  } else if (round.phase === 'kept')
    void window.showInformationMessage(
      l10n.t('The fine-tuned model is no better, so {0} stays: {1}.', baseModel, scores),
    );
  else void window.showWarningMessage(l10n.t('Fine-tuning ended without a new model: {0}', scores));
}

function tuningAt(baseUrl: string, { secrets, learning }: FineTunePorts): FineTuning {
  const apiKey = async (address: string): Promise<string | undefined> => secrets.get(secretKeyOf(address));
  const { folder, experience } = learning.open();
  return openFineTuning({
    folder,
    experience,
    endpoint: { baseUrl, apiKey },
    modelAt: (model) => openAiModel({ baseUrl, model, apiKey }),
  });
}
