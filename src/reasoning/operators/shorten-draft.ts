import type { AnswerDraft } from '../answer/answer-draft.ts';
import { askText, type AskingContext } from '../ask-model.ts';
import { isRambling, readShortened, SHORTEN_TOKENS, shortenPrompt } from '../prompts/shorten-answer.ts';

/**
 * A draft whose short answer is one: when it came as a sentence, one small call cuts it down (about 230 tokens); the sentence stays among the
 * statements. Whatever the model replies, the short answer is a part of what it had said, or yes or no.
 */
export async function shortenDraft(context: AskingContext, question: string, draft: AnswerDraft): Promise<AnswerDraft> {
  if (!isRambling(question, draft.short) || context.budget.exhausted() !== undefined) return draft;
  const { text } = await askText(context, shortenPrompt(question, draft.short), { maxTokens: SHORTEN_TOKENS, stop: ['\n'] });
  return { ...draft, short: readShortened(text, question, draft.short) ?? draft.short };
}
