import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError } from '../model/error-report.ts';
import { modelShape } from './learning/model.ts';

const headsShape = z.object({
  /** Head 1: a first passage against the question. */
  first: modelShape,
  /** Head 2: a next passage against question and chain. */
  next: modelShape,
  /** Whether a chain is complete. */
  complete: modelShape,
});

/** `chain-scorer.json`. */
export const chainScorerShape = z.object({
  version: z.literal(1),
  /** Id of the embedder whose cosines the heads were trained on. */
  embedder: z.string(),
  /** What was learnt from and what cross-validation said; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  prose: headsShape,
  /** Heads for hops whose candidates are mostly program text; undefined when the prose heads serve both. */
  code: headsShape.optional(),
});

/** Trained heads of the chain scorer. */
export type ChainHeads = z.infer<typeof headsShape>;
export type ChainScorerWeights = z.infer<typeof chainScorerShape>;

/** The weights of the chain scorer cannot be used. */
export class ChainScorerWeightsError extends HoptrailError {
  readonly code = 'chain-scorer-weights';
}

/** Checks weights that were read from anywhere. @throws ChainScorerWeightsError */
export function parseChainScorerWeights(value: unknown, source: string): ChainScorerWeights {
  const parsed = chainScorerShape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ChainScorerWeightsError(`The chain scorer's weights in ${source} do not have the expected shape: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error, advice: 'Reinstall the extension, or rebuild the file with npm run train:scorer.',
  });
}

/** Reads the weights from a file such as `models/chain-scorer.json`. @throws ChainScorerWeightsError */
export function readChainScorerWeights(file: string): ChainScorerWeights {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ChainScorerWeightsError(`The chain scorer's weights cannot be read from ${file}: ${(cause as Error).message}`, { cause, advice: 'Reinstall the extension, or rebuild the file with npm run train:scorer.' });
  }
  return parseChainScorerWeights(value, file);
}
