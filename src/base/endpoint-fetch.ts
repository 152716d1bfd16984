import { HoptrailError } from './errors.ts';
import { proxiedFetch, type ProxySettings } from './proxied-fetch.ts';
import { redact } from './redact.ts';

/** The endpoint answered with a redirect to another place: nothing was sent there. */
export class RedirectedError extends HoptrailError {
  readonly code = 'endpoint-redirected';

  constructor(from: URL, to: URL | undefined) {
    super(
      `${placeOf(from)} redirected to ${to ? placeOf(to) : 'another address'}. Hoptrail sends your text to the ` +
        `address that you chose and nowhere else.`,
      {
        advice: 'If the service moved, set the new address.',
        action: 'open-settings',
      },
    );
  }
}

/** The endpoint sent more than any reply to this request can be: reading was stopped. */
export class ReplyTooLongError extends HoptrailError {
  readonly code = 'reply-too-long';

  constructor(host: string, mostBytes: number) {
    super(
      `${host} sent more than ${Math.ceil(mostBytes / 1000)} KB in one reply, which is more than this request ` +
        `can be answered with; the rest was not read.`,
      {
        advice: 'Check that the address is that of a model endpoint, or choose another model.',
        action: 'choose-model',
      },
    );
  }
}

interface EndpointLimits {
  /** Most bytes of a reply's body, after it was unpacked; a longer one fails with ReplyTooLongError. */
  replyBytes: number;
  /** For tests, and where the editor has a fetch of its own; default the runtime's, through the environment's proxy. */
  fetch?: typeof globalThis.fetch;
  /** Goes before the environment's; of no effect beside `fetch`. */
  proxy?: ProxySettings;
}

/**
 * Most bytes that are read of a reply with an error status: enough for its message. The rest is ignored, without an
 * error.
 */
const ERROR_BYTES = 64 * 1024;
/** Redirects on one origin that are followed, as browsers do. */
const MOST_REDIRECTS = 5;
/** Statuses that send the request elsewhere (RFC 9110, §15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses whose replies have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * The `fetch` for everything that goes to an address which a person chose: chat, lists of models, embeddings,
 * fine-tuning. It follows redirects within the origin alone, so that neither text nor keys reach another host, and
 * reads no more than a reply can be. Rejects with RedirectedError; the body that is read fails with ReplyTooLongError;
 * else as fetch does.
 */
export function endpointFetch({ replyBytes, fetch, proxy }: EndpointLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const send = fetch ?? proxiedFetch(proxy) ?? globalThis.fetch;
    let url = new URL(input instanceof Request ? input.url : String(input));
    let request: RequestInit = { ...init, redirect: 'manual' };
    let response = await send(input instanceof Request ? input : String(input), request);
    for (let followed = 0; isRedirect(response); followed += 1) {
      const location = response.headers.get('location');
      const target = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
      await dropBody(response);
      if (target?.origin !== url.origin || followed >= MOST_REDIRECTS) throw new RedirectedError(url, target);
      // 303 asks for the result by GET; 301 and 302 do in practice where something was posted. 307 and 308 keep the
      // request as it is.
      if (response.status === 303 || (response.status < 303 && request.method?.toUpperCase() === 'POST'))
        request = { ...request, method: 'GET', body: undefined };
      url = target;
      response = await send(url.href, request);
    }
    return bounded(response, url.host, replyBytes);
  };
}

/**
 * Some environments hide where a redirect points: the reply is then of the type `opaqueredirect`, with the status 0.
 */
const isRedirect = (response: Response): boolean =>
  response.type === 'opaqueredirect' || REDIRECTS.has(response.status);

const placeOf = (url: URL): string => redact(`${url.origin}${url.pathname}`.slice(0, 200));

/** The body of a redirect is not wanted; a connection that breaks meanwhile changes nothing. */
async function dropBody(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** The same reply with a body that ends at the limit: with an error, or silently where it only tells of one. */
function bounded(response: Response, host: string, replyBytes: number): Response {
  if (!response.body || WITHOUT_BODY.has(response.status)) return response;
  const most = response.ok ? replyBytes : ERROR_BYTES;
  const reader = response.body.getReader();
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(sink) {
      const { done, value } = await reader.read();
      if (done) return sink.close();
      read += value.byteLength;
      if (read <= most) return sink.enqueue(value);
      if (response.ok) sink.error(new ReplyTooLongError(host, most));
      else {
        sink.enqueue(value.subarray(0, value.byteLength - (read - most)));
        sink.close();
      }
      void reader.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/**
 * Deepest nesting that is parsed: the engine takes a second for four megabytes of brackets, during which nothing else
 * runs.
 */
const DEEPEST = 200;

/**
 * The JSON of a reply's body. It is parsed at once and may therefore be no longer than `mostBytes`.
 * @throws ReplyTooLongError naming `host`; SyntaxError for what is no JSON, or is nested deeper than any reply
 */
export async function readJson(response: Response, host: string, mostBytes: number): Promise<unknown> {
  return parseJson(await readText(response, host, mostBytes));
}

/** The text of a reply's body, in UTF-8. @throws ReplyTooLongError naming `host` */
async function readText(response: Response, host: string, mostBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.byteLength;
    if (length > mostBytes) {
      void reader?.cancel().catch(() => undefined); // closes the connection; that it broke before is of no consequence
      throw new ReplyTooLongError(host, mostBytes);
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

/** @throws SyntaxError for what is no JSON, or is nested deeper than any reply */
export function parseJson(text: string): unknown {
  if (depthOf(text) > DEEPEST) throw new SyntaxError('The reply is nested too deeply.');
  return JSON.parse(text) as unknown;
}

/** How many brackets are open at once, outside of strings; counting stops where there are too many. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length && deepest <= DEEPEST; at += 1) {
    const char = json.charCodeAt(at);
    if (inString) {
      if (char === 92)
        at += 1; // a backslash: the next character is a part of the string
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) deepest = Math.max(deepest, (depth += 1));
    else if (char === 93 || char === 125) depth -= 1;
  }
  return deepest;
}
