import type { OperatorName } from '../domain/plan.ts';
import { type NodeOutcome, readWhole } from '../loop/read-node.ts';
import type { LoopTask } from '../loop/run-loop.ts';
import { asStep, type OperatorContext, type OperatorTask, type Step } from './operator.ts';

/** Turns in which the model may look again, and those of reasoning, each with its search. */
const LOOKS = { adaptive: 5, iterative: 8 };
const THINK = 'Nothing more is looked up: think it through step by step from what is shown and known.';
const STEP_BY_STEP =
  'Go step by step: say in one sentence what is known so far and what has to be found next, and look that up at once. ' +
  'Go on until the answer is known; answer at once where it already is.';

/** Reasoning without a look (BELLE §3.2): over what earlier steps found; alone, from the model's memory. */
export const chainOfThought = asStep({
  name: 'chain-of-thought',
  needsModel: true,
  retrieves: false,
  whenToUse: {
    does: 'think over what earlier steps have found, without a look',
    goodFor: 'a conclusion, after a look',
  },
  cost: { leastCalls: 1, mostCalls: 1, tokens: 1500 },
  work(context, task, step) {
    const fromMemory = !context.subAnswers.some(({ found }) => found);
    if (fromMemory) context.notice({ code: 'from-memory', details: {} });
    const guidance = fromMemory ? '' : THINK;
    return converse(context, task, step, 'chain-of-thought', { looks: 0, search: false, guidance, fromMemory });
  },
});

/** One retrieval, one reading (BELLE §3.2). */
export const singleStep = asStep({
  name: 'single-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'one search with all queries, one reading',
    goodFor: 'a fact whose place is known; the cheapest look',
  },
  cost: { leastCalls: 1, mostCalls: 2, tokens: 7000 },
  work: (context, task, step) => converse(context, task, step, 'single-step', { looks: 0 }),
});

/** Reasoning and retrieval in turns (BELLE §3.2), as IRCoT does (Trivedi et al. 2023). */
export const iterativeStep = asStep({
  name: 'iterative-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'a sentence of reasoning and the next search in turns, until the answer is known',
    goodFor: 'one thing leads to the next, and the next cannot be named before',
  },
  cost: { leastCalls: 1, mostCalls: LOOKS.iterative + 3, tokens: 20_000 },
  work(context, task, step) {
    const way = { looks: LOOKS.iterative, guidance: STEP_BY_STEP, tellThoughts: true, followMissing: true };
    return converse(context, task, step, 'iterative-step', way);
  },
});

/** As much retrieval as the question needs (BELLE §3.2): what the reading misses is the next query. */
export const adaptiveStep = asStep({
  name: 'adaptive-step',
  needsModel: true,
  retrieves: true,
  whenToUse: {
    does: 'one search and reading; the model looks again, in its own words, where something is missing',
    goodFor: 'most questions: as much retrieval as it takes, and no more',
  },
  cost: { leastCalls: 1, mostCalls: LOOKS.adaptive + 3, tokens: 12_000 },
  work: (context, task, step) =>
    converse(context, task, step, 'adaptive-step', { looks: LOOKS.adaptive, followMissing: true }),
});

/** Answers the whole question in one conversation, and keeps that for the steps that follow. */
async function converse(
  context: OperatorContext,
  task: OperatorTask,
  step: Step,
  operator: OperatorName,
  way: Partial<LoopTask> & Pick<LoopTask, 'looks'>,
): Promise<NodeOutcome> {
  const node = await readWhole(context, task, step, operator, way);
  context.keep(node.subAnswer, node.reading);
  return node;
}
