import { readWhole } from './read-whole.ts';
import { type Operator, runAsStep } from './operator.ts';

/** Turns in which the model may look again. */
const LOOKS = 5;

/**
 * As much retrieval as the question needs (BELLE §3.2): one look; what the reading misses is the next query, and the
 * model may look for itself.
 */
export const adaptiveStep: Operator<'adaptive-step'> = {
  name: 'adaptive-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'one search and reading; the model looks again, in its own words, where something is missing',
    goodFor: 'most questions: as much retrieval as it takes, and no more',
  },
  cost: { leastCalls: 1, mostCalls: LOOKS + 3, tokens: 12_000 },
  run: (context, task) =>
    runAsStep(context, task, 'adaptive-step', (step) =>
      readWhole(context, task, step, 'adaptive-step', { looks: LOOKS, followMissing: true }),
    ),
};
