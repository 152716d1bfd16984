import { z } from 'zod';
import { HoptrailError } from '#base';
import { QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from '../question-features.ts';
import { ACTION_FEATURES_VERSION, type BanditAction, type Exploration } from './policy.ts';
import { addOuter, type RidgeParts, type StrategyOutcome } from './ridge-model.ts';
import { SharedLinUcb } from './shared-lin-ucb.ts';

/** A stored state of the bandit that cannot be used: damaged, or learnt with other features or strategies. */
export class BanditStateError extends HoptrailError {
  readonly code = 'bandit-state';

  constructor(message: string, options: { cause?: unknown; advice?: string } = {}) {
    super(message, { advice: 'It starts anew by itself.', ...options });
  }
}

const stateShape = z.object({
  version: z.literal(1),
  questionFeatures: z.number().int(),
  actionFeatures: z.number().int(),
  actions: z.array(z.string()),
  /** Outcomes learnt, by weight. */
  steps: z.number().nonnegative(),
  /** Upper triangle of A by rows, then b of quality, then b of cost: base64 of little-endian floats. */
  encoding: z.enum(['f32', 'f64']),
  parameters: z.base64(),
  /** On how many questions what an action does was measured, by its name; others were assumed. */
  measured: z.record(z.string(), z.number().nonnegative()).default({}),
  /** What it was learnt from, for people. */
  learntFrom: z.string(),
});

export type BanditState = z.infer<typeof stateShape>;

/** What a stored state was made of, before a model is made of it. */
export interface DecodedBandit {
  parts: RidgeParts;
  /** Outcomes learnt, by weight. */
  steps: number;
  learntFrom: string;
  /** Questions on which each action was measured, by its name. */
  measured: BanditState['measured'];
}

/**
 * The parts of a state, without the work of a model of them. @throws BanditStateError when the state is damaged or was
 * learnt with other features or strategies.
 */
export function decodeParts(stored: unknown, actions: readonly BanditAction[]): DecodedBandit {
  const state = readState(stored);
  if (
    state.questionFeatures !== QUESTION_FEATURES_VERSION ||
    state.actionFeatures !== ACTION_FEATURES_VERSION ||
    state.actions.join('\n') !== actions.map((action) => action.name).join('\n')
  ) {
    throw new BanditStateError('What was learnt about strategies was learnt by another version of Hoptrail.');
  }
  const structures = structuresOf(actions);
  const n = (structures[0]?.length ?? 0) * QUESTION_FEATURES.length + structures.length;
  const values = readParameters(state, (n * (n + 1)) / 2 + 2 * n);
  const covariance = new Float64Array(n * n);
  let at = 0;
  for (let i = 0; i < n; i += 1)
    for (let j = i; j < n; j += 1) {
      covariance[i * n + j] = values[at] as number;
      covariance[j * n + i] = values[at] as number;
      at += 1;
    }
  return {
    parts: { covariance, moments: { quality: values.slice(at, at + n), cost: values.slice(at + n) } },
    steps: state.steps,
    learntFrom: state.learntFrom,
    measured: state.measured,
  };
}

/** A bandit that knows nothing. */
export const freshBandit = (actions: readonly BanditAction[], exploration: Exploration): SharedLinUcb =>
  new SharedLinUcb(structuresOf(actions), QUESTION_FEATURES.length, { exploration });

/**
 * A bandit of given parts; some ten milliseconds of work, which no choice should wait for. @throws BanditStateError
 * when they are no positive definite model.
 */
export function remadeBandit(
  actions: readonly BanditAction[],
  exploration: Exploration,
  learnt: RidgeParts,
  steps: number,
): SharedLinUcb {
  try {
    return new SharedLinUcb(structuresOf(actions), QUESTION_FEATURES.length, { exploration, learnt, steps });
  } catch (cause) {
    throw new BanditStateError('The stored state of the strategy choice is damaged.', { cause });
  }
}

/** What one run taught: x, the place of its strategy, and how it went. */
interface TaughtOutcome {
  features: Float64Array;
  action: number;
  outcome: StrategyOutcome;
}

/**
 * The bandit of a start and all runs since: one inversion, however many they are. The actions may be more than the
 * start has seen: what comes behind its own is an offset that nothing is known of yet. @throws BanditStateError when
 * that is no positive definite model.
 */
export function fittedBandit(
  actions: readonly BanditAction[],
  exploration: Exploration,
  start: Pick<DecodedBandit, 'parts' | 'steps'> | undefined,
  taught: readonly TaughtOutcome[],
): SharedLinUcb {
  const empty = freshBandit(actions, exploration);
  const sums = widened(start?.parts ?? empty.model.parts(), empty.model.dimensions);
  for (const { features, action, outcome } of taught) {
    const joint = empty.joint(features, action);
    addOuter(sums.covariance, joint, 1);
    for (const target of ['quality', 'cost'] as const)
      joint.forEach((x, i) => {
        sums.moments[target][i] = (sums.moments[target][i] as number) + outcome[target] * x;
      });
  }
  return remadeBandit(actions, exploration, sums, (start?.steps ?? 0) + taught.length);
}

/** A copy of these sums with room for features behind theirs: of those nothing was seen, which is I in A and 0 in b. */
function widened({ covariance, moments }: RidgeParts, dimensions: number): RidgeParts {
  const own = moments.quality.length;
  const wide: RidgeParts = {
    covariance: new Float64Array(dimensions * dimensions),
    moments: { quality: new Float64Array(dimensions), cost: new Float64Array(dimensions) },
  };
  for (const target of ['quality', 'cost'] as const) wide.moments[target].set(moments[target]);
  for (let i = 0; i < dimensions; i += 1)
    if (i < own) wide.covariance.set(covariance.subarray(i * own, (i + 1) * own), i * dimensions);
    else wide.covariance[i * dimensions + i] = 1;
  return wide;
}

const structuresOf = (actions: readonly BanditAction[]): Float64Array[] => actions.map((action) => action.structure);

function readState(stored: unknown): BanditState {
  const checked = stateShape.safeParse(stored);
  if (!checked.success)
    throw new BanditStateError(
      `The stored state of the strategy choice cannot be read: ${z.prettifyError(checked.error)}`,
      { cause: checked.error },
    );
  return checked.data;
}

function readParameters(state: BanditState, count: number): Float64Array {
  const bytes = Buffer.from(state.parameters, 'base64');
  if (bytes.length !== count * sizeOf(state.encoding))
    throw new BanditStateError(`The stored state of the strategy choice is cut off: ${bytes.length} bytes.`);
  const values = Float64Array.from({ length: count }, (_, i) =>
    state.encoding === 'f64' ? bytes.readDoubleLE(i * 8) : bytes.readFloatLE(i * 4),
  );
  if (!values.every(Number.isFinite))
    throw new BanditStateError('The stored state of the strategy choice holds values that are no numbers.');
  return values;
}

export const sizeOf = (encoding: BanditState['encoding']): number => (encoding === 'f64' ? 8 : 4);
