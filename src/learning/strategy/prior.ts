import { z } from 'zod';
import { HoptrailError } from '#base';
import type { StrategyOutcome } from './lin-ucb.ts';
import { MODEL_CLASSES, type ModelClass, QUESTION_FEATURES } from './question-features.ts';

/** The outcomes that ship cannot be read, or are those of another version. */
class PriorError extends HoptrailError {
  readonly code = 'bandit-prior';
}

/** What a plan did on one question, with a model of one class. */
export interface MeasuredOutcome {
  class: ModelClass;
  /** Name of the plan. */
  strategy: string;
  features: readonly number[];
  outcome: StrategyOutcome;
}

const priorShape = z.object({
  version: z.literal(2),
  /** What was measured, for people. */
  learntFrom: z.string(),
  features: z.array(z.string()),
  /** Questions with a model of a class: for each plan its quality and its cost. */
  questions: z.array(
    z.object({
      class: z.enum(MODEL_CLASSES),
      features: z.array(z.number().min(0).max(1)).length(QUESTION_FEATURES.length),
      plans: z.record(z.string(), z.tuple([z.number(), z.number()])),
    }),
  ),
});

/** models/bandit-prior.json: measured outcomes alone; nothing in it is assumed. */
export type StrategyPrior = z.infer<typeof priorShape>;

/** The outcomes of a prior. @throws PriorError */
export function readPrior(stored: unknown): { learntFrom: string; outcomes: MeasuredOutcome[] } {
  const prior = priorShape.safeParse(stored);
  if (!prior.success || prior.data.features.join() !== QUESTION_FEATURES.join())
    throw new PriorError('The measured outcomes of strategies (bandit-prior.json) cannot be read.', {
      cause: prior.error,
      advice: 'Install Hoptrail again. Until then each question gets the plan of its type.',
    });
  const { learntFrom, questions } = prior.data;
  const outcomes = questions.flatMap(({ class: size, features, plans }) =>
    Object.entries(plans).map(([strategy, [quality, cost]]) => ({
      class: size,
      strategy,
      features,
      outcome: { quality, cost },
    })),
  );
  return { learntFrom, outcomes };
}
