import * as vscode from 'vscode';
import { openAiModel } from '#research';
import { reportError } from '#base';
import {
  type FineTuning,
  FineTuningError,
  isAtService,
  type LearningRound,
  type LossWeights,
  openFineTuning,
  type RoundRequest,
  standingModel,
  withPrice,
} from '#learning';
import { underNotification } from '../abort-signal.ts';
import { modelProviders } from '../model/model-providers.ts';
import { secretKeyOf, type ModelService } from '../model/model-service.ts';
import { currentSettings } from '../configuration.ts';
import { errorInWords, translateError } from '../said-in-errors.ts';
import type { LearningPage } from './learning-page.ts';
import type { LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

export interface FineTunePorts {
  models: ModelService;
  secrets: vscode.SecretStorage;
  learning: LearningService;
  page: LearningPage;
  /** Tells of what went wrong after the command has ended. */
  report(error: unknown): void;
}

/**
 * A round of fine-tuning at the endpoint that is chosen: begins one, looks after the one that runs, wherever that is,
 * or goes back from the model that won. Nothing leaves the machine before the person has seen how many examples would,
 * where to, and about what it costs.
 */
export async function fineTune(ports: FineTunePorts): Promise<void> {
  if (!workspace.isTrusted)
    throw new FineTuningError(l10n.t('In restricted mode no language model is used.'), {
      advice: l10n.t('Trust this workspace to fine-tune one.'),
      action: 'manage-trust',
    });
  const round = await ports.learning.fineTuningRound();
  const standing = round && standingModel(round);
  if (round && isAtService(round)) return lookAfter(round, standing, ports);
  if (standing && (await wantsBack(standing, ports)) !== 'new') return;
  const { model, loss } = currentSettings();
  const { provider, baseUrl, name } = model;
  if (!modelProviders.get(provider)?.tunes || baseUrl === '' || name === '')
    throw new FineTuningError(l10n.t('The chosen language model cannot be fine-tuned.'), {
      advice: l10n.t('Choose a model of an OpenAI-compatible endpoint whose service fine-tunes.'),
      action: 'choose-model',
    });
  await begin(tuningAt(baseUrl, ports), { baseModel: name, weights: loss }, ports);
}

type Standing = NonNullable<LearningRound['standing']>;

const backItem = ({ model, previousModel }: Standing): vscode.QuickPickItem => ({
  label: `$(discard) ${l10n.t('Step Back to {0}', previousModel)}`,
  description: l10n.t('in its place now: {0}', model),
});

/** What to do about a model that won; it is done when this resolves, unless a new round is wanted. */
async function wantsBack(standing: Standing, ports: FineTunePorts): Promise<'new' | undefined> {
  const back = backItem(standing);
  const again = { label: `$(mortar-board) ${l10n.t('Begin Another Round')}` };
  const chosen = await window.showQuickPick([back, again], { title: l10n.t('Fine-tuning') });
  if (chosen === back) await stepBack(standing, ports);
  return chosen === again ? 'new' : undefined;
}

function tuningAt(
  baseUrl: string,
  { secrets, learning }: FineTunePorts,
  onCompared?: (done: number, total: number) => void,
): FineTuning {
  const apiKey = async (address: string): Promise<string | undefined> => secrets.get(secretKeyOf(address));
  const { folder, experience } = learning.open();
  return openFineTuning({
    folder,
    experience,
    endpoint: { baseUrl, apiKey },
    modelAt: (model) => openAiModel({ baseUrl, model, apiKey }),
    ...(onCompared && { onCompared }),
  });
}

async function begin(
  tuning: FineTuning,
  { baseModel, weights }: Pick<RoundRequest, 'baseModel'> & { weights: LossWeights },
  ports: FineTunePorts,
): Promise<void> {
  const counted = await tuning.draft({ baseModel, weights }); // too few examples are told before anything is asked
  const asked = await askPrice(baseModel);
  if (asked === undefined) return;
  const draft = asked.price ? { ...counted, estimate: withPrice(counted.estimate, asked.price) } : counted;
  const send = l10n.t('Send and Fine-Tune');
  const show = l10n.t('Show Examples');
  const { estimate } = draft;
  const cost =
    estimate.cost === undefined
      ? l10n.t('what it costs, {0} knows', estimate.host)
      : l10n.t('about {0} {1}', estimate.cost.toFixed(2), estimate.currency ?? '').trim();
  const chosen = await window.showWarningMessage(
    l10n.t('Send {0} examples to {1} to fine-tune {2}?', estimate.examples, estimate.host, baseModel),
    {
      modal: true,
      detail: [
        l10n.t(
          'They come from all your workspaces and hold questions, answers and passages of files: {0} on what ' +
            'to ask next, {1} on what passages say, {2} on what to keep.',
          estimate.counts.decomposition,
          estimate.counts.reading,
          estimate.counts.critique,
        ),
        ...weighedOtherwise(weights),
        l10n.t(
          'Training: {0} epochs, about {1} tokens, {2}.',
          estimate.epochs,
          estimate.tokens.toLocaleString(vscode.env.language),
          cost,
        ),
        l10n.t(
          '{0} more are not trained on: both models are asked them there, which comes on top, and the new one ' +
            'is used only if it does better. One click brings the old one back.',
          estimate.heldOut,
        ),
      ].join('\n\n'),
    },
    send,
    show,
  );
  if (chosen === show)
    await window.showTextDocument(
      await workspace.openTextDocument({ content: draft.training + draft.heldOut, language: 'jsonl' }),
      { preview: false },
    );
  if (chosen !== send) return;
  await run(await tuning.agree(draft), ports);
}

/** Where kinds of examples do not weigh the same: why their numbers are as they are. */
function weighedOtherwise({ decomposition, reading, critique }: LossWeights): string[] {
  if (decomposition === reading && reading === critique) return [];
  const inWords = [decomposition, reading, critique].map((weight) => weight.toLocaleString(vscode.env.language));
  return [l10n.t('They weigh {0}, {1} and {2}, as the setting {3} says.', ...inWords, 'hoptrail.research.loss')];
}

/** undefined: the person thought better of it; without a price the cost is not known. */
async function askPrice(model: string): Promise<Pick<RoundRequest, 'price'> | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t('Fine-tuning {0}', model),
    prompt: l10n.t('Price of a million trained tokens, such as 3 USD. Empty: not known.'),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || priceOf(text) ? undefined : l10n.t('A number, and a currency behind it'),
  });
  if (typed === undefined) return undefined;
  const price = priceOf(typed);
  return price ? { price } : {};
}

function priceOf(text: string): { perMillion: number; currency: string } | undefined {
  const [, amount, currency = ''] = /^(\d+(?:[.,]\d+)?)(?:\s*(\p{L}{3}|\p{Sc}))?$/u.exec(text.trim()) ?? [];
  return amount === undefined
    ? undefined
    : { perMillion: Number(amount.replace(',', '.')), currency: currency.toUpperCase() };
}

async function lookAfter(round: LearningRound, standing: Standing | undefined, ports: FineTunePorts): Promise<void> {
  const goOn = {
    label: `$(play) ${l10n.t('Go On with the Round')}`,
    description: l10n.t('{0} at {1}', round.baseModel, round.estimate.host),
  };
  const cancel = {
    label: `$(circle-slash) ${l10n.t('Cancel the Round')}`,
    description: l10n.t('the job is cancelled there, and the examples are deleted'),
  };
  const back = standing && backItem(standing);
  const chosen = await window.showQuickPick([goOn, cancel, ...(back ? [back] : [])], {
    title: l10n.t('A round of fine-tuning is under way'),
  });
  if (chosen === goOn) return run(round, ports);
  if (chosen === cancel) return cancelRound(round, ports);
  if (chosen !== undefined && standing) await stepBack(standing, ports);
}

/** Whoever looks after the round in this window lets go of it first. */
async function cancelRound(round: LearningRound, ports: FineTunePorts): Promise<void> {
  const { learning } = ports;
  const tuning = tuningAt(round.baseUrl, ports);
  await learning.stopTuning();
  const ended = await learning.tune(async () =>
    underNotification(l10n.t('Cancelling the round of fine-tuning'), async (signal) => {
      try {
        return await tuning.cancel(signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        const forget = l10n.t('Forget the Round');
        const { message } = errorInWords(reportError(error), l10n.t);
        const chosen = await window.showWarningMessage(
          l10n.t('The round could not be cancelled: {0}', message),
          {
            modal: true,
            detail: l10n.t(
              'It can be forgotten on this machine; what lies at {0} then stays there.',
              round.estimate.host,
            ),
          },
          forget,
        );
        return chosen === forget ? tuning.forget() : undefined;
      }
    }),
  );
  if (!ended) return;
  if (ended.phase !== 'cancelled')
    return void window.showInformationMessage(
      l10n.t(
        'The job had ended before it could be cancelled. “Hoptrail: Fine-Tune Model” compares its model, or cancels.',
      ),
    );
  if (ended.problem !== undefined)
    return void window.showWarningMessage(l10n.t('The round is cancelled. {0}', translateError(ended.problem, l10n.t)));
  window.setStatusBarMessage(l10n.t('$(check) The round is cancelled'), 4000);
}

/** Takes the round as far as it goes, under a notification that can leave it to the service. */
async function run(begun: LearningRound, ports: FineTunePorts): Promise<void> {
  const { models, learning, page } = ports;
  const { baseModel } = begun;
  const round = await learning.tune(async (stop) =>
    underNotification(l10n.t('Fine-tuning {0}', baseModel), async (cancelled, tell) => {
      const signal = AbortSignal.any([cancelled, stop]);
      const tuning = tuningAt(begun.baseUrl, ports, (done, total) =>
        tell(l10n.t('comparing the old and the new model: {0} of {1}', done, total)),
      );
      try {
        return await tuning.run(signal, (now) => {
          tell(stateOf(now));
          learning.tuned();
        });
      } catch (error) {
        if (!signal.aborted) throw error;
        if (!stop.aborted) void window.showInformationMessage(leftMessage(await tuning.current()));
        return undefined;
      }
    }),
  );
  if (!round) return;
  if (round.phase === 'switched') await models.refresh();
  const details = l10n.t('Details');
  const back = l10n.t('Step Back');
  const { verdict } = round;
  const problem = round.problem && translateError(round.problem, l10n.t);
  const scores = verdict
    ? l10n.t(
        '{0} before, {1} after on {2} questions held back',
        verdict.before.toFixed(2),
        verdict.after.toFixed(2),
        verdict.questions,
      )
    : '';
  const rest = problem === undefined ? '' : ` ${problem}`;
  const said =
    round.phase === 'switched'
      ? window.showInformationMessage(
          l10n.t('The fine-tuned model does better and is in use now: {0}.', scores) + rest,
          details,
          back,
        )
      : round.phase === 'kept'
        ? window.showInformationMessage(
            l10n.t('The fine-tuned model does not certainly do better, and {0} stays: {1}.', baseModel, scores) + rest,
            details,
          )
        : window.showWarningMessage(
            l10n.t('Fine-tuning ended without a new model: {0}', problem ?? round.phase),
            details,
          );
  void said
    .then(async (chosen) => {
      if (chosen === details) page.show();
      const standing = standingModel(round);
      if (chosen === back && standing) await stepBack(standing, ports);
    })
    .then(undefined, (error: unknown) => ports.report(error));
}

/** Back from this model, if it still stands: another window, or another round, may have been quicker. */
async function stepBack(standing: Standing, ports: FineTunePorts): Promise<void> {
  const { models, learning } = ports;
  const round = await learning.fineTuningRound();
  if (!round || standingModel(round)?.model !== standing.model)
    throw new FineTuningError(l10n.t('{0} is not in use any more.', standing.model));
  await learning.stopTuning();
  await learning.tune(() => tuningAt(standing.baseUrl, ports).stepBack());
  await models.refresh();
  window.setStatusBarMessage(l10n.t('$(check) {0} is in use again', standing.previousModel), 4000);
}

/** What a person should know who leaves the round alone. */
function leftMessage(round: LearningRound | undefined): string {
  switch (round?.phase) {
    case 'training':
      return l10n.t('The round goes on at {0}. “Hoptrail: Fine-Tune Model” looks after it again.', round.estimate.host);
    case 'trained':
      return l10n.t('The new model is there and not compared yet. “Hoptrail: Fine-Tune Model” does it.');
    default:
      return l10n.t('Nothing is trained yet. “Hoptrail: Fine-Tune Model” goes on with the round, or cancels it.');
  }
}

function stateOf({ phase, jobStatus }: LearningRound): string {
  switch (phase) {
    case 'agreed':
      return l10n.t('sending the examples');
    case 'training':
      return jobStatus === 'running'
        ? l10n.t('it trains at the service')
        : l10n.t('it waits for its turn at the service');
    case 'trained':
      return l10n.t('comparing the old and the new model');
    default:
      return '';
  }
}
