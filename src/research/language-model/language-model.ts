export interface ToolCall {
  /** The provider's id, by which the result is matched. */
  id: string;
  name: string;
  /** JSON, as the model wrote it: untrusted. */
  arguments: string;
}

export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** An assistant's message carries the tool calls that it asks for; a `tool` message with its id answers each. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  toolCalls?: readonly ToolCall[];
  toolCallId?: string;
}

export interface CompletionOptions {
  signal?: AbortSignal;
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

/** A JSON schema; providers that cannot enforce it get it in the prompt. */
export interface ReplySchema {
  name: string;
  schema: Record<string, unknown>;
}

/** `thought`: the service tells thoughts apart. The usage part ends a stream; `truncated` at its token limit. */
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
  /** Where prompts go: an address without credentials, or `vscode:copilot`. undefined: not known. */
  readonly endpoint?: string;
  /** Longest input in tokens, as far as it is known: {@link learnWindow} may find another. */
  readonly contextTokens: number;
  /** Where that number comes from, when people should know: shown with what had to be cut. */
  readonly windowNote?: string;
  /** Whether it takes native tool calls: false once a request with tools was refused; undefined: not known yet. */
  readonly tools?: boolean;
  /** Tokens that a reply may take beside what is asked for, of a model that is known to think before it speaks. */
  readonly thoughtTokens?: number;
  /** Asks how much the model takes, once, where that can be asked. Never rejects, and ends within seconds. */
  learnWindow?(): Promise<void>;
  /** Streams text and calls, then exactly one usage part. @throws ToolsRefusedError, EmptyReplyError and others */
  stream(
    messages: readonly ChatMessage[],
    options: CompletionOptions & { schema?: ReplySchema },
  ): AsyncIterable<CompletionPart>;
}

export interface Completion {
  text: string;
  toolCalls?: readonly ToolCall[];
  usage: TokenUsage;
  truncated?: boolean;
}
