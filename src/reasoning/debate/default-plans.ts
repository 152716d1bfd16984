import type { OperatorName, Plan } from '../../model/plan.ts';
import type { QuestionType } from '../../model/question.ts';
import { planSteps } from './plan-reply.ts';

/** A type's usual plan, best first; the first whose operators are all allowed counts. */
const USUAL: Readonly<Record<QuestionType, readonly OperatorName[][]>> = {
  lookup: [['single-step'], ['adaptive-step']],
  overview: [['single-step'], ['adaptive-step']],
  inference: [['adaptive-step'], ['iterative-step'], ['sub-step'], ['single-step']],
  comparison: [['sub-step'], ['adaptive-step'], ['iterative-step'], ['single-step']],
  temporal: [['sub-step'], ['adaptive-step'], ['iterative-step'], ['single-step']],
  null: [['single-step'], ['adaptive-step']],
};

/** The plan that needs no call. */
export function defaultPlan(type: QuestionType, allowed: readonly OperatorName[], reason: string): Plan {
  const usual = USUAL[type].find((names) => names.every((name) => allowed.includes(name)));
  return { steps: planSteps(usual ?? allowed.slice(0, 1)), origin: 'default', reason };
}
