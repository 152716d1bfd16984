import { z } from 'zod';
import type { ChatMessage } from '../../../../llm/language-model.ts';
import { escapeForPrompt } from '../../../prompts/passage-block.ts';

export const JUDGE_TOKENS = 200;
const verdict = z.enum(['A', 'B', 'tie']);
export const judgeSchema = z.object({ reason: z.string(), conciseness: verdict, rationality: verdict, sequencing: verdict, goalOrientation: verdict });
export type JudgeReply = z.infer<typeof judgeSchema>;

const stepsOf = (steps: readonly string[]): string => (steps.length === 0 ? '(none)' : steps.map((step, i) => `${i + 1}. ${escapeForPrompt(step)}`).join('\n'));

/** Compares two decompositions of one question on the four dimensions of RISE (He et al. 2025). */
export function judgePrompt(question: string, a: readonly string[], b: readonly string[]): ChatMessage[] {
  return [
    {
      role: 'system',
      content: `You compare two ways to split a question into sub-questions. Judge each point on its own:
conciseness: no step is superfluous or says the same as another
rationality: each step makes sense and can be looked up
sequencing: each step comes after those whose answers it needs
goalOrientation: together the steps lead to what is asked
Say "tie" where neither is better. The order in which they are shown means nothing. Reply with JSON: {"reason": "<at most 25 words>", "conciseness": "A|B|tie", "rationality": "A|B|tie", "sequencing": "A|B|tie", "goalOrientation": "A|B|tie"}`,
    },
    { role: 'user', content: `Question: ${escapeForPrompt(question)}\n\nA:\n${stepsOf(a)}\n\nB:\n${stepsOf(b)}` },
  ];
}
