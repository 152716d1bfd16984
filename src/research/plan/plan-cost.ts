import { sum } from '#base';
import type { ResearchOptions } from '../context/research-options.ts';
import type { OperatorName, PlanCost } from '../domain/plan.ts';
import { operatorCalled, operators } from '../operators/operator-registry.ts';

/** What a plan of these operators may cost, and, where the run is criticised, one last critique of its answer. */
export function planCost(
  names: readonly OperatorName[],
  { critique }: Pick<ResearchOptions, 'critique'>,
  among = operators,
): PlanCost {
  const called = names.map((name) => operatorCalled(name, among));
  const costs = called.map(({ cost }) => cost);
  const ends = costs.every(({ mostCalls }) => mostCalls !== undefined);
  const last = Number(critique && called.some(({ needsModel }) => needsModel));
  return {
    calls: {
      least: sum(costs.map(({ leastCalls }) => leastCalls)),
      ...(ends && { most: sum(costs.map(({ mostCalls = 0 }) => mostCalls)) + last }),
    },
    tokens: sum(costs.map(({ tokens }) => tokens)),
  };
}

/** Tokens of one call in which a plan is argued for, about. */
const TOKENS_OF_A_TURN = 1600;

type DebateOptions = Pick<ResearchOptions, 'rounds' | 'fastDebater' | 'slowDebater' | 'judge'>;

/**
 * What it costs to make a plan, before its first step: nothing for the usual one, one call for `fast`. A debate ends
 * when its judge finds that a plan stands, after one round at least; at most it has all rounds, and one more call that
 * draws the plan from them.
 */
export function planningCost(mode: ResearchOptions['debate'], options: DebateOptions): PlanCost {
  if (mode === 'off') return { calls: { least: 0, most: 0 }, tokens: 0 };
  if (mode === 'fast') return { calls: { least: 1, most: 1 }, tokens: TOKENS_OF_A_TURN };
  const judged = options.judge !== 'soft';
  const round = 2 + Number(options.fastDebater) + Number(options.slowDebater) + Number(judged);
  const all = round * options.rounds;
  return { calls: { least: judged ? round : all, most: all + 1 }, tokens: all * TOKENS_OF_A_TURN };
}
