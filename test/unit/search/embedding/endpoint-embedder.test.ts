import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openEndpointEmbedder } from '../../../../src/search/embedding/endpoint-embedder.ts';

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | Error;

/** An endpoint that gives the scripted replies, then vectors `[length, 1]` of each text. */
class ScriptedEndpoint {
  readonly requests: { url: string; authorization: string | undefined; body: { model: string; input: string[] } }[] =
    [];
  readonly waits: number[] = [];
  replies: Reply[] = [];
  most = Infinity;
  vector = (text: string): number[] => [text.length, 1];

  readonly fetch: typeof fetch = async (url, init) => {
    const body = JSON.parse(String(init?.body)) as { model: string; input: string[] };
    this.requests.push({
      url: String(url),
      authorization: new Headers(init?.headers).get('authorization') ?? undefined,
      body,
    });
    const tooMuch = { status: 400, body: { error: { message: 'batch size is invalid' } } };
    const reply: Reply | undefined = body.input.length > this.most ? tooMuch : this.replies.shift();
    if (reply instanceof Error) throw reply;
    if (reply)
      return new Response(JSON.stringify(reply.body ?? { error: 'scripted' }), {
        status: reply.status,
        headers: reply.headers,
      });
    const data = body.input.map((text, index) => ({ index, embedding: this.vector(text) })).reverse();
    return Response.json({ data });
  };

  open(batchSize = 2) {
    return openEndpointEmbedder({
      baseUrl: 'http://localhost:1/v1/',
      model: 'm',
      apiKey: 'secret',
      fetch: this.fetch,
      random: () => 1,
      batchSize,
      sleep: (milliseconds) => {
        this.waits.push(milliseconds);
        return Promise.resolve();
      },
    });
  }
}

describe('endpoint embedder', () => {
  it('learns the length of vectors, sends batches, keeps the order and normalises', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open();
    assert.deepEqual([embedder.dimensions, embedder.id], [2, 'm@http://localhost:1/v1//2']);
    const vectors = await embedder.embedPassages(['a', 'bbb', 'cc']);
    assert.deepEqual(
      vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[1] ?? 1))),
      [1, 3, 2],
    );
    assert.ok(vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-6));
    assert.deepEqual(
      endpoint.requests.map((request) => request.body.input),
      [['ready'], ['a', 'bbb'], ['cc']],
    );
    assert.deepEqual(endpoint.requests[0], {
      url: 'http://localhost:1/v1/embeddings',
      authorization: 'Bearer secret',
      body: { model: 'm', input: ['ready'], encoding_format: 'float' },
    });
  });

  it('asks for fewer at once where a service refuses so many, and remembers', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open(8);
    endpoint.most = 3;
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'];
    for (const sizes of [
      [6, 3, 3],
      [3, 3],
    ]) {
      endpoint.requests.length = 0;
      const vectors = await embedder.embedPassages(texts);
      assert.deepEqual(
        vectors.map(([length = 0, one = 0]) => Math.round(length / one)),
        [1, 2, 3, 4, 5, 6],
      );
      assert.deepEqual(
        endpoint.requests.map(({ body }) => body.input.length),
        sizes,
      );
    }
    endpoint.most = 0;
    await assert.rejects(embedder.embedPassages(texts), { code: 'embedding-endpoint-failed', status: 400 });
  });

  it('tries again when it may help, waiting longer each time or as told', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open();
    endpoint.replies = [
      { status: 503 },
      { status: 429, headers: { 'retry-after': '7' } },
      new TypeError('fetch failed'),
    ];
    assert.equal((await embedder.embedPassages(['a'])).length, 1);
    assert.deepEqual(endpoint.waits, [500, 7_000, 2_000]);
    endpoint.replies = Array.from({ length: 5 }, () => ({ status: 500 }));
    await assert.rejects(embedder.embedPassages(['a']), { code: 'embedding-endpoint-failed', status: 500 });
  });

  it('waits until the day that it is told, as long as that is bearable', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open();
    endpoint.replies = [
      { status: 429, headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' } },
      { status: 429, headers: { 'retry-after-ms': '1250' } },
    ];
    await embedder.embedPassages(['a']);
    assert.deepEqual(endpoint.waits, [30_000, 1_250]);
  });

  it('does not try again when it cannot help, and says what to do', async () => {
    const endpoint = new ScriptedEndpoint();
    endpoint.replies = [{ status: 401 }];
    await assert.rejects(endpoint.open(), { code: 'embedding-endpoint-failed', status: 401, action: 'set-key' });
    assert.equal(endpoint.requests.length, 1);
    endpoint.replies = [{ status: 404 }];
    await assert.rejects(endpoint.open(), { status: 404, action: 'open-settings' });
    assert.deepEqual(endpoint.waits, []);
  });

  it('refuses replies that are not what was asked for', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open();
    for (const body of [
      {},
      { data: [] },
      { data: [{ embedding: 'x' }] },
      { data: [{ embedding: [1, null] }] },
      { data: [{ index: 4, embedding: [1, 2] }] },
      { data: [null] },
    ]) {
      endpoint.replies = [{ status: 200, body }];
      await assert.rejects(embedder.embedPassages(['a']), { code: 'embedding-endpoint-failed', status: 200 });
    }
    endpoint.vector = () => [1, 2, 3];
    await assert.rejects(embedder.embedQuery('a'), { code: 'embedding-dimension-changed' });
  });

  it('ends when aborted, between attempts too', async () => {
    const endpoint = new ScriptedEndpoint();
    const embedder = await endpoint.open();
    const stop = new AbortController();
    endpoint.replies = [{ status: 503 }];
    const asked = embedder.embedPassages(['a'], stop.signal);
    stop.abort();
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('gives up on an endpoint that says nothing, when its patience is over, in few words', async () => {
    const silent = Object.assign(
      (_url: unknown, init?: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        }),
    ) as typeof fetch;
    const options = { baseUrl: 'http://localhost:1/v1', model: 'm', fetch: silent, patience: 60 };
    const began = performance.now();
    await assert.rejects(openEndpointEmbedder(options), /localhost:1.* did not answer in time/s);
    const stop = new AbortController();
    const opening = openEndpointEmbedder({ ...options, patience: 600_000, signal: stop.signal });
    stop.abort();
    await assert.rejects(opening, { name: 'AbortError' });
    const endpoint = new ScriptedEndpoint();
    const slow = await openEndpointEmbedder({ ...options, fetch: endpoint.fetch });
    endpoint.replies = [{ status: 503, headers: { 'retry-after': '20' } }];
    await assert.rejects(slow.embedQuery('where'), /did not answer in time/);
    assert.ok(performance.now() - began < 10_000);
  });

  it('sends the credentials and the query of its address where they belong', async () => {
    const endpoint = new ScriptedEndpoint();
    const baseUrl = 'http://ida:p%40ss@localhost:1/v1?api-version=2';
    await openEndpointEmbedder({ baseUrl, model: 'm', fetch: endpoint.fetch });
    const [{ url, authorization } = { url: '', authorization: '' }] = endpoint.requests;
    assert.deepEqual(
      [url, authorization],
      ['http://localhost:1/v1/embeddings?api-version=2', `Basic ${btoa('ida:p@ss')}`],
    );
    await assert.rejects(openEndpointEmbedder({ baseUrl: 'not one', model: 'm' }), /it is no http address/);
  });
});
