import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ClassifierModelError } from './classifier-model.ts';
import { PREDICTED_TYPES, type LabelledQuestion } from './question-classifier.ts';

const examplesSchema = z.record(z.enum(PREDICTED_TYPES), z.array(z.string().min(1)).min(1));

/** The labelled examples that ship with Hoptrail. @throws ClassifierModelError */
export async function readQuestionExamples(file: string): Promise<LabelledQuestion[]> {
  try {
    const byType = examplesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return PREDICTED_TYPES.flatMap((type) => byType[type].map((question) => ({ question, type })));
  } catch (cause) {
    throw new ClassifierModelError(file, 'its examples cannot be read.', { cause });
  }
}
