import { isAbortError } from '#base';
import { complete } from '../language-model/complete.ts';
import { ModelTimeoutError, NoModelError, EmptyReplyError } from '../language-model/errors.ts';
import { estimatePromptTokens } from '../language-model/context-window.ts';
import type { ChatMessage, CompletionOptions, LanguageModel, ToolSchema } from '../language-model/language-model.ts';
import { requestTurn, type Turn } from '../language-model/request-turn.ts';
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

interface TurnOptions {
  tools: readonly ToolSchema[];
  /** False: the tools are named, as in every turn of the conversation, and must not be called. */
  mayLook: boolean;
  maxTokens: number;
  onText?: (text: string) => void;
}

/** The next turn of a conversation. Counted; @throws BudgetExhaustedError, NoModelError, the model's, AbortError */
export async function askTurn(
  context: AskingContext,
  messages: readonly ChatMessage[],
  { tools, mayLook, maxTokens, onText }: TurnOptions,
): Promise<Turn> {
  const { model, common } = mayAsk(context);
  return requestTurn(
    model,
    { messages, tools, mayLook, options: { ...common, maxTokens }, ...(onText && { onText }) },
    countedCall(context.budget),
  );
}

/**
 * A reply of a given form, repaired once if need be, and the call as it was sent, for the record: of one that had to be
 * made twice there is none, because what was sent then is no lesson. Counted; @throws as {@link askTurn}, and
 * BadReplyError.
 */
export async function askStructured<T>(
  context: AskingContext,
  request: Omit<StructuredRequest<T>, 'options'> & { maxTokens: number },
): Promise<Pick<StructuredReply<T>, 'value' | 'usage'> & { sent?: SentPrompt }> {
  const { maxTokens, ...rest } = request;
  const { model, common } = mayAsk(context);
  const reply = await requestStructured(
    model,
    { ...rest, options: { ...common, maxTokens } },
    countedCall(context.budget),
  );
  const { value, usage, text, repaired } = reply;
  return { value, usage, ...(!repaired && { sent: { messages: [...request.messages], reply: text } }) };
}

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
