import { sum } from '#base';
import type { ResearchOptions } from '../context/research-options.ts';
import type { OperatorName, PlanCost } from '../domain/plan.ts';
import { operatorCalled } from '../operators/operator-registry.ts';

/** What a plan of these operators may cost, and, where the run is criticised, one last critique of its answer. */
export function planCost(names: readonly OperatorName[], { critique }: Pick<ResearchOptions, 'critique'>): PlanCost {
  const called = names.map((name) => operatorCalled(name));
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
