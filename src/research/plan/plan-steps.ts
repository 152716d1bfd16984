import { sum } from '#base';
import type { OperatorName, Plan, PlanStep, PlanCost } from '../domain/plan.ts';
import type { PlanProblem } from '../domain/run-notices.ts';
import { z } from 'zod';
import { operatorCalled, operators } from '../operators/operator-registry.ts';
import { VERDICT_CALLS } from '../operators/critique.ts';
import type { Operators } from '../operators/operator.ts';
import type { ResearchOptions } from '../context/research-options.ts';

/**
 * The operators that may be used, one line each, with what each takes as a rule: the most calls that one can make would
 * frighten a planner away from what is seldom so dear.
 */
export const operatorGuide = (names: readonly OperatorName[], among = operators): string =>
  names
    .map((name) => {
      const { whenToUse, cost } = operatorCalled(name, among);
      const takes = cost.tokens > 0 ? `about ${cost.tokens} tokens` : 'no call';
      return `- ${name}: ${whenToUse.does}. Good for ${whenToUse.goodFor}. Costs ${takes}.`;
    })
    .join('\n');

/** What a step is for when nobody said. */
function defaultPurpose(name: OperatorName, among: Operators): string {
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

/** What is wrong with a plan of one to three operators that are allowed; undefined: it stands. */
export function planProblem(
  plan: readonly OperatorName[],
  allowed: readonly OperatorName[],
  among = operators,
): PlanProblem | undefined {
  const retrieves = (name: OperatorName): boolean => operatorCalled(name, among).retrieves;
  if (new Set(plan).size < plan.length) return { code: 'twice' };
  if (!plan.some(retrieves) && allowed.some(retrieves)) return { code: 'looks-nothing-up' };
  const [first] = plan;
  if (first !== undefined && plan.length > 1 && !retrieves(first)) return { code: 'thinks-first', operator: first };
  return undefined;
}

/**
 * A plan without what can be left out for certain: an operator's second turn, and thinking before anything was looked
 * up. Small models propose such plans to every question, and the same again when they are asked to mend them. What is
 * left stands, unless nothing in it looks anything up.
 */
export function withoutIdleSteps(plan: readonly OperatorName[], among = operators): OperatorName[] {
  const first = plan.findIndex((name) => operatorCalled(name, among).retrieves);
  return [...new Set(first < 0 ? plan : plan.slice(first))];
}

export const planSteps = (plan: readonly OperatorName[], among = operators): PlanStep[] =>
  plan.map((operator) => ({ operator, purpose: defaultPurpose(operator, among) }));

/** The plan of a run that the index answers by what it lists: it asks no language model anything. */
export const planOfIndex = (reason: string): Plan => ({
  steps: [{ operator: 'extractive', purpose: 'List what the index holds.' }],
  origin: 'index',
  reason,
  cost: planCost(['extractive'], { critique: false }),
});

/**
 * What a plan of these operators may cost: each is charged what it really runs, and the run, where it is criticised,
 * one last critique of an answer that a model wrote.
 */
export function planCost(
  names: readonly OperatorName[],
  { critique }: Pick<ResearchOptions, 'critique'>,
  among = operators,
): PlanCost {
  const called = names.map((name) => operatorCalled(name, among));
  const costs = called.map(({ cost }) => cost);
  const ends = costs.every(({ mostCalls }) => mostCalls !== undefined);
  const judged = critique && called.some(({ needsModel }) => needsModel);
  const most = costs.map(({ mostCalls = 0, critiqueCalls = 0 }) => mostCalls + (judged ? critiqueCalls : 0));
  return {
    calls: {
      least: sum(costs.map(({ leastCalls }) => leastCalls)),
      ...(ends && { most: sum(most) + (judged ? VERDICT_CALLS : 0) }),
    },
    tokens: sum(costs.map(({ tokens }) => tokens)),
  };
}

/** Tokens of one call in which a plan is argued for, about: measured over debates of two rounds with a small model. */
const TOKENS_OF_A_TURN = 430;

type DebateOptions = Pick<ResearchOptions, 'rounds' | 'fastDebater' | 'slowDebater' | 'judge'>;

/**
 * What it costs to make a plan, before its first step: nothing for the usual one, one call for `fast`. A debate ends
 * when its judge finds that a plan stands, after one round at least; a judge that is asked only at the end hears all
 * rounds. At most it has all rounds, and one more call that draws the plan from them.
 */
export function planningCost(mode: ResearchOptions['debate'], options: DebateOptions): PlanCost {
  if (mode === 'off') return { calls: { least: 0, most: 0 }, tokens: 0 };
  if (mode === 'fast') return { calls: { least: 1, most: 1 }, tokens: TOKENS_OF_A_TURN };
  const judged = options.judge !== 'soft';
  const round = 2 + Number(options.fastDebater) + Number(options.slowDebater) + Number(judged);
  const all = round * options.rounds;
  return {
    calls: { least: judged ? round : all, most: all + 1 },
    tokens: all * TOKENS_OF_A_TURN,
  };
}
