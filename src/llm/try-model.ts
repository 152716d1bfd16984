import { complete } from './complete.ts';
import { BadReplyError } from './errors.ts';
import type { LanguageModel, TokenUsage } from './language-model.ts';

const SECONDS = 60;

/** One short call that shows whether a chosen model works at all. @throws the model's typed errors, BadReplyError on silence, AbortError. */
export async function tryModel(model: LanguageModel, signal?: AbortSignal): Promise<{ reply: string; usage: TokenUsage }> {
  const { text, usage } = await complete(model, [{ role: 'user', content: 'Reply with the single word: ready' }], {
    signal,
    // Room for models that think before they speak.
    maxTokens: 200,
    deadlineSeconds: SECONDS,
    justification: 'Hoptrail tests the model that you chose with one short call.',
  });
  if (text.trim() === '') throw new BadReplyError(model.name, 'reply', { reply: text, problem: 'it said nothing.', usage, calls: 1 });
  return { reply: text.trim(), usage };
}
