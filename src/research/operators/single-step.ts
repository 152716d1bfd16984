import { readWhole } from './read-whole.ts';
import { type Operator, runAsStep } from './operator.ts';

/** One retrieval, one reading (BELLE §3.2). */
export const singleStep: Operator<'single-step'> = {
  name: 'single-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'one search with all queries, one reading',
    goodFor: 'a fact whose place is known; the cheapest look',
  },
  cost: { leastCalls: 1, mostCalls: 2, tokens: 7000 },
  run: (context, task) =>
    runAsStep(context, task, 'single-step', (step) => readWhole(context, task, step, 'single-step', { looks: 0 })),
};
