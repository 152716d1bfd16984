import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError } from '#base';
import { modelShape } from '../heads/model.ts';

const fileShape = z.object({
  version: z.literal(2),
  /** What was learnt from, and what was measured on other folders; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  /** Whether a unit is what the question asks for, by its features alone. */
  unit: modelShape,
  /** The same, where the joint encoder read some of the units. */
  encodedUnit: modelShape,
  /** Whether what was read has an answer at all. */
  found: modelShape,
});

/** Trained models of the reader (`models/reader.json`). */
export type ReaderWeights = z.infer<typeof fileShape>;

/** The weights of the reader cannot be used. */
class ReaderWeightsError extends HoptrailError {
  readonly code = 'reader-weights';
}

/** Reads the weights from a file such as `models/reader.json`. @throws ReaderWeightsError */
export function readReaderWeights(file: string): ReaderWeights {
  const advice = 'Reinstall the extension, or rebuild the file with lab/heads/train-units.ts.';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ReaderWeightsError(`The reader's weights cannot be read from ${file}: ${(cause as Error).message}`, {
      cause,
      advice,
    });
  }
  const parsed = fileShape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ReaderWeightsError(
    `The reader's weights in ${file} do not have the expected shape: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, advice },
  );
}
