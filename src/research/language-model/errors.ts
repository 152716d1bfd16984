import { HoptrailError, redact } from '#base';
import type { TokenUsage } from './language-model.ts';

interface Cause {
  cause?: unknown;
}

/** No language model is chosen, or the chosen one is not there (any more). */
export class NoModelError extends HoptrailError {
  readonly code = 'no-model';

  constructor(message = 'No language model is chosen.', options: Cause = {}) {
    super(message, {
      ...options,
      advice: 'Choose a model, or go on with answers made of quotes.',
      action: 'choose-model',
    });
  }
}

/** The provider does not accept the key, or wants one and got none. */
export class WrongKeyError extends HoptrailError {
  readonly code = 'wrong-key';

  constructor(provider: string, options: Cause & { missing?: boolean } = {}) {
    const said = options.missing ? 'asks for an API key and none is stored' : 'does not accept the stored API key';
    super(`${provider} ${said}.`, {
      cause: options.cause,
      advice:
        'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the ' +
        'command line in HOPTRAIL_API_KEY.',
      action: 'set-key',
    });
  }
}

/** The user has not allowed this extension to use the model. */
export class ConsentError extends HoptrailError {
  readonly code = 'model-consent';

  constructor(model: string, options: Cause = {}) {
    super(`Hoptrail may not use ${model}: access was not granted.`, {
      ...options,
      advice: 'Ask again and allow access, or choose another model.',
      action: 'choose-model',
    });
  }
}

/** Rate limit or spending limit, after the retries that make sense. */
export class QuotaError extends HoptrailError {
  readonly code = 'model-quota';
  /** Seconds after which the provider says to try again; undefined when it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(provider: string, options: Cause & { retryAfterSeconds?: number; spent?: boolean } = {}) {
    const seconds = options.retryAfterSeconds === undefined ? undefined : Math.ceil(options.retryAfterSeconds);
    const said = options.spent ? 'the quota of this account is used up' : 'too many requests';
    super(`${provider} refused the call: ${said}.`, {
      cause: options.cause,
      advice:
        seconds === undefined
          ? 'Wait a little, or choose another model.'
          : `Try again in ${seconds} s, or choose another model.`,
      action: options.spent ? 'choose-model' : 'retry',
    });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The messages do not fit the model's context window. */
export class ContextTooLongError extends HoptrailError {
  readonly code = 'context-too-long';

  constructor(model: string, options: Cause & { tokens?: number; contextTokens?: number } = {}) {
    const sizes =
      options.tokens === undefined || options.contextTokens === undefined
        ? ''
        : ` (about ${options.tokens} tokens, it takes ${options.contextTokens})`;
    super(`The question and its passages are too long for ${model}${sizes}.`, {
      cause: options.cause,
      advice: 'Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.',
      action: 'open-settings',
    });
  }
}

/** The model or its content filter declined to answer. */
export class RefusedError extends HoptrailError {
  readonly code = 'model-refused';

  constructor(model: string, reason: string, options: Cause = {}) {
    super(`${model} declined to answer: ${reason}`, {
      ...options,
      advice: 'Ask in other words, or choose another model.',
      action: 'choose-model',
    });
  }
}

/** The model says what nobody can read. */
export class NonsenseError extends HoptrailError {
  readonly code = 'model-nonsense';

  /** @param sample What it says over and over, or the last signs of it. */
  constructor(model: string, sample: string) {
    const shown = sample.replace(/[\p{C}\ufffd]/gu, '').trim();
    super(`${model} says nothing that can be read${shown === '' ? '' : `: “${shown}”, over and over`}.`, {
      advice: 'Its file may be damaged, or its server may give it prompts of another form: choose another model.',
      action: 'choose-model',
    });
  }
}

/** All that a reply may be long went into what the model thought before it spoke. */
export class OnlyThoughtsError extends HoptrailError {
  readonly code = 'model-only-thoughts';
  /** What it cost: budgets count it. */
  readonly usage: TokenUsage;

  constructor(model: string, tokens: number, usage: TokenUsage) {
    super(`${model} thought for ${tokens} tokens and came to no word of an answer.`, {
      advice: 'Choose a model that thinks less, or turn its thinking off where it is served.',
      action: 'choose-model',
    });
    this.usage = usage;
  }
}

/** The endpoint cannot be reached, cut the connection, failed inside, or is no model endpoint at all. */
export class UnreachableError extends HoptrailError {
  readonly code = 'model-unreachable';

  constructor(message: string, options: Cause & { advice?: string } = {}) {
    super(message, {
      cause: options.cause,
      advice: options.advice ?? 'Is the server running, and is its address right?',
      action: 'choose-model',
    });
  }
}

/** The endpoint understood the request and rejects it, for a reason of its own. */
export class BadRequestError extends HoptrailError {
  readonly code = 'model-bad-request';

  constructor(model: string, reason: string, options: Cause = {}) {
    super(`${model} rejects the request: ${reason}`, {
      ...options,
      advice: 'Choose another model, or look at the log for what was sent.',
      action: 'choose-model',
    });
  }
}

/** The call took longer than its deadline, or the server was silent for longer than the connection bears (`silent`). */
export class ModelTimeoutError extends HoptrailError {
  readonly code = 'model-timeout';

  constructor(model: string, seconds: number, options: Cause & { silent?: boolean } = {}) {
    super(`${model} ${options.silent ? 'sent nothing for' : 'did not finish within'} ${seconds} s.`, {
      cause: options.cause,
      advice: options.silent
        ? 'The server is busy or the model too slow for this machine: choose a smaller one.'
        : 'Try again, choose a faster model, or raise hoptrail.budget.',
      action: 'retry',
    });
  }
}

/** The reply does not have the form that was asked for, even after one repair attempt. */
export class BadReplyError extends HoptrailError {
  readonly code = 'model-bad-reply';
  /** The last reply, cut to 2,000 characters. */
  readonly reply: string;
  /** What the failed attempts cost: budgets count it. */
  readonly usage: TokenUsage;
  readonly calls: number;

  constructor(
    model: string,
    what: string,
    details: { reply: string; problem: string; usage: TokenUsage; calls: number; cause?: unknown },
  ) {
    super(`${model} did not give a usable ${what}: ${details.problem}`, {
      cause: details.cause,
      advice: 'Small models often break the form of a reply: try again or choose a larger one.',
      action: 'retry',
    });
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
  error instanceof OnlyThoughtsError;
