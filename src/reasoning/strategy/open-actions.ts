import type { OperatorName } from '../../model/plan.ts';
import type { ResearchOptions } from '../research-options.ts';
import type { StrategyAction } from './action-set.ts';
import { operatorOf } from './operator-agents.ts';

/**
 * Places of the strategies that a run may choose among: every agent's operator can run here and is among those that plans may use (quotes are
 * not, by default: who has a model wants its answer); BELLE's plan always may. The product's choice and its replay both ask here.
 */
export function openActions(actions: readonly StrategyAction[], { operators }: Pick<ResearchOptions, 'operators'>, canRun: (name: OperatorName) => boolean): number[] {
  return actions.flatMap(({ graph }, place) => (graph.agents.every((agent) => allows(operatorOf(agent), operators, canRun)) ? [place] : []));
}

const allows = (name: OperatorName | undefined, operators: readonly OperatorName[], canRun: (name: OperatorName) => boolean): boolean => name === undefined || (operators.includes(name) && canRun(name));
