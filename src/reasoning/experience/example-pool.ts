import type { ExperienceRecord } from './experience-record.ts';
import { cosine } from '../../retrieval/cosine.ts';

/** A question with the sub-questions that answered it: an in-context example for decomposition. */
export interface DecompositionExample {
  question: string;
  /** In order; at least one. */
  steps: string[];
}

/** Decompositions of runs that ended well, newest first, one per question. */
export function decompositionExamples(records: readonly ExperienceRecord[]): DecompositionExample[] {
  const runs = new Map<string, { question: string; time: number; steps: { time: number; text: string }[]; stopped: boolean }>();
  for (const record of records) {
    if (record.kind !== 'decomposition') continue;
    const run = runs.get(record.source.runId) ?? { question: record.runQuestion, time: record.source.time, steps: [], stopped: false };
    if (record.next === null) run.stopped = true;
    else run.steps.push({ time: record.source.time, text: record.next });
    runs.set(record.source.runId, run);
  }
  const ended = [...runs.values()].filter((run) => run.stopped && run.steps.length > 0).sort((a, b) => b.time - a.time);
  const byQuestion = new Map(ended.reverse().map((run) => [run.question.trim().toLowerCase(), run]));
  return [...byQuestion.values()].reverse().map((run) => ({ question: run.question, steps: [...new Set(run.steps.sort((a, b) => a.time - b.time).map((step) => step.text))] }));
}

/** How much nearness to the question counts against distance from the examples chosen already. */
const RELEVANCE = 0.7;
/** Cosine above which two questions are the same in other words. */
const REPETITION = 0.97;

/**
 * The `count` examples most like the question, without near-repetitions (maximal marginal relevance, Carbonell and Goldstein 1998);
 * the most like it comes last, where small models look. Vectors are L2-normalised. An example that is the question itself is left out.
 */
export function chooseExamples(question: { text: string; vector: Float32Array }, pool: readonly { example: DecompositionExample; vector: Float32Array }[], count: number): DecompositionExample[] {
  let left = pool.filter(({ example }) => example.question.trim().toLowerCase() !== question.text.trim().toLowerCase());
  const chosen: typeof left = [];
  while (chosen.length < count && left.length > 0) {
    const value = (entry: (typeof left)[number]): number => RELEVANCE * cosine(entry.vector, question.vector) - (1 - RELEVANCE) * Math.max(0, ...chosen.map((other) => cosine(entry.vector, other.vector)));
    const best = left.reduce((a, b) => (value(b) > value(a) ? b : a));
    chosen.push(best);
    left = left.filter((entry) => entry !== best && cosine(entry.vector, best.vector) < REPETITION);
  }
  return chosen.map(({ example }) => example).reverse();
}
