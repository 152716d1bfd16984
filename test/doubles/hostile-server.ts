import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server misbehaves; what it sends beyond any measure, it sends as fast as it is read. */
export type Misbehaviour =
  | 'silent' // takes the request and answers nothing
  | 'slow bytes' // one byte of a reply after another, a fifth of a second apart
  | 'endless stream' // one piece of text after another, without an end
  | 'one line' // an event stream whose first line never ends
  | 'blank lines' // an event stream of line breaks
  | 'huge JSON' // a body of 100 MB that is one JSON value
  | 'deep JSON' // brackets that open, and none that closes
  | 'nested JSON' // three megabytes of brackets: no more than a reply may have
  | 'huge error' // status 400 with an endless message
  | 'reset' // a piece of a reply, then the connection breaks
  | 'open after the end' // a whole reply, whose connection stays open
  | 'deaf'; // an endless stream that goes on when the other side has closed

const MEGABYTE = 1_000_000;
const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** A real server on this machine that behaves as badly as it is told to, whatever it is asked. */
export class HostileServer {
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  /** Bytes written to all clients. */
  written = 0;
  readonly #server: Server;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
    this.#server = createServer((request, response) => {
      response.on('error', () => undefined); // the client closed: that is what is tested
      void this.#take(request, response, answer);
    });
  }

  static async misbehaving(how: Misbehaviour): Promise<HostileServer> {
    const server: HostileServer = new HostileServer((_request, response) => server.#misbehave(how, response));
    return server.#listen();
  }

  /** Answers every request by a redirect to the same path elsewhere. */
  static redirecting(status: number, target: (path: string) => string): Promise<HostileServer> {
    return new HostileServer(async (request, response) => {
      response.writeHead(status, { location: target(request.url ?? '/') });
      response.end();
    }).#listen();
  }

  static answering(
    answer: (
      request: { method: string; path: string; headers: IncomingMessage['headers']; body: string },
      response: ServerResponse,
    ) => void,
  ): Promise<HostileServer> {
    const server: HostileServer = new HostileServer(async (_request, response) => {
      const last = server.requests.at(-1);
      if (last) answer(last, response);
    });
    return server.#listen();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    await answer(request, response);
  }

  async #misbehave(how: Misbehaviour, response: ServerResponse): Promise<void> {
    const begin = (type: string, status = 200): void => {
      response.writeHead(status, { 'content-type': type });
      response.flushHeaders();
    };
    switch (how) {
      case 'silent':
        return;
      case 'slow bytes': {
        begin('text/event-stream');
        const text = event('slow').repeat(1000);
        let at = 0;
        const timer = setInterval(() => void response.write(text.charAt((at += 1) - 1)), 200);
        this.#timers.add(timer);
        response.on('close', () => clearInterval(timer));
        return;
      }
      case 'endless stream':
        begin('text/event-stream');
        return this.#pour(response, event('word '.repeat(20)).repeat(50), Number.POSITIVE_INFINITY);
      case 'deaf': {
        begin('text/event-stream');
        const timer = setInterval(() => void response.write(event('word '.repeat(20)).repeat(5)), 20);
        this.#timers.add(timer);
        return;
      }
      case 'one line':
        begin('text/event-stream');
        response.write('data: {"choices":[{"delta":{"content":"');
        return this.#pour(response, 'x'.repeat(64_000), 100 * MEGABYTE);
      case 'blank lines':
        begin('text/event-stream');
        return this.#pour(response, '\n'.repeat(64_000), 100 * MEGABYTE);
      case 'huge JSON':
        begin('application/json');
        response.write('{"data":[],"choices":[{"message":{"content":"');
        return this.#pour(response, 'x'.repeat(64_000), 100 * MEGABYTE);
      case 'deep JSON':
        begin('application/json');
        return this.#pour(response, '['.repeat(64_000), 100 * MEGABYTE);
      case 'nested JSON':
        begin('application/json');
        response.end('[1,'.repeat(MEGABYTE));
        return;
      case 'huge error':
        begin('application/json', 400);
        response.write('{"error":{"message":"');
        return this.#pour(response, 'no '.repeat(20_000), 100 * MEGABYTE);
      case 'reset':
        begin('text/event-stream');
        response.write(event('begun'));
        setTimeout(() => response.destroy(), 20);
        return;
      case 'open after the end':
        begin('text/event-stream');
        response.write(`${event('ready')}data: [DONE]\n\n`);
    }
  }

  async #pour(response: ServerResponse, piece: string, most: number): Promise<void> {
    const bytes = Buffer.from(piece);
    for (let sent = 0; sent < most && !response.destroyed && !response.closed; sent += bytes.length) {
      this.written += bytes.length;
      if (!response.write(bytes)) await writable(response);
    }
    response.end();
  }
}

/** Resolves when more can be written, or when the other side has closed. */
async function writable(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/**
 * The longest time, in milliseconds, for which nothing else could run while this went on. A busy machine gives a
 * process less time than passes: only what the process itself worked counts.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let worked = process.cpuUsage();
  const look = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(worked);
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1_000) - 5);
    last = now;
    worked = process.cpuUsage();
  };
  const timer = setInterval(look, 5);
  try {
    await work();
  } finally {
    look();
    clearInterval(timer);
  }
  return longest;
}
