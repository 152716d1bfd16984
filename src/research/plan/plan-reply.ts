import { z } from 'zod';
import { cutTo } from '#base';
import { inert } from '../answer/inert-text.ts';
import { inOneLine } from '../evidence/fence.ts';
import type { OperatorName, Plan, PlanStep } from '../domain/plan.ts';
import type { PlanProblem } from '../domain/run-notices.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import { PREDICTED_TYPES, type PredictedType } from '../classify/classifier-model.ts';
import { readSubQuestions } from './sub-questions.ts';

/** Most operators of a plan, and most queries beside the question. */
const MOST_STEPS = 3;
const MOST_QUERIES = 6;
const MOST_REASON = 480;

/** What a planner or debater says. */
export interface PlanReply {
  reason: string;
  plan: OperatorName[];
  type?: PredictedType | undefined;
  queries: string[];
  subQuestions: string[];
}

/** Who speaks: one who plans alone, a debater who may agree with what was said last, or a judge. */
export type Speaker = 'planner' | 'debater' | 'judge';

interface Said {
  type?: string | undefined;
  reason?: string | undefined;
  plan?: OperatorName[] | undefined;
  subQuestions?: (string | { question: string })[] | undefined;
  queries?: string[] | undefined;
  /** Of a debater. */
  agree?: boolean | undefined;
  /** Of a judge. */
  settled?: boolean | undefined;
}

/** The form of such a reply; more steps, queries and sub-questions than are used may come. */
export function planReplySchema(allowed: readonly OperatorName[], speaker: Speaker): z.ZodType<Said> {
  const plan = z.array(z.enum(allowed as [OperatorName, ...OperatorName[]])).min(1);
  const parts = z.object({
    type: z.string().optional(),
    reason: z.string().optional(),
    plan,
    subQuestions: z.array(z.union([z.string(), z.object({ question: z.string() })])).optional(),
    queries: z.array(z.string()).optional(),
  });
  if (speaker === 'planner') return parts;
  return speaker === 'judge'
    ? parts.extend({ settled: z.boolean().optional() })
    : parts
        .extend({ agree: z.boolean().optional(), plan: plan.optional() })
        .refine((reply) => reply.agree || reply.plan, { path: ['plan'], error: 'Agree, or say a plan.' });
}

/** A reply of that form with nothing left open. @param last The plan that whoever agrees takes over. */
export function readPlanReply(said: Said, last?: PlanReply): PlanReply {
  const agreed = said.agree || !said.plan ? last : undefined;
  return {
    reason: said.reason ?? '',
    plan: agreed?.plan ?? said.plan ?? [],
    type: PREDICTED_TYPES.find((type) => type === said.type) ?? agreed?.type,
    queries: said.queries ?? agreed?.queries ?? [],
    subQuestions: said.subQuestions
      ? said.subQuestions.map((one) => (typeof one === 'string' ? one : one.question))
      : (agreed?.subQuestions ?? []),
  };
}

/** What a person is told of a reply's reason. */
export const toldReason = (reason: string): string => cutTo(inert(inOneLine(reason)), MOST_REASON);

/** Steps and queries of a plan as they are run. */
export function planOf({ plan, queries, subQuestions }: PlanReply): Pick<Plan, 'steps' | 'queries'> {
  const asked = readSubQuestions(subQuestions);
  const clean = [...new Set(queries.map((query) => query.trim()).filter(Boolean))].slice(0, MOST_QUERIES);
  return {
    steps: planSteps(plan.slice(0, MOST_STEPS)).map((step) =>
      step.operator === 'sub-step' && asked.length > 1 ? { ...step, subQuestions: asked } : step,
    ),
    ...(clean.length > 0 && { queries: clean }),
  };
}

export const planSteps = (plan: readonly OperatorName[]): PlanStep[] =>
  plan.map((operator) => {
    const { does } = operatorCalled(operator).whenToUse;
    return { operator, purpose: `${does.charAt(0).toUpperCase()}${does.slice(1)}.` };
  });

const retrieves = (name: OperatorName): boolean => operatorCalled(name).retrieves;

/** What is wrong with a plan of operators; undefined: it stands. */
export function planProblem(plan: readonly OperatorName[]): PlanProblem | undefined {
  if (new Set(plan).size < plan.length) return { code: 'twice' };
  if (!plan.some(retrieves)) return { code: 'looks-nothing-up' };
  const [first] = plan;
  return first !== undefined && !retrieves(first) ? { code: 'thinks-first', operator: first } : undefined;
}

/** A plan without an operator's second turn, and without thinking before anything was looked up. */
export function withoutIdleSteps(plan: readonly OperatorName[]): OperatorName[] {
  const first = plan.findIndex(retrieves);
  return [...new Set(first < 0 ? plan : plan.slice(first))];
}
