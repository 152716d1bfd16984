import * as vscode from 'vscode';
import { openAiModel } from '../../llm/openai-model.ts';
import { FineTuningError } from '../../reasoning/experience/fine-tuning-api.ts';
import type { FineTuning, RoundRequest } from '../../reasoning/experience/fine-tuning.ts';
import { isOver, standingModel, type LearningRound } from '../../reasoning/experience/learning-round.ts';
import { openFineTuning } from '../../reasoning/experience/open-fine-tuning.ts';
import { abortSignalOf } from '../abort-signal.ts';
import { secretKeyOf, type ModelService } from '../model/model-service.ts';
import { currentSettings } from '../settings/configuration.ts';
import type { LearningPage } from './learning-page.ts';
import type { LearningService } from './learning-service.ts';

const { l10n, window, workspace } = vscode;

export interface FineTunePorts {
  models: ModelService;
  secrets: vscode.SecretStorage;
  learning: LearningService;
  page: LearningPage;
}

/**
 * A round of fine-tuning at the endpoint that is chosen: begins one, looks after the one that runs there, or goes back from the model that
 * won. Nothing leaves the machine before the person has seen how many examples would, where to, and about what it costs.
 */
export async function fineTune(ports: FineTunePorts): Promise<void> {
  const { provider, baseUrl, name } = currentSettings().model;
  if (!workspace.isTrusted) throw new FineTuningError(l10n.t('In restricted mode no language model is used.'), { advice: l10n.t('Trust this workspace to fine-tune one.'), action: 'manage-trust' });
  if (provider !== 'endpoint' || baseUrl === '' || name === '') throw new FineTuningError(l10n.t('The chosen language model cannot be fine-tuned.'), { advice: l10n.t('Choose a model of an OpenAI-compatible endpoint whose service fine-tunes.'), action: 'choose-model' });
  const tuning = tuningAt(baseUrl, ports);
  const round = await tuning.current();
  if (round && !isOver(round) && round.phase !== 'prepared') return lookAfter(tuning, round, ports);
  const standing = round && standingModel(round);
  if (standing && (await wantsBack(standing)) !== 'new') return;
  await begin(tuning, name, ports);

  /** What to do about a model that won; it is done when this resolves, unless a new round is wanted. */
  async function wantsBack({ model, previousModel }: NonNullable<LearningRound['standing']>): Promise<'new' | undefined> {
    const back = { label: `$(discard) ${l10n.t('Step Back to {0}', previousModel)}`, description: l10n.t('in use now: {0}', model) };
    const again = { label: `$(mortar-board) ${l10n.t('Begin Another Round')}` };
    const chosen = await window.showQuickPick([back, again], { title: l10n.t('Fine-tuning') });
    if (chosen === back) await stepBack(tuning, previousModel, ports);
    return chosen === again ? 'new' : undefined;
  }
}

function tuningAt(baseUrl: string, { secrets, learning }: FineTunePorts): FineTuning {
  const apiKey = async (address: string): Promise<string | undefined> => secrets.get(secretKeyOf(address));
  const { folder, experience } = learning.open();
  return openFineTuning({ folder, experience, endpoint: { baseUrl, apiKey }, modelAt: (model) => openAiModel({ baseUrl, model, apiKey }) });
}

async function begin(tuning: FineTuning, baseModel: string, ports: FineTunePorts): Promise<void> {
  await tuning.prepare({ baseModel }); // too few examples are told before anything is asked
  const price = await askPrice(baseModel);
  if (price === undefined) return;
  const round = await tuning.prepare({ baseModel, ...price });
  const send = l10n.t('Send and Fine-Tune');
  const show = l10n.t('Show Examples');
  const { estimate } = round;
  const cost = estimate.cost === undefined ? l10n.t('what it costs, {0} knows', estimate.host) : l10n.t('about {0} {1}', estimate.cost.toFixed(2), estimate.currency ?? '').trim();
  const chosen = await window.showWarningMessage(l10n.t('Send {0} examples to {1} to fine-tune {2}?', estimate.examples, estimate.host, baseModel), {
    modal: true,
    detail: [
      l10n.t('They hold questions, answers and passages of your files: {0} on what to ask next, {1} on what passages say, {2} on what to keep.', estimate.counts.decomposition, estimate.counts.reading, estimate.counts.critique),
      l10n.t('{0} epochs, about {1} tokens, {2}.', estimate.epochs, estimate.tokens, cost),
      l10n.t('The new model is used only if it does better on {0} examples that are held back, and one click brings the old one back.', estimate.heldOut),
    ].join('\n\n'),
  }, send, show);
  if (chosen === show) await window.showTextDocument(await workspace.openTextDocument({ content: round.training, language: 'jsonl' }), { preview: false });
  if (chosen !== send) return;
  await tuning.agree();
  await run(tuning, baseModel, ports);
}

/** undefined: the person thought better of it; without a price the cost is not known. */
async function askPrice(model: string): Promise<Pick<RoundRequest, 'price'> | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t('Fine-tuning {0}', model), prompt: l10n.t('Price of a million trained tokens, such as 3 USD. Empty: not known.'), ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' || priceOf(text) ? undefined : l10n.t('A number, and a currency behind it')),
  });
  if (typed === undefined) return undefined;
  const price = priceOf(typed);
  return price ? { price } : {};
}

function priceOf(text: string): { perMillion: number; currency: string } | undefined {
  const [, amount, currency = ''] = /^\s*(\d+(?:[.,]\d+)?)\s*(\p{L}{3}|\p{Sc})?\s*$/u.exec(text) ?? [];
  return amount === undefined ? undefined : { perMillion: Number(amount.replace(',', '.')), currency: currency.toUpperCase() };
}

async function lookAfter(tuning: FineTuning, round: LearningRound, ports: FineTunePorts): Promise<void> {
  const goOn = { label: `$(play) ${l10n.t('Go On with the Round')}`, description: l10n.t('{0} at {1}', round.baseModel, round.estimate.host) };
  const cancel = { label: `$(circle-slash) ${l10n.t('Cancel the Round')}`, description: l10n.t('the job is cancelled there, and the examples are deleted') };
  const chosen = await window.showQuickPick([goOn, cancel], { title: l10n.t('A round of fine-tuning is under way') });
  if (chosen === goOn) return run(tuning, round.baseModel, ports);
  if (chosen !== cancel) return;
  await window.withProgress({ location: vscode.ProgressLocation.Notification, title: l10n.t('Cancelling the round of fine-tuning'), cancellable: true }, async (_progress, token) => tuning.cancel(abortSignalOf(token)));
  ports.learning.tuned();
  window.setStatusBarMessage(l10n.t('$(check) The round is cancelled'), 4000);
}

/** Takes the round as far as it goes, under a notification that can leave it to the service. */
async function run(tuning: FineTuning, baseModel: string, ports: FineTunePorts): Promise<void> {
  const { models, learning, page } = ports;
  const round = await learning.tune(async () => window.withProgress({ location: vscode.ProgressLocation.Notification, title: l10n.t('Fine-tuning {0}', baseModel), cancellable: true }, async (progress, token) => {
    const signal = abortSignalOf(token);
    try {
      return await tuning.run(signal, (now) => progress.report({ message: stateOf(now) }));
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }));
  const left = round ?? (await tuning.current());
  if (!round) return void window.showInformationMessage(l10n.t('The round goes on at {0}. “Hoptrail: Fine-Tune Model” looks after it again.', left?.estimate.host ?? ''));
  const details = l10n.t('Details');
  const back = l10n.t('Step Back');
  const { verdict } = round;
  const scores = verdict ? l10n.t('{0} before, {1} after on {2} examples held back', verdict.before.toFixed(2), verdict.after.toFixed(2), verdict.questions) : '';
  if (round.phase === 'switched') await models.refresh();
  const said = round.phase === 'switched' ? window.showInformationMessage(l10n.t('The fine-tuned model does better and is in use now: {0}.', scores), details, back)
    : round.phase === 'kept' ? window.showInformationMessage(l10n.t('The fine-tuned model does not certainly do better, and {0} stays: {1}.', baseModel, scores), details)
      : window.showWarningMessage(l10n.t('Fine-tuning ended without a new model: {0}', round.problem ?? round.phase), details);
  void said.then((chosen) => {
    if (chosen === details) page.show();
    if (chosen === back) return stepBack(tuning, round.previousModel ?? baseModel, ports);
    return undefined;
  });
}

async function stepBack(tuning: FineTuning, previousModel: string, { models, learning }: FineTunePorts): Promise<void> {
  await learning.tune(() => tuning.stepBack());
  await models.refresh();
  window.setStatusBarMessage(l10n.t('$(check) {0} is in use again', previousModel), 4000);
}

function stateOf({ phase, jobStatus }: LearningRound): string {
  switch (phase) {
    case 'training': return jobStatus === 'running' ? l10n.t('it trains at the service') : l10n.t('it waits for its turn at the service');
    case 'trained': return l10n.t('comparing the old and the new model');
    case 'agreed': return l10n.t('sending the examples');
    case 'prepared':
    case 'switched':
    case 'kept':
    case 'stepped-back':
    case 'failed':
    case 'cancelled': return '';
  }
}
