import type { OperatorName, PlanStep } from '../domain/plan.ts';
import { z } from 'zod';

/**
 * What a debater is told about an operator: what it does, when it is good, what it costs in calls (measured by the
 * runs' own counts).
 */
interface OperatorNote {
  does: string;
  goodFor: string;
  calls: string;
}

const NOTES: Readonly<Record<OperatorName, OperatorNote>> = {
  'chain-of-thought': {
    does: 'think, look nothing up',
    goodFor: 'drawing the conclusion from what earlier steps found',
    calls: '1 call',
  },
  'single-step': {
    does: 'look the whole question up once',
    goodFor: 'a fact that stands in one place',
    calls: '1 call',
  },
  'iterative-step': {
    does: 'think a sentence, look it up, think on',
    goodFor: 'a trail whose next stop is only known on the way',
    calls: '2 to 5 calls',
  },
  'sub-step': {
    does: 'split into sub-questions, look each up, put together',
    goodFor: 'comparisons, times, several known parts',
    calls: '3 to 6 calls',
  },
  'adaptive-step': {
    does: 'look once, dig deeper only if that is not enough',
    goodFor: 'questions that may be easy',
    calls: '1 to 6 calls',
  },
  extractive: { does: 'quote the best passages', goodFor: 'showing the evidence', calls: 'no call' },
};

/** The operators that may be used, one line each. */
export const operatorGuide = (names: readonly OperatorName[]): string =>
  names
    .map((name) => `- ${name}: ${NOTES[name].does}. Good for ${NOTES[name].goodFor}. Costs ${NOTES[name].calls}.`)
    .join('\n');

/** What a step is for when nobody said. */
export const defaultPurpose = (name: OperatorName): string =>
  `${NOTES[name].does.charAt(0).toUpperCase()}${NOTES[name].does.slice(1)}.`;

/** More steps than this only repeat one another. */
export const MOST_STEPS = 3;
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

const RETRIEVING: ReadonlySet<OperatorName> = new Set<OperatorName>([
  'single-step',
  'iterative-step',
  'sub-step',
  'adaptive-step',
  'extractive',
]);

/** What is wrong with a plan, in words for a model; undefined when it stands. */
export function planProblem(plan: readonly OperatorName[], allowed: readonly OperatorName[]): string | undefined {
  if (plan.length === 0) return 'The plan has no step.';
  if (plan.length > MOST_STEPS) return `The plan has more than ${MOST_STEPS} steps.`;
  const foreign = plan.find((name) => !allowed.includes(name));
  if (foreign !== undefined) return `"${foreign}" is not one of the operators.`;
  if (new Set(plan).size < plan.length)
    return 'The plan uses an operator twice: the second time would find what the first found.';
  if (!plan.some((name) => RETRIEVING.has(name)) && allowed.some((name) => RETRIEVING.has(name)))
    return 'The plan looks nothing up: the answer must come from the files.';
  if (plan[0] === 'chain-of-thought' && plan.length > 1)
    return 'The plan thinks before anything was looked up: chain-of-thought must come after.';
  return undefined;
}

export const planSteps = (plan: readonly OperatorName[]): PlanStep[] =>
  plan.map((operator) => ({ operator, purpose: defaultPurpose(operator) }));
