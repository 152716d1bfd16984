import { readWhole } from './read-whole.ts';
import { type Operator, runAsStep } from './operator.ts';

/** Turns of reasoning, each with its search. */
const LOOKS = 8;
const GUIDANCE =
  'Go step by step: say in one sentence what is known so far and what has to be found next, and look that up at once. ' +
  'Go on until the answer is known; answer at once where it already is.';

/** Reasoning and retrieval in turns (BELLE §3.2), as IRCoT does (Trivedi et al. 2023). */
export const iterativeStep: Operator<'iterative-step'> = {
  name: 'iterative-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'a sentence of reasoning and the next search in turns, until the answer is known',
    goodFor: 'one thing leads to the next, and the next cannot be named before',
  },
  cost: { leastCalls: 1, mostCalls: LOOKS + 3, tokens: 20_000 },
  run: (context, task) =>
    runAsStep(context, task, 'iterative-step', (step) =>
      readWhole(context, task, step, 'iterative-step', {
        looks: LOOKS,
        guidance: GUIDANCE,
        tellThoughts: true,
        followMissing: true,
      }),
    ),
};
