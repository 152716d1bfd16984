import { type ErrorReport, HoptrailError, redact } from '#base';
import type { TokenUsage } from './language-model.ts';
import { type ModelErrorDetails, modelErrorInWords } from './model-error-words.ts';

interface Cause {
  cause?: unknown;
}

/** A failure of a language model or its endpoint: a code with values. model-error-words.ts makes its words. */
abstract class ModelError extends HoptrailError {
  readonly code: string;

  constructor(
    code: string,
    details: ModelErrorDetails,
    { cause }: Cause = {},
    action: ErrorReport['action'] = 'choose-model',
  ) {
    const { message, ...advice } = modelErrorInWords(code, details);
    super(message, { cause, details, action, ...advice });
    this.code = code;
  }
}

/** No language model is chosen, or the chosen one is `absent`. */
export class NoModelError extends ModelError {
  constructor(
    absent:
      { what: 'unknown'; endpoint: string; model: string } | { what: 'gone'; model: string } | undefined = undefined,
    options?: Cause,
  ) {
    super('no-model', absent ?? {}, options);
  }
}

/** The provider does not accept the key, or wants one and got none (`missing`). */
export class WrongKeyError extends ModelError {
  constructor(endpoint: string, options: Cause & { missing?: boolean } = {}) {
    super('wrong-key', { endpoint, ...(options.missing && { what: 'missing' }) }, options, 'set-key');
  }
}

/** The user has not allowed this extension to use the model. */
export class ConsentError extends ModelError {
  constructor(model: string, options?: Cause) {
    super('model-consent', { model }, options);
  }
}

/** Rate limit or spending limit, after the retries that make sense. */
export class QuotaError extends ModelError {
  /** Seconds after which the provider says to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(provider: string, options: Cause & { retryAfterSeconds?: number; spent?: boolean } = {}) {
    const { spent, retryAfterSeconds } = options;
    const later = retryAfterSeconds !== undefined && { what: 'later', seconds: Math.ceil(retryAfterSeconds) };
    const details = { provider, ...(spent ? { what: 'spent' } : later) };
    super('model-quota', details, options, spent ? 'choose-model' : 'retry');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The messages do not fit the model's context window. */
export class ContextTooLongError extends ModelError {
  constructor(model: string, options: Cause & { tokens?: number; contextTokens?: number } = {}) {
    const { tokens, contextTokens } = options;
    const counted = tokens !== undefined && contextTokens !== undefined && { what: 'counted', tokens, contextTokens };
    super('context-too-long', { model, ...counted }, options, 'open-settings');
  }
}

/** The model or its content filter declined to answer. @param reason undefined: the filter stopped it */
export class RefusedError extends ModelError {
  constructor(model: string, reason: string | undefined, options?: Cause) {
    super('model-refused', { model, ...(reason === undefined ? { what: 'filter' } : { reason }) }, options);
  }
}

/** The reply cannot be read. @param sample the signs that it repeats, or its last ones */
export class NonsenseError extends ModelError {
  constructor(model: string, sample: string) {
    const shown = sample.replace(/[\p{C}\ufffd]/gu, '').trim();
    super('model-nonsense', { model, ...(shown !== '' && { what: 'repeated', sample: shown }) });
  }
}

/** A reply without text: nothing at all, only thoughts, or only a tool call that nobody offered or asked for. */
export class EmptyReplyError extends ModelError {
  readonly why: 'silent' | 'thoughts' | 'tool';
  /** Budgets count it. */
  readonly usage: TokenUsage;

  constructor(model: string, why: EmptyReplyError['why'], usage: TokenUsage) {
    super('model-empty-reply', { model, what: why, tokens: usage.outputTokens });
    this.why = why;
    this.usage = usage;
  }
}

/** A request with tools was refused; the model's `tools` is false now. */
export class ToolsRefusedError extends ModelError {
  constructor(model: string, options?: Cause) {
    super('model-without-tools', { model }, options);
  }
}

/** How an endpoint cannot be used. `plain`: TLS was spoken to a server without it; `encrypted`: the other way round. */
type Unreachable =
  | {
      what:
        | ('refused' | 'unknown-host' | 'certificate' | 'broke' | 'plain' | 'encrypted')
        | ('no-completion' | 'no-list' | 'no-address');
      endpoint: string;
    }
  | { what: 'proxy'; endpoint: string; proxy: string; reason: string }
  | { what: 'inside'; endpoint: string; status: number; said: string }
  | { what: 'broke-off'; endpoint: string; said: string }
  | { what: 'not-an-endpoint'; endpoint: string; type: string }
  | { what: 'editor'; model: string; reason: string };

/** The endpoint cannot be reached, cut the connection, failed inside, or is no model endpoint at all. */
export class UnreachableError extends ModelError {
  readonly what: Unreachable['what'];

  constructor(how: Unreachable, options?: Cause) {
    super('model-unreachable', how, options);
    this.what = how.what;
  }
}

/** The endpoint understood the request and rejects it. */
export class BadRequestError extends ModelError {
  constructor(model: string, reason: string, options?: Cause) {
    super('model-bad-request', { model, reason }, options);
  }
}

/** The call passed its deadline, or the server sent nothing for too long (`silent`). */
export class ModelTimeoutError extends ModelError {
  constructor(model: string, seconds: number, options: Cause & { silent?: boolean } = {}) {
    super('model-timeout', { model, seconds, ...(options.silent && { what: 'silent' }) }, options, 'retry');
  }
}

/** The reply does not have the form that was asked for (`form`), even after one repair attempt. */
export class BadReplyError extends ModelError {
  /** The last reply, cut to 2,000 characters. */
  readonly reply: string;
  /** Of all attempts: budgets count it. */
  readonly usage: TokenUsage;
  readonly calls: number;

  constructor(
    model: string,
    form: string,
    details: { reply: string; problem: string; usage: TokenUsage; calls: number; cause?: unknown },
  ) {
    super('model-bad-reply', { model, form, problem: details.problem }, details, 'retry');
    this.reply = redact(details.reply.slice(0, 2000));
    this.usage = details.usage;
    this.calls = details.calls;
  }
}

/** True if an error concerns a single reply: another prompt may fare better. */
export const isOfOneReply = (error: unknown): boolean =>
  [BadReplyError, RefusedError, ContextTooLongError, EmptyReplyError].some((kind) => error instanceof kind);
