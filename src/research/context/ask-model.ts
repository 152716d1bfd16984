import { isAbortError } from '#base';
import { complete } from '../language-model/complete.ts';
import { BadReplyError, ModelTimeoutError, NoModelError } from '../language-model/errors.ts';
import { estimatePromptTokens } from '../language-model/context-window.ts';
import type {
  ChatMessage,
  Completion,
  CompletionOptions,
  LanguageModel,
  StructuredReply,
  StructuredRequest,
  TokenUsage,
} from '../language-model/language-model.ts';
import { requestStructured } from '../language-model/structured-reply.ts';
import type { Budget } from './research-options.ts';
import type { SentPrompt } from './node-record.ts';

/** What a call needs of a run. */
export interface AskingContext {
  model: LanguageModel | undefined;
  budget: Budget;
  signal: AbortSignal;
}

const JUSTIFICATION =
  'Hoptrail sends your question and passages of this workspace to this language model and shows its answer.';
/**
 * Seconds of a call that is made when the time is all but over: it will hardly succeed, and the run ends when it
 * should.
 */
const SHORTEST_DEADLINE = 0.1;

/** A reply in prose. Counted; @throws BudgetExhaustedError, NoModelError, the model's typed errors, AbortError. */
export function askText(
  context: AskingContext,
  messages: readonly ChatMessage[],
  options: { maxTokens: number; stop?: readonly string[]; onText?: (text: string) => void },
): Promise<Completion> {
  return counted(context, messages, async (model, common) => {
    const completion = await complete(model, messages, { ...common, ...options });
    return { value: completion, usage: completion.usage, calls: 1 };
  });
}

/** A reply of a given form, repaired once if need be. Counted; @throws as {@link askText}, and BadReplyError. */
export async function askStructured<T>(
  context: AskingContext,
  request: Omit<StructuredRequest<T>, 'options'> & { maxTokens: number },
): Promise<StructuredReply<T>> {
  const { maxTokens, ...rest } = request;
  return counted(context, request.messages, async (model, common) => {
    const reply = await requestStructured(model, { ...rest, options: { ...common, maxTokens } });
    return { value: reply, usage: reply.usage, calls: reply.calls };
  });
}

/** What such a reply teaches: undefined where it had to be asked for twice, because what was sent then is no lesson. */
export const sentPrompt = <T>(
  messages: readonly ChatMessage[],
  { text, repaired }: StructuredReply<T>,
): SentPrompt | undefined => (repaired ? undefined : { messages: [...messages], reply: text });

type Call<T> = (
  model: LanguageModel,
  common: CompletionOptions,
) => Promise<{ value: T; usage: TokenUsage; calls: number }>;

async function counted<T>(
  { model, budget, signal }: AskingContext,
  messages: readonly ChatMessage[],
  call: Call<T>,
): Promise<T> {
  if (!model) throw new NoModelError();
  budget.assertRoom();
  const deadlineSeconds = Math.max(SHORTEST_DEADLINE, budget.limits.seconds - budget.usage().seconds);
  try {
    const { value, usage, calls } = await call(model, {
      signal,
      deadlineSeconds,
      temperature: 0,
      justification: JUSTIFICATION,
    });
    budget.addCall(usage, calls);
    return value;
  } catch (error) {
    if (error instanceof BadReplyError) budget.addCall(error.usage, error.calls);
    else if (!isAbortError(error))
      budget.addCall({ inputTokens: estimatePromptTokens(messages), outputTokens: 0, estimated: true });
    if (error instanceof ModelTimeoutError) budget.assertRoom(); // the deadline was what the budget had left: say it so
    throw error;
  }
}
