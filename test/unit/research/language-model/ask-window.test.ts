import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { complete } from '../../../../src/research/language-model/complete.ts';
import { openAiModel, type OpenAiModelOptions } from '../../../../src/research/language-model/openai-model.ts';
import { FakeOpenAiServer, type FakeServerOptions } from '../../../doubles/fake-openai-server.ts';
import { HostileServer } from '../../../doubles/hostile-server.ts';

const NAME = 'qwen2.5:7b';
const list = (entry: Record<string, unknown>, ...more: Record<string, unknown>[]) => ({
  object: 'list',
  data: [{ id: NAME, ...entry }, ...more],
});

describe('the window that a server gives its model', () => {
  let server: FakeOpenAiServer;
  afterEach(() => server?.stop());
  const model = async (options: Partial<FakeServerOptions>, more: Partial<OpenAiModelOptions> = {}) => {
    server = await FakeOpenAiServer.start({ replies: [{ kind: 'whole', text: 'ready' }], ...options });
    return openAiModel({ baseUrl: server.baseUrl, model: NAME, apiKey: async () => undefined, ...more });
  };
  const windowOf = async (...parameters: Parameters<typeof model>) => {
    const asked = await model(...parameters);
    await asked.learnWindow?.();
    return asked.contextTokens;
  };
  const paths = () => server.requests.map((request) => request.path.split('?')[0]).sort();

  it('is assumed to be 8,192 tokens before anybody asks, and where the server does not say', async () => {
    assert.equal((await model({})).contextTokens, 8192);
    await server.stop();
    assert.equal(await windowOf({ models: list({}) }), 8192);
  });

  it('is read from the list of models: vLLM, OpenRouter, Groq, llama.cpp', async () => {
    for (const entry of [
      { max_model_len: 32_768 },
      { context_length: 32_768 },
      { context_window: 32_768 },
      { meta: { n_ctx: 32_768, n_ctx_train: 131_072 } },
    ]) {
      assert.equal(await windowOf({ models: list(entry, { id: 'other', max_model_len: 1 }) }), 32_768);
      assert.deepEqual(paths(), ['/v1/models'], 'nothing else is asked');
      await server.stop();
    }
  });

  it('is asked of llama.cpp, whose list only tells what the model was trained for', async () => {
    const models = list({ meta: { n_ctx_train: 131_072 } });
    assert.equal(
      await windowOf({ models, routes: { '/props': { default_generation_settings: { n_ctx: 16_384 } } } }),
      16_384,
    );
    await server.stop();
    assert.equal(
      await windowOf({ models: list({ meta: { n_ctx_train: 2048 } }) }),
      2048,
      'no more than it was trained for',
    );
  });

  it('is asked of LM Studio: as loaded, not as trained', async () => {
    const routes = {
      '/api/v0/models': {
        data: [{ id: NAME, state: 'loaded', loaded_context_length: 12_000, max_context_length: 131_072 }],
      },
    };
    assert.equal(await windowOf({ models: list({}), routes }), 12_000);
  });

  it('is asked of Ollama: what the Modelfile sets before what is loaded, and what is trained never', async () => {
    const show = (parameters: string) => ({ parameters, model_info: { 'qwen2.context_length': 131_072 } });
    const ps = {
      models: [
        { name: NAME, model: NAME, context_length: 6144 },
        { name: 'other', context_length: 1 },
      ],
    };
    const routes = { '/api/show': show('stop "x"\nnum_ctx                        16384'), '/api/ps': ps };
    assert.equal(await windowOf({ models: list({}), routes }), 16_384);
    await server.stop();
    assert.equal(await windowOf({ models: list({}), routes: { ...routes, '/api/show': show('') } }), 6144);
    await server.stop();
    const idle = await model({ models: list({}), routes: { '/api/show': show(''), '/api/ps': { models: [] } } });
    await idle.learnWindow?.();
    assert.equal(idle.contextTokens, 4096, 'its default, which it cuts to without a word');
    assert.match(idle.windowNote ?? '', /4,096 of .* 131,072/);
    await server.stop();
    const tiny = { parameters: '', model_info: { 'llama.context_length': 2048 } };
    assert.equal(await windowOf({ models: list({}), routes: { '/api/show': tiny, '/api/ps': { models: [] } } }), 2048);
  });

  it('is asked again once the first call has loaded the model, and then no more', async () => {
    const ps: { models: unknown[] } = { models: [] };
    const show = { parameters: '', model_info: { 'qwen2.context_length': 131_072 } };
    const asked = await model({ models: list({}), routes: { '/api/show': show, '/api/ps': ps } });
    await asked.learnWindow?.();
    await asked.learnWindow?.();
    assert.equal(server.requests.filter((request) => request.path === '/api/ps').length, 1);
    await complete(asked, [{ role: 'user', content: 'hello' }]);
    ps.models.push({ name: NAME, context_length: 24_000 });
    await asked.learnWindow?.();
    assert.equal(asked.contextTokens, 24_000);
    await complete(asked, [{ role: 'user', content: 'hello' }]);
    await asked.learnWindow?.();
    assert.equal(server.requests.filter((request) => request.path === '/api/ps').length, 2);
  });

  it('is asked with the key, and not of servers whose own interface lies elsewhere', async () => {
    const asked = await model({ key: 'secret', models: list({}) }, { apiKey: async () => 'secret' });
    await asked.learnWindow?.();
    assert.ok(server.requests.every((request) => request.headers.authorization === 'Bearer secret'));
    const nested = openAiModel({
      baseUrl: server.baseUrl.replace('/v1', '/openai/v3'),
      model: NAME,
      apiKey: async () => 'secret',
    });
    server.requests.length = 0;
    await nested.learnWindow?.();
    assert.deepEqual(paths(), ['/openai/v3/models']);
  });

  it('is what the settings say, above all, and nobody is asked', async () => {
    assert.equal(await windowOf({ models: list({ max_model_len: 4096 }) }, { contextTokens: 20_000 }), 20_000);
    assert.deepEqual(server.requests, []);
  });

  it('makes a prompt that does not fit an error where the server told it, and not where it is assumed', async () => {
    const told = await model({ models: list({ max_model_len: 64 }) });
    await told.learnWindow?.();
    const long = [{ role: 'user' as const, content: 'word '.repeat(300) }];
    await assert.rejects(complete(told, long), { code: 'context-too-long' });
  });
});

describe('a server that does not tell its window', () => {
  it('keeps nobody waiting: silent, endless, broken', async () => {
    for (const how of ['silent', 'endless stream', 'reset', 'huge JSON'] as const) {
      const server = await HostileServer.misbehaving(how);
      try {
        const model = openAiModel({ baseUrl: server.baseUrl, model: NAME, apiKey: async () => undefined });
        const started = performance.now();
        await model.learnWindow?.();
        assert.ok(performance.now() - started < 8000, how);
        assert.equal(model.contextTokens, 8192);
      } finally {
        await server.stop();
      }
    }
  });

  it('is not followed to another origin', async () => {
    let reached = 0;
    const other: Server = createServer((_request, response) => {
      reached += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { location: `${elsewhere}${request.url}` });
      response.end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/v1`;
      const model = openAiModel({ baseUrl, model: NAME, apiKey: async () => 'secret' });
      await model.learnWindow?.();
      assert.equal(reached, 0);
      assert.equal(model.contextTokens, 8192);
    } finally {
      other.close();
      redirecting.close();
    }
  });
});
