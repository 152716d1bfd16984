import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { normalise } from '#base';
import { EmbeddingModelError, type QuestionMap } from './embedder.ts';

/** Lies beside the embedding model whose questions it moves. */
export const QUESTION_MAP = 'question-map.json';

const shape = z.object({
  version: z.literal(1),
  dimensions: z.number().int().positive(),
  /** What was learnt from and what was measured on other folders; for people. */
  trainedOn: z.record(z.string(), z.unknown()),
  /** W by rows in 8 bits, what one step of each row is worth, and b: little-endian in base64. */
  weights: z.base64(),
  steps: z.base64(),
  bias: z.base64(),
});
/** `question-map.json`. */
export type PackedQuestionMap = z.infer<typeof shape>;

const MOST_STEPS = 127;

/** @param weights W by rows, `dimensions`² of them. @param bias b */
export function packQuestionMap(
  weights: Float32Array,
  bias: Float32Array,
  trainedOn: PackedQuestionMap['trainedOn'],
): PackedQuestionMap {
  const dimensions = bias.length;
  const packed = new Int8Array(weights.length);
  const steps = new Float32Array(dimensions);
  for (let row = 0; row < dimensions; row++) {
    const own = weights.subarray(row * dimensions, (row + 1) * dimensions);
    const step = Math.max(...own.map(Math.abs)) / MOST_STEPS || 1;
    steps[row] = step;
    packed.set(
      own.map((weight) => Math.round(weight / step)),
      row * dimensions,
    );
  }
  const base64 = ({ buffer, byteOffset, byteLength }: Int8Array | Float32Array): string =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
  return { version: 1, dimensions, trainedOn, weights: base64(packed), steps: base64(steps), bias: base64(bias) };
}

/** @throws RangeError if its parts do not fit each other */
export function unpackQuestionMap({ dimensions, weights, steps, bias }: PackedQuestionMap): QuestionMap {
  const bytes = Buffer.from(weights, 'base64');
  const packed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const worth = floatsOf(steps);
  const moved = floatsOf(bias);
  if (packed.length !== dimensions ** 2 || worth.length !== dimensions || moved.length !== dimensions)
    throw new RangeError(`its parts are not those of a map of ${dimensions} dimensions`);
  return (vector) => {
    const mapped = vector.map((value, row) => {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (packed[row * dimensions + i] ?? 0) * (vector[i] ?? 0);
      return value + sum * (worth[row] ?? 0) + (moved[row] ?? 0);
    });
    return normalise(mapped);
  };
}

function floatsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
}

/** The map beside a model; undefined where there is none. @throws EmbeddingModelError */
export function readQuestionMap(folder: string): QuestionMap | undefined {
  const file = path.join(folder, QUESTION_MAP);
  if (!existsSync(file)) return undefined;
  try {
    return unpackQuestionMap(shape.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    const said = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new EmbeddingModelError(folder, `${QUESTION_MAP}: ${said}`, error);
  }
}
