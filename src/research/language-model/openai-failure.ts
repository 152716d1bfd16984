import { APIConnectionError, APIError } from 'openai';
import { type Failure, HoptrailError, retryAfter } from '#base';
import {
  BadRequestError,
  ContextTooLongError,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  UnreachableError,
  WrongKeyError,
} from './errors.ts';
import { FetchFailure } from './openai-client.ts';

const TOO_LONG =
  /context[_ ](?:length|window|size)|maximum context|too many (?:input )?tokens|prompt (?:is|was) too long|\bn_ctx\b/i;
const EXCEEDS = /exceeds?\b/i;
const SPENT = /insufficient_quota|billing|credit|exceeded your current quota/i;
const FILTERED = /content[_ ](?:filter|policy)|safety system|moderation/i;
/** undici gives up on a server that sends nothing for five minutes. */
const SILENT = /UND_ERR_(?:HEADERS|BODY)_TIMEOUT/;
const SILENT_SECONDS = 300;

interface FailureContext {
  /** Host and port, for messages. */
  endpoint: string;
  model: string;
  /** A key was sent. */
  keyed: boolean;
  now: number;
}

/** Turns what the client threw into the typed error, and says whether another attempt may help. */
export function judgeOpenAiFailure(error: unknown, context: FailureContext): Failure {
  const own = ownError(error);
  if (own) return final(own);
  if (error instanceof APIConnectionError) return connectionFailure(error, context);
  if (error instanceof APIError)
    return error.status === undefined ? streamFailure(error, context) : statusFailure(error, error.status, context);
  if (error instanceof SyntaxError) {
    return {
      error: new UnreachableError(`${context.endpoint} sent something that is no reply of a model.`, { cause: error }),
      retry: true,
    };
  }
  if (error instanceof TypeError) return connectionFailure(error, context); // fetch: "terminated", when the connection is cut
  return final(error);
}

/** A failure that another attempt would meet, too. */
const final = (error: unknown): Failure => ({ error, retry: false });

function connectionFailure(cause: Error, { endpoint, model }: FailureContext): Failure {
  const codes = errorCodes(cause);
  if (SILENT.test(codes)) return final(new ModelTimeoutError(model, SILENT_SECONDS, { cause, silent: true }));
  if (/ECONNREFUSED/.test(codes)) return final(new UnreachableError(`Nothing answers at ${endpoint}.`, { cause }));
  if (/ENOTFOUND|EAI_AGAIN/.test(codes))
    return final(new UnreachableError(`${endpoint} is not known to this network.`, { cause }));
  if (/CERT|SSL|TLS/.test(codes)) {
    const advice = 'See http.systemCertificates and http.proxyStrictSSL.';
    return final(new UnreachableError(`The certificate of ${endpoint} is not accepted.`, { cause, advice }));
  }
  return { error: new UnreachableError(`The connection to ${endpoint} broke.`, { cause }), retry: true };
}

function statusFailure(cause: APIError, status: number, { endpoint, model, keyed, now }: FailureContext): Failure {
  const said = sayingOf(cause);
  if (status === 401 || status === 403) return final(new WrongKeyError(endpoint, { cause, missing: !keyed }));
  if (status === 404)
    return final(new NoModelError(`${endpoint} has no model "${model}" (or its address lacks /v1).`, { cause }));
  if (status === 402 || (status === 429 && SPENT.test(`${cause.code} ${said}`)))
    return final(new QuotaError(endpoint, { cause, spent: true }));
  if (status === 429) {
    const afterMilliseconds = retryAfter(cause.headers, now);
    const retryAfterSeconds = afterMilliseconds === undefined ? undefined : afterMilliseconds / 1000;
    return { error: new QuotaError(endpoint, { cause, retryAfterSeconds }), retry: true, afterMilliseconds };
  }
  if (status === 413 || saysTooLong(`${cause.code} ${said}`)) return final(new ContextTooLongError(model, { cause }));
  if (status === 408 || status === 409 || status >= 500) {
    const error = new UnreachableError(asSentence(`${endpoint} failed inside (status ${status})`, said), {
      cause,
      advice: 'Try again in a while; the trouble is at the server.',
    });
    return { error, retry: status !== 501, afterMilliseconds: retryAfter(cause.headers, now) };
  }
  if (FILTERED.test(`${cause.code} ${said}`)) return final(new RefusedError(model, said, { cause }));
  return final(new BadRequestError(model, said, { cause }));
}

/** An error object inside the stream. */
function streamFailure(cause: APIError, { endpoint, model }: FailureContext): Failure {
  const said = sayingOf(cause);
  if (saysTooLong(`${cause.code} ${said}`)) return final(new ContextTooLongError(model, { cause }));
  if (FILTERED.test(`${cause.code} ${said}`)) return final(new RefusedError(model, said, { cause }));
  return { error: new UnreachableError(asSentence(`${endpoint} broke off its reply`, said), { cause }), retry: true };
}

/** True when a server rejects what the messages say, as too long or against its rules, and not how it was asked. */
export function rejectsMessages(error: APIError): boolean {
  const said = `${error.code} ${sayingOf(error)}`;
  return saysTooLong(said) || FILTERED.test(said);
}

/** True when the server says that the messages are too long for the model. */
function saysTooLong(said: string): boolean {
  const exceeds = said.search(EXCEEDS);
  return TOO_LONG.test(said) || (exceeds >= 0 && /\b(?:context|tokens)/i.test(said.slice(exceeds)));
}

/** A server without words of its own: the client says the status once more. */
const ONLY_STATUS = /^(?:\d{3} )?status\b/i;

/** What happened, with what the server said of it, as a sentence: others may follow. */
function asSentence(what: string, said: string): string {
  if (said.trim() === '' || ONLY_STATUS.test(said)) return `${what}.`;
  return /[.!?…]$/.test(said.trimEnd()) ? `${what}: ${said}` : `${what}: ${said}.`;
}

/** What the server said, without the status in front and not at any length. */
export function sayingOf(error: APIError): string {
  return error.message.replace(/^\d{3} /, '').slice(0, 300);
}

/** An error of ours that the client has wrapped: a redirect that was refused, a reply that was too long. */
const ownError = (error: unknown): HoptrailError | undefined =>
  withCauses(error).find((one) => one instanceof HoptrailError);

const errorCodes = (error: unknown): string =>
  withCauses(error)
    .map((one) => `${(one as NodeJS.ErrnoException).code ?? ''} ${one.message}`)
    .join(' ');

/** An error and what it was caused by, the outermost first; a chain that leads in a circle ends somewhere. */
function withCauses(error: unknown): Error[] {
  const errors: Error[] = [];
  for (
    let at = error;
    at instanceof Error && errors.length < MOST_CAUSES;
    at = at instanceof FetchFailure ? at.failure : at.cause
  )
    errors.push(at);
  return errors;
}

const MOST_CAUSES = 16;
