import { readNode, resultOf } from '../loop/read-node.ts';
import { type Operator, runAsStep } from './operator.ts';

const THINK = 'Nothing more is looked up: think it through step by step from what is shown and known.';

/** Reasoning without a look (BELLE §3.2): over what earlier steps found; alone, from the model's memory. */
export const chainOfThought: Operator<'chain-of-thought'> = {
  name: 'chain-of-thought',
  needsModel: true,
  retrieves: false,
  whenToUse: {
    does: 'think over what earlier steps have found, without a look',
    goodFor: 'a conclusion, after a look',
  },
  cost: { leastCalls: 1, mostCalls: 1, tokens: 1500 },
  run: (context, task) =>
    runAsStep(context, task, 'chain-of-thought', async (step) => {
      const known = context.subAnswers.filter((one) => one.found);
      const fromMemory = known.length === 0;
      if (fromMemory) context.notice({ code: 'from-memory', details: {} });
      const node = await readNode(context, {
        operator: 'chain-of-thought',
        step,
        question: task.question,
        final: task.final,
        looks: 0,
        search: false,
        known,
        seen: task.seen,
        guidance: fromMemory ? '' : THINK,
        fromMemory,
        history: context.subAnswers,
        judge: 'evidence',
      });
      context.keep(node.subAnswer, node.reading);
      return resultOf('chain-of-thought', step, node);
    }),
};
