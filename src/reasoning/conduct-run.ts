import { isAbortError } from '../llm/abort.ts';
import type { Answer } from '../model/answer.ts';
import { reportError } from '../model/error-report.ts';
import type { ResearcherDependencies } from './research.ts';
import type { RunState } from './run-state.ts';
import { extractive } from './operators/extractive.ts';
import { defaultStrategy, settledStrategy, type StrategyChoice } from './strategy-choice.ts';

/** One run from question to answer; its events go through the run. Rejects with what stopped it. */
export async function conductRun(run: RunState, dependencies: ResearcherDependencies): Promise<void> {
  run.start(run.question.text);
  await classify(run, dependencies);
  const choice = await chooseStrategy(run, dependencies);
  run.emit({ type: 'strategy-selected', strategy: choice.strategy, reason: choice.reason, ...(choice.relativeCost !== undefined && { relativeCost: choice.relativeCost }) });
  run.emit({ type: 'plan-proposed', plan: { steps: [{ operator: 'extractive', purpose: 'Quote the passages that answer the question.' }], origin: 'fixed', reason: choice.reason } });
  const result = await extractive.run(run, { question: run.question.text, purpose: choice.reason, final: true });
  if (result.answer) deliver(run, result.answer);
}

/** A classifier that fails costs the type, not the run: the question is then taken for the commonest kind. */
async function classify(run: RunState, { classifier }: ResearcherDependencies): Promise<void> {
  try {
    run.classification = await classifier.classify(run.question.text, run.signal);
  } catch (error) {
    if (isAbortError(error) || run.signal.aborted) throw error;
    run.notice('not-classified', `The question could not be classified: ${reportError(error).message}`);
  }
  run.emit({ type: 'question-classified', classification: run.classification });
}

async function chooseStrategy(run: RunState, { selectStrategy, retriever }: ResearcherDependencies): Promise<StrategyChoice> {
  const { runId, question, classification, options, model, signal } = run;
  const settled = settledStrategy(options, model);
  if (settled) return settled;
  const chosen = await selectStrategy?.({ runId, question, classification, options, model, retriever, signal });
  return chosen ?? defaultStrategy(classification, options);
}

/** Streams an answer that is ready and sets it down. */
function deliver(run: RunState, answer: Answer): void {
  for (const line of answer.text.split(/(?<=\n)/)) run.emit({ type: 'answer-delta', text: line });
  run.recordAnswer({ answer: answer.short, abstained: answer.abstained, unsupportedCount: answer.unsupportedCount, verdict: null });
  run.emit({ type: 'answer-end', answer });
}

/** What a run that was stopped had found; undefined when that is nothing. */
export function partialAnswer(_run: RunState): Answer | undefined {
  return undefined;
}
