/** The operators, in the order in which lists show them. What each is stands in `operators/operator-registry.ts`. */
export const OPERATORS = [
  'chain-of-thought',
  'single-step',
  'iterative-step',
  'sub-step',
  'adaptive-step',
  'self-critical',
  'extractive',
] as const;

export type OperatorName = (typeof OPERATORS)[number];
export const isOperator = (name: string): name is OperatorName => (OPERATORS as readonly string[]).includes(name);

export interface PlanStep {
  operator: OperatorName;
  /** What this step is for, in one sentence. */
  purpose: string;
}

/**
 * Who proposed a plan:
 * - `default`: it is the usual one of the question's type;
 * - `chosen`: the bandit, by what earlier runs were worth and cost;
 * - `fast`: the model, in one call;
 * - `debate-hard`, `debate-soft`: a debate whose judge found that a plan stands, or whose rounds ran out;
 * - `repaired`: the model, and its idle steps were left out;
 * - `fixed`: the person, by a setting or a flag;
 * - `no-model`: no plan was chosen, because no language model is there;
 * - `index`: no plan was needed, because the index lists what was asked for.
 */
export type PlanOrigin =
  'debate-hard' | 'debate-soft' | 'fast' | 'repaired' | 'default' | 'chosen' | 'fixed' | 'no-model' | 'index';

/** What the steps of a plan may cost. What was spent on making it is in the turns of its debate. */
export interface PlanCost {
  /**
   * Language-model calls: the fewest with which it answers, and the most. `most` is absent where only the run's budget
   * ends it. A reply that is asked for a second time, because it could not be read, counts once.
   */
  calls: { least: number; most?: number };
  /** Input and output tokens together, about. */
  tokens: number;
}

/** A validated sequence of operators, or several that vote. */
export interface Plan {
  steps: PlanStep[];
  /** The steps' answers are counted, and what most of them say is the answer; absent: one step after the other. */
  vote?: true;
  origin: PlanOrigin;
  /** One line on why, for people. */
  reason: string;
  /** Absent in runs of earlier versions. */
  cost?: PlanCost;
}
