import type { ResearchEvent } from '../domain/research-event.ts';
import type { SuggestedQuestions } from './suggest-questions.ts';

/** Runs at most; each looks things up and asks no model. */
const MOST_RUNS = 6;
const MOST_PROVEN = 3;

/**
 * Those of the questions that have an answer here: it is no refusal, and where the workspace has links, its trail leads
 * through two files or more. Tries them in their order, six at most, until three are found.
 *
 * @param ask Runs one question without a language model.
 * @returns at most three; those found until the signal ended it
 */
export async function provenQuestions(
  { questions, linked }: SuggestedQuestions,
  ask: (question: string, signal: AbortSignal) => AsyncIterable<ResearchEvent>,
  signal: AbortSignal,
): Promise<string[]> {
  const proven: string[] = [];
  for (const question of questions.slice(0, MOST_RUNS)) {
    if (signal.aborted || proven.length >= MOST_PROVEN) break;
    if ((await filesOfTrail(ask(question, signal))) >= (linked ? 2 : 1)) proven.push(question);
  }
  return proven;
}

/** How many files the trail of the answer leads through; 0 where there is no answer. */
async function filesOfTrail(run: AsyncIterable<ResearchEvent>): Promise<number> {
  let files = 0;
  for await (const event of run) {
    if (event.type === 'answer-end' && !event.answer.abstained)
      files = new Set(event.answer.chain.hops.map(({ passage }) => passage.path)).size;
  }
  return files;
}
