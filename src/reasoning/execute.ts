import { isAbortError } from '../llm/abort.ts';
import { BadReplyError, ContextTooLongError, ModelTimeoutError, RefusedError } from '../llm/errors.ts';
import type { Plan } from '../model/plan.ts';
import { reportError } from '../model/error-report.ts';
import { operators } from './operators/operator-registry.ts';
import type { OperatorContext, OperatorResult } from './operators/operator.ts';

/** What a plan came to. */
export interface Execution {
  /** Of the steps that ran to their end, in order. */
  results: OperatorResult[];
  /** What stopped it early: the budget, or a model that cannot be used any more. */
  stopped?: Error;
}

/** Runs a plan's operators in order; each sees the sub-answers kept so far, and retrievals are not repeated. Rejects with AbortError only. */
export async function executePlan(context: OperatorContext, plan: Plan): Promise<Execution> {
  const execution: Execution = { results: [] };
  let failure: Error | undefined;
  for (const [i, step] of plan.steps.entries()) {
    try {
      execution.results.push(await operators[step.operator].run(context, { question: context.question.text, purpose: step.purpose, final: i === plan.steps.length - 1 }));
    } catch (error) {
      const stopped = stopsRun(context, error);
      if (stopped) return { ...execution, stopped };
      failure = asError(error);
      context.notice('step-failed', `A step failed and the plan goes on without it: ${reportError(error).message}`);
    }
  }
  // When every step failed, that nothing was found would not be true: the last failure is what stopped the run.
  return failure !== undefined && execution.results.length === 0 ? { ...execution, stopped: failure } : execution;
}

/** The error when it ends the run; undefined when the next step may fare better. @throws it when it is a cancellation. */
export function stopsRun(context: OperatorContext, error: unknown): Error | undefined {
  if (isAbortError(error) || context.signal.aborted) throw error;
  if (error instanceof BadReplyError || error instanceof RefusedError || error instanceof ContextTooLongError || error instanceof ModelTimeoutError) return undefined;
  return asError(error);
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
