import { defaultResearchOptions, usualOperators } from '#research/lab';
import { likeliestType, planActions } from '#learning/lab';
import type { LoggedOutcome, OutcomeRecord } from './outcome-log.ts';

/**
 * The outcomes of plans in a record that was gathered over graphs or over plans. A graph of one agent is the plan of
 * its operator; `belle` was gathered with a full debate; what the usual plan of the question's type did is what its
 * operator did. A plan that was not tried is not there.
 */
export function planOutcomes({ features, strategies }: OutcomeRecord): Record<string, LoggedOutcome> {
  const actions = planActions();
  const usual = usualOperators(likeliestType({ features }), defaultResearchOptions.operators);
  const alone = actions.find(({ way }) => way.kind === 'operator' && usual.length === 1 && way.operator === usual[0]);
  return Object.fromEntries(
    actions.flatMap(({ name }) => {
      const logged =
        strategies[name] ??
        (name === 'usual' && alone ? strategies[alone.name] : undefined) ??
        (name === 'debate' ? strategies['belle'] : undefined);
      return logged ? [[name, logged]] : [];
    }),
  );
}
