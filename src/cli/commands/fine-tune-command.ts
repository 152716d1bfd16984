import { join } from 'node:path';
import {
  ExperienceStore,
  type FineTuning,
  isAtService,
  type LearningRound,
  type LossWeights,
  openFineTuning,
  storedRound,
} from '#learning';
import { fileOnDisk } from '#base';
import { UsageError } from '../exit.ts';
import { learningFolder } from '../places.ts';
import { endpointKey, modelAt, namedEndpoint } from '../model-endpoint.ts';
import type { Output } from '../terminal.ts';

export const FINE_TUNE_STEPS = ['prepare', 'run', 'status', 'cancel', 'forget', 'step-back'] as const;
export type FineTuneStep = (typeof FINE_TUNE_STEPS)[number];

export interface FineTuneOptions {
  baseUrl?: string;
  model?: string;
  json?: boolean;
  /** A person has seen the estimate: the examples may be sent. */
  agree?: boolean;
  epochs: number;
  /** α, β, γ of RISE's loss, as sampling weights. */
  loss: LossWeights;
  /** Price of a million trained tokens. */
  price?: number;
  currency: string;
}

/**
 * `hoptrail fine-tune prepare|run|status|cancel|forget|step-back`: a round of RISE's self-training at a fine-tuning
 * service. `prepare` estimates; nothing leaves the machine before `run --agree`. The new model is used only if it wins
 * on held-out questions. `forget` ends a round on this machine if the service is gone.
 */
export async function fineTuneCommand(
  step: FineTuneStep,
  options: FineTuneOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { baseUrl: named, model: baseModel } = namedEndpoint(options);
  const round = step === 'prepare' ? undefined : await storedRound(learningFolder());
  if (!round && step === 'forget') throw new UsageError('There is no round of fine-tuning to forget.');
  if (!round && step === 'status')
    return options.json ? output.json(null) : output.out('There has been no round of fine-tuning.');
  // A round that was prepared knows its service, also one that is gone and is to be forgotten.
  const baseUrl = step === 'forget' ? round?.baseUrl : (named ?? round?.baseUrl);
  if (!baseUrl)
    throw new UsageError('The service that fine-tunes is not named.', {
      advice: 'Name it: --base-url URL, or HOPTRAIL_BASE_URL; its key in HOPTRAIL_API_KEY.',
    });
  const tuning = fineTuningAt(baseUrl, output);
  const show = (round: LearningRound): void => {
    if (options.json) output.json(shown(round));
    else output.out(describeRound(round));
  };
  switch (step) {
    case 'prepare': {
      if (!baseModel)
        throw new UsageError('The model to start from is not named.', {
          advice: 'Name it: --model NAME, as the service calls it.',
        });
      show(
        await tuning.prepare({
          baseModel,
          epochs: options.epochs,
          weights: options.loss,
          ...(options.price !== undefined && { price: { perMillion: options.price, currency: options.currency } }),
        }),
      );
      if (!options.json)
        output.out('Nothing has left this machine. `hoptrail fine-tune run --agree` sends these examples.');
      return;
    }
    case 'run': {
      if (options.agree && (await tuning.current())?.phase === 'prepared') await tuning.agree();
      const taken = await tuning.run(signal, (now) => {
        if (!options.json) output.err(describeRound(now));
      });
      if (taken.phase === 'prepared')
        throw new UsageError('This round has been prepared, and nobody has agreed to it.', {
          advice: 'hoptrail fine-tune status shows what would be sent; run it with --agree.',
        });
      return show(taken);
    }
    case 'status':
      if (round) show(round);
      return;
    case 'cancel':
      return show(await cancel(tuning, output, signal));
    case 'forget':
      return show(await tuning.forget());
    case 'step-back':
      return show(await tuning.stepBack());
  }
}

/** @throws what cancelling throws, after having said what else can be done */
async function cancel(tuning: FineTuning, output: Output, signal: AbortSignal): Promise<LearningRound> {
  try {
    return await tuning.cancel(signal);
  } catch (error) {
    const round = await tuning.current();
    if (round && isAtService(round) && !signal.aborted)
      output.err(
        `The round could not be cancelled. It can be forgotten on this machine with \`hoptrail fine-tune ` +
          `forget\`; what lies at ${round.estimate.host} then stays there.`,
      );
    throw error;
  }
}

function fineTuningAt(baseUrl: string, output: Output): FineTuning {
  const folder = learningFolder();
  return openFineTuning({
    folder,
    experience: new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl'))),
    endpoint: { baseUrl, apiKey: endpointKey },
    modelAt: (name) => modelAt(baseUrl, name),
    onCompared: (done, total) => output.err(`compared ${done} of ${total}`),
  });
}

/** A round without its examples. */
const shown = ({ training: _, heldOut: __, heldOutQuestions: ___, records, ...round }: LearningRound): unknown => ({
  ...round,
  records: records.length,
});

function describeRound({ phase, baseModel, estimate, jobStatus, newModel, verdict, problem }: LearningRound): string {
  const { examples, counts, heldOut, epochs, tokens, cost, currency, host } = estimate;
  const price = cost === undefined ? 'price not known' : `about ${cost.toFixed(2)} ${currency ?? ''}`.trim();
  const lines = [
    `${phase}: ${baseModel} at ${host}${jobStatus ? `, job ${jobStatus}` : ''}`,
    `  ${examples} examples (${counts.decomposition} decompositions, ${counts.reading} readings, ` +
      `${counts.critique} critiques), ${heldOut} held out, ${epochs} epochs, about ${tokens} tokens, ${price}`,
  ];
  if (newModel) lines.push(`  new model: ${newModel}`);
  if (verdict)
    lines.push(
      `  held out: ${verdict.before.toFixed(3)} before, ${verdict.after.toFixed(3)} after on ` +
        `${verdict.questions} (p ${verdict.p.toFixed(3)})`,
    );
  if (problem) lines.push(`  ${problem}`);
  return lines.join('\n');
}
