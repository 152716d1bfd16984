import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { z } from 'zod';
import { complete } from '../../../../src/research/language-model/complete.ts';
import {
  BadRequestError,
  ContextTooLongError,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  UnreachableError,
  WrongKeyError,
} from '../../../../src/research/language-model/errors.ts';
import type { ChatMessage, CompletionPart } from '../../../../src/research/language-model/language-model.ts';
import { openAiModel, type OpenAiModelOptions } from '../../../../src/research/language-model/openai-model.ts';
import { requestStructured } from '../../../../src/research/language-model/structured-reply.ts';
import { FakeOpenAiServer, type FakeReply, type FakeServerOptions } from '../../../doubles/fake-openai-server.ts';
import { ManualClock } from '../../../doubles/manual-clock.ts';

const messages: ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is the ferry?' },
];
const ok: FakeReply = { kind: 'stream', text: 'At the pier.', usage: { prompt_tokens: 12, completion_tokens: 4 } };

describe('openAiModel', () => {
  let server: FakeOpenAiServer;
  let clock: ManualClock;
  afterEach(() => server.stop());

  async function model(
    replies: FakeServerOptions['replies'],
    options: Partial<OpenAiModelOptions> & { key?: string } = {},
  ) {
    server = await FakeOpenAiServer.start({ replies, key: options.key });
    clock = new ManualClock(Date.parse('2025-01-01T00:00:00Z'));
    return openAiModel({
      baseUrl: server.baseUrl,
      model: 'tiny',
      apiKey: async () => undefined,
      clock,
      random: () => 0.5,
      ...options,
    });
  }

  it('streams text and then the counted tokens', async () => {
    const tiny = await model([ok]);
    const parts: CompletionPart[] = [];
    for await (const part of tiny.stream(messages, { maxTokens: 20, stop: ['\n\n'] })) parts.push(part);
    assert.equal(
      parts
        .filter((part) => part.type === 'text')
        .map((part) => part.text)
        .join(''),
      'At the pier.',
    );
    assert.ok(parts.length > 2, 'more than one piece of text');
    assert.deepEqual(parts.at(-1), { type: 'usage', usage: { inputTokens: 12, outputTokens: 4, estimated: false } });
    assert.deepEqual(server.requests[0]?.body, {
      model: 'tiny',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      stop: ['\n\n'],
      max_tokens: 20,
    });
    assert.equal(clock.pending, 0, 'the deadline is taken down');
  });

  it('reads characters that are split between two reads', async () => {
    const text = 'Fähre → 渡し船 ⛴️ naïve “quoted”';
    for (const bytesPerWrite of [1, 2, 3, 5]) {
      const tiny = await model([{ kind: 'stream', text, bytesPerWrite }]);
      assert.equal((await complete(tiny, messages)).text, text);
      await server.stop();
    }
  });

  it('estimates tokens, and says so, when the server counts none', async () => {
    const { usage } = await complete(await model([{ kind: 'stream', text: 'At the pier.' }]), messages);
    assert.equal(usage.estimated, true);
    assert.ok(usage.inputTokens > 5 && usage.outputTokens > 2);
  });

  it('says when a reply stopped at its limit', async () => {
    for (const finish of ['length', 'max_tokens', 'MAX_TOKENS', 'model_length'] as const) {
      const { truncated } = await complete(await model([{ kind: 'stream', text: 'At the', finish }]), messages);
      assert.equal(truncated, true, finish);
      await server.stop();
    }
  });

  it('takes a whole completion from a server that does not stream', async () => {
    const { text, usage } = await complete(await model([{ kind: 'whole', text: 'At the pier.' }]), messages);
    assert.equal(text, 'At the pier.');
    assert.deepEqual(usage, { inputTokens: 3, outputTokens: 4, estimated: false });
  });

  it('accepts a stream that says its finish_reason but not [DONE], and the other way round', async () => {
    assert.equal((await complete(await model([{ kind: 'stream', text: 'a', done: false }]), messages)).text, 'a');
    await server.stop();
    assert.equal((await complete(await model([{ kind: 'stream', text: 'a', finish: null }]), messages)).text, 'a');
  });

  describe('keys', () => {
    it('sends the key of the secret source, asked for by base URL at each call', async () => {
      const asked: string[] = [];
      const tiny = await model([ok], {
        key: 'right',
        apiKey: async (baseUrl) => {
          asked.push(baseUrl);
          return 'right';
        },
      });
      await complete(tiny, messages);
      await complete(tiny, messages);
      assert.deepEqual(asked, [server.baseUrl, server.baseUrl]);
    });

    it('sends no Authorization at all without a key, even when the environment holds one', async () => {
      const before = process.env['OPENAI_API_KEY'];
      process.env['OPENAI_API_KEY'] = 'sk-of-another-place';
      try {
        await complete(await model([ok]), messages);
        assert.equal(server.requests[0]?.headers.authorization, undefined);
      } finally {
        if (before === undefined) delete process.env['OPENAI_API_KEY'];
        else process.env['OPENAI_API_KEY'] = before;
      }
    });

    it('tells a wrong key from a missing one, and tries neither again', async () => {
      await assert.rejects(
        complete(await model([ok], { key: 'right', apiKey: async () => 'wrong' }), messages),
        (error) =>
          error instanceof WrongKeyError && error.action === 'set-key' && /does not accept/.test(error.message),
      );
      assert.equal(server.requests.length, 1);
      await server.stop();
      await assert.rejects(
        complete(await model([ok], { key: 'right' }), messages),
        (error) => error instanceof WrongKeyError && /none is stored/.test(error.message),
      );
    });
  });

  describe('retries', () => {
    it('waits as many seconds as Retry-After says', async () => {
      const tiny = await model([{ kind: 'status', status: 429, headers: { 'retry-after': '7' } }, ok]);
      assert.equal((await complete(tiny, messages)).text, 'At the pier.');
      assert.deepEqual(clock.slept, [7000]);
    });

    it('waits until the date that Retry-After names', async () => {
      const tiny = await model([
        { kind: 'status', status: 429, headers: { 'retry-after': 'Wed, 01 Jan 2025 00:00:20 GMT' } },
        ok,
      ]);
      await complete(tiny, messages);
      assert.deepEqual(clock.slept, [20_000]);
    });

    it('does not wait for a Retry-After of minutes, but names it', async () => {
      const tiny = await model([{ kind: 'status', status: 429, headers: { 'retry-after': '600' } }]);
      await assert.rejects(
        complete(tiny, messages),
        (error) => error instanceof QuotaError && /600 s/.test(error.advice ?? ''),
      );
      assert.deepEqual(clock.slept, []);
    });

    it('backs off exponentially, with jitter, on 5xx, and gives up in the end', async () => {
      const tiny = await model([{ kind: 'status', status: 503 }]);
      await assert.rejects(
        complete(tiny, messages),
        (error) => error instanceof UnreachableError && error.message.endsWith('failed inside (status 503).'),
      );
      assert.deepEqual(clock.slept, [250, 500, 1000]);
      assert.equal(server.requests.length, 4);
    });

    it('succeeds after a 500', async () => {
      assert.equal((await complete(await model([{ kind: 'status', status: 500 }, ok]), messages)).text, 'At the pier.');
    });

    it('does not try again when the quota is spent', async () => {
      const tiny = await model([
        {
          kind: 'status',
          status: 429,
          body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
        },
      ]);
      await assert.rejects(
        complete(tiny, messages),
        (error) => error instanceof QuotaError && error.action === 'choose-model',
      );
      assert.equal(server.requests.length, 1);
    });

    it('stops waiting when the deadline leaves no room', async () => {
      const tiny = await model(() => {
        clock.advance(50_000);
        return { kind: 'status', status: 503, headers: { 'retry-after': '20' } };
      });
      await assert.rejects(complete(tiny, messages, { deadlineSeconds: 61 }), UnreachableError);
      assert.equal(server.requests.length, 1);
    });

    it('tries again when the connection is cut before any text came, and not after', async () => {
      assert.equal((await complete(await model([{ kind: 'cut', after: '' }, ok]), messages)).text, 'At the pier.');
      await server.stop();
      const seen: string[] = [];
      const tiny = await model([{ kind: 'cut', after: 'At the' }, ok]);
      await assert.rejects(
        complete(tiny, messages, { onText: (text) => seen.push(text) }),
        (error) => error instanceof UnreachableError && /broke/.test(error.message),
      );
      assert.deepEqual(seen, ['At the']);
      assert.equal(server.requests.length, 1);
    });
  });

  describe('failures', () => {
    const cases: [string, FakeReply, new (...args: never[]) => Error][] = [
      ['a stream that ends too early', { kind: 'ends', after: 'At' }, UnreachableError],
      [
        'an error inside the stream',
        { kind: 'error-in-stream', after: 'At', message: 'out of memory' },
        UnreachableError,
      ],
      [
        'a context error inside the stream',
        { kind: 'error-in-stream', after: '', message: 'the prompt exceeds the context of 4096 tokens' },
        ContextTooLongError,
      ],
      ['a web page', { kind: 'page' }, UnreachableError],
      ['an event stream without JSON', { kind: 'noise' }, UnreachableError],
      ['JSON that is no completion', { kind: 'other-json' }, UnreachableError],
      [
        'an unknown model',
        { kind: 'status', status: 404, body: { error: { message: 'model not found' } } },
        NoModelError,
      ],
      [
        'a prompt that is too long',
        { kind: 'status', status: 400, body: { error: { message: 'too much', code: 'context_length_exceeded' } } },
        ContextTooLongError,
      ],
      ['a content filter', { kind: 'stream', text: 'I', finish: 'content_filter' }, RefusedError],
      [
        'any other rejection, said at the top of the body',
        { kind: 'status', status: 418, body: { message: 'I am a teapot' } },
        BadRequestError,
      ],
    ];
    for (const [what, reply, type] of cases) {
      it(`maps ${what} to ${type.name}`, async () => {
        await assert.rejects(complete(await model([reply]), messages), (error) => {
          assert.ok(error instanceof type, String(error));
          return true;
        });
      });
    }

    it('keeps what the server said', async () => {
      await assert.rejects(
        complete(await model([{ kind: 'status', status: 418, body: { message: 'I am a teapot' } }]), messages),
        /teapot/,
      );
    });

    for (const message of ['overloaded', 'overloaded.'])
      it(`ends what the server said as a sentence, for others follow it: ${message}`, async () => {
        await assert.rejects(
          complete(await model([{ kind: 'status', status: 529, body: { message } }]), messages),
          (error) => error instanceof UnreachableError && error.message.endsWith('(status 529): overloaded.'),
        );
      });

    it('says that nothing answers at a closed port, at once', async () => {
      const tiny = await model([ok]);
      await server.stop();
      await assert.rejects(
        complete(tiny, messages),
        (error) => error instanceof UnreachableError && /Nothing answers at 127/.test(error.message),
      );
      assert.deepEqual(clock.slept, []);
      server = await FakeOpenAiServer.start({ replies: [ok] });
    });

    it('tells a server that stays silent from one that is gone', async () => {
      const silent = Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' }),
      });
      const tiny = await model([ok], { fetch: () => Promise.reject(silent) });
      await assert.rejects(
        complete(tiny, messages),
        (error) => error instanceof ModelTimeoutError && /sent nothing/.test(error.message),
      );
      assert.deepEqual(clock.slept, []);
    });

    it('rejects a base URL that is none', async () => {
      await model([ok]);
      assert.throws(
        () => openAiModel({ baseUrl: 'file:///etc', model: 'x', apiKey: async () => undefined }),
        UnreachableError,
      );
    });

    it('does not send what cannot fit a context that is known', async () => {
      const tiny = await model([ok], { contextTokens: 50 });
      await assert.rejects(complete(tiny, [{ role: 'user', content: 'word '.repeat(200) }]), ContextTooLongError);
      assert.equal(server.requests.length, 0);
    });
  });

  describe('cancel and deadline', () => {
    it('closes the connection and rejects with AbortError', async () => {
      const controller = new AbortController();
      const tiny = await model([{ kind: 'hang', after: 'At' }]);
      await assert.rejects(
        complete(tiny, messages, {
          signal: controller.signal,
          onText: () => controller.abort(new Error('any reason')),
        }),
        { name: 'AbortError' },
      );
      await server.closed();
      assert.equal(clock.pending, 0);
    });

    it('is cancelled before the first byte', async () => {
      const controller = new AbortController();
      const tiny = await model(() => {
        setImmediate(() => controller.abort());
        return { kind: 'hang', after: '' };
      });
      await assert.rejects(complete(tiny, messages, { signal: controller.signal }), { name: 'AbortError' });
      await server.closed();
    });

    it('sends nothing for a signal that is aborted already', async () => {
      await assert.rejects(complete(await model([ok]), messages, { signal: AbortSignal.abort() }), {
        name: 'AbortError',
      });
      assert.equal(server.requests.length, 0);
    });

    it('ends at its deadline', async () => {
      const tiny = await model([{ kind: 'hang', after: 'At' }]);
      await assert.rejects(
        complete(tiny, messages, { deadlineSeconds: 90, onText: () => clock.advance(91_000) }),
        (error) => error instanceof ModelTimeoutError && /90 s/.test(error.message),
      );
      await server.closed();
    });

    it('closes the connection when the reader stops early', async () => {
      const tiny = await model([{ kind: 'hang', after: 'At' }]);
      for await (const part of tiny.stream(messages, {})) {
        assert.deepEqual(part, { type: 'text', text: 'At' });
        break;
      }
      await server.closed();
      assert.equal(clock.pending, 0);
    });
  });

  describe('schemas', () => {
    const schema = z.object({ place: z.string(), sure: z.boolean() });
    const value = { place: 'pier', sure: true };
    const good: FakeReply = { kind: 'stream', text: JSON.stringify(value) };
    const formats = () =>
      server.requests.map(
        (request) => (request.body['response_format'] as { type: string } | undefined)?.type ?? 'none',
      );
    const refuse =
      (...types: string[]) =>
      (request: { body: Record<string, unknown> }): FakeReply => {
        const type = (request.body['response_format'] as { type: string } | undefined)?.type;
        return type && types.includes(type)
          ? { kind: 'status', status: 400, body: { error: { message: `response_format ${type} is not supported` } } }
          : good;
      };

    it('asks the server to enforce the schema, strictly where it can be strict', async () => {
      await requestStructured(await model([good]), { messages, name: 'place', schema });
      const format = server.requests[0]?.body['response_format'] as {
        json_schema: { strict: boolean; schema: { required: string[] } };
      };
      assert.equal(format.json_schema.strict, true);
      assert.deepEqual(format.json_schema.schema.required, ['place', 'sure']);
      await server.stop();
      await requestStructured(await model([good]), { messages, name: 'place', schema: schema.partial({ sure: true }) });
      const loose = server.requests[0]?.body['response_format'] as { json_schema: { strict: boolean } };
      assert.equal(loose.json_schema.strict, false);
    });

    it('falls back to JSON mode with the schema in the prompt, then to the prompt alone, and remembers', async () => {
      const tiny = await model(refuse('json_schema', 'json_object'));
      assert.deepEqual((await requestStructured(tiny, { messages, name: 'place', schema })).value, value);
      assert.deepEqual(formats(), ['json_schema', 'json_object', 'none']);
      assert.match(JSON.stringify(server.requests[2]?.body['messages']), /JSON schema/);
      await requestStructured(tiny, { messages, name: 'place', schema });
      assert.deepEqual(formats().slice(3), ['none']);
    });

    it('stays with JSON mode where that is taken', async () => {
      await requestStructured(await model(refuse('json_schema')), { messages, name: 'place', schema });
      assert.deepEqual(formats(), ['json_schema', 'json_object']);
    });

    const ofTheMessages: [string, unknown, new (...args: never[]) => Error][] = [
      [
        'is too long',
        { message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens." },
        ContextTooLongError,
      ],
      [
        'is filtered',
        {
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          code: 'content_filter',
        },
        RefusedError,
      ],
    ];
    for (const [what, error, type] of ofTheMessages)
      it(`goes on with the schema after a prompt that ${what}`, async () => {
        const rejected: FakeReply = { kind: 'status', status: 400, body: { error } };
        const tiny = await model((_request, index) => (index === 0 ? rejected : good));
        await assert.rejects(requestStructured(tiny, { messages, name: 'place', schema }), type);
        await requestStructured(tiny, { messages, name: 'place', schema });
        assert.deepEqual(formats(), ['json_schema', 'json_schema']);
      });

    it('tries JSON mode also where two first calls are rejected at once', async () => {
      const tiny = await model(refuse('json_schema'));
      const ask = () => requestStructured(tiny, { messages, name: 'place', schema });
      const replies = await Promise.all([ask(), ask()]);
      assert.deepEqual(
        replies.map((reply) => reply.value),
        [value, value],
      );
      assert.equal(formats().filter((format) => format === 'none').length, 0);
    });

    it('leaves out a parameter that the model rejects', async () => {
      const tiny = await model((request) =>
        'temperature' in request.body
          ? {
              kind: 'status',
              status: 400,
              body: { error: { message: "Unsupported value: 'temperature' does not support 0" } },
            }
          : ok,
      );
      assert.equal((await complete(tiny, messages)).text, 'At the pier.');
    });

    it('names the limit as the server wants it', async () => {
      const tiny = await model((request) =>
        'max_tokens' in request.body
          ? {
              kind: 'status',
              status: 400,
              body: { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } },
            }
          : ok,
      );
      await complete(tiny, messages, { maxTokens: 9 });
      assert.equal(server.requests[1]?.body['max_completion_tokens'], 9);
    });
  });
});
