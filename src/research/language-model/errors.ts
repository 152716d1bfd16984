import { type ErrorReport, HoptrailError, redact } from '#base';
import type { TokenUsage } from './language-model.ts';

type Words = readonly [message: string, advice: string];

abstract class ModelError extends HoptrailError {
  readonly code: string;

  constructor(
    code: string,
    [message, advice]: Words,
    { cause }: ErrorOptions = {},
    action: ErrorReport['action'] = 'choose-model',
  ) {
    super(message, { cause, action, advice });
    this.code = code;
  }
}

const TRY_AGAIN = 'Try again, or choose another model.';
const OTHER_WORDS = 'Ask in other words, or choose another model.';
const SEE_LOG = 'Choose another model, or look at the log for what was sent.';

/** No language model is chosen, or the chosen one is `absent`. */
export class NoModelError extends ModelError {
  constructor(
    absent?: { what: 'unknown'; endpoint: string; model: string } | { what: 'gone'; model: string },
    options?: ErrorOptions,
  ) {
    const message =
      absent === undefined
        ? 'No language model is chosen.'
        : absent.what === 'gone'
          ? `${absent.model} is no longer offered in this editor.`
          : `${absent.endpoint} has no model "${absent.model}" (or its address lacks /v1).`;
    super('no-model', [message, 'Choose a model, or go on with answers made of quotes.'], options);
  }
}

const SET_KEY =
  'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the command line ' +
  'in HOPTRAIL_API_KEY.';

/** The provider does not accept the key, or wants one and got none (`missing`). */
export class WrongKeyError extends ModelError {
  constructor(endpoint: string, options: ErrorOptions & { missing?: boolean } = {}) {
    const fault = options.missing ? 'asks for an API key and none is stored' : 'does not accept the stored API key';
    super('wrong-key', [`${endpoint} ${fault}.`, SET_KEY], options, 'set-key');
  }
}

/** The user has not allowed this extension to use the model. */
export class ConsentError extends ModelError {
  constructor(model: string, options?: ErrorOptions) {
    const message = `Hoptrail may not use ${model}: access was not granted.`;
    super('model-consent', [message, 'Ask again and allow access, or choose another model.'], options);
  }
}

/** Rate limit or spending limit, after the retries that make sense. */
export class QuotaError extends ModelError {
  constructor(provider: string, options: ErrorOptions & { retryAfterSeconds?: number; spent?: boolean } = {}) {
    const { spent, retryAfterSeconds: seconds } = options;
    const why = spent ? 'the quota of this account is used up' : 'too many requests';
    const when = spent || seconds === undefined ? 'Wait a little' : `Try again in ${Math.ceil(seconds)} s`;
    const words: Words = [`${provider} refused the call: ${why}.`, `${when}, or choose another model.`];
    super('model-quota', words, options, spent ? 'choose-model' : 'retry');
  }
}

export class ContextTooLongError extends ModelError {
  constructor(model: string, options: ErrorOptions & { tokens?: number; contextTokens?: number } = {}) {
    const { tokens, contextTokens } = options;
    const isCounted = tokens !== undefined && contextTokens !== undefined;
    const counted = isCounted ? ` (about ${tokens} tokens, it takes ${contextTokens})` : '';
    const advice = 'Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.';
    const message = `The question and its passages are too long for ${model}${counted}.`;
    super('context-too-long', [message, advice], options, 'open-settings');
  }
}

/** The model or its content filter declined to answer. @param reason undefined: the filter stopped it */
export class RefusedError extends ModelError {
  constructor(model: string, reason: string | undefined, options?: ErrorOptions) {
    const filtered = `The content filter of ${model} stopped the reply.`;
    const message = reason === undefined ? filtered : `${model} declined to answer: ${reason}`;
    super('model-refused', [message, OTHER_WORDS], options);
  }
}

/** The reply cannot be read. @param sample the signs that it repeats, or its last ones */
export class NonsenseError extends ModelError {
  constructor(model: string, sample: string) {
    const shown = sample.replace(/[\p{C}\ufffd]/gu, '').trim();
    const repeated = shown === '' ? '' : `: “${shown}”, over and over`;
    const advice = 'Its file may be damaged, or its server may give it prompts of another form: choose another model.';
    super('model-nonsense', [`${model} says nothing that can be read${repeated}.`, advice]);
  }
}

/** A reply without text: nothing at all, only thoughts, or only a tool call that nobody offered or asked for. */
export class EmptyReplyError extends ModelError {
  readonly why: 'silent' | 'thoughts' | 'tool';
  readonly usage: TokenUsage;

  constructor(model: string, why: EmptyReplyError['why'], usage: TokenUsage) {
    const words: Record<EmptyReplyError['why'], Words> = {
      silent: [`${model} sent an empty reply.`, TRY_AGAIN],
      tool: [`${model} called a tool and wrote no answer.`, TRY_AGAIN],
      thoughts: [
        `${model} thought for ${usage.outputTokens} tokens and came to no word of an answer.`,
        'Choose a model that thinks less, or turn its thinking off where it is served.',
      ],
    };
    super('model-empty-reply', words[why]);
    this.why = why;
    this.usage = usage;
  }
}

/** A request with tools was refused; the model's `tools` is false now. */
export class ToolsRefusedError extends ModelError {
  constructor(model: string, options?: ErrorOptions) {
    super('model-without-tools', [`${model} takes no tools.`, SEE_LOG], options);
  }
}

/** An endpoint that cannot be used, with what it said, or why. */
interface Unreached {
  /** Host and port; of the editor its model. */
  endpoint: string;
  proxy?: string;
  reason?: string;
  status?: number;
  said?: string;
  type?: string;
}
type HowUnreached = keyof ReturnType<typeof unreachable>;

/** The endpoint cannot be reached, cut the connection, failed inside, or is no model endpoint at all. */
export class UnreachableError extends ModelError {
  readonly what: HowUnreached;

  constructor({ what, ...unreached }: Unreached & { what: HowUnreached }, options?: ErrorOptions) {
    super('model-unreachable', unreachable(unreached)[what], options);
    this.what = what;
  }
}

/** `plain`: TLS was spoken to a server without it; `encrypted`: the other way round. */
function unreachable({ endpoint, proxy, reason, status, said = '', type }: Unreached) {
  const isRunning = 'Is the server running, and is its address right?';
  const atServer = 'Try again in a while; the trouble is at the server.';
  const checkAddress = 'Check the address; most servers want it to end in /v1.';
  const checkProxy = 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or http.proxy in the settings.';
  const seeSettings = 'See http.systemCertificates and http.proxyStrictSSL.';
  const beginWith = (scheme: string, other: string): string => `Begin the address with ${scheme} instead of ${other}.`;
  return {
    refused: [`Nothing answers at ${endpoint}.`, isRunning],
    'unknown-host': [`${endpoint} is not known to this network.`, isRunning],
    proxy: [`${endpoint} cannot be reached through the proxy ${proxy}: ${reason}`, checkProxy],
    certificate: [`The certificate of ${endpoint} is not accepted.`, seeSettings],
    plain: [`${endpoint} does not speak HTTPS.`, beginWith('http://', 'https://')],
    encrypted: [`${endpoint} speaks HTTPS only.`, beginWith('https://', 'http://')],
    broke: [`The connection to ${endpoint} broke.`, isRunning],
    inside: [`${endpoint} failed inside (status ${status})${ending(said)}`, atServer],
    'broke-off': [`${endpoint} broke off its reply${ending(said)}`, atServer],
    'not-an-endpoint': [`${endpoint} answers with ${type}: this is no model endpoint.`, checkAddress],
    'no-completion': [`${endpoint} sent something that is no reply of a model.`, checkAddress],
    'no-list': [`${endpoint} has no list of models.`, checkAddress],
    'no-address': [
      `"${endpoint}" is no http address of a model endpoint.`,
      'Give it in full, such as http://localhost:11434/v1.',
    ],
    editor: [`${endpoint} cannot be reached: ${reason}`, 'Check the network and the extension that offers this model.'],
  } satisfies Record<string, Words>;
}

/** The server's words as the end of a sentence: others may follow. */
function ending(said: string): string {
  if (said.trim() === '') return '.';
  return /[.!?…。]$/u.test(said.trimEnd()) ? `: ${said}` : `: ${said}.`;
}

export class BadRequestError extends ModelError {
  constructor(model: string, reason: string, options?: ErrorOptions) {
    super('model-bad-request', [`${model} rejects the request: ${reason}`, SEE_LOG], options);
  }
}

/** The call passed its deadline, or the server sent nothing for too long (`silent`). */
export class ModelTimeoutError extends ModelError {
  constructor(model: string, seconds: number, options: ErrorOptions & { silent?: boolean } = {}) {
    const words: Words = options.silent
      ? [
          `${model} sent nothing for ${seconds} s.`,
          'The server is busy or the model too slow for this machine: choose a smaller one.',
        ]
      : [`${model} did not finish within ${seconds} s.`, 'Try again, choose a faster model, or raise hoptrail.budget.'];
    super('model-timeout', words, options, 'retry');
  }
}

/** The reply does not have the form that was asked for (`form`), even after one repair attempt. */
export class BadReplyError extends ModelError {
  /** The last reply, cut to 2,000 characters. */
  readonly reply: string;
  readonly usage: TokenUsage;
  readonly calls: number;

  constructor(
    model: string,
    form: string,
    details: { reply: string; problem: string; usage: TokenUsage; calls: number; cause?: unknown },
  ) {
    const advice = 'Small models often break the form of a reply: try again or choose a larger one.';
    super('model-bad-reply', [`${model} did not give a usable ${form}: ${details.problem}`, advice], details, 'retry');
    this.reply = redact(details.reply.slice(0, 2000));
    this.usage = details.usage;
    this.calls = details.calls;
  }
}

/** True if an error concerns a single reply: another prompt may fare better. */
export const isOfOneReply = (error: unknown): boolean =>
  [BadReplyError, RefusedError, ContextTooLongError, EmptyReplyError].some((kind) => error instanceof kind);
