import { z } from 'zod';
import { type ChatMessage, escapeForPrompt, type LanguageModel, requestStructured } from '#research';

/** What RISE compares decompositions on (He et al. 2025, §4.2.1 and A.1.2). */
export const DIMENSIONS = ['conciseness', 'rationality', 'sequencing', 'goal-orientation'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Which of two is better; `tie` when neither is. */
export type Preference = 'first' | 'second' | 'tie';
export type Preferences = Record<Dimension, Preference>;

/** A question and its sub-questions, in order. */
export interface Decomposition {
  question: string;
  steps: readonly string[];
}

const JUDGE_TOKENS = 200;
const choice = z.enum(['A', 'B', 'tie']);
const judgeSchema = z.object({
  reason: z.string(),
  conciseness: choice,
  rationality: choice,
  sequencing: choice,
  goalOrientation: choice,
});
type JudgeReply = z.infer<typeof judgeSchema>;

/** Compares two decompositions of one question on the four dimensions of RISE. */
export function judgePrompt(question: string, a: readonly string[], b: readonly string[]): ChatMessage[] {
  const listed = (steps: readonly string[]): string =>
    steps.length === 0 ? '(none)' : steps.map((step, i) => `${i + 1}. ${escapeForPrompt(step)}`).join('\n');
  return [
    {
      role: 'system',
      content: `You compare two ways to split a question into sub-questions. Judge each point on its own:
conciseness: no step is superfluous or says the same as another
rationality: each step makes sense and can be looked up
sequencing: each step comes after those whose answers it needs
goalOrientation: together the steps lead to what is asked
Say "tie" where neither is better. The order in which they are shown means nothing. Reply with JSON:
{"reason": "<at most 25 words>", "conciseness": "A|B|tie", "rationality": "A|B|tie", "sequencing": "A|B|tie", "goalOrientation": "A|B|tie"}`,
    },
    { role: 'user', content: `Question: ${escapeForPrompt(question)}\n\nA:\n${listed(a)}\n\nB:\n${listed(b)}` },
  ];
}

export interface PairVerdict {
  /** A preference only where both orders agree; a tie otherwise. */
  preferences: Preferences;
  /** What was said with the first shown first, and with the second shown first (turned back). */
  orders: [Preferences, Preferences];
  tokens: number;
}

/** Port: who compares two decompositions of a question. Rejects with AbortError and the model's errors. */
export type PairJudge = (
  question: string,
  first: readonly string[],
  second: readonly string[],
  signal: AbortSignal,
) => Promise<PairVerdict>;

/** A language model as judge, asked in both orders: models prefer a place (Zheng et al. 2023, §3.3). */
export const modelJudge =
  (model: LanguageModel): PairJudge =>
  async (question, first, second, signal) => {
    const ask = async (a: readonly string[], b: readonly string[]): Promise<{ said: Preferences; tokens: number }> => {
      const { value, usage } = await requestStructured(model, {
        messages: judgePrompt(question, a, b),
        name: 'comparison',
        schema: judgeSchema,
        options: { signal, maxTokens: JUDGE_TOKENS },
      });
      return { said: readPreferences(value), tokens: usage.inputTokens + usage.outputTokens };
    };
    const [straight, swapped] = [await ask(first, second), await ask(second, first)];
    const back = mapDimensions((dimension) => OPPOSITE[swapped.said[dimension]]);
    return {
      orders: [straight.said, back],
      preferences: mapDimensions((dimension) =>
        straight.said[dimension] === back[dimension] ? back[dimension] : 'tie',
      ),
      tokens: straight.tokens + swapped.tokens,
    };
  };

const OPPOSITE: Readonly<Record<Preference, Preference>> = { first: 'second', second: 'first', tie: 'tie' };
const PREFERENCE = { A: 'first', B: 'second', tie: 'tie' } as const;

const readPreferences = (reply: JudgeReply): Preferences =>
  mapDimensions((dimension) => PREFERENCE[reply[dimension === 'goal-orientation' ? 'goalOrientation' : dimension]]);

export function mapDimensions<T>(of: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, of(dimension)])) as Record<Dimension, T>;
}
