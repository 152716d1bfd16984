/** BELLE's reasoning operators (arXiv 2505.11811, §3.2), and the two that need no language model. */
export type OperatorName =
  // Beam chain with the feature-based reader; no language model.
  'chain-of-thought' | 'single-step' | 'iterative-step' | 'sub-step' | 'adaptive-step' | 'extractive';

export interface PlanStep {
  operator: OperatorName;
  /** What this step is for, in one sentence. */
  purpose: string;
}

/** A validated sequence of operators. */
export interface Plan {
  steps: PlanStep[];
  /** Where it came from; `repaired` and `default` are said in the panel. */
  origin: 'debate-hard' | 'debate-soft' | 'fast' | 'repaired' | 'default' | 'fixed';
  /** One line on why, for people. */
  reason: string;
}
