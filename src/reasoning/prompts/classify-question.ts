import { z } from 'zod';
import type { ChatMessage } from '../../llm/language-model.ts';
import { PREDICTED_TYPES, type LabelledQuestion } from '../classify/question-classifier.ts';

export const CLASSIFY_TOKENS = 60;

/** The clue is asked for first: a type written after its reason follows from it. */
export const classifySchema = z.object({ clue: z.string(), type: z.enum(PREDICTED_TYPES) });

/** BELLE's types (arXiv 2505.11811, §3.1) and two of ours, in our own words. */
const TYPES = `lookup: one fact that stands in one place, asked for by its own name
inference: the answer is reached over a step in between, by something described rather than named ("the firm that …", "X's father", "described in … and …")
comparison: two or more things are held against each other: which one, the same or different, do they agree
temporal: the order of events, a change or consistency over time, or what was true before, after or at a certain time
overview: a summary, a list of everything, how a whole thing works`;

/** A question to be typed, zero-shot. */
export function classifyPrompt(question: string): ChatMessage[] {
  return [system(), { role: 'user', content: ask(question) }];
}

/** The same with examples, least alike first: what stands last weighs most with small models. */
export function classifyByExamplesPrompt(question: string, examples: readonly LabelledQuestion[]): ChatMessage[] {
  const shown = examples.map((example) => `Question: ${example.question}\nType: ${example.type}`).join('\n\n');
  return [system(), { role: 'user', content: `Examples:\n\n${shown}\n\nNow this one.\n${ask(question)}` }];
}

function system(): ChatMessage {
  return {
    role: 'system',
    content: `You sort questions by what answering them takes. You do not answer them. Types:\n${TYPES}\nReply with JSON: {"clue": "<the words of the question that decide, at most 8>", "type": "${PREDICTED_TYPES.join('|')}"}`,
  };
}

/** The question is data: quoted, so that one which gives orders is sorted like any other. */
const ask = (question: string): string => `Question: ${JSON.stringify(question)}`;
