import type { OperatorName, PlanCost } from '../domain/plan.ts';
import { operatorCalled } from '../operators/operator-registry.ts';
import type { OperatorCost } from '../operators/operator.ts';
import type { ResearchOptions } from '../run/research-options.ts';

/** What a plan of these operators may cost: each is charged what it really runs. */
export function planCost(operators: readonly OperatorName[]): PlanCost {
  const costs = operators.map((name) => operatorCalled(name).cost);
  const most = costs.reduce<number | undefined>(
    (sum, { mostCalls }) => (sum === undefined || mostCalls === undefined ? undefined : sum + mostCalls),
    0,
  );
  return {
    calls: { least: total(costs.map(({ leastCalls }) => leastCalls)), ...(most !== undefined && { most }) },
    tokens: total(costs.map(({ tokens }) => tokens)),
  };
}

/** Tokens of one call in which a plan is argued for, about: measured over debates of two rounds with a small model. */
const TOKENS_OF_A_TURN = 430;

type DebateOptions = Pick<ResearchOptions, 'rounds' | 'fastDebater' | 'slowDebater'>;

/**
 * What it costs to make a plan, before its first step: nothing for the usual one, one call for `fast`. A debate ends
 * when its judge finds that a plan stands: one round at least, and all rounds with one more call at most.
 */
export function planningCost(mode: ResearchOptions['debate'], options: DebateOptions): PlanCost {
  if (mode === 'off') return { calls: { least: 0, most: 0 }, tokens: 0 };
  if (mode === 'fast') return { calls: { least: 1, most: 1 }, tokens: TOKENS_OF_A_TURN };
  const round = 3 + Number(options.fastDebater) + Number(options.slowDebater);
  const all = round * options.rounds;
  return { calls: { least: round, most: all + 1 }, tokens: all * TOKENS_OF_A_TURN };
}

/** Calls in the words that a debater is told. */
export function callsInWords({ leastCalls: least, mostCalls: most }: OperatorCost): string {
  if (most === undefined) return `${least} calls and more`;
  if (most === 0) return 'no call';
  if (least < most) return `${least} to ${most} calls`;
  return most === 1 ? '1 call' : `${most} calls`;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
