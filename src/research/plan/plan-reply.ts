import type { OperatorName, PlanStep } from '../domain/plan.ts';
import { z } from 'zod';
import { operatorCalled, operators } from '../operators/operator-registry.ts';
import { callsInWords } from './plan-cost.ts';

/** The operators that may be used, one line each. */
export const operatorGuide = (names: readonly OperatorName[], among = operators): string =>
  names
    .map((name) => {
      const { whenToUse, cost } = operatorCalled(name, among);
      return `- ${name}: ${whenToUse.does}. Good for ${whenToUse.goodFor}. Costs ${callsInWords(cost)}.`;
    })
    .join('\n');

/** What a step is for when nobody said. */
export function defaultPurpose(name: OperatorName, among = operators): string {
  const { does } = operatorCalled(name, among).whenToUse;
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}.`;
}

/** More steps than this only repeat one another. */
const MOST_STEPS = 3;
export const PLAN_TOKENS = 150;

/**
 * A turn that argues for a plan. Reason before plan: the plan then follows from it. Operators are an enum, so that a
 * small model cannot invent one.
 */
export const planReplySchema = (operators: readonly OperatorName[]) =>
  z.object({
    reason: z.string(),
    plan: z
      .array(z.enum(operators as readonly [OperatorName, ...OperatorName[]]))
      .min(1)
      .max(MOST_STEPS),
  });

/** The judge's reply: does the plan stand? */
export const judgeReplySchema = (operators: readonly OperatorName[]) =>
  planReplySchema(operators).extend({ settled: z.boolean() });

export interface PlanReply {
  reason: string;
  plan: OperatorName[];
}

/** What is wrong with a plan, in words for a model; undefined when it stands. */
export function planProblem(
  plan: readonly OperatorName[],
  allowed: readonly OperatorName[],
  among = operators,
): string | undefined {
  const retrieves = (name: OperatorName): boolean => operatorCalled(name, among).retrieves;
  if (plan.length === 0) return 'The plan has no step.';
  if (plan.length > MOST_STEPS) return `The plan has more than ${MOST_STEPS} steps.`;
  const foreign = plan.find((name) => !allowed.includes(name));
  if (foreign !== undefined) return `"${foreign}" is not one of the operators.`;
  if (new Set(plan).size < plan.length)
    return 'The plan uses an operator twice: the second time would find what the first found.';
  if (!plan.some(retrieves) && allowed.some(retrieves))
    return 'The plan looks nothing up: the answer must come from the files.';
  const [first] = plan;
  if (first !== undefined && plan.length > 1 && !retrieves(first))
    return `The plan thinks before anything was looked up: ${first} must come after.`;
  return undefined;
}

/**
 * A plan without what can be left out for certain: an operator's second turn, and thinking before anything was looked
 * up. Small models propose such plans to every question, and the same again when they are asked to mend them.
 */
export function withoutIdleSteps(plan: readonly OperatorName[], among = operators): OperatorName[] {
  const first = plan.findIndex((name) => operatorCalled(name, among).retrieves);
  return first < 0 ? [...plan] : [...new Set(plan.slice(first))];
}

export const planSteps = (plan: readonly OperatorName[]): PlanStep[] =>
  plan.map((operator) => ({ operator, purpose: defaultPurpose(operator) }));
