import { extractive } from '../operators/extractive.ts';
import { standAlone } from './follow-up.ts';
import type { RunState } from './run-state.ts';

/**
 * Shows quotes in place of the answer of a model that is silent; it may still answer, and then they go.
 * Only where somebody watches. What fails here is kept quiet: the run itself meets it and tells.
 */
export async function quoteMeanwhile(run: RunState): Promise<void> {
  if (!run.options.firstHits || run.hasStreamed) return;
  const aside = run.aside();
  try {
    const { text, history } = aside.question;
    const { question } = await standAlone(aside, text, history); // it may be what the model is silent about
    aside.question = { ...aside.question, text: question };
    const { answer } = await extractive.run(aside, { question, final: true });
    if (answer && !answer.abstained && !aside.signal.aborted) run.emit({ type: 'quotes-meanwhile', answer });
  } catch {
    // The run goes on without them.
  }
}
