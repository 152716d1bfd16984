import type { OperatorName, Plan } from '../../model/plan.ts';
import type { QuestionType } from '../../model/question.ts';
import { planSteps } from './plan-reply.ts';

/**
 * A type's usual plan, best first; the first whose operators are all allowed counts. Iterative-step leads because in the runs of docs/evaluation.md
 * it answered about as well as any other at the lowest cost.
 */
const USUAL: Readonly<Record<QuestionType, readonly OperatorName[][]>> = {
  lookup: [['single-step'], ['adaptive-step']],
  overview: [['single-step'], ['adaptive-step']],
  inference: [['iterative-step'], ['adaptive-step'], ['sub-step'], ['single-step']],
  comparison: [['iterative-step'], ['sub-step'], ['adaptive-step'], ['single-step']],
  temporal: [['iterative-step'], ['sub-step'], ['adaptive-step'], ['single-step']],
  null: [['single-step'], ['adaptive-step']],
};

/** The plan that needs no call. */
export function defaultPlan(type: QuestionType, allowed: readonly OperatorName[], reason: string): Plan {
  const usual = USUAL[type].find((names) => names.every((name) => allowed.includes(name)));
  return { steps: planSteps(usual ?? allowed.slice(0, 1)), origin: 'default', reason };
}
