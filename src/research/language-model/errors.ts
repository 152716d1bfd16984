import { type ErrorReport, HoptrailError, redact } from '#base';
import { inEnglish } from '#search/notices';
import type { TokenUsage } from './language-model.ts';
import { type ModelErrorDetails, modelErrorInWords } from './model-error-words.ts';

interface Cause {
  cause?: unknown;
}

/** A failure of a language model or its endpoint: a code with values. model-error-words.ts makes its words. */
abstract class ModelError extends HoptrailError {
  abstract override readonly code: string;

  constructor(code: string, details: ModelErrorDetails, action: ErrorReport['action'], { cause }: Cause) {
    const { message, advice } = modelErrorInWords({ code, details }, inEnglish) ?? { message: code };
    super(message, { cause, details, action, ...(advice !== undefined && { advice }) });
  }
}

/** No language model is chosen, or the chosen one is not there (any more). */
export class NoModelError extends ModelError {
  readonly code = 'no-model';

  /** @param absent Which model is not there; undefined: none is chosen */
  constructor(
    absent?: { what: 'unknown'; endpoint: string; model: string } | { what: 'gone'; model: string },
    options: Cause = {},
  ) {
    super('no-model', absent ?? {}, 'choose-model', options);
  }
}

/** The provider does not accept the key, or wants one and got none. */
export class WrongKeyError extends ModelError {
  readonly code = 'wrong-key';

  constructor(endpoint: string, options: Cause & { missing?: boolean } = {}) {
    super('wrong-key', { endpoint, ...(options.missing && { what: 'missing' }) }, 'set-key', options);
  }
}

/** The user has not allowed this extension to use the model. */
export class ConsentError extends ModelError {
  readonly code = 'model-consent';

  constructor(model: string, options: Cause = {}) {
    super('model-consent', { model }, 'choose-model', options);
  }
}

/** Rate limit or spending limit, after the retries that make sense. */
export class QuotaError extends ModelError {
  readonly code = 'model-quota';
  /** Seconds after which the provider says to try again; undefined when it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(provider: string, options: Cause & { retryAfterSeconds?: number; spent?: boolean } = {}) {
    const { spent, retryAfterSeconds } = options;
    const later = retryAfterSeconds !== undefined && { what: 'later', seconds: Math.ceil(retryAfterSeconds) };
    const details = { provider, ...(spent ? { what: 'spent' } : later) };
    super('model-quota', details, spent ? 'choose-model' : 'retry', options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The messages do not fit the model's context window. */
export class ContextTooLongError extends ModelError {
  readonly code = 'context-too-long';

  constructor(model: string, options: Cause & { tokens?: number; contextTokens?: number } = {}) {
    const { tokens, contextTokens } = options;
    const counted = tokens !== undefined && contextTokens !== undefined && { what: 'counted', tokens, contextTokens };
    super('context-too-long', { model, ...counted }, 'open-settings', options);
  }
}

/** The model or its content filter declined to answer. @param reason undefined: the filter stopped it */
export class RefusedError extends ModelError {
  readonly code = 'model-refused';

  constructor(model: string, reason: string | undefined, options: Cause = {}) {
    super(
      'model-refused',
      { model, ...(reason === undefined ? { what: 'filter' } : { reason }) },
      'choose-model',
      options,
    );
  }
}

/** The model says what nobody can read. */
export class NonsenseError extends ModelError {
  readonly code = 'model-nonsense';

  /** @param sample What it says over and over, or the last signs of it. */
  constructor(model: string, sample: string) {
    const shown = sample.replace(/[\p{C}\ufffd]/gu, '').trim();
    super('model-nonsense', { model, ...(shown !== '' && { what: 'repeated', sample: shown }) }, 'choose-model', {});
  }
}

/**
 * A reply has no text: nothing came (`silent`), nothing but thoughts, or only a call of a tool that nobody offered or
 * asked for.
 */
export class EmptyReplyError extends ModelError {
  readonly code = 'model-empty-reply';
  readonly why: 'silent' | 'thoughts' | 'tool';
  /** What it cost: budgets count it. */
  readonly usage: TokenUsage;

  constructor(model: string, why: EmptyReplyError['why'], usage: TokenUsage) {
    super('model-empty-reply', { model, what: why, tokens: usage.outputTokens }, 'choose-model', {});
    this.why = why;
    this.usage = usage;
  }
}

export { EmptyReplyError as OnlyThoughtsError };

/** A request with tools was refused: the same is asked for in another way, and the model's `tools` is false now. */
export class ToolsRefusedError extends ModelError {
  readonly code = 'model-without-tools';

  constructor(model: string, options: Cause = {}) {
    super('model-without-tools', { model }, 'choose-model', options);
  }
}

/** How an endpoint cannot be used. */
export type Unreachable =
  | { what: 'refused' | 'unknown-host' | 'certificate' | 'broke'; endpoint: string }
  /** TLS was spoken to a server without, and the other way round. */
  | { what: 'plain' | 'encrypted'; endpoint: string }
  | { what: 'proxy'; endpoint: string; proxy: string; reason: string }
  | { what: 'inside'; endpoint: string; status: number; said: string }
  | { what: 'broke-off'; endpoint: string; said: string }
  | { what: 'not-an-endpoint'; endpoint: string; type: string }
  | { what: 'no-completion' | 'no-list' | 'no-address'; endpoint: string }
  | { what: 'editor'; model: string; reason: string };

/** The endpoint cannot be reached, cut the connection, failed inside, or is no model endpoint at all. */
export class UnreachableError extends ModelError {
  readonly code = 'model-unreachable';
  readonly what: Unreachable['what'];

  constructor(how: Unreachable, options: Cause = {}) {
    super('model-unreachable', how, 'choose-model', options);
    this.what = how.what;
  }
}

/** The endpoint understood the request and rejects it, for a reason of its own. */
export class BadRequestError extends ModelError {
  readonly code = 'model-bad-request';

  constructor(model: string, reason: string, options: Cause = {}) {
    super('model-bad-request', { model, reason }, 'choose-model', options);
  }
}

/** The call took longer than its deadline, or the server was silent for longer than the connection bears (`silent`). */
export class ModelTimeoutError extends ModelError {
  readonly code = 'model-timeout';

  constructor(model: string, seconds: number, options: Cause & { silent?: boolean } = {}) {
    super('model-timeout', { model, seconds, ...(options.silent && { what: 'silent' }) }, 'retry', options);
  }
}

/** The reply does not have the form that was asked for, even after one repair attempt. */
export class BadReplyError extends ModelError {
  readonly code = 'model-bad-reply';
  /** The last reply, cut to 2,000 characters. */
  readonly reply: string;
  /** What the failed attempts cost: budgets count it. */
  readonly usage: TokenUsage;
  readonly calls: number;

  /** @param form What was asked for */
  constructor(
    model: string,
    form: string,
    details: { reply: string; problem: string; usage: TokenUsage; calls: number; cause?: unknown },
  ) {
    super('model-bad-reply', { model, form, problem: details.problem }, 'retry', details);
    this.reply = redact(details.reply.slice(0, 2000));
    this.usage = details.usage;
    this.calls = details.calls;
  }
}

/** Whether an error concerns a single reply: another prompt may fare better. */
export const isOfOneReply = (error: unknown): boolean =>
  error instanceof BadReplyError ||
  error instanceof RefusedError ||
  error instanceof ContextTooLongError ||
  error instanceof EmptyReplyError;
