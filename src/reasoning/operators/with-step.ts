import { isAbortError } from '../../llm/abort.ts';
import { reportError } from '../../model/error-report.ts';
import type { OperatorName } from '../../model/plan.ts';
import type { StepEnd } from '../../model/research-event.ts';
import { BudgetExhaustedError } from '../budget.ts';
import type { OperatorContext } from './operator.ts';

export interface StepTask {
  stepId: string;
  parentStepId?: string;
  operator: OperatorName;
  question: string;
  dependsOn: readonly string[];
}

/** A step with its start and its end, whatever happens between. Its error goes on; a run that is out of budget skips its step. */
export async function withStep<T>(context: OperatorContext, task: StepTask, body: () => Promise<{ outcome: StepEnd['outcome']; value: T }>): Promise<T> {
  const ids = { stepId: task.stepId, ...(task.parentStepId !== undefined && { parentStepId: task.parentStepId }) };
  context.emit({ type: 'step-start', ...ids, operator: task.operator, question: task.question, dependsOn: [...task.dependsOn] });
  try {
    const { outcome, value } = await body();
    context.emit({ type: 'step-end', ...ids, outcome });
    return value;
  } catch (error) {
    if (error instanceof BudgetExhaustedError) context.emit({ type: 'step-end', ...ids, outcome: 'skipped' });
    else if (!isAbortError(error)) context.emit({ type: 'step-end', ...ids, outcome: 'failed', error: reportError(error) });
    throw error;
  }
}
