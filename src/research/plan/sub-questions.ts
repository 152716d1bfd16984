import { z } from 'zod';
import { askStructured } from '../context/ask-model.ts';
import type { SentPrompt } from '../context/node-record.ts';
import type { PlanStep } from '../domain/plan.ts';
import { BadReplyError } from '../language-model/errors.ts';
import type { ChatMessage } from '../language-model/language-model.ts';
import type { DecompositionExample, OperatorContext } from '../operators/operator.ts';

export type SubQuestions = NonNullable<PlanStep['subQuestions']>;

/** More sub-questions than this cost more than they find. */
const MOST_SUB_QUESTIONS = 6;
const DECOMPOSE_TOKENS = 400;

/** Said wherever sub-questions are asked for: conciseness, sequence and aim are what RISE judges them by (§4.2.1). */
export const SUB_QUESTION_FORM =
  'Each sub-question asks for one fact that has to be looked up, stands alone, and leads to the answer; write #1 for ' +
  'the answer to sub-question 1, #2 for that to sub-question 2.';

const subQuestionsSchema = z.object({ subQuestions: z.array(z.string()).min(1) });

const SYSTEM = `Split the question into the fewest questions whose answers together answer it. ${SUB_QUESTION_FORM} A \
question that needs no splitting is its own only sub-question. Reply with JSON: {"subQuestions": [...]}`;

/** Sub-questions in their order, with those (counted from 0) whose answers each needs; empty ones are left out. */
export function readSubQuestions(questions: readonly string[]): SubQuestions {
  const asked = questions
    .map((question) => question.trim())
    .filter(Boolean)
    .slice(0, MOST_SUB_QUESTIONS);
  return asked.map((question, i) => ({
    question,
    dependsOn: [...new Set([...question.matchAll(/#(\d)/gu)].map(([, n]) => Number(n) - 1))].filter(
      (n) => n >= 0 && n < i,
    ),
  }));
}

/** A sub-question with the answers that it needs in the place of their marks. */
export const filledIn = (question: string, answers: readonly (string | undefined)[]): string =>
  question.replace(/#(\d)/gu, (mark, n: string) => answers[Number(n) - 1] ?? mark);

/** Splits a question by one call; itself where the model gave nothing usable. The most alike example stands last. */
export async function decompose(
  context: OperatorContext,
  question: string,
): Promise<{ subQuestions: SubQuestions; sent?: SentPrompt }> {
  const examples = (await context.examples?.(question)) ?? [];
  const messages: ChatMessage[] = [
    { role: 'system', content: SYSTEM },
    ...examples.flatMap(exampleMessages),
    { role: 'user', content: question },
  ];
  try {
    const { value, sent } = await askStructured(context, {
      messages,
      name: 'sub_questions',
      schema: subQuestionsSchema,
      maxTokens: DECOMPOSE_TOKENS,
    });
    const subQuestions = readSubQuestions(value.subQuestions);
    if (subQuestions.length > 0) return { subQuestions, ...(sent && { sent }) };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
  }
  context.notice({ code: 'not-decomposed', details: { several: true } });
  return { subQuestions: [{ question, dependsOn: [] }] };
}

const exampleMessages = ({ question, steps }: DecompositionExample): ChatMessage[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: JSON.stringify({ subQuestions: steps }) },
];
