import type { Usage } from '../domain/answer.ts';
import { HoptrailError } from '#base';
import type { TokenUsage } from '../language-model/language-model.ts';
import type { BudgetLimits } from './research-options.ts';

/** The run has used what it was given; what was found so far is kept. */
export class BudgetExhaustedError extends HoptrailError {
  readonly code = 'budget-exhausted';
}

/** Counts what a run uses and says when it is enough. `now` is in milliseconds. */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #now: () => number;
  readonly #started: number;
  #usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0 };
  #nodes = 0;

  constructor(limits: BudgetLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
    this.#started = now();
  }

  usage(): Usage {
    return { ...this.#usage, seconds: (this.#now() - this.#started) / 1000 };
  }

  addCall(usage: TokenUsage, calls = 1): void {
    this.#usage.calls += calls;
    this.#usage.inputTokens += usage.inputTokens;
    this.#usage.outputTokens += usage.outputTokens;
    this.#usage.estimated ||= usage.estimated;
  }

  addRetrieval(): void {
    this.#usage.retrievals += 1;
  }

  addNode(): void {
    this.#nodes += 1;
  }

  get nodesLeft(): number {
    return Math.max(0, this.limits.nodes - this.#nodes);
  }

  /** The first limit that is reached, in words; undefined while there is room. */
  exhausted(): string | undefined {
    const { calls, inputTokens, outputTokens } = this.#usage;
    if (calls >= this.limits.calls) return `${this.limits.calls} model calls`;
    if (inputTokens + outputTokens >= this.limits.tokens) return `${this.limits.tokens} tokens`;
    if ((this.#now() - this.#started) / 1000 >= this.limits.seconds) return `${this.limits.seconds} seconds`;
    return undefined;
  }

  /** @throws BudgetExhaustedError before a call that the budget no longer covers. */
  assertRoom(): void {
    const limit = this.exhausted();
    if (limit)
      throw new BudgetExhaustedError(`This run has used its budget of ${limit}.`, {
        advice: 'Raise hoptrail.budget, or ask a narrower question.',
        action: 'open-settings',
      });
  }
}
