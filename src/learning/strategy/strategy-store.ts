import { z } from 'zod';
import { jsonOnDisk, whileLocked } from '#base';

/** Port: where one user's state of the strategy choice is kept. Values are plain JSON. */
export interface StrategyStore {
  /** undefined: nothing stored yet. */
  load(): Promise<unknown>;
  save(state: unknown): Promise<void>;
  /** Does work while nobody else changes the state, in this window or another. Absent: nobody else can. */
  alone?<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The state in a file that all windows of a user share. @throws LearningFileError, and what the file system says of a
 * folder that cannot be written
 */
export const strategiesOnDisk = (path: string): StrategyStore => ({
  ...jsonOnDisk(path),
  alone: (work) => whileLocked(path, work),
});

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

/** What a store holds: the bandit's state and the last choices. */
export const strategyStateShape = z.object({
  version: z.literal(1),
  bandit: z.unknown(),
  decisions: z.array(decisionShape),
  /** How far the prior in the state is believed; absent: as it came. */
  belief: z.unknown().optional(),
  /** Which prior that is; with another one, the state is made anew from the choices. */
  prior: z.string().optional(),
  /** When everything before was forgotten, milliseconds since the epoch; 0: never. */
  since: z.number().default(0),
});

export type StrategyState = z.infer<typeof strategyStateShape>;

/** Choices kept for later words about them. */
export const KEPT_DECISIONS = 200;
