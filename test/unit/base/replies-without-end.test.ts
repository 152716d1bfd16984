import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ReplyTooLongError } from '../../../src/base/endpoint-fetch.ts';
import { openEndpointEmbedder } from '../../../src/search/embedding/endpoint-embedder.ts';
import { complete } from '../../../src/research/language-model/complete.ts';
import { listOpenAiModels, tryModel } from '../../../src/research/language-model/openai-models.ts';
import { openAiModel } from '../../../src/research/language-model/openai-model.ts';
import { HoptrailError } from '../../../src/base/errors.ts';
import { openAiFineTuning } from '../../../src/learning/fine-tuning/fine-tuning-api.ts';
import { HostileServer, longestHold, type Misbehaviour } from '../../doubles/hostile-server.ts';

/**
 * Milliseconds for which a reply may hold everything else; with capped replies it is a fifth of a second, here with
 * room for a busy machine.
 */
const LONGEST_HOLD = 600;
const apiKey = async (): Promise<undefined> => undefined;
const never = new AbortController().signal;
const retry = { attempts: 1, base: 1, cap: 1, longestRetryAfter: 1 };

/** What goes to an address that a person chose. */
const calls: Record<string, (baseUrl: string) => Promise<unknown>> = {
  chat: (baseUrl) =>
    complete(openAiModel({ baseUrl, model: 'm', apiKey, retry }), [{ role: 'user', content: 'hello' }], {
      maxTokens: 200,
      deadlineSeconds: 30,
    }),
  'trying a model': (baseUrl) => tryModel(openAiModel({ baseUrl, model: 'm', apiKey, retry })),
  'a list of models': (baseUrl) => listOpenAiModels({ baseUrl, apiKey }),
  embeddings: (baseUrl) => openEndpointEmbedder({ baseUrl, model: 'm', sleep: async () => {} }),
  'fine-tuning': (baseUrl) => openAiFineTuning({ baseUrl, apiKey }, { retry }).job('job-1', never),
};

describe('replies without end', function () {
  this.timeout(60_000);
  let server: HostileServer;
  afterEach(() => server.stop());

  for (const [name, call] of Object.entries(calls)) {
    for (const how of ['huge JSON', 'deep JSON', 'nested JSON', 'huge error'] satisfies Misbehaviour[]) {
      it(`${name}: ${how} is read up to a bound, and said`, async () => {
        server = await HostileServer.misbehaving(how);
        let thrown: unknown;
        const held = await longestHold(() =>
          call(server.baseUrl).then(
            () => undefined,
            (error: unknown) => {
              thrown = error;
            },
          ),
        );
        assert.ok(thrown instanceof HoptrailError, `rejected with ${String(thrown)}`);
        if (how === 'huge JSON' || how === 'deep JSON')
          assert.ok(thrown instanceof ReplyTooLongError, `rejected with ${thrown.message}`);
        assert.ok(thrown.message.length < 1000);
        assert.ok(server.written < 60_000_000, `${server.written} bytes were taken`);
        assert.ok(held < LONGEST_HOLD, `held everything for ${Math.round(held)} ms`);
      });
    }
  }

  for (const how of ['endless stream', 'deaf'] satisfies Misbehaviour[]) {
    it(`cuts a reply (${how}) at what the tokens that were asked for can be, and closes the connection`, async () => {
      server = await HostileServer.misbehaving(how);
      const model = openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey, retry });
      let reply: Awaited<ReturnType<typeof complete>> | undefined;
      const held = await longestHold(async () => {
        reply = await complete(model, [{ role: 'user', content: 'hello' }], { maxTokens: 50 });
      });
      assert.equal(reply?.truncated, true);
      assert.ok(reply.text.length > 1000 && reply.text.length < 40_000, `${reply.text.length} characters`);
      assert.ok(held < LONGEST_HOLD, `held everything for ${Math.round(held)} ms`);
    });
  }

  for (const how of ['one line', 'blank lines'] satisfies Misbehaviour[]) {
    it(`gives up on an event stream of ${how}`, async () => {
      server = await HostileServer.misbehaving(how);
      const model = openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey, retry });
      const held = await longestHold(() =>
        assert.rejects(
          complete(model, [{ role: 'user', content: 'hello' }], { maxTokens: 50, deadlineSeconds: 30 }),
          HoptrailError,
        ),
      );
      assert.ok(server.written < 60_000_000, `${server.written} bytes were taken`);
      assert.ok(held < LONGEST_HOLD, `held everything for ${Math.round(held)} ms`);
    });
  }

  it('takes a reply as whole when its end came, even if the connection stays open', async () => {
    server = await HostileServer.misbehaving('open after the end');
    const model = openAiModel({ baseUrl: server.baseUrl, model: 'm', apiKey, retry });
    assert.equal((await complete(model, [{ role: 'user', content: 'hello' }], { deadlineSeconds: 3 })).text, 'ready');
  });
});
