import { z } from 'zod';

const verdictShape = z.object({
  verdict: z.enum(['keep', 'redundant', 'irrelevant', 'unsupported']),
  reason: z.string(),
  by: z.enum(['model', 'evidence']),
});

/** One choice and what is known of it: kept so that a later word about the answer can correct what was learnt. */
export const decisionShape = z.object({
  runId: z.string(),
  /** Hash of the question: to know it again, not to read it. */
  question: z.string(),
  /** Milliseconds since the epoch. */
  time: z.number(),
  strategy: z.string(),
  beta: z.number(),
  features: z.array(z.number()),
  /** What was learnt from it; undefined while the run goes on. */
  learnt: z.object({ quality: z.number(), cost: z.number() }).optional(),
  /** The answer's quality by the machine's own checks. */
  checked: z.number().optional(),
  critique: verdictShape.optional(),
  thumb: z.enum(['up', 'down']).optional(),
  thinkHarder: z.boolean().optional(),
  edit: z.enum(['kept', 'changed', 'removed']).optional(),
});

export type Decision = z.infer<typeof decisionShape>;

/** A run that taught something. */
export type TaughtDecision = Decision & { learnt: NonNullable<Decision['learnt']> };
