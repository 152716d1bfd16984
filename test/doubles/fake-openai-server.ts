import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one chat request. */
export type FakeReply =
  | {
      kind: 'stream';
      text: string;
      /** Sent before the text, as services do that tell thoughts apart. */
      thoughts?: { field: 'reasoning' | 'reasoning_content'; text: string };
      bytesPerWrite?: number;
      usage?: {
        prompt_tokens: number;
        completion_tokens: number;
        completion_tokens_details?: { reasoning_tokens: number };
      };
      finish?: string | null;
      done?: boolean;
    }
  | { kind: 'whole'; text: string } // ignores `stream`, as some servers do
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  | { kind: 'cut'; after: string } // streams a part, then the connection breaks
  | { kind: 'ends'; after: string } // streams a part, then ends properly, without finish_reason and without [DONE]
  | { kind: 'error-in-stream'; after: string; message: string }
  | { kind: 'page' } // 200 and HTML: a login page in between
  | { kind: 'noise' } // an event stream that holds no JSON
  | { kind: 'other-json' } // 200, JSON, and no completion
  | { kind: 'hang'; after: string }; // streams a part (none at all for ''), then nothing more

export interface FakeRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface FakeServerOptions {
  /** Chat replies in order, or by request; the last of a list is repeated. */
  replies: readonly FakeReply[] | ((request: FakeRequest, index: number) => FakeReply);
  /** Bearer token without which everything is a 401. */
  key?: string;
  /** Answered to `/models`. */
  models?: unknown;
  /** Where it listens; a free one when undefined. */
  port?: number;
  /** What a server says beside the protocol, by path; everything else is a 404. */
  routes?: Readonly<Record<string, unknown>>;
}

/** A server that speaks the OpenAI protocol as well and as badly as real ones do. */
export class FakeOpenAiServer {
  readonly requests: FakeRequest[] = [];
  /** Chat connections that the client closed before the reply was over. */
  closedByClient = 0;
  readonly #options: FakeServerOptions;
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];

  private constructor(options: FakeServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(options: FakeServerOptions): Promise<FakeOpenAiServer> {
    const fake = new FakeOpenAiServer(options);
    await new Promise<void>((resolve, reject) => {
      fake.#server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Resolves when a client has closed a connection early. */
  async closed(): Promise<void> {
    if (this.closedByClient > 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const seen: FakeRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
    this.requests.push(seen);
    if (this.#options.key !== undefined && request.headers.authorization !== `Bearer ${this.#options.key}`) {
      return json(response, 401, { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } });
    }
    if (seen.path === '/v1/models') return json(response, 200, this.#options.models ?? { object: 'list', data: [] });
    const route = this.#options.routes?.[seen.path.split('?')[0] ?? ''];
    if (route !== undefined) return json(response, 200, route);
    if (seen.path !== '/v1/chat/completions')
      return json(response, 404, { error: { message: `no route ${seen.path}` } });
    response.on('close', () => {
      if (response.writableFinished) return;
      this.closedByClient += 1;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
    await play(this.#reply(seen), response);
  }

  #reply(request: FakeRequest): FakeReply {
    const { replies } = this.#options;
    const index = this.requests.filter((one) => one.path === '/v1/chat/completions').length - 1;
    if (typeof replies === 'function') return replies(request, index);
    const reply = replies[Math.min(index, replies.length - 1)];
    if (!reply) throw new Error('The fake server was given no replies.');
    return reply;
  }
}

function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string): string =>
  event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: null }] });

async function play(reply: FakeReply, response: ServerResponse): Promise<void> {
  switch (reply.kind) {
    case 'stream': {
      const finish = reply.finish === undefined ? 'stop' : reply.finish;
      const { thoughts } = reply;
      const events = [
        ...(thoughts
          ? [event({ id: 'c', choices: [{ index: 0, delta: { content: '', [thoughts.field]: thoughts.text } }] })]
          : []),
        ...(reply.text.match(/[\s\S]{1,9}/gu) ?? []).map(delta),
        event({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
        ...(reply.usage ? [event({ id: 'c', choices: [], usage: reply.usage })] : []),
        ...(reply.done === false ? [] : ['data: [DONE]\n\n']),
      ].join('');
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      await writeBytes(response, Buffer.from(events, 'utf8'), reply.bytesPerWrite ?? 64);
      response.end();
      break;
    }
    case 'whole':
      json(response, 200, {
        id: 'c',
        choices: [{ index: 0, message: { role: 'assistant', content: reply.text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      });
      break;
    case 'status':
      json(response, reply.status, reply.body ?? { error: { message: `status ${reply.status}` } }, reply.headers);
      break;
    case 'cut':
      await begin(response, reply.after);
      response.destroy();
      break;
    case 'ends':
      await begin(response, reply.after);
      response.end();
      break;
    case 'error-in-stream':
      await begin(response, reply.after);
      response.end(event({ error: { message: reply.message } }));
      break;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Please sign in</body></html>');
      break;
    case 'noise':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: not json at all\n\n');
      break;
    case 'other-json':
      json(response, 200, { hello: 'world' });
      break;
    case 'hang':
      if (reply.after) await begin(response, reply.after);
      break;
  }
}

async function begin(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (text) await writeBytes(response, Buffer.from(delta(text), 'utf8'), 64);
}

/** Byte-wise pieces, each flushed by itself, so that characters of several bytes are split between reads. */
async function writeBytes(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
