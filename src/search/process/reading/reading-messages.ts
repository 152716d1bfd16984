import { z } from 'zod';
import { breakdown } from '../../domain/file-cause.ts';
import type { ReadFile } from '../../reading/passage-source.ts';
import { type SkippedFile, sourceFile } from '../../domain/source-file.ts';

/** What the index process and its reading process say to one another. */

const text = z.string();

/** How the embedding model counts tokens: by the tokenizer in its folder, or unknown, and then counted carefully. */
const counting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), folder: text.min(1) }),
  z.object({ kind: z.literal('careful') }),
]);
export type TokenCounting = z.infer<typeof counting>;

export const toReadingProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), wasmDir: text.min(1), counting }),
  z.object({
    type: z.literal('read'),
    id: z.number().int(),
    file: sourceFile,
    maxFileBytes: z.number().positive(),
    encoding: text.optional(),
    parserBroke: breakdown.optional(),
    /** What an editor shows of the file, in place of what lies on disk. */
    shown: z.custom<Uint8Array>((value) => value instanceof Uint8Array).optional(),
  }),
]);
export type ToReadingProcess = z.infer<typeof toReadingProcess>;

export const fromReadingProcess = z.discriminatedUnion('type', [
  /** It has started. */
  z.object({ type: z.literal('up') }),
  /** `bytes`: the memory that the process takes now. */
  z.object({
    type: z.literal('done'),
    id: z.number().int(),
    bytes: z.number(),
    result: z.custom<ReadFile | SkippedFile>(
      (value) => typeof value === 'object' && value !== null && ('passages' in value || 'reason' in value),
    ),
  }),
  /** Something threw that should not have. */
  z.object({ type: z.literal('failed'), id: z.number().int(), message: text }),
  z.object({ type: z.literal('log'), level: z.enum(['warn', 'error']), text }),
]);
export type FromReadingProcess = z.infer<typeof fromReadingProcess>;
