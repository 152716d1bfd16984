import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  EmptyReplyError,
  NoModelError,
  UnreachableError,
  WrongKeyError,
} from '../../../../src/research/language-model/errors.ts';
import { listOpenAiModels, tryModel } from '../../../../src/research/language-model/openai-models.ts';
import { openAiModel } from '../../../../src/research/language-model/openai-model.ts';
import { FakeOpenAiServer, type FakeServerOptions } from '../../../doubles/fake-openai-server.ts';
import { ManualClock } from '../../../doubles/manual-clock.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

describe('listOpenAiModels', () => {
  let server: FakeOpenAiServer;
  afterEach(() => server.stop());
  const list = async (options: Partial<FakeServerOptions>, key?: string) => {
    server = await FakeOpenAiServer.start({ replies: [], ...options });
    return listOpenAiModels(
      { baseUrl: `${server.baseUrl}/`, apiKey: async () => key },
      undefined,
      new ManualClock(0, 1),
    );
  };

  it('lists chat models by name, with the context that the server tells', async () => {
    const data = [
      { id: 'qwen', max_model_len: 32768 },
      { id: 'llama', meta: { n_ctx_train: 131072, n_ctx: 8192 } },
      { id: 'gpt-4o' },
      { id: 'studio', max_context_length: 16384 },
      { id: 'loaded', loaded_context_length: 12000, max_context_length: 131072 },
      { id: 'trained', meta: { n_ctx_train: 2048 } },
      { id: 'text-embedding-3-small' },
      { id: 'whisper-1' },
      { name: 'no id' },
    ];
    assert.deepEqual(await list({ models: { object: 'list', data } }), [
      { id: 'gpt-4o' },
      { id: 'llama', contextTokens: 8192 },
      { id: 'loaded', contextTokens: 12000 },
      { id: 'qwen', contextTokens: 32768 },
      { id: 'studio', contextTokens: 16384 },
      { id: 'trained', contextTokens: 2048 },
    ]);
  });

  it('tells of each model the window that is asked of the server when it is used', async () => {
    const data = [
      { id: 'loaded', loaded_context_length: 12000, max_context_length: 131072 },
      { id: 'routed', context_window: 16000, context_length: 8000 },
      { id: 'tutored', max_context_length: 16000, context_window: 4000 },
    ];
    const listed = await list({ models: { object: 'list', data } });
    assert.equal(listed.length, data.length);
    for (const { id, contextTokens } of listed) {
      const model = openAiModel({ baseUrl: server.baseUrl, model: id, apiKey: async () => undefined });
      await model.learnWindow?.();
      assert.equal(contextTokens, model.contextTokens, id);
    }
  });

  it('says that the key is wrong', () => assert.rejects(list({ key: 'right' }, 'wrong'), WrongKeyError));

  it('says that this is no model endpoint', async () => {
    await assert.rejects(list({ models: { hello: 'world' } }), UnreachableError);
    await server.stop();
    server = await FakeOpenAiServer.start({ replies: [] });
    await assert.rejects(
      listOpenAiModels({ baseUrl: server.baseUrl.replace('/v1', '/v7'), apiKey: async () => undefined }),
      NoModelError,
    );
  });

  it('is cancelled', async () => {
    server = await FakeOpenAiServer.start({ replies: [] });
    await assert.rejects(
      listOpenAiModels({ baseUrl: server.baseUrl, apiKey: async () => undefined }, AbortSignal.abort()),
      { name: 'AbortError' },
    );
  });
});

describe('tryModel', () => {
  it('makes one short call', async () => {
    const model = new ScriptedLanguageModel(['ready']);
    assert.equal((await tryModel(model)).reply, 'ready');
    assert.equal(model.calls.length, 1);
  });

  it('does not take silence for an answer', () =>
    assert.rejects(tryModel(new ScriptedLanguageModel([' '])), EmptyReplyError));

  it('does not take one sign over and over for one', () =>
    assert.rejects(tryModel(new ScriptedLanguageModel(['@'.repeat(200)])), {
      code: 'model-nonsense',
      message: 'Scripted Model says nothing that can be read: “@”, over and over.',
      action: 'choose-model',
    }));
});
