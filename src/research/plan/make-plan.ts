import type { OperatorName, Plan } from '../domain/plan.ts';
import type { QuestionType } from '#search';
import { planProblemInWords, type RunNotice } from '../domain/run-notices.ts';
import { planProblem, planSteps, withoutIdleSteps } from './plan-steps.ts';
import { inlineText } from '../answer/passage-lines.ts';
import type { OperatorContext, Operators } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import { type DebateMatter, debate, fastPlanPrompt, type Proposal, takeTurn } from './debate.ts';

/**
 * A type's usual plan, best first; the first whose operators are all allowed counts. One look leads for every type: a
 * small model was no better by steps in three measurements (docs/methods.md), and `auto` learns where steps pay.
 */
const USUAL: Readonly<Record<QuestionType, readonly OperatorName[][]>> = {
  lookup: [['single-step'], ['adaptive-step']],
  overview: [['single-step'], ['adaptive-step']],
  inference: [['single-step'], ['iterative-step'], ['adaptive-step'], ['sub-step']],
  comparison: [['single-step'], ['iterative-step'], ['sub-step'], ['adaptive-step']],
  temporal: [['single-step'], ['iterative-step'], ['sub-step'], ['adaptive-step']],
  null: [['single-step'], ['adaptive-step']],
};

/** Operators of a type's usual plan, of those that are allowed. */
export const usualOperators = (type: QuestionType, allowed: readonly OperatorName[]): readonly OperatorName[] =>
  USUAL[type].find((names) => names.every((name) => allowed.includes(name))) ?? allowed.slice(0, 1);

/** The plan that needs no call. */
export const defaultPlan = (
  type: QuestionType,
  allowed: readonly OperatorName[],
  reason: string,
  among?: Operators,
): Plan => ({
  steps: planSteps(usualOperators(type, allowed), among),
  origin: 'default',
  reason,
});

const usualPlan = ({ classification, options, operators }: OperatorContext, reason: string): Plan =>
  defaultPlan(classification.type, options.operators, reason, operators);

/** A plan that can be run: debated, made in one call, or the type's usual one. */
export async function makePlan(context: OperatorContext, mode: ResearchOptions['debate']): Promise<Plan> {
  const { type } = context.classification;
  if (mode === 'off') return usualPlan(context, `The usual plan for this type of question (${type}).`);
  const matter: DebateMatter = {
    question: context.question.text,
    type: context.options.types ? type : undefined,
    operators: context.options.operators,
    among: context.operators,
  };
  const proposal = mode === 'fast' ? await planInOneCall(context, matter) : await debate(context, matter);
  return proposal ? mended(context, proposal) : replaced(context, {});
}

/** What was proposed, without its idle steps; where it looks nothing up, the usual plan. What was wrong is said. */
function mended(context: OperatorContext, { plan, reason, origin }: Proposal): Plan {
  const {
    options: { operators: allowed },
    operators,
  } = context;
  const problem = planProblem(plan, allowed, operators);
  if (problem === undefined) return { steps: planSteps(plan, operators), origin, reason };
  const rest = withoutIdleSteps(plan, operators);
  const left = planProblem(rest, allowed, operators);
  if (left !== undefined) return replaced(context, { problem: left });
  context.notice({ code: 'plan-repaired', details: { problem } });
  return { steps: planSteps(rest, operators), origin: 'repaired', reason };
}

/** The usual plan of the question's type, in the place of one that could not be made; it is told why. */
export function replaced(context: OperatorContext, details: RunNotice<'plan-replaced'>['details']): Plan {
  context.notice({ code: 'plan-replaced', details });
  const { problem, said } = details;
  if (problem) return usualPlan(context, `The proposed plan made no sense: ${planProblemInWords(problem)}`);
  const why = 'The model proposed no usable plan.';
  return usualPlan(context, said === undefined ? why : `${why} ${said}`);
}

async function planInOneCall(context: OperatorContext, matter: DebateMatter): Promise<Proposal | undefined> {
  const turn = await takeTurn(context, matter, 1, 'fast', fastPlanPrompt(matter));
  return turn && { plan: turn.plan, reason: inlineText(turn.reason), origin: 'fast' };
}
