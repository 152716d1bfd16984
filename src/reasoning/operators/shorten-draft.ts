import { isAbortError } from '../../llm/abort.ts';
import type { AnswerDraft } from '../answer/answer-draft.ts';
import { askText, type AskingContext } from '../ask-model.ts';
import { isRambling, readShortened, SHORTEN_TOKENS, shortenPrompt } from '../prompts/shorten-answer.ts';

/**
 * A draft whose short answer is one: when it came as a sentence, one small call cuts it down (about 230 tokens); the sentence stays among the
 * statements. Whatever the model replies, the short answer is a part of what it had said, or yes or no; when the call fails, the draft stays
 * as it is, for an answer in hand is not lost over its form. @throws AbortError only
 */
export async function shortenDraft(context: AskingContext, question: string, draft: AnswerDraft): Promise<AnswerDraft> {
  if (!isRambling(question, draft.short) || context.budget.exhausted() !== undefined) return draft;
  try {
    const { text } = await askText(context, shortenPrompt(question, draft.short), { maxTokens: SHORTEN_TOKENS, stop: ['\n'] });
    return { ...draft, short: readShortened(text, question, draft.short) ?? draft.short };
  } catch (error) {
    if (isAbortError(error) || context.signal.aborted) throw error;
    return draft;
  }
}
