import type { z } from 'zod';

/** A call of a tool that a model asks for. */
export interface ToolCall {
  /** The provider's id, by which the result is matched. */
  id: string;
  name: string;
  /** JSON, as the model wrote it: untrusted. */
  arguments: string;
}

/** What a model is told of a tool. */
export interface ToolSchema {
  name: string;
  description: string;
  /** JSON schema of the arguments, an object. */
  parameters: Record<string, unknown>;
}

/**
 * One message of a conversation. An assistant's message carries the tool calls it asked for; each is answered by a
 * `tool` message with its id.
 */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Only of an assistant. */
  toolCalls?: readonly ToolCall[];
  /** Only of a `tool` message: the call that it answers. */
  toolCallId?: string;
}

export interface CompletionOptions {
  signal?: AbortSignal;
  /** Most tokens to generate. */
  maxTokens?: number;
  /** Default 0. */
  temperature?: number;
  stop?: readonly string[];
  /** Seconds from the call to its end; then `ModelTimeoutError`. */
  deadlineSeconds?: number;
  /** Shown to the user where the provider asks for consent. */
  justification?: string;
  /** Tools that the model may call; only where {@link LanguageModel.tools} is not false. */
  tools?: readonly ToolSchema[];
  /** Default: the model decides. `none`: it is to answer now; the tools are sent as before, for the prompt cache. */
  toolChoice?: 'none';
}

/** Tokens of one call; `estimated` when the provider gave none. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input: tokens that the provider served from its prompt cache, as far as it says. */
  cachedTokens?: number;
  estimated: boolean;
}

/** A JSON schema for a structured reply; providers that cannot enforce it get it in the prompt. */
export interface ReplySchema {
  name: string;
  schema: Record<string, unknown>;
}

/**
 * A thought is a piece of what a model thinks before it speaks, where its service tells the two apart. The usage part
 * ends a stream; `truncated` when the reply stopped at its token limit and not at its end.
 */
export type CompletionPart =
  | { type: 'text'; text: string }
  | { type: 'thought' }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'usage'; usage: TokenUsage; truncated?: boolean };

/** Port: one chat model. Errors are the typed ones of errors.ts; cancellation rejects with AbortError. */
export interface LanguageModel {
  /** `vscode:copilot/gpt-4o`, `openai:qwen2.5@127.0.0.1:8099`. */
  readonly id: string;
  readonly name: string;
  /**
   * Where prompts go: the address of the endpoint without key or credentials, `vscode:copilot` for models of the
   * editor. undefined: not known.
   */
  readonly endpoint?: string;
  /** Longest input in tokens, as far as it is known: {@link learnWindow} may find another. */
  readonly contextTokens: number;
  /** Where that number comes from, when people should know: shown with what had to be cut. */
  readonly windowNote?: string;
  /**
   * Whether it takes native tool calls: false where a request with tools was refused; undefined until that is known.
   * A model without them is asked for the same by JSON.
   */
  readonly tools?: boolean;
  /** Tokens that a reply may take beside what is asked for, of a model that is known to think before it speaks. */
  readonly thoughtTokens?: number;
  /**
   * Finds out how much the model takes, where that can be asked. Never rejects, ends soon even where
   * no reply comes, and asks once only.
   */
  learnWindow?(): Promise<void>;
  /**
   * Streams text and calls of tools, then exactly one usage part. Throws ToolsRefusedError where tools were asked for
   * and are not taken, EmptyReplyError where neither text nor a call came.
   */
  stream(
    messages: readonly ChatMessage[],
    options: CompletionOptions & { schema?: ReplySchema },
  ): AsyncIterable<CompletionPart>;
  countTokens(text: string): Promise<number>;
}

/** Whole reply of a call. */
export interface Completion {
  text: string;
  /** Tools that the model wants called, in its order. */
  toolCalls?: readonly ToolCall[];
  usage: TokenUsage;
  /** The reply stopped at its token limit. */
  truncated?: boolean;
}

/** What structured-reply.ts offers: parsed value, usage of all attempts, and whether it had to be repaired. */
export interface StructuredReply<T> {
  value: T;
  /** The reply that was used, as it came. */
  text: string;
  usage: TokenUsage;
  calls: number;
  repaired: boolean;
}

export interface StructuredRequest<T> {
  messages: readonly ChatMessage[];
  name: string;
  schema: z.ZodType<T>;
  options?: CompletionOptions;
}
