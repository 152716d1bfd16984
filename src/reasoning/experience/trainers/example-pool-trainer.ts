import { z } from 'zod';
import { BadReplyError } from '../../../llm/errors.ts';
import type { LanguageModel } from '../../../llm/language-model.ts';
import { requestStructured } from '../../../llm/structured-reply.ts';
import { DECOMPOSE_TOKENS, decomposePrompt, decompositionSchema } from '../../prompts/decompose.ts';
import { chooseExamples, type DecompositionExample } from '../example-pool.ts';
import { isQuestionHeldOut, type Split } from '../held-out.ts';
import type { LocalTrainer } from '../offline-round.ts';
import { cosine } from '../../../retrieval/cosine.ts';

export const EXAMPLE_POOL = 'example-pool';
/** Examples shown with a question: small models lose the thread of more. */
export const EXAMPLES_SHOWN = 2;

const poolShape = z.array(z.object({ question: z.string(), steps: z.array(z.string()).min(1) }));

/** What is stored in the trainer's slot; undefined: no examples of the user's own. */
export const poolOf = (stored: unknown): DecompositionExample[] => (stored === undefined ? [] : poolShape.parse(stored));

export interface ExamplePoolPorts {
  /** Decompositions of runs that ended well. */
  examples(): Promise<DecompositionExample[]>;
  model: LanguageModel;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  split: Split;
}

/**
 * The user's own decompositions as in-context examples, chosen by similarity (Liu et al. 2022). Judged by how near the sub-questions that
 * the model makes of held-out questions come to those that answered them.
 */
export function examplePoolTrainer({ examples, model, embed, split }: ExamplePoolPorts): LocalTrainer {
  const heldOut = (example: DecompositionExample): boolean => isQuestionHeldOut(example.question, split);
  return {
    name: EXAMPLE_POOL,
    least: 10,
    examples: async () => (await examples()).filter((example) => !heldOut(example)).length,
    train: async () => (await examples()).filter((example) => !heldOut(example)),
    async compare({ before, after }, signal) {
      const pairs = [];
      for (const example of (await examples()).filter(heldOut)) {
        pairs.push({ id: example.question, before: await decompositionNearness({ model, embed }, example, poolOf(before), signal), after: await decompositionNearness({ model, embed }, example, poolOf(after), signal) });
      }
      return pairs;
    },
  };
}

/** Mean cosine of each sub-question that answered with the nearest one that the model makes, 0..1; 0 for a reply that cannot be read. */
export async function decompositionNearness({ model, embed }: Pick<ExamplePoolPorts, 'model' | 'embed'>, example: DecompositionExample, pool: readonly DecompositionExample[], signal: AbortSignal): Promise<number> {
  const shown = await alike(example.question, pool, embed, signal);
  let made: string[];
  try {
    made = (await requestStructured(model, { messages: decomposePrompt(example.question, shown), name: 'sub-questions', schema: decompositionSchema, options: { maxTokens: DECOMPOSE_TOKENS, signal } })).value.questions;
  } catch (error) {
    if (error instanceof BadReplyError) return 0;
    throw error;
  }
  const [wanted, found] = [await embed(example.steps, signal), await embed(made, signal)];
  return wanted.reduce((sum, vector) => sum + Math.max(0, ...found.map((other) => cosine(vector, other))), 0) / wanted.length;
}

/** The examples of a pool that are most like a question. */
export async function alike(question: string, pool: readonly DecompositionExample[], embed: ExamplePoolPorts['embed'], signal?: AbortSignal): Promise<DecompositionExample[]> {
  if (pool.length === 0) return [];
  const [vector = new Float32Array(), ...vectors] = await embed([question, ...pool.map((example) => example.question)], signal);
  return chooseExamples({ text: question, vector }, pool.map((example, i) => ({ example, vector: vectors[i] ?? new Float32Array() })), EXAMPLES_SHOWN);
}
