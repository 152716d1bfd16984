import { HoptrailError, isAbortError } from '#base';
import { ConsentError, type LanguageModel, NoModelError, QuotaError, withStream, WrongKeyError } from '#research';

/** A round has asked the model as often as it may. */
class CallLimitError extends HoptrailError {
  readonly code = 'learning-call-limit';
}

/** Failures in a row after which a model is not asked any more. */
const MOST_FAILURES_IN_A_ROW = 3;
/**
 * Calls for each wanted question: one to write it and three to check it. Questions that fail the check use up these
 * calls, too.
 */
const CALLS_PER_QUESTION = 4;
/**
 * Held-out questions on which examples are compared, and calls for each: with the old ones and with the new, each
 * repaired once at most.
 */
export const MOST_COMPARED = 40;
const CALLS_PER_COMPARISON = 4;

/** The most calls that a round with a model makes; `made`: questions wanted. */
export function mostCalls(made: number): { questions: number; examples: number; all: number } {
  const [questions, examples] = [made * CALLS_PER_QUESTION, MOST_COMPARED * CALLS_PER_COMPARISON];
  return { questions, examples, all: questions + examples };
}

/** The same model, asked at most so often. @throws CallLimitError from the call after the last */
export function limitedModel(model: LanguageModel, most: number): LanguageModel {
  let calls = 0;
  return withStream(model, async function* (messages, options) {
    if (calls >= most) throw new CallLimitError(`The model was asked ${most} times, as often as this round may.`);
    calls += 1;
    yield* model.stream(messages, options);
  });
}

/**
 * Leaves out calls that fail, and asks the model no more after several failures in a row, or one that would come again.
 */
export class CircuitBreaker {
  #inARow = 0;
  /** The error after which the model is not asked any more; undefined while it is. */
  #brokenBy: unknown;

  /**
   * undefined when the call failed or the model was given up. @throws AbortError, and errors that are not the model's
   */
  async attempt<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#brokenBy !== undefined) return undefined;
    try {
      const value = await work();
      this.#inARow = 0;
      return value;
    } catch (error) {
      if (isAbortError(error) || signal.aborted || !(error instanceof HoptrailError)) throw error;
      this.#inARow += 1;
      if (this.#inARow >= MOST_FAILURES_IN_A_ROW || isFinal(error)) this.#brokenBy = error;
      return undefined;
    }
  }

  /** Why the model is not asked any more; undefined while it is. */
  get brokenBy(): unknown {
    return this.#brokenBy;
  }
}

/** True for an error that the next call would meet as well. */
const isFinal = (error: unknown): boolean =>
  [CallLimitError, ConsentError, NoModelError, QuotaError, WrongKeyError].some((kind) => error instanceof kind);
