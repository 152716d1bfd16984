import { contentStems, nameForm } from '#search';
import { MOST_SUB_QUESTIONS } from './prompts/decompose.ts';

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
  return question.text.replace(/#(\d)/gu, (_all, number: string) => {
    const index = Number(number) - 1;
    return answers[index] || `the answer to “${graph[index]?.text ?? ''}”`;
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
