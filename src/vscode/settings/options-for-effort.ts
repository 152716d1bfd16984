import type { ResearchOptions } from '../../reasoning/research-options.ts';
import type { Effort } from '../threads/conversations.ts';

/** Effort of a run of its own kind: an answer in place, while somebody waits for it. */
export type RunEffort = Effort | 'quick';

/**
 * The settings' options for a run of this effort. A harder run overrules what they say of the strategy, and so does a quick one,
 * save where they fix a way that calls no language model: that is quick enough, and whoever fixed it wants no passage sent.
 */
export function optionsForEffort(research: Partial<ResearchOptions>, effort: RunEffort): Partial<ResearchOptions> {
  switch (effort) {
    case 'usual': return research;
    case 'harder': return { ...research, strategy: 'thorough', effort: 'harder', operator: undefined };
    case 'quick': return callsNoModel(research) ? { ...research, debate: 'off' } : { ...research, strategy: 'fast', operator: undefined, debate: 'off' };
  }
}

function callsNoModel({ operator, strategy }: Partial<ResearchOptions>): boolean {
  return operator === 'extractive' || (operator === undefined && strategy === 'fixed:beam-extractive');
}
