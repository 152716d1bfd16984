import type { OperatorName, Plan } from '../domain/plan.ts';
import type { QuestionType } from '#search';
import { PLAN_TOKENS, planProblem, planReplySchema, planSteps, withoutIdleSteps } from './plan-steps.ts';
import { BadReplyError } from '../language-model/errors.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import { inlineText } from '../answer/passage-lines.ts';
import { askStructured } from '../context/ask-model.ts';
import type { OperatorContext } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';
import { type DebateMatter, fastPlanPrompt, repairPlanPrompt, debate } from './debate.ts';

/**
 * A type's usual plan, best first; the first whose operators are all allowed counts. Iterative-step leads because in
 * the runs of lab/EXPERIMENTS.md it answered about as well as any other at the lowest cost.
 */
const USUAL: Readonly<Record<QuestionType, readonly OperatorName[][]>> = {
  lookup: [['single-step'], ['adaptive-step']],
  overview: [['single-step'], ['adaptive-step']],
  inference: [['iterative-step'], ['adaptive-step'], ['sub-step'], ['single-step']],
  comparison: [['iterative-step'], ['sub-step'], ['adaptive-step'], ['single-step']],
  temporal: [['iterative-step'], ['sub-step'], ['adaptive-step'], ['single-step']],
  null: [['single-step'], ['adaptive-step']],
};

/** Operators of a type's usual plan, of those that are allowed. */
export const usualOperators = (type: QuestionType, allowed: readonly OperatorName[]): readonly OperatorName[] =>
  USUAL[type].find((names) => names.every((name) => allowed.includes(name))) ?? allowed.slice(0, 1);

/** The plan that needs no call. */
export const defaultPlan = (type: QuestionType, allowed: readonly OperatorName[], reason: string): Plan => ({
  steps: planSteps(usualOperators(type, allowed)),
  origin: 'default',
  reason,
});

interface Proposal {
  plan: OperatorName[];
  reason: string;
  origin: Plan['origin'];
}

/**
 * A plan that can be run: debated, made in one call, or the type's usual one. Idle steps are left out; other nonsense
 * is repaired by one call, then replaced; all of it is said.
 */
export async function makePlan(context: OperatorContext, mode: ResearchOptions['debate']): Promise<Plan> {
  const { type } = context.classification;
  const allowed = context.options.operators;
  if (mode === 'off') return defaultPlan(type, allowed, `The usual plan for this type of question (${type}).`);
  const matter: DebateMatter = {
    question: context.question.text,
    type: context.options.types ? type : undefined,
    operators: allowed,
    critique: context.options.critique,
  };
  const proposal = mode === 'fast' ? await planInOneCall(context, matter) : await planByDebate(context, matter);
  if (!proposal) return replaced(context, 'The model proposed no usable plan.');
  const problem = planProblem(proposal.plan, allowed);
  if (problem === undefined)
    return { steps: planSteps(proposal.plan), origin: proposal.origin, reason: proposal.reason };
  const rest = withoutIdleSteps(proposal.plan);
  if (planProblem(rest, allowed) === undefined) {
    context.notice('plan-repaired', `The proposed plan was repaired: ${problem}`);
    return { steps: planSteps(rest), origin: 'repaired', reason: proposal.reason };
  }
  const repaired = await askForPlan(context, matter, 'judge', repairPlanPrompt(matter, proposal.plan, problem));
  if (!repaired || planProblem(repaired.plan, allowed) !== undefined)
    return replaced(context, `The proposed plan made no sense, and neither did its repair: ${problem}`);
  context.notice('plan-repaired', `The proposed plan was repaired: ${problem}`);
  return { steps: planSteps(repaired.plan), origin: 'repaired', reason: repaired.reason };
}

function replaced(context: OperatorContext, why: string): Plan {
  context.notice('plan-replaced', `${why.replace(/\.?$/u, '.')} The usual plan for this type of question is used.`);
  return defaultPlan(context.classification.type, context.options.operators, why);
}

async function planInOneCall(context: OperatorContext, matter: DebateMatter): Promise<Proposal | undefined> {
  const reply = await askForPlan(context, matter, 'fast', fastPlanPrompt(matter));
  return reply && { ...reply, origin: 'fast' };
}

async function planByDebate(context: OperatorContext, matter: DebateMatter): Promise<Proposal | undefined> {
  const outcome = await debate(context, matter);
  return (
    outcome && {
      plan: outcome.plan,
      reason: outcome.reason,
      origin: outcome.mode === 'hard' ? 'debate-hard' : 'debate-soft',
    }
  );
}

/** One plan outside a debate, as a turn of its own. */
async function askForPlan(
  context: OperatorContext,
  matter: DebateMatter,
  role: 'fast' | 'judge',
  messages: ChatMessage[],
): Promise<{ plan: OperatorName[]; reason: string } | undefined> {
  try {
    const { value, usage } = await askStructured(context, {
      messages,
      name: 'plan',
      schema: planReplySchema(matter.operators),
      maxTokens: PLAN_TOKENS,
    });
    context.emit({
      type: 'debate-turn',
      round: 1,
      role,
      text: inlineText(value.reason),
      plan: value.plan,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
    });
    return { plan: value.plan, reason: inlineText(value.reason) };
  } catch (error) {
    if (error instanceof BadReplyError) return undefined;
    throw error;
  }
}
