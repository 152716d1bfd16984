import type { OperatorName } from '../operators/operator-registry.ts';

export type { OperatorName };

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
