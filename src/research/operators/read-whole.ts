import type { OperatorName } from '../domain/plan.ts';
import { readNode, resultOf } from '../loop/read-node.ts';
import type { LoopTask } from '../loop/run-loop.ts';
import type { OperatorContext, OperatorResult, OperatorTask, Step } from './operator.ts';

/** Answers the whole question in one conversation, whatever looks it takes. */
export async function readWhole(
  context: OperatorContext,
  task: OperatorTask,
  step: Step,
  operator: OperatorName,
  way: Pick<LoopTask, 'looks' | 'guidance' | 'tellThoughts' | 'followMissing'>,
): Promise<OperatorResult> {
  const known = context.subAnswers.filter((one) => one.found);
  const node = await readNode(context, {
    ...way,
    operator,
    step,
    question: task.question,
    final: task.final,
    queries: task.queries,
    known,
    seen: task.seen,
    history: context.subAnswers,
    judge: 'evidence',
  });
  context.keep(node.subAnswer, node.reading);
  return resultOf(operator, step, node);
}
