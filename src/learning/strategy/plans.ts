import {
  ALONE,
  type OperatorName,
  operatorCalled,
  type ResearchOptions,
  type StrategyChoice,
  type StrategyRoute,
} from '#research';
import { inEnglish } from '#search/notices';

/** A plan whose outcomes are learnt: an operator alone, or a plan that the model makes. */
export interface PlanAction {
  /** Name in records, reports and the prior. */
  name: string;
  /** In a sentence about a choice: "one look". */
  title: string;
  route: Exclude<StrategyRoute, { kind: 'custom' }>;
}

/** The plans, in order: of equals the first is chosen. `debate` runs only where a person asks for it. */
export const PLANS: readonly PlanAction[] = [
  ...ALONE.map(({ name, operator, title }): PlanAction => ({
    name,
    title: title(inEnglish),
    route: { kind: 'operator', operator },
  })),
  { name: 'planned', title: 'a plan made in one call', route: { kind: 'plan', debate: 'fast' } },
  { name: 'debate', title: 'a debated plan', route: { kind: 'plan', debate: 'full' } },
];

export const planCalled = (name: string): PlanAction | undefined => PLANS.find((plan) => plan.name === name);

/** Plans that a run may choose among: its operators are allowed and can run here, and planning is not turned off. */
export const openPlans = (
  { operators, debate }: Pick<ResearchOptions, 'operators' | 'debate'>,
  canRun: (name: OperatorName) => boolean,
): PlanAction[] =>
  PLANS.filter(({ route }) =>
    route.kind === 'operator'
      ? operators.includes(route.operator) && canRun(route.operator)
      : route.debate === 'fast' && debate !== 'off',
  );

/**
 * Name under which the outcome of a route is learnt; undefined for what is no plan: a graph, quotes, the usual plan of
 * several operators.
 * @param usual Operators of the usual plan of the question's type.
 */
export function learntAs(route: StrategyChoice['route'], usual: readonly OperatorName[]): string | undefined {
  const alone = (name: OperatorName | undefined): string | undefined =>
    ALONE.find(({ operator }) => operator === name && operatorCalled(operator).needsModel)?.name;
  switch (route.kind) {
    case 'operator':
      return alone(route.operator);
    case 'plan':
      if (route.debate === 'off') return usual.length === 1 ? alone(usual[0]) : undefined;
      return route.debate === 'full' ? 'debate' : 'planned';
    case 'custom':
      return undefined;
  }
}
