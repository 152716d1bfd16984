import type { Passage, QuestionType } from '#search';
import type { ResearchOptions } from '../context/research-options.ts';
import type { PredictedType } from '../classify/classifiers.ts';
import type { OperatorName, Plan } from '../domain/plan.ts';
import { planProblemInWords, type RunNotice } from '../domain/run-notices.ts';
import type { SentPrompt } from '../context/node-record.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { debate, planInOneCall, type Proposal } from './debate.ts';
import { type PlanMatter, planOf, planProblem, planSteps, toldReason, withoutIdleSteps } from './plan-form.ts';

/** A type's usual plan: the first whose operator is allowed. It runs where no call makes another. */
const USUAL: Readonly<Record<QuestionType, readonly OperatorName[]>> = {
  lookup: ['adaptive-step', 'single-step'],
  overview: ['adaptive-step', 'single-step'],
  inference: ['iterative-step', 'sub-step', 'adaptive-step', 'single-step'],
  comparison: ['sub-step', 'iterative-step', 'adaptive-step', 'single-step'],
  temporal: ['sub-step', 'iterative-step', 'adaptive-step', 'single-step'],
  null: ['adaptive-step', 'single-step'],
};

export function usualOperators(type: QuestionType, allowed: readonly OperatorName[]): readonly OperatorName[] {
  const usual = USUAL[type].find((name) => allowed.includes(name)) ?? allowed[0];
  return usual === undefined ? [] : [usual];
}

export interface MadePlan {
  plan: Plan;
  /** The question's type as the planner sees it. */
  type?: PredictedType | undefined;
  /** The call that split the question; for records. */
  sent?: SentPrompt | undefined;
}

const usualPlan = (
  { classification, options }: Pick<OperatorContext, 'classification' | 'options'>,
  reason: string,
): Plan => ({ steps: planSteps(usualOperators(classification.type, options.operators)), origin: 'default', reason });

/** A plan that can be run: debated, made in one call, or the type's usual one. `found`: what a first search found. */
export async function makePlan(
  context: OperatorContext,
  mode: ResearchOptions['debate'],
  found: readonly Passage[],
): Promise<MadePlan> {
  const { options, classification, question } = context;
  if (mode === 'off')
    return { plan: usualPlan(context, `The usual plan for this type of question (${classification.type}).`) };
  const matter: PlanMatter = {
    question: question.text,
    type: options.types ? classification.type : undefined,
    operators: options.operators,
    found,
    examples: (await context.examples?.(question.text)) ?? [],
  };
  const proposal = await (mode === 'fast' ? planInOneCall(context, matter) : debate(context, matter));
  return proposal ? mended(context, proposal) : { plan: replaced(context, {}) };
}

/** What was proposed, without its idle steps; where it looks nothing up, the usual plan. What was wrong is said. */
function mended(context: OperatorContext, { reply, origin, sent }: Proposal): MadePlan {
  const { type } = reply;
  const reason = toldReason(reply.reason);
  const made = (plan: OperatorName[], from: Plan['origin']): MadePlan => ({
    plan: { ...planOf({ ...reply, plan }), origin: from, reason },
    type,
    sent,
  });
  const problem = planProblem(reply.plan);
  if (problem === undefined) return made(reply.plan, origin);
  const rest = withoutIdleSteps(reply.plan);
  const left = planProblem(rest);
  if (left === undefined) {
    context.notice({ code: 'plan-repaired', details: { problem } });
    return made(rest, 'repaired');
  }
  const { queries } = planOf(reply);
  return { plan: { ...replaced(context, { problem: left }), ...(queries && { queries }) }, type };
}

/** The usual plan of the question's type, in the place of one that could not be made; it is told why. */
export function replaced(context: OperatorContext, details: RunNotice<'plan-replaced'>['details']): Plan {
  context.notice({ code: 'plan-replaced', details });
  const { problem, said } = details;
  if (problem) return usualPlan(context, `The proposed plan made no sense: ${planProblemInWords(problem)}`);
  const why = 'The model proposed no usable plan.';
  return usualPlan(context, said === undefined ? why : `${why} ${said}`);
}
