import { OpenAI } from 'openai';
import {
  endpointFetch,
  isAbortError,
  redact,
  redactError,
  rememberSecret,
  rememberSecretsOf,
  withoutTrailingSlashes,
} from '#base';
import { UnreachableError } from './errors.ts';

/** Fetches the key for a base URL from where keys are kept; undefined when there is none (local servers need none). */
type SecretSource = (baseUrl: string) => Promise<string | undefined>;

/** An OpenAI-compatible endpoint: OpenAI, Ollama, LM Studio, llama.cpp, vLLM. */
export interface OpenAiEndpoint {
  /** Up to and including `/v1`. */
  baseUrl: string;
  apiKey: SecretSource;
  /** For tests and proxies; default the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** Longest time the client itself would wait; deadlines are ours. */
const NEVER = 2 ** 31 - 1;

/**
 * What fetch threw. The client drops the error of a timeout, and with it whether the server could not be reached or was
 * only silent: it looks for the word in `cause`, so it is kept elsewhere.
 */
export class FetchFailure extends Error {
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('fetch failed');
    this.failure = redactError(failure);
  }
}

/**
 * Servers that are only nearly compatible put the message elsewhere: at the top (vLLM), or under `detail` (FastAPI).
 */
class CompatibleClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object,
    message: string | undefined,
    headers: Headers,
  ): ReturnType<OpenAI['makeStatusError']> {
    const { error, message: top, detail } = (body ?? {}) as { error?: unknown; message?: unknown; detail?: unknown };
    const nested =
      typeof error === 'string'
        ? { message: error }
        : (error ?? (top || detail ? { message: top ?? detail } : undefined));
    const said = nested ? { error: nested } : body;
    return redactError(
      super.makeStatusError(
        status,
        redactError(said),
        message === undefined ? message : redact(message),
        redactError(new Headers(headers)),
      ),
    );
  }
}

/**
 * A client for one call, with the key as it is now. Retries, deadlines and logging are not left to it. Of a reply,
 * `replyBytes` are read at most; a redirect to another origin is refused.
 */
export async function openAiClient(
  endpoint: OpenAiEndpoint,
  replyBytes: number,
): Promise<{ client: OpenAI; keyed: boolean }> {
  const key = await endpoint.apiKey(endpoint.baseUrl);
  rememberSecret(key);
  rememberSecretsOf(endpoint.baseUrl);
  const send = endpointFetch({ replyBytes, ...(endpoint.fetch && { fetch: endpoint.fetch }) });
  const client = new CompatibleClient({
    baseURL: endpoint.baseUrl,
    // Everything is given explicitly: what is left out, the client would take from the environment and send to this
    // endpoint.
    apiKey: key || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: key ? {} : { Authorization: null },
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
  return { client, keyed: Boolean(key) };
}

/**
 * Base URL without trailing slashes, and its host for messages. @throws UnreachableError when it is no http address.
 */
export function parseBaseUrl(baseUrl: string): { baseUrl: string; host: string } {
  const trimmed = withoutTrailingSlashes(baseUrl.trim());
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UnreachableError(`"${baseUrl}" is no http address of a model endpoint.`, {
      advice: 'Give it in full, such as http://localhost:11434/v1.',
    });
  }
  return { baseUrl: trimmed, host: url.host };
}
