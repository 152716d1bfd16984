import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readJsonLines } from '#base';
import type { Feedback, ThreadTurn } from '../protocol.ts';
import { answerIn, passageIn } from './turn-passages.ts';

/**
 * One judgement of a person, with what it was about: an example to learn from. Later lines of a run replace earlier
 * ones.
 */
interface FeedbackExample {
  time: number;
  runId: string;
  question: string;
  answer: string;
  rating: Feedback['rating'] | null;
  rejected: { id: string; path: string; startLine: number; endLine: number; title: string }[];
  /** Passages of the chain that were not rejected. */
  kept: string[];
}

/** What a line needs for the rest of it to be believed. */
const exampleShape = z.custom<FeedbackExample>((value) => {
  const { runId, rejected } = (value ?? {}) as Partial<FeedbackExample>;
  return typeof runId === 'string' && Array.isArray(rejected);
});

export function feedbackExample(turn: ThreadTurn, feedback: Feedback, time: number): FeedbackExample {
  const answer = answerIn(turn.events);
  const rejected = feedback.rejectedPassageIds.flatMap((id) => {
    const passage = passageIn(turn.events, id);
    return passage
      ? [{ id, path: passage.path, startLine: passage.startLine, endLine: passage.endLine, title: passage.title }]
      : [];
  });
  const kept = (answer?.chain.hops ?? [])
    .map((hop) => hop.passage.id)
    .filter((id) => !feedback.rejectedPassageIds.includes(id));
  return {
    time,
    runId: turn.runId,
    question: turn.question,
    answer: answer?.short ?? '',
    rating: feedback.rating ?? null,
    rejected,
    kept,
  };
}

export type FeedbackStore = ReturnType<typeof feedbackStore>;

/** Keeps judgements in a file of the editor's storage. They never leave the machine. */
export function feedbackStore(folder: string) {
  const file = path.join(folder, 'feedback.jsonl');
  return {
    async add(example: FeedbackExample): Promise<void> {
      await mkdir(folder, { recursive: true });
      await appendFile(file, `\n${JSON.stringify(example)}`); // a line that was torn does not spoil the next
    },
    /** The last word about each run; a line that a crash tore is left out. */
    async list(): Promise<FeedbackExample[]> {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return '';
      });
      const { values } = readJsonLines(text, exampleShape);
      return [...new Map(values.map((example) => [example.runId, example])).values()];
    },
    /** Deletes everything. */
    clear: (): Promise<void> => rm(file, { force: true }),
  };
}
