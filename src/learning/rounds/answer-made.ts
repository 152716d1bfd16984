import { answerF1, type ResearchEvent } from '#research';
import type { MadeQuestion } from './question-templates.ts';

/** Model calls that answering one made question may take. */
export const CALLS_PER_MADE = 15;

export interface AnsweringPorts {
  /** Questions made of this workspace, oldest first. */
  made(): Promise<readonly MadeQuestion[]>;
  /** A whole run that may teach. */
  ask(question: string): AsyncIterable<ResearchEvent>;
  /** Questions that may be asked: the newest. */
  most: number;
  /** F1 of a run's answer against the one that is known, 0..1: it decides whether the run teaches. */
  judge(runId: string, f1: number): void;
}

/** How the questions of a round were answered. */
export interface AnsweredQuestions {
  asked: number;
  /** Answers of which at least half is right, by F1. */
  right: number;
}

/**
 * RISE's self-exploration (He et al. 2025, §3): what the last round has learnt answers the questions that it made, and
 * the runs that come to the known answer teach the next round. Each question is asked once; `known` are those that were
 * asked before, and gains those that are asked now.
 */
export async function answerMade(
  ports: AnsweringPorts,
  known: Set<string>,
  signal: AbortSignal,
  onProgress?: (done: number, of: number) => void,
): Promise<AnsweredQuestions> {
  const made = (await ports.made()).filter(({ question }) => !known.has(question));
  const questions = made.slice(Math.max(0, made.length - ports.most));
  const result: AnsweredQuestions = { asked: 0, right: 0 };
  for (const { question, answer } of questions) {
    signal.throwIfAborted();
    known.add(question);
    const f1 = await askOne(ports, question, answer);
    result.asked += 1;
    if (f1 >= 0.5) result.right += 1;
    onProgress?.(result.asked, questions.length);
  }
  return result;
}

async function askOne({ ask, judge }: AnsweringPorts, question: string, expected: string): Promise<number> {
  let f1 = 0;
  let runId: string | undefined;
  for await (const event of ask(question)) {
    runId = event.runId;
    if (event.type === 'answer-end') f1 = event.answer.abstained ? 0 : answerF1(event.answer.short, [expected]);
  }
  if (runId !== undefined) judge(runId, f1);
  return f1;
}
