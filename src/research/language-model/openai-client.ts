import { APIConnectionError, APIError, OpenAI } from 'openai';
import {
  endpointFetch,
  isAbortError,
  isLoopback,
  type ProxySettings,
  readAddress,
  readJson,
  redact,
  redactError,
  rememberSecret,
  withoutTrailingSlashes,
} from '#base';
import { WHOLE_REPLY_BYTES } from './complete.ts';
import { UnreachableError } from './errors.ts';

/** An OpenAI-compatible endpoint: OpenAI, Ollama, LM Studio, llama.cpp, vLLM. */
export interface OpenAiEndpoint {
  /** As the person wrote it: with or without `http://` and `/v1`, with credentials or a query. */
  baseUrl: string;
  /** The key that is kept for the address as it was written, without blanks and slashes at its end. */
  apiKey: (baseUrl: string) => Promise<string | undefined>;
  /** For tests and where the editor has a fetch of its own; default the runtime's, through the environment's proxy. */
  fetch?: typeof globalThis.fetch;
  proxy?: ProxySettings;
}

/** Longest time the client itself would wait; deadlines are ours. */
const NEVER = 2 ** 31 - 1;

/** What fetch threw. Not as `cause`: the client drops whatever speaks of a timeout there. */
export class FetchFailure extends Error {
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('fetch failed');
    this.failure = redactError(failure);
  }
}

/** What a server says of an error: under `error`, at the top (vLLM), under `detail` (FastAPI), as text or as a list. */
export function saidIn(body: unknown): object | undefined {
  const { error, message: top, detail } = (body ?? {}) as { error?: unknown; message?: unknown; detail?: unknown };
  if (typeof error === 'string') return { message: error };
  if (typeof error === 'object' && error !== null) return error;
  const message = top ?? detail;
  if (message === undefined || message === null || message === '') return undefined;
  return { message: typeof message === 'string' ? message : JSON.stringify(message) };
}

/** Servers that are only nearly compatible put the message elsewhere. */
class CompatibleClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object,
    message: string | undefined,
    headers: Headers,
  ): ReturnType<OpenAI['makeStatusError']> {
    const nested = saidIn(body);
    return redactError(
      super.makeStatusError(
        status,
        redactError(nested ? { error: nested } : body),
        message === undefined ? message : redact(message),
        redactError(new Headers(headers)),
      ),
    );
  }
}

/** A client for one call (`keyed`: with credentials). Retries and deadlines are ours; no redirect elsewhere. */
export async function openAiClient(
  { baseUrl: written, apiKey, fetch, proxy }: OpenAiEndpoint,
  replyBytes: number,
  baseUrl = answeringUrlOf(written),
): Promise<{ client: OpenAI; keyed: boolean }> {
  const { base, query, host, authorization } = readAddress(baseUrl);
  const key = authorization === undefined ? await apiKey(withoutTrailingSlashes(written.trim())) : undefined;
  rememberSecret(key);
  const send = endpointFetch({ replyBytes, fetch, proxy });
  const client = new CompatibleClient({
    baseURL: base,
    ...(query !== '' && { defaultQuery: Object.fromEntries(new URLSearchParams(query)) }),
    // Everything is given explicitly: what is left out, the client would take from the environment and send to this
    // endpoint.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: {
      Authorization: authorization ?? (key ? `Bearer ${key}` : null),
      ...(key && host.endsWith('.azure.com') && { 'api-key': key }), // the name that Azure's older addresses want
    },
    maxRetries: 0,
    timeout: NEVER,
    logLevel: 'off',
    fetch: async (input, init) => {
      try {
        return await send(input, init);
      } catch (error) {
        // The client drops everything but the message of what it does not know.
        throw isAbortError(error) ? error : new FetchFailure(error);
      }
    },
  });
  return { client, keyed: Boolean(authorization ?? key) };
}

/** One JSON value, of a path or an address in full; sent by POST where there is a body. */
export async function askJson(client: OpenAI, path: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
  const asked = body === undefined ? client.get(path, { signal }) : client.post(path, { body, signal });
  return readJson(await asked.asResponse(), new URL(client.baseURL).host, WHOLE_REPLY_BYTES);
}

const VERSION = /\/v\d{1,3}(?:(?:beta|alpha)\d{0,3})?(?:\/|$)/;
const BEYOND = /\/(?:chat\/completions|completions|models|embeddings)$/;

/**
 * The addresses that may be meant, likeliest first: `localhost:11434` is `http://localhost:11434/v1`, else
 * `http://localhost:11434`. Without a scheme, plain HTTP is spoken to this machine and to the local network only.
 * @throws UnreachableError where it is no http address
 */
function baseUrlsOf(written: string): [string, ...string[]] {
  const trimmed = withoutTrailingSlashes(written.trim());
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(written.trim());
  const schemes = withScheme ? [''] : isLocal(trimmed) ? ['http://', 'https://'] : ['https://'];
  const urls = schemes.flatMap((scheme) => {
    const url = parsedUrl(`${scheme}${trimmed}`);
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return [];
    const path = withoutTrailingSlashes(url.pathname).replace(BEYOND, '');
    const credentials = url.password || url.username ? `${url.username}:${url.password}@` : '';
    const at = (pathname: string): string =>
      `${url.protocol}//${credentials}${url.host}${withoutTrailingSlashes(pathname)}${url.search}`;
    return VERSION.test(path) ? [at(path)] : [at(`${path}/v1`), at(path)];
  });
  const [first, ...others] = urls;
  if (first === undefined) throw new UnreachableError({ what: 'no-address', endpoint: redact(written) });
  return [first, ...others];
}

const parsedUrl = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

function isLocal(address: string): boolean {
  const hostname = parsedUrl(`http://${address}`)?.hostname;
  if (hostname === undefined) return false;
  return (
    isLoopback(hostname) ||
    !hostname.includes('.') ||
    /\.(?:local|lan|internal|home|arpa)$/i.test(hostname) ||
    /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\./.test(hostname)
  );
}

/** Of each address as it was written, the one of {@link baseUrlsOf} that has answered. */
const answering = new Map<string, string>();

export const answeringUrlOf = (written: string): string => answering.get(written.trim()) ?? baseUrlsOf(written)[0];

/** Asks at the address that has answered before, else at each that may be meant. @throws the first failure */
export async function atAnsweringUrl<T>(written: string, ask: (baseUrl: string) => Promise<T>): Promise<T> {
  const known = answering.get(written.trim());
  if (known !== undefined) return ask(known);
  let first: unknown;
  for (const baseUrl of baseUrlsOf(written)) {
    try {
      const answer = await ask(baseUrl);
      answering.set(written.trim(), baseUrl);
      return answer;
    } catch (error) {
      if (!isOfAddress(error)) throw first ?? error;
      first ??= error;
    }
  }
  throw first;
}

/** Whether another address may be meant: nothing that knows of models is there, or it speaks otherwise. */
function isOfAddress(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.what === 'not-an-endpoint' || error.what === 'no-list';
  if (error instanceof APIConnectionError) return true;
  if (!(error instanceof APIError)) return false;
  if (error.status === 404 || error.status === 405) return !/\bmodel\b/i.test(error.message);
  return error.status === 400 && /https/i.test(error.message);
}

/** The likeliest base URL, and its host for messages. @throws UnreachableError where it is no http address */
export function parseBaseUrl(written: string): { baseUrl: string; host: string } {
  const baseUrl = answeringUrlOf(written);
  return { baseUrl, host: new URL(baseUrl).host };
}
