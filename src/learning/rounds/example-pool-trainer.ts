import { z } from 'zod';
import {
  BadReplyError,
  DECOMPOSE_TOKENS,
  decomposePrompt,
  decompositionSchema,
  type LanguageModel,
  requestStructured,
} from '#research';
import { chooseExamples, decompositionExamples, type DecompositionExample } from './example-pool.ts';
import { type ExperienceRecord, mayBeEmbedded, mayBeShown } from '../experience/experience-record.ts';
import { speaksToModel } from '../experience/find-poison.ts';
import { type ScoredPair, type Split, splitByQuestion, wholeOf } from '../gate.ts';
import { cosine, hashShare, LearningFileError, sum } from '#base';
import { MOST_COMPARED, CircuitBreaker } from './model-calls.ts';
import type { LocalTrainer } from './offline-round.ts';

export const EXAMPLE_POOL = 'example-pool';
/** Examples shown with a question: small models lose the thread of more. */
const EXAMPLES_SHOWN = 2;

const poolShape = z.array(
  z.object({
    question: z.string(),
    steps: z.array(z.string()).min(1),
    /** Who has read it; absent in what earlier versions learnt: nobody that is known of. */
    readBy: z
      .object({ model: z.string().nullable(), endpoint: z.string().optional(), embedder: z.string().optional() })
      .optional(),
  }),
);

/**
 * What is stored in the trainer's slot, whoever may read it; none when there is nothing. @throws LearningFileError for
 * what is no pool
 */
export function storedExamples(stored: unknown): z.infer<typeof poolShape> {
  const pool = poolShape.safeParse(stored ?? []);
  if (!pool.success)
    throw new LearningFileError('The examples that were learnt cannot be read.', {
      cause: pool.error,
      advice: 'Reset what was learnt.',
    });
  return pool.data;
}

/** To whom examples are shown: the model that makes sub-questions, and the one that embeds them. */
export interface PoolReaders {
  model: Pick<LanguageModel, 'id' | 'endpoint'>;
  /** Id of the embedding model. */
  embedder: string;
}

/** What is stored in the trainer's slot, as far as these may read it, and nothing speaks to a model in it. */
export function poolOf(stored: unknown, { model, embedder }: PoolReaders): DecompositionExample[] {
  return storedExamples(stored)
    .filter(
      ({ question, steps, readBy }) =>
        readBy &&
        mayBeShown(readBy, model) &&
        mayBeEmbedded(readBy, embedder) &&
        ![question, ...steps].some(speaksToModel),
    )
    .map(({ question, steps }) => ({ question, steps }));
}

/** What is stored in the trainer's slot without the examples of these questions. */
export function withoutExamples(stored: unknown, questions: ReadonlySet<string>): unknown {
  return storedExamples(stored).filter(({ question }) => !questions.has(question));
}

export interface ExamplePoolPorts {
  /** Records of runs that ended well. */
  records(): Promise<ExperienceRecord[]>;
  model: LanguageModel;
  /** Id of the embedding model. */
  embedder: string;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  split: Split;
  onProgress?(compared: number, of: number): void;
}

/**
 * The user's own decompositions as in-context examples, chosen by similarity (Liu et al. 2022): those that this model
 * has read already, where it is now. Judged by how near the sub-questions that it makes of held-out questions, at most
 * {@link MOST_COMPARED}, come to those that answered them.
 */
export function examplePoolTrainer({
  records,
  model,
  embedder,
  embed,
  split,
  onProgress,
}: ExamplePoolPorts): LocalTrainer {
  const sides = async (): Promise<{ training: DecompositionExample[]; heldOut: DecompositionExample[] }> =>
    splitByQuestion(
      decompositionExamples(await records(), (readBy) => mayBeShown(readBy, model) && mayBeEmbedded(readBy, embedder)),
      split,
    );
  const order = ({ question }: DecompositionExample): number => hashShare(`${split.seed} compared ${question}`);
  return {
    name: EXAMPLE_POOL,
    least: 10,
    examples: async () => (await sides()).training.length,
    train: async () =>
      (await sides()).training.map((example) => ({
        ...example,
        readBy: { model: model.id, endpoint: model.endpoint, embedder },
      })),
    async compare({ before, after }, signal) {
      const asked = (await sides()).heldOut.sort((a, b) => order(a) - order(b)).slice(0, MOST_COMPARED);
      const [old, fresh] = [before, after].map((stored) => poolOf(stored, { model, embedder }));
      const nearness = (example: DecompositionExample, pool: readonly DecompositionExample[] = []): Promise<number> =>
        decompositionNearness({ model, embed }, example, pool, signal);
      const breaker = new CircuitBreaker();
      const pairs: ScoredPair[] = [];
      for (const [i, example] of asked.entries()) {
        const pair = await breaker.attempt(signal, async () => ({
          id: wholeOf(example),
          before: await nearness(example, old),
          after: await nearness(example, fresh),
        }));
        if (pair) pairs.push(pair);
        onProgress?.(i + 1, asked.length);
      }
      if (breaker.brokenBy !== undefined) throw breaker.brokenBy; // what was compared until then is no fair sample
      return pairs;
    },
  };
}

/**
 * Mean cosine of each sub-question that answered with the nearest one that the model makes, 0..1; 0 for a reply that
 * cannot be read.
 */
export async function decompositionNearness(
  { model, embed }: Pick<ExamplePoolPorts, 'model' | 'embed'>,
  example: DecompositionExample,
  pool: readonly DecompositionExample[],
  signal: AbortSignal,
): Promise<number> {
  const shown = await alike(example.question, pool, embed, signal);
  let made: string[];
  try {
    made = (
      await requestStructured(model, {
        messages: decomposePrompt(example.question, shown),
        name: 'sub-questions',
        schema: decompositionSchema,
        options: { maxTokens: DECOMPOSE_TOKENS, signal },
      })
    ).value.questions;
  } catch (error) {
    if (error instanceof BadReplyError) return 0;
    throw error;
  }
  const [wanted, found] = [await embed(example.steps, signal), await embed(made, signal)];
  return sum(wanted.map((vector) => Math.max(0, ...found.map((other) => cosine(vector, other))))) / wanted.length;
}

/** The examples of a pool that are most like a question. */
export async function alike(
  question: string,
  pool: readonly DecompositionExample[],
  embed: ExamplePoolPorts['embed'],
  signal?: AbortSignal,
): Promise<DecompositionExample[]> {
  if (pool.length === 0) return [];
  const [vector = new Float32Array(), ...vectors] = await embed(
    [question, ...pool.map((example) => example.question)],
    signal,
  );
  return chooseExamples(
    { text: question, vector },
    pool.map((example, i) => ({ example, vector: vectors[i] ?? new Float32Array() })),
    EXAMPLES_SHOWN,
  );
}
