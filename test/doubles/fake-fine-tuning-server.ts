import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeFineTuningOptions {
  /** Bearer token without which everything is a 401. */
  key?: string;
  /** Models that can be fine-tuned. */
  models?: readonly string[];
  /**
   * Statuses that a job goes through, one with each look at it; the last one stays. Default validating_files, queued,
   * running, succeeded.
   */
  course?: readonly string[];
  /** Statuses of its own that a job can end with, and whether there is a model then. */
  ends?: Record<string, boolean>;
  /** Why a job fails whose course ends so. */
  failure?: { code: string; message: string };
  /** What its models say; without it they cannot be asked. */
  chat?: (request: ChatRequest) => string;
  /** Answers instead, the first that fits: `times` counts down, undefined means always. */
  faults?: {
    method?: string;
    path: RegExp;
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
    times?: number;
    afterWork?: boolean;
    /** Called before the reply is sent, after the work if that is done. */ before?(): void;
  }[];
}

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
}

interface StoredFile {
  id: string;
  object: 'file';
  bytes: number;
  created_at: number;
  filename: string;
  purpose: string;
  status: 'processed';
  content: string;
}

interface StoredJob {
  id: string;
  model: string;
  training_file: string;
  metadata: Record<string, string> | null;
  method: unknown;
  seed: number;
  suffix: string | null;
  looks: number;
  cancelled: boolean;
  /** Set when the file turned out not to be training data. */
  invalid?: string;
}

type Body = Record<string, unknown>;
const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

/**
 * A server that behaves like the fine-tuning API: multipart uploads, checks of parameters at once and of the file
 * afterwards, jobs that go on while they are looked at, cancelling, quota, wrong keys. What it was sent is kept for the
 * test to see.
 */
export class FakeFineTuningServer {
  readonly files = new Map<string, StoredFile>();
  readonly jobs = new Map<string, StoredJob>();
  readonly requests: { method: string; path: string }[] = [];
  readonly #options: FakeFineTuningOptions;
  readonly #server: Server;
  #port = 0;
  #ids = 0;

  private constructor(options: FakeFineTuningOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(options: FakeFineTuningOptions = {}): Promise<FakeFineTuningServer> {
    const fake = new FakeFineTuningServer(options);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    fake.#port = (fake.#server.address() as AddressInfo).port;
    return fake;
  }

  /** Its address, also when it has stopped. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  count(method: string, path: RegExp): number {
    return this.requests.filter((request) => request.method === method && path.test(request.path)).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', 'http://fake');
    const method = request.method ?? '';
    this.requests.push({ method, path: pathname });
    if (this.#options.key !== undefined && request.headers.authorization !== `Bearer ${this.#options.key}`)
      return send(
        response,
        401,
        problem('Incorrect API key provided.', 'invalid_request_error', null, 'invalid_api_key'),
      );
    const { chat } = this.#options;
    if (chat && method === 'POST' && pathname === '/v1/chat/completions')
      return stream(response, chat(JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest));
    const fault = this.#options.faults?.find(
      (one) => (one.method ?? method) === method && one.path.test(pathname) && one.times !== 0,
    );
    if (fault?.times !== undefined) fault.times -= 1;
    const [status, body] =
      fault && !fault.afterWork
        ? [fault.status, fault.body]
        : this.#route(method, pathname, request, Buffer.concat(chunks));
    fault?.before?.();
    if (fault) return send(response, fault.status, fault.body, fault.headers);
    send(response, status, body);
  }

  #route(method: string, path: string, request: IncomingMessage, body: Buffer): [number, unknown] {
    const [, section, id, action] = /^\/v1\/(files|fine_tuning\/jobs)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    const unknown: [number, unknown] = [404, problem(`Invalid URL (${method} ${path})`)];
    if (section === 'files') {
      if (method === 'POST' && !id) return this.#upload(request, body);
      if (method === 'GET' && !id)
        return [200, list([...this.files.values()].reverse().map(({ content: _, ...file }) => file))];
      if (method === 'DELETE' && id)
        return this.files.delete(id)
          ? [200, { id, object: 'file', deleted: true }]
          : [404, problem(`No such File object: ${id}`, 'invalid_request_error', 'id')];
      return unknown;
    }
    if (section !== 'fine_tuning/jobs') return unknown;
    if (method === 'POST' && !id) return this.#create(JSON.parse(body.toString('utf8')) as Body);
    if (method === 'GET' && !id) return [200, list([...this.jobs.values()].reverse().map((job) => this.#show(job)))];
    const job = id === undefined ? undefined : this.jobs.get(id);
    if (!job)
      return [
        404,
        problem(`Could not find fine tune: ${id}`, 'invalid_request_error', 'fine_tune_id', 'fine_tune_not_found'),
      ];
    if (method === 'GET' && !action) {
      job.looks += 1;
      return [200, this.#show(job)];
    }
    if (method === 'POST' && action === 'cancel') {
      if (ENDED.has(this.#statusOf(job)))
        return [400, problem(`Job has already completed: ${id}`, 'invalid_request_error')];
      job.cancelled = true;
      return [200, this.#show(job)];
    }
    return unknown;
  }

  #upload(request: IncomingMessage, body: Buffer): [number, unknown] {
    const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(request.headers['content-type'] ?? '');
    if (!boundary) return [400, problem('Content-Type must be multipart/form-data.')];
    const parts = readMultipart(body, boundary[1] ?? boundary[2] ?? '');
    const purpose = parts.find((part) => part.name === 'purpose')?.content;
    const file = parts.find((part) => part.name === 'file');
    if (purpose !== 'fine-tune')
      return [400, problem(`'${purpose}' is not one of ['fine-tune']`, 'invalid_request_error', 'purpose')];
    if (!file?.filename?.endsWith('.jsonl'))
      return [400, problem('Invalid extension. Fine-tuning files must be .jsonl.', 'invalid_request_error', 'file')];
    const bad = firstBadLine(file.content);
    if (bad !== undefined)
      return [400, problem(`Invalid file format. Line ${bad} is no JSON.`, 'invalid_request_error', 'file')];
    const stored: StoredFile = {
      id: `file-${(this.#ids += 1)}`,
      object: 'file',
      bytes: Buffer.byteLength(file.content),
      created_at: 1,
      filename: file.filename,
      purpose,
      status: 'processed',
      content: file.content,
    };
    this.files.set(stored.id, stored);
    const { content: _, ...shown } = stored;
    return [200, shown];
  }

  #create(body: Body): [number, unknown] {
    const { models = ['gpt-4o-mini-2024-07-18'] } = this.#options;
    if (!models.includes(String(body['model'])))
      return [
        400,
        problem(
          `Model ${String(body['model'])} is not available for fine-tuning or does not exist.`,
          'invalid_request_error',
          'model',
          'model_not_available',
        ),
      ];
    const file = this.files.get(String(body['training_file']));
    if (!file)
      return [
        400,
        problem(`invalid training_file: ${String(body['training_file'])}`, 'invalid_request_error', 'training_file'),
      ];
    if (typeof body['suffix'] === 'string' && body['suffix'].length > 64)
      return [400, problem('suffix is too long', 'invalid_request_error', 'suffix')];
    const job: StoredJob = {
      id: `ftjob-${(this.#ids += 1)}`,
      model: String(body['model']),
      training_file: file.id,
      metadata: (body['metadata'] as Record<string, string> | undefined) ?? null,
      method: body['method'],
      seed: Number(body['seed'] ?? 0),
      suffix: (body['suffix'] as string | undefined) ?? null,
      looks: 0,
      cancelled: false,
    };
    const invalid = badExamples(file.content);
    if (invalid !== undefined) job.invalid = invalid;
    this.jobs.set(job.id, job);
    return [200, this.#show(job)];
  }

  #statusOf(job: StoredJob): string {
    if (job.cancelled) return 'cancelled';
    if (job.invalid !== undefined && job.looks > 0) return 'failed';
    const course = this.#options.course ?? ['validating_files', 'queued', 'running', 'succeeded'];
    return course[Math.min(job.looks, course.length - 1)] ?? 'running';
  }

  #show(job: StoredJob): Body {
    const status = this.#statusOf(job);
    const ended = this.#options.ends?.[status];
    const failure =
      job.invalid === undefined
        ? (this.#options.failure ?? { code: 'server_error', message: 'The job failed due to an internal error.' })
        : { code: 'invalid_training_file', message: `The job failed due to an invalid training file. ${job.invalid}` };
    return {
      id: job.id,
      object: 'fine_tuning.job',
      created_at: 1,
      finished_at: ENDED.has(status) || ended !== undefined ? 2 : null,
      model: job.model,
      organization_id: 'org-1',
      result_files: [],
      status,
      error:
        status === 'failed'
          ? { ...failure, param: job.invalid === undefined ? null : 'training_file' }
          : { code: null, message: null, param: null },
      fine_tuned_model: status === 'succeeded' || ended ? `ft:${job.model}:org:${job.suffix ?? ''}:${job.id}` : null,
      trained_tokens: status === 'succeeded' ? 1000 : null,
      training_file: job.training_file,
      validation_file: null,
      seed: job.seed,
      metadata: job.metadata,
      method: job.method,
      hyperparameters: {},
      estimated_finish: null,
    };
  }
}

function stream(response: ServerResponse, text: string): void {
  const piece = (delta: unknown, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${piece({ content: text }, null)}${piece({}, 'stop')}data: [DONE]\n\n`);
}

function readMultipart(body: Buffer, boundary: string): { name: string; filename?: string; content: string }[] {
  return body
    .toString('utf8')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n');
      const filename = /filename="([^"]*)"/.exec(head)?.[1];
      return {
        name: /name="([^"]*)"/.exec(head)?.[1] ?? '',
        content: rest.join('\r\n\r\n').replace(/\r\n$/, ''),
        ...(filename !== undefined && { filename }),
      };
    });
}

function firstBadLine(content: string): number | undefined {
  const at = content.split('\n').findIndex((line) => {
    try {
      return line !== '' && typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });
  return at < 0 ? undefined : at + 1;
}

/** The checks that the service makes after the job was accepted. */
function badExamples(content: string): string | undefined {
  const lines = content.split('\n').filter((line) => line !== '');
  if (lines.length < 10) return `Training file has ${lines.length} example(s), but must have at least 10 examples`;
  for (const [i, line] of lines.entries()) {
    const { messages } = JSON.parse(line) as { messages?: { role?: unknown; content?: unknown }[] };
    if (!Array.isArray(messages) || messages.length === 0) return `Line ${i + 1}: missing messages`;
    if (
      messages.some(
        ({ role, content: text }) =>
          !['system', 'user', 'assistant'].includes(String(role)) || typeof text !== 'string',
      )
    )
      return `Line ${i + 1}: invalid message`;
    if (messages.at(-1)?.role !== 'assistant') return `Line ${i + 1}: the last message must be from the assistant`;
  }
  return undefined;
}

const problem = (
  message: string,
  type = 'invalid_request_error',
  param: string | null = null,
  code: string | null = null,
): unknown => ({ error: { message, type, param, code } });
const list = (data: unknown[]): unknown => ({ object: 'list', data, has_more: false });

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body ?? {}));
}

/** What a judge says of two ways to split a question that it finds alike. */
export const SPLITS_ALIKE = JSON.stringify({
  reason: 'Alike.',
  conciseness: 'tie',
  rationality: 'tie',
  sequencing: 'tie',
  goalOrientation: 'tie',
});
