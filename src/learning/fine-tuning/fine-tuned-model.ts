import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FineTuningError, openAiFineTuning } from './fine-tuning-api.ts';
import { isAtService, isSameService, roundFile, storedRound } from './learning-round.ts';
import { randomUUID } from 'node:crypto';
import { jsonOnDisk, seededRandom, systemClock } from '#base';
import type { LanguageModel, OpenAiEndpoint } from '#research';
import { compareModels } from './compare-models.ts';
import type { ExperienceStore } from '../experience/experience-store.ts';
import { FineTuning } from './fine-tuning.ts';

const shape = z.object({ version: z.literal(1), baseUrl: z.string(), baseModel: z.string(), model: z.string() });

/** A fine-tuned model that won its comparison, and the one that it stands for. */
type FineTunedModel = z.infer<typeof shape>;

const fileIn = (folder: string): string => join(folder, 'fine-tuned-model.json');

/**
 * Forgets the last round, with the examples in it, and which model stands for which. @throws FineTuningError while
 * examples are at a service: who forgets the round cannot delete them there
 */
export async function forgetFineTuning(folder: string): Promise<void> {
  const round = await storedRound(folder).catch(() => undefined); // what cannot be read goes
  if (round && isAtService(round))
    throw new FineTuningError(`A round of fine-tuning is under way at ${round.estimate.host}.`, {
      advice:
        'Cancel it first: the examples are deleted there then. If the service is gone, the round can be ' +
        'forgotten: `hoptrail fine-tune forget`, or in the editor where cancelling fails.',
    });
  await roundFile(folder).save(undefined);
  await rm(fileIn(folder), { force: true });
}

/**
 * The model that is asked in place of this one; the model itself when none has taken its place. A file that cannot be
 * read counts as none.
 */
export function fineTunedModel(folder: string, baseUrl: string, model: string): string {
  try {
    const known = shape.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
    return isSameService(known.baseUrl, baseUrl) && known.baseModel === model ? known.model : model;
  } catch {
    return model; // the one that was named is always right
  }
}

/** Puts a model in the place of its base; the base itself ends that. */
async function useFineTunedModel(folder: string, standing: Omit<FineTunedModel, 'version'>): Promise<void> {
  if (standing.model === standing.baseModel) await rm(fileIn(folder), { force: true });
  else await jsonOnDisk(fileIn(folder)).save({ version: 1, ...standing } satisfies FineTunedModel);
}

interface FineTuningService {
  /** Folder in which what is learnt is kept: the round's state, and which model stands for which. */
  folder: string;
  experience: ExperienceStore;
  endpoint: OpenAiEndpoint;
  /** A model of that service by its own name, whatever stands for it. */
  modelAt(name: string): LanguageModel;
  onCompared?(done: number, total: number): void;
}

/**
 * Rounds of fine-tuning at a service, kept beside what else was learnt; the comparison asks both models.
 */
export function openFineTuning({ folder, experience, endpoint, modelAt, onCompared }: FineTuningService): FineTuning {
  const { baseUrl } = endpoint;
  return new FineTuning({
    api: openAiFineTuning(endpoint),
    baseUrl,
    experience,
    store: roundFile(folder),
    compare: ({ before, after, heldOut }, signal) =>
      compareModels(heldOut, { before: modelAt(before), after: modelAt(after) }, signal, onCompared),
    model: {
      current: (baseModel) => fineTunedModel(folder, baseUrl, baseModel),
      use: (model, base) => useFineTunedModel(folder, { baseUrl: base.baseUrl, baseModel: base.baseModel, model }),
    },
    clock: systemClock,
    newId: randomUUID,
    random: seededRandom(1),
  });
}
