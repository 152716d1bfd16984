import { HoptrailError } from '#base';
import { OPERATORS, type OperatorName } from '../domain/plan.ts';
import type { Usage } from '../domain/answer.ts';
import type { TokenUsage } from '../language-model/language-model.ts';

/** Strategies that leave the choice to the bandit. */
export const STRATEGIES = ['auto', 'fast', 'balanced', 'thorough'] as const;

/** `auto` asks the bandit; `fast`, `balanced`, `thorough` set its β; anything else names a fixed strategy. */
export type StrategyName = (typeof STRATEGIES)[number] | `fixed:${string}`;

interface BudgetLimits {
  /** Language-model calls. */
  calls: number;
  /** Input and output tokens together. */
  tokens: number;
  seconds: number;
  /** RISE's nodes (He et al. 2025): at most 20. */
  nodes: number;
}

/** Everything that can be switched about a run; each paper's parts one by one. */
export interface ResearchOptions {
  strategy: StrategyName;
  /** A person wants more effort than the last answer took: the strategy costs more than that one's. */
  effort?: 'harder';
  /** Runs this operator alone: no classification of cost, no debate. */
  operator?: OperatorName;
  /** BELLE's plan: the type's usual one, one made in one call, or the two-level debate, which `thorough` means, too. */
  debate: 'off' | 'fast' | 'full';
  /** Level-2 debaters, for the ablations. */
  fastDebater: boolean;
  slowDebater: boolean;
  /** Strength of the negative debater's opposition. */
  strength: 'L0' | 'L1' | 'L2' | 'L3';
  rounds: 1 | 2 | 3;
  /**
   * BELLE's judge: `both` ends the debate when a plan stands (hard mode) and takes one from the slow debater's history
   * when the rounds have run out (soft mode). The others are for the ablations: `hard` takes the judge's last word
   * then, `soft` is asked at the end only.
   */
  judge: 'both' | 'hard' | 'soft';
  /** BELLE's question types; false, for the ablations: nobody tells them, and every question is planned alike. */
  types: boolean;
  classifier: 'embedded' | 'examples' | 'zero-shot';
  /** Operators a plan may use. */
  operators: readonly OperatorName[];
  /** RISE's critique after each node and of the answer. */
  critique: boolean;
  /** Learning from this run's nodes (D_d, D_r, D_c) is allowed. */
  record: boolean;
  budget: BudgetLimits;
  beam: number;
  maxHops: number;
  /** What ends a chain: a trained model, or Beam Retrieval's τ on the logit of the next hop. */
  stop: 'model' | 'threshold';
  /** τ; only with `threshold`. */
  threshold: number;
  /** Somebody watches: passages of a quick search are told while the first trail is still being looked for. */
  firstHits: boolean;
}

/** What a run does when nobody says otherwise. */
export const defaultResearchOptions: ResearchOptions = {
  strategy: 'auto',
  debate: 'fast',
  fastDebater: true,
  slowDebater: true,
  strength: 'L2',
  rounds: 2,
  judge: 'both',
  types: true,
  classifier: 'embedded',
  operators: OPERATORS.filter((name) => name !== 'extractive'), // those that need a model
  critique: true,
  record: true,
  budget: { calls: 40, tokens: 200_000, seconds: 600, nodes: 20 },
  beam: 2,
  maxHops: 6,
  stop: 'model',
  threshold: -1,
  firstHits: false,
};

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
  #cached = 0;
  #nodes = 0;

  constructor(limits: BudgetLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
    this.#started = now();
  }

  usage(): Usage {
    const cached = this.#cached > 0 && { cachedTokens: this.#cached };
    return { ...this.#usage, ...cached, seconds: (this.#now() - this.#started) / 1000 };
  }

  addCall(usage: TokenUsage, calls = 1): void {
    this.#usage.calls += calls;
    this.#usage.inputTokens += usage.inputTokens;
    this.#usage.outputTokens += usage.outputTokens;
    this.#cached += usage.cachedTokens ?? 0;
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

  /** What is left, as a model is told. */
  left(): { calls: number; tokens: number; seconds: number } {
    const { calls, inputTokens, outputTokens } = this.#usage;
    return {
      calls: Math.max(0, this.limits.calls - calls),
      tokens: Math.max(0, this.limits.tokens - inputTokens - outputTokens),
      seconds: Math.max(0, Math.floor(this.limits.seconds - (this.#now() - this.#started) / 1000)),
    };
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
