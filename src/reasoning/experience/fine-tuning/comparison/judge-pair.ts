import type { LanguageModel } from '../../../../llm/language-model.ts';
import { requestStructured } from '../../../../llm/structured-reply.ts';
import { DIMENSIONS, opposite, type Dimension, type Preference, type Preferences } from './dimensions.ts';
import { JUDGE_TOKENS, judgePrompt, judgeSchema, type JudgeReply } from './judge-prompt.ts';

export interface PairVerdict {
  /** A preference only where both orders agree; a tie otherwise. */
  preferences: Preferences;
  /** What was said with the first shown first, and with the second shown first (turned back). */
  orders: [Preferences, Preferences];
  tokens: number;
}

/** Port: who compares two decompositions of a question. Rejects with AbortError and the model's errors. */
export type PairJudge = (question: string, first: readonly string[], second: readonly string[], signal: AbortSignal) => Promise<PairVerdict>;

/** A language model as judge: asked twice with the order swapped, because models prefer a place (Zheng et al. 2023, §3.3). */
export const modelJudge = (model: LanguageModel): PairJudge => async (question, first, second, signal) => {
  const ask = async (a: readonly string[], b: readonly string[]): Promise<{ value: JudgeReply; tokens: number }> => {
    const { value, usage } = await requestStructured(model, { messages: judgePrompt(question, a, b), name: 'comparison', schema: judgeSchema, options: { signal, maxTokens: JUDGE_TOKENS } });
    return { value, tokens: usage.inputTokens + usage.outputTokens };
  };
  const straight = await ask(first, second);
  const swapped = await ask(second, first);
  const orders: [Preferences, Preferences] = [readPreferences(straight.value), mapDimensions((dimension) => opposite(readPreferences(swapped.value)[dimension]))];
  return { orders, preferences: agreed(orders), tokens: straight.tokens + swapped.tokens };
};

/** What both orders say; a tie where they differ. */
export const agreed = ([straight, swapped]: readonly [Preferences, Preferences]): Preferences => mapDimensions((dimension) => (straight[dimension] === swapped[dimension] ? straight[dimension] : 'tie'));

export function mapDimensions<T>(of: (dimension: Dimension) => T): Record<Dimension, T> {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, of(dimension)])) as Record<Dimension, T>;
}

const readPreferences = (reply: JudgeReply): Preferences => ({
  conciseness: asPreference(reply.conciseness), rationality: asPreference(reply.rationality), sequencing: asPreference(reply.sequencing), 'goal-orientation': asPreference(reply.goalOrientation),
});

const asPreference = (verdict: 'A' | 'B' | 'tie'): Preference => (verdict === 'tie' ? 'tie' : verdict === 'A' ? 'first' : 'second');
