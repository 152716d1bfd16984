import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { endpointFetch, RedirectedError } from '../../../src/base/endpoint-fetch.ts';
import { openEndpointEmbedder } from '../../../src/search/embedding/endpoint-embedder.ts';
import { complete } from '../../../src/research/language-model/complete.ts';
import { listOpenAiModels } from '../../../src/research/language-model/openai-models.ts';
import { openAiModel } from '../../../src/research/language-model/openai-model.ts';
import { openAiFineTuning } from '../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { HostileServer } from '../../doubles/hostile-server.ts';

const apiKey = async (): Promise<string> => 'sk-secret-of-the-first-server';
const never = new AbortController().signal;
const lines = '{"messages":[{"role":"user","content":"text of a document"}]}\n';

const calls: Record<string, (baseUrl: string) => Promise<unknown>> = {
  chat: (baseUrl) =>
    complete(openAiModel({ baseUrl, model: 'm', apiKey }), [{ role: 'user', content: 'text of a document' }]),
  'a list of models': (baseUrl) => listOpenAiModels({ baseUrl, apiKey }),
  embeddings: (baseUrl) => openEndpointEmbedder({ baseUrl, model: 'm', apiKey: 'sk-secret-of-the-first-server' }),
  'a fine-tuning upload': (baseUrl) => openAiFineTuning({ baseUrl, apiKey }).upload('round', lines, never),
  'a fine-tuning poll': (baseUrl) => openAiFineTuning({ baseUrl, apiKey }).job('job-1', never),
};

describe('redirects', () => {
  const servers: HostileServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  const add = async (starting: Promise<HostileServer>): Promise<HostileServer> => {
    const server = await starting;
    servers.push(server);
    return server;
  };

  for (const [name, call] of Object.entries(calls)) {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`${name}: a ${status} to another origin is refused, and nothing reaches it`, async () => {
        const second = await add(HostileServer.answering((_request, response) => response.end('{}')));
        const first = await add(HostileServer.redirecting(status, (path) => `${second.origin}${path}`));
        await assert.rejects(call(first.baseUrl), (error) => {
          assert.ok(error instanceof RedirectedError, String(error));
          assert.ok(error.message.includes(first.origin) && error.message.includes(second.origin), error.message);
          assert.match(error.advice ?? '', /set the new address/);
          return true;
        });
        assert.equal(first.requests.length, 1, 'it is not tried again');
        assert.deepEqual(second.requests, []);
      });
    }
  }

  it('refuses an upload that is redirected after the file list was answered', async () => {
    const second = await add(HostileServer.answering((_request, response) => response.end('{}')));
    const first = await add(
      HostileServer.answering(({ method, path }, response) => {
        if (method === 'GET')
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"object":"list","data":[],"has_more":false}');
        else response.writeHead(307, { location: `${second.origin}${path}` }).end();
      }),
    );
    await assert.rejects(
      openAiFineTuning({ baseUrl: first.baseUrl, apiKey }).upload('round', lines, never),
      RedirectedError,
    );
    assert.ok(first.requests.some(({ body }) => body.includes('text of a document')));
    assert.deepEqual(second.requests, []);
  });

  it('follows a redirect within the origin with method, body and key', async () => {
    const server = await add(
      HostileServer.answering(({ path }, response) => {
        if (path === '/v1/chat/completions') response.writeHead(307, { location: '/v2/chat/completions' }).end();
        else
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ choices: [{ message: { content: 'moved' }, finish_reason: 'stop' }] }));
      }),
    );
    assert.equal(
      (
        await complete(openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey }), [
          { role: 'user', content: 'hello' },
        ])
      ).text,
      'moved',
    );
    assert.deepEqual(
      server.requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /v1/chat/completions', 'POST /v2/chat/completions'],
    );
    assert.ok(server.requests[1]?.body.includes('hello'));
    assert.equal(server.requests[1]?.headers.authorization, 'Bearer sk-secret-of-the-first-server');
  });

  it('gives up on redirects in a circle', async () => {
    const server = await add(HostileServer.redirecting(307, (path) => path));
    await assert.rejects(endpointFetch({ replyBytes: 1000 })(`${server.baseUrl}/models`), RedirectedError);
    assert.ok(server.requests.length <= 6);
  });

  it('refuses a redirect whose target is hidden or cannot be read', async () => {
    const opaque = endpointFetch({
      replyBytes: 1000,
      fetch: async () => ({ type: 'opaqueredirect', status: 0, headers: new Headers(), body: null }) as Response,
    });
    await assert.rejects(opaque('https://models.example/v1'), RedirectedError);
    const server = await add(HostileServer.redirecting(302, () => 'http://['));
    await assert.rejects(endpointFetch({ replyBytes: 1000 })(`${server.baseUrl}/models`), RedirectedError);
  });
});
