import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HoptrailError } from '#base';
import { modelShape } from './heads/model.ts';
import type { IndexedPassage } from '../store/passage-index.ts';
import type { AnalysedQuestion } from './question.ts';

const headsShape = z.object({
  /** Head 1: a first passage against the question. */
  first: modelShape,
  /** Head 2: a next passage against question and chain. */
  next: modelShape,
  /** Whether a chain is complete. */
  complete: modelShape,
});

/** `chain-scorer.json`. */
const chainScorerShape = z.object({
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
export type HeadName = keyof ChainHeads;
export type ChainScorerWeights = z.infer<typeof chainScorerShape>;

/** The weights of the chain scorer cannot be used. */
class ChainScorerWeightsError extends HoptrailError {
  readonly code = 'chain-scorer-weights';
}

/** Checks weights that were read from a file. @throws ChainScorerWeightsError */
function parseChainScorerWeights(value: unknown, source: string): ChainScorerWeights {
  const parsed = chainScorerShape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ChainScorerWeightsError(
    `The chain scorer's weights in ${source} do not have the expected shape: ${z.prettifyError(parsed.error)}`,
    {
      cause: parsed.error,
      advice: 'Reinstall the extension, or rebuild the file with npm run train:scorer.',
    },
  );
}

/** Reads the weights from a file such as `models/chain-scorer.json`. @throws ChainScorerWeightsError */
export function readChainScorerWeights(file: string): ChainScorerWeights {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ChainScorerWeightsError(
      `The chain scorer's weights cannot be read from ${file}: ${(cause as Error).message}`,
      { cause, advice: 'Reinstall the extension, or rebuild the file with npm run train:scorer.' },
    );
  }
  return parseChainScorerWeights(value, file);
}

/** A chain under construction, as a scorer sees it. */
export interface PartialChain {
  /** In the order found; never empty. */
  passages: readonly IndexedPassage[];
  /** The logit with which each hop was taken, in the same order. */
  logits: readonly number[];
  /** Embedding of {@link ChainScorer.queryText}. */
  vector?: Float32Array | undefined;
}

/** What is known of a chain when its completeness is judged. */
export interface ChainOutlook {
  /** Logits of the best extensions of the chain, best first; empty when nothing is left to add. */
  continuations: readonly number[];
  /** The best passages left to add, in the same order. */
  next: readonly IndexedPassage[];
}

/**
 * Port: the heads of Beam Retrieval (arXiv 2308.08973, §3.2) and a model of when a chain is complete. Scores are
 * logits: 0 means "as likely as not". Every method rejects with AbortError on abort.
 */
export interface ChainScorer {
  /** Text to embed as the query for a hop after this chain, which also searches for candidates. */
  queryText(question: AnalysedQuestion, chain: readonly IndexedPassage[]): string | undefined;
  /** Head 1: each candidate as first passage of a chain. One logit per candidate, in order. */
  scoreFirst(
    question: AnalysedQuestion,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]>;
  /** Head 2: each candidate as the next passage of the chain. One logit per candidate, in order. */
  scoreNext(
    question: AnalysedQuestion,
    chain: PartialChain,
    candidates: readonly IndexedPassage[],
    signal?: AbortSignal,
  ): Promise<number[]>;
  /** Logit that the chain holds all the evidence that the question needs, and nothing else. */
  completeness(
    question: AnalysedQuestion,
    chain: PartialChain,
    outlook: ChainOutlook,
    signal?: AbortSignal,
  ): Promise<number>;
}
