import { z } from 'zod';
import type { ChatMessage } from '../../language-model/language-model.ts';
import { contentStems, nameForm } from '#search';

/** More sub-questions than this cost more than they find. */
export const MOST_SUB_QUESTIONS = 4;
export const DECOMPOSE_TOKENS = 160;

/** More than are used may come. */
export const decompositionSchema = z.object({ questions: z.array(z.string()).min(1) });

/** A question with the sub-questions that answered it. */
export interface DecompositionExample {
  question: string;
  /** In order; at least one. */
  steps: readonly string[];
}

/**
 * The nested one comes last, where a small model looks: otherwise it learns from the simple one that nothing need be
 * split.
 */
const EXAMPLES: readonly DecompositionExample[] = [
  { question: 'Which function writes the log?', steps: ['Which function writes the log?'] },
  {
    question: 'Was the Harrow bridge opened before the Alder tunnel?',
    steps: ['When was the Harrow bridge opened?', 'When was the Alder tunnel opened?'],
  },
  {
    question: 'In which country was the founder of the company that built the Alder tunnel born?',
    steps: ['Which company built the Alder tunnel?', 'Who founded #1?', 'In which country was #2 born?'],
  },
  {
    question: 'Who is the mother of the keeper of the North Pier lighthouse?',
    steps: ['Who is the keeper of the North Pier lighthouse?', 'Who is the mother of #1?'],
  },
];

/**
 * Sub-questions, each answerable by one look-up; `#1` stands for the answer to the first. `learnt` are examples from
 * good runs, the most alike last.
 */
export function decomposePrompt(question: string, learnt: readonly DecompositionExample[] = []): ChatMessage[] {
  return [
    {
      role: 'system',
      content:
        'Split the question into the simple questions that must be looked up one after the other to answer it. ' +
        'Each asks for one fact. Write #1 for the answer to question 1, #2 for the answer to question 2. Reply ' +
        'with JSON: {"questions": [...]}',
    },
    ...[...EXAMPLES, ...learnt].flatMap((example): ChatMessage[] => [
      { role: 'user', content: example.question },
      { role: 'assistant', content: JSON.stringify({ questions: example.steps }) },
    ]),
    { role: 'user', content: question },
  ];
}

/** A sub-question and those (indices) whose answers it needs. */
export interface SubQuestion {
  text: string;
  needs: number[];
}

const REFERENCE = /(?:#|\banswer )(\d)\b/giu;

/**
 * A model's sub-questions as a graph: numbering, repetitions and questions about something else go, `#2` may only point
 * back (so there is no cycle), at most four stay. Empty when nothing usable is left; one when the question is simple.
 */
export function readDecomposition(questions: readonly string[], asked: string): SubQuestion[] {
  const graph: SubQuestion[] = [];
  const places = new Map<number, number>(); // number in the reply → index in the graph
  questions.forEach((raw, i) => {
    const text = raw
      .replace(/^\s*(?:q(?:uestion)?\s*)?\d+\s*[.):]\s*/iu, '')
      .replace(/\s+/gu, ' ')
      .trim();
    const twin = graph.findIndex((one) => nameForm(one.text) === nameForm(text));
    if (twin >= 0) places.set(i + 1, twin);
    if (twin >= 0 || !/\p{L}{2}/u.test(text) || graph.length === MOST_SUB_QUESTIONS) return;
    const needs = new Set<number>();
    const pointed = text.replace(REFERENCE, (all: string, number: string) => {
      if (isSaid(all, asked)) return all;
      const place = places.get(Number(number));
      if (place === undefined) return all.startsWith('#') ? 'it' : all;
      needs.add(place);
      return `#${place + 1}`;
    });
    if (needs.size === 0 && !touches(text, asked)) return; // copied from an example, or made up
    places.set(i + 1, graph.length);
    graph.push({ text: pointed, needs: [...needs].sort((a, b) => a - b) });
  });
  const only = graph.length === 1 ? graph[0] : undefined;
  return only && only.needs.length === 0 ? [{ text: asked, needs: [] }] : graph;
}

/** `#1` of “issue #1” is the user's own, and no answer to a sub-question. */
const isSaid = (reference: string, asked: string): boolean =>
  asked
    .toLowerCase()
    .split(reference.toLowerCase())
    .slice(1)
    .some((after) => !/^\d/.test(after));

/** True when a sub-question has something to do with the question: a content word in common. */
function touches(text: string, asked: string): boolean {
  const words = new Set(contentStems(asked));
  return words.size === 0 || contentStems(text).some((word) => words.has(word));
}

/** A sub-question with the answers that it needs put in; an answer that was not found is described. */
export function fillIn(
  question: SubQuestion,
  graph: readonly SubQuestion[],
  answers: readonly (string | undefined)[],
): string {
  return question.text.replace(/#(\d)/gu, (all, number: string) => {
    const index = Number(number) - 1;
    const needed = graph[index];
    if (!needed || !question.needs.includes(index)) return all;
    return answers[index] || `the answer to “${fillIn(needed, graph, answers)}”`;
  });
}

/** True when the last sub-question needs all others, directly or through one another: its answer is then the answer. */
export function endsInOne(graph: readonly SubQuestion[]): boolean {
  const reached = new Set<number>();
  const visit = (index: number): void => {
    if (reached.has(index)) return;
    reached.add(index);
    for (const need of graph[index]?.needs ?? []) visit(need);
  };
  visit(graph.length - 1);
  return reached.size === graph.length;
}
