import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError } from '../../model/error-report.ts';
import { modelShape } from '../learning/model.ts';

const fileShape = z.object({
  version: z.literal(1),
  /** What was learnt from and what cross-validation said; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  /** Whether a sentence is needed for the answer. */
  support: modelShape,
  /** Whether a span is the answer. */
  span: modelShape,
  /** Whether the answer of a yes-or-no question is yes. */
  yes: modelShape,
  /** Whether the passages carry an answer at all. */
  answerable: modelShape,
});

/** Trained models of the reader. */
export type ReaderWeights = z.infer<typeof fileShape>;

/** The weights of the reader cannot be used. */
export class ReaderWeightsError extends HoptrailError {
  readonly code = 'reader-weights';
}

/** Reads the weights from a file such as `models/reader.json`. @throws ReaderWeightsError */
export function readReaderWeights(file: string): ReaderWeights {
  const advice = 'Reinstall the extension, or rebuild the file with npm run train:scorer.';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ReaderWeightsError(`The reader's weights cannot be read from ${file}: ${(cause as Error).message}`, { cause, advice });
  }
  const parsed = fileShape.safeParse(value);
  if (!parsed.success) throw new ReaderWeightsError(`The reader's weights in ${file} do not have the expected shape: ${z.prettifyError(parsed.error)}`, { cause: parsed.error, advice });
  return parsed.data;
}
