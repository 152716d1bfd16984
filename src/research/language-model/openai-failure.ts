import { APIConnectionError, APIError } from 'openai';
import { expression, type Failure, HoptrailError, ProxyFailure, retryAfter } from '#base';
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

const TOO_LONG = expression('i')`
  context[_ ](?:length|window|size)|maximum context|too many (?:input |prompt )?tokens|
  (?:prompt|input|request|message)s? (?:is|are|was) too (?:long|large)|
  input (?:length|tokens?).{0,40}exceed|reduce the length|string_above_max_length|\bn_ctx\b
`;
const EXCEEDS = /exceeds?\b|exceeded\b/i;
const SPENT = /insufficient_quota|billing|credit|exceeded your current quota/i;
const FILTERED = /content[_ ](?:filter|policy)|content management policy|safety system|moderation/i;
/** undici gives up on a server that sends nothing for five minutes. */
const SILENT = /UND_ERR_(?:HEADERS|BODY)_TIMEOUT/;
const SILENT_SECONDS = 300;
/** OpenSSL, of a server that answers a handshake in plain words. */
const PLAIN =
  /ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|wrong version number|packet length too/i;
/** What servers say to who speaks plainly to their encrypted port. */
const ENCRYPTED = /http request (?:was sent )?to (?:an )?https (?:server|port)/i;

const BY_CODE = [
  [/ECONNREFUSED/, 'refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'unknown-host'],
  [PLAIN, 'plain'],
  [/CERT|SSL|TLS/, 'certificate'],
] as const;

interface FailureContext {
  endpoint: string;
  model: string;
  keyed: boolean;
  now: number;
}

/** Turns what the client threw into the typed error, and says whether another attempt may help. */
export function judgeOpenAiFailure(error: unknown, context: FailureContext): Failure {
  const { endpoint } = context;
  const own = withCauses(error).find((one) => one instanceof HoptrailError);
  if (own) return final(own);
  if (error instanceof APIConnectionError) return connectionFailure(error, context);
  if (error instanceof APIError) {
    // Some servers send their errors under status 200, with the status inside.
    const status = error.status ?? statusIn(error);
    return status === undefined ? streamFailure(error, context) : statusFailure(error, status, context);
  }
  if (error instanceof SyntaxError)
    return { error: new UnreachableError({ what: 'no-completion', endpoint }, { cause: error }), retry: true };
  if (error instanceof TypeError) return connectionFailure(error, context); // fetch: "terminated", when the connection is cut
  return final(error);
}

const final = (error: unknown): Failure => ({ error, retry: false });

function statusIn({ code, error }: APIError): number | undefined {
  const inside = (error as { status?: unknown } | undefined)?.status;
  const status = Number(code ?? inside);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function connectionFailure(cause: Error, { endpoint, model }: FailureContext): Failure {
  const causes = withCauses(cause);
  const codes = causes.map((one) => `${(one as NodeJS.ErrnoException).code ?? ''} ${one.message}`).join(' ');
  if (SILENT.test(codes)) return final(new ModelTimeoutError(model, SILENT_SECONDS, { cause, silent: true }));
  const failed = causes.find((one) => one instanceof ProxyFailure);
  if (failed) {
    const reason = withCauses(failed).at(-1)?.message ?? '';
    return final(new UnreachableError({ what: 'proxy', endpoint, proxy: failed.proxy, reason }, { cause }));
  }
  const what = BY_CODE.find(([pattern]) => pattern.test(codes))?.[1] ?? 'broke';
  return { error: new UnreachableError({ what, endpoint }, { cause }), retry: what === 'broke' };
}

function statusFailure(cause: APIError, status: number, { endpoint, model, keyed, now }: FailureContext): Failure {
  const said = sayingOf(cause);
  const words = `${cause.code} ${said}`;
  if (ENCRYPTED.test(said)) return final(new UnreachableError({ what: 'encrypted', endpoint }, { cause }));
  if (status === 401 || status === 403) return final(new WrongKeyError(endpoint, { cause, missing: !keyed }));
  if (status === 404 || status === 405) return final(new NoModelError({ what: 'unknown', endpoint, model }, { cause }));
  if (status === 402 || (status === 429 && SPENT.test(words)))
    return final(new QuotaError(endpoint, { cause, spent: true }));
  if (status === 413 || saysTooLong(words)) return final(new ContextTooLongError(model, { cause }));
  if (status === 429) {
    const afterMilliseconds = retryAfter(cause.headers, now);
    const retryAfterSeconds = afterMilliseconds === undefined ? undefined : afterMilliseconds / 1000;
    return { error: new QuotaError(endpoint, { cause, retryAfterSeconds }), retry: true, afterMilliseconds };
  }
  if (status === 408 || status === 409 || status >= 500) {
    const words = ONLY_STATUS.test(said) ? '' : said;
    const error = new UnreachableError({ what: 'inside', endpoint, status, said: words }, { cause });
    return { error, retry: status !== 501, afterMilliseconds: retryAfter(cause.headers, now) };
  }
  if (FILTERED.test(words)) return final(new RefusedError(model, said, { cause }));
  return final(new BadRequestError(model, said, { cause }));
}

function streamFailure(cause: APIError, { endpoint, model }: FailureContext): Failure {
  const said = sayingOf(cause);
  const words = `${cause.code} ${said}`;
  if (saysTooLong(words)) return final(new ContextTooLongError(model, { cause }));
  if (FILTERED.test(words)) return final(new RefusedError(model, said, { cause }));
  return { error: new UnreachableError({ what: 'broke-off', endpoint, said }, { cause }), retry: true };
}

/** True when a server rejects the messages, as too long or against its rules, and not the form of the request. */
export function rejectsMessages(error: APIError): boolean {
  const said = `${error.code} ${sayingOf(error)}`;
  return saysTooLong(said) || FILTERED.test(said);
}

function saysTooLong(said: string): boolean {
  const exceeds = said.search(EXCEEDS);
  return TOO_LONG.test(said) || (exceeds >= 0 && /\b(?:context|tokens)/i.test(said.slice(exceeds)));
}

/** A server without words of its own: the client says the status once more. */
const ONLY_STATUS = /^(?:\d{3} )?status\b/i;

/** What the server said, without the status in front and not at any length. */
export function sayingOf(error: APIError): string {
  return error.message.replace(/^\d{3} /, '').slice(0, 300);
}

const MOST_CAUSES = 16;

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
