import { z } from 'zod';
import { FineTuningError } from './fine-tuning-api.ts';
import { join } from 'node:path';
import { type JsonFile, jsonOnDisk, withoutTrailingSlashes } from '#base';

const verdictShape = z.object({
  questions: z.number(),
  before: z.number(),
  after: z.number(),
  difference: z.number(),
  ci95: z.tuple([z.number(), z.number()]),
  p: z.number(),
  wins: z.boolean(),
});

/** What a round will cost, before anyone agrees to it. */
const estimateShape = z.object({
  examples: z.number(),
  /** Examples by kind, copies included. */
  counts: z.object({ decomposition: z.number(), reading: z.number(), critique: z.number() }),
  heldOut: z.number(),
  epochs: z.number(),
  /** Tokens over all epochs, estimated. */
  tokens: z.number(),
  /** Price of training in `currency`; undefined when the price is not known. */
  cost: z.number().optional(),
  currency: z.string().optional(),
  /** Where the examples would go. */
  host: z.string(),
});

type RoundEstimate = z.infer<typeof estimateShape>;

/**
 * A fine-tuning round as it stands: written before and after every step, so that it goes on where it was interrupted.
 */
const roundShape = z.object({
  version: z.literal(1),
  id: z.string(),
  /** Milliseconds since the epoch. */
  started: z.number(),
  phase: z.enum([
    'prepared', // examples counted; nothing has left the machine
    'agreed', // a person agreed; upload and job follow
    'training', // the job runs
    'trained', // the new model is there and is to be compared
    'switched', // it won and is in use
    'kept', // it did not win; the old one stays
    'stepped-back', // it was in use, and the old one is again
    'failed',
    'cancelled',
  ]),
  /** The service: its address, up to and including `/v1`. */
  baseUrl: z.string(),
  baseModel: z.string(),
  seed: z.number().int(),
  estimate: estimateShape,
  /** Ids of the records in it. */
  records: z.array(z.string()),
  /** The examples themselves, and those to compare on, as chat-format lines; dropped when the round is over. */
  training: z.string(),
  heldOut: z.string(),
  /**
   * The question that each line of `heldOut` belongs to; dropped with them. Absent in rounds that began with an earlier
   * version.
   */
  heldOutQuestions: z.array(z.string()).optional(),
  /** The file at the service, until it is deleted there. */
  fileId: z.string().optional(),
  jobId: z.string().optional(),
  jobStatus: z.string().optional(),
  newModel: z.string().optional(),
  verdict: verdictShape.optional(),
  /** Model in use before the switch. */
  previousModel: z.string().optional(),
  /** A model that an earlier round put in use: the way back outlives the next round's beginning. */
  standing: z
    .object({ model: z.string(), baseUrl: z.string(), baseModel: z.string(), previousModel: z.string() })
    .optional(),
  problem: z.string().optional(),
});

export type LearningRound = z.infer<typeof roundShape>;

/** An estimate with what its training costs at this price of a million tokens. */
export const withPrice = (
  estimate: RoundEstimate,
  { perMillion, currency }: { perMillion: number; currency: string },
): RoundEstimate => ({ ...estimate, cost: (estimate.tokens * perMillion) / 1e6, currency });

/**
 * The model that a round, this one or an earlier one, has put in use, with what it replaced; undefined when none has.
 */
export function standingModel({
  phase,
  baseUrl,
  baseModel,
  newModel,
  previousModel,
  standing,
}: LearningRound): LearningRound['standing'] {
  return phase === 'switched' && newModel !== undefined && previousModel !== undefined
    ? { model: newModel, baseUrl, baseModel, previousModel }
    : standing;
}

/** The round that is stored; undefined when there is none. @throws FineTuningError when it cannot be read */
export function readRound(stored: unknown): LearningRound | undefined {
  if (stored === undefined) return undefined;
  const round = roundShape.safeParse(stored);
  if (!round.success)
    throw new FineTuningError('The state of the round of fine-tuning cannot be read.', {
      cause: round.error,
      advice: 'Delete what was learnt; a job that runs must be cancelled at the service.',
    });
  return round.data;
}

/** Whether two addresses name one service: a slash at the end of one makes it no other. */
export const isSameService = (one: string, other: string): boolean =>
  withoutTrailingSlashes(one.trim()) === withoutTrailingSlashes(other.trim());

/** Something of it lies at the service, or is about to. */
export const isAtService = ({ phase }: LearningRound): boolean =>
  phase === 'agreed' || phase === 'training' || phase === 'trained';

/** A round has ended: it waits for no person and for no service. */
export const isOver = (round: LearningRound): boolean => round.phase !== 'prepared' && !isAtService(round);

/** Where the last round of fine-tuning is kept, in the folder of what is learnt. */
export const roundFile = (folder: string): JsonFile => jsonOnDisk(join(folder, 'fine-tuning.json'));

/** The last round of fine-tuning; undefined when there was none. @throws FineTuningError when it cannot be read */
export const storedRound = async (folder: string): Promise<LearningRound | undefined> =>
  readRound(await roundFile(folder).load());
