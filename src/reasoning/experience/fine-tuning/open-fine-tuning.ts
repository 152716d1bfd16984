import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../llm/clock.ts';
import type { LanguageModel } from '../../../llm/language-model.ts';
import type { OpenAiEndpoint } from '../../../llm/openai-client.ts';
import { seededRandom } from '../../../retrieval/learning/random.ts';
import { compareModels } from './comparison/compare-models.ts';
import { modelJudge } from './comparison/judge-pair.ts';
import type { ExperienceStore } from '../records/experience-store.ts';
import { fineTunedModel, useFineTunedModel } from './fine-tuned-model.ts';
import { FineTuning } from './fine-tuning.ts';
import { openAiFineTuning } from './openai-fine-tuning.ts';
import { roundFile } from './round-file.ts';

export interface FineTuningService {
  /** Folder in which what is learnt is kept: the round's state, and which model stands for which. */
  folder: string;
  experience: ExperienceStore;
  endpoint: OpenAiEndpoint;
  /** A model of that service by its own name, whatever stands for it. */
  modelAt(name: string): LanguageModel;
  onCompared?(done: number, total: number): void;
}

/** Rounds of fine-tuning at a service, kept beside what else was learnt; the comparison asks both models and lets the old one judge: it is there to ask. */
export function openFineTuning({ folder, experience, endpoint, modelAt, onCompared }: FineTuningService): FineTuning {
  const { baseUrl } = endpoint;
  return new FineTuning({
    api: openAiFineTuning(endpoint),
    baseUrl,
    experience,
    store: roundFile(folder),
    compare: ({ before, after, heldOut }, signal) => compareModels(heldOut, { before: modelAt(before), after: modelAt(after), judge: modelJudge(modelAt(before)) }, signal, onCompared),
    model: {
      current: (baseModel) => fineTunedModel(folder, baseUrl, baseModel),
      use: async (model, base) => useFineTunedModel(folder, { baseUrl: base.baseUrl, baseModel: base.baseModel, model }),
    },
    clock: systemClock,
    newId: randomUUID,
    random: seededRandom(1),
  });
}
