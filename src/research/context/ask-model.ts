import { isAbortError } from '#base';
import { complete } from '../language-model/complete.ts';
import { ModelTimeoutError, NoModelError, EmptyReplyError } from '../language-model/errors.ts';
import { estimatePromptTokens } from '../language-model/context-window.ts';
import type { ChatMessage, CompletionOptions, LanguageModel } from '../language-model/language-model.ts';
import { requestTurn, type Turn, type TurnRequest } from '../language-model/request-turn.ts';
import { requestStructured, type StructuredReply, type StructuredRequest } from '../language-model/structured-reply.ts';
import type { Budget } from './research-options.ts';
import type { SentPrompt } from './node-record.ts';

export interface AskingContext {
  model: LanguageModel | undefined;
  budget: Budget;
  signal: AbortSignal;
}

const JUSTIFICATION =
  'Hoptrail sends your question and passages of this workspace to this language model and shows its answer.';
/** Seconds of a call that is made when the time is all but over: it hardly succeeds, and the run ends in time. */
const SHORTEST_DEADLINE = 0.1;

/** The next turn of a conversation. Counted; @throws BudgetExhaustedError, NoModelError, the model's, AbortError */
export async function askTurn(
  context: AskingContext,
  messages: readonly ChatMessage[],
  { maxTokens, ...turn }: Pick<TurnRequest, 'tools' | 'mayLook' | 'onText'> & { maxTokens: number },
): Promise<Turn> {
  const { model, common } = mayAsk(context);
  return requestTurn(model, { ...turn, messages, options: { ...common, maxTokens } }, countedCall(context.budget));
}

/** A reply of a given form, and its call where it was made once. Counted; @throws as {@link askTurn}, BadReplyError. */
export async function askStructured<T>(
  context: AskingContext,
  request: Omit<StructuredRequest<T>, 'options'> & { maxTokens: number },
): Promise<Pick<StructuredReply<T>, 'value' | 'usage'> & { sent?: SentPrompt }> {
  const { maxTokens, ...rest } = request;
  const { model, common } = mayAsk(context);
  const asked = { ...rest, options: { ...common, maxTokens } };
  const { value, usage, text, repaired } = await requestStructured(model, asked, countedCall(context.budget));
  return { value, usage, ...(!repaired && { sent: { messages: [...request.messages], reply: text } }) };
}

/** A prompt; of the parts of what the user says, empty ones are left out. */
export const promptOf = (system: string, parts: readonly string[]): ChatMessage[] => [
  { role: 'system', content: system },
  { role: 'user', content: parts.filter(Boolean).join('\n\n') },
];

/** The model, and what every call to it is made with. @throws BudgetExhaustedError, NoModelError */
function mayAsk({ model, budget, signal }: AskingContext): { model: LanguageModel; common: CompletionOptions } {
  if (!model) throw new NoModelError();
  budget.assertRoom();
  const deadlineSeconds = Math.max(SHORTEST_DEADLINE, budget.limits.seconds - budget.usage().seconds);
  return { model, common: { signal, deadlineSeconds, temperature: 0, justification: JUSTIFICATION } };
}

/** Calls the model and charges its tokens; of a failed call those that the error tells, or else the prompt's. */
function countedCall(budget: Budget): typeof complete {
  return async (model, messages, options) => {
    try {
      const completion = await complete(model, messages, options);
      budget.addCall(completion.usage);
      return completion;
    } catch (error) {
      if (!isAbortError(error))
        budget.addCall(
          error instanceof EmptyReplyError
            ? error.usage
            : { inputTokens: estimatePromptTokens(messages), outputTokens: 0, estimated: true },
        );
      // The deadline was what the budget had left: it is said so.
      if (error instanceof ModelTimeoutError) budget.assertRoom();
      throw error;
    }
  };
}
