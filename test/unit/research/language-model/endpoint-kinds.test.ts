import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { complete } from '../../../../src/research/language-model/complete.ts';
import type { ChatMessage, LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { listOpenAiModels } from '../../../../src/research/language-model/openai-models.ts';
import { openAiModel } from '../../../../src/research/language-model/openai-model.ts';
import { HostileServer } from '../../../doubles/hostile-server.ts';

const messages: ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is the ferry?' },
];
const retry = { attempts: 2, base: 1, cap: 1, longestRetryAfter: 1 };
const apiKey = async (): Promise<undefined> => undefined;

interface Body {
  messages: { role: string; content: unknown }[];
  [name: string]: unknown;
}
type Answer = (body: Body, response: ServerResponse, headers: Record<string, unknown>) => void;

const fails =
  (status: number, error: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error));
  };
const saying = (message: string, more = {}): unknown => ({ error: { message, ...more } });
const whole = { choices: [{ message: { content: 'At the pier.' }, finish_reason: 'stop' }] };
const send = (response: ServerResponse, type: string, text: string): void => {
  response.writeHead(200, { 'content-type': type });
  response.end(text);
};
const chunk = (delta: unknown, finish: string | null = null): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });
const chunks = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'At the ' }),
  chunk({ content: 'pier.' }, 'stop'),
];
const EVENTS = 'text/event-stream';
const stream = (end: string, data = chunks): string => data.map((one) => `data: ${one}${end}`).join('');
const says = (response: ServerResponse, ...deltas: unknown[]): void =>
  send(response, EVENTS, stream('\n\n', [...deltas.map((delta) => chunk(delta)), chunk({}, 'stop'), '[DONE]']));
const replies = (response: ServerResponse): void => says(response, { content: 'At the pier.' });
/** Refuses bodies that are so, else replies. */
const unless =
  (isRefused: (body: Body) => boolean, status: number, error: unknown): Answer =>
  (body, response) =>
    isRefused(body) ? fails(status, error)(response) : replies(response);
const roles = (body: Body): string[] => body.messages.map(({ role }) => role);
const hasSystem = (body: Body): boolean => roles(body).includes('system');

describe('endpoints of every kind', () => {
  let server: HostileServer;
  afterEach(() => server.stop());

  const model = async (answer: Answer, at = (baseUrl: string): string => baseUrl): Promise<LanguageModel> => {
    server = await HostileServer.answering(({ body, headers, path }, response) => {
      if (path.endsWith('/chat/completions') || path.includes('/chat/completions?'))
        answer(JSON.parse(body) as Body, response, headers);
      else fails(404, { error: { message: 'not found' } })(response);
    });
    return openAiModel({ baseUrl: at(server.baseUrl), model: 'tiny', apiKey, retry });
  };
  const bodies = (): Body[] => server.requests.map(({ body }) => JSON.parse(body || '{}') as Body);

  describe('refuse a part of a request, once', () => {
    const cases: [what: string, requests: number, answer: Answer, check?: (body: Body) => void][] = [
      ...[
        [400, saying('System role not supported')],
        [400, saying("'messages[0].role' does not support 'system' with this model.", { code: 'unsupported_value' })],
        [500, saying('Conversation roles must alternate user/assistant/user/assistant/...')],
        [422, { detail: 'Only user and assistant roles are supported!' }],
        [400, saying('Developer instruction is not enabled for models/tiny', { status: 'INVALID_ARGUMENT' })],
        [200, saying('System role not supported')],
      ].map(([status, error]): (typeof cases)[number] => [
        `the system role: ${status} ${JSON.stringify(error)}`,
        2,
        unless(hasSystem, Number(status), error),
        (body) => {
          assert.deepEqual(roles(body), ['user']);
          assert.equal(body.messages[0]?.content, 'Be brief.\n\nWhere is the ferry?');
        },
      ]),
      ...[
        [422, { detail: [{ loc: ['body', 'messages', 0, 'content'], msg: 'Input should be a valid list' }] }],
        [400, saying('messages.content must be an array of content parts')],
      ].map(([status, error]): (typeof cases)[number] => [
        `texts as strings: ${JSON.stringify(error)}`,
        2,
        unless((body) => typeof body.messages[0]?.content === 'string', Number(status), error),
        (body) => assert.deepEqual(body.messages[1]?.content, [{ type: 'text', text: 'Where is the ferry?' }]),
      ]),
      [
        'streaming',
        2,
        (body, response) =>
          body['stream'] === true
            ? fails(400, saying('Streaming is not supported by this deployment.'))(response)
            : send(response, 'application/json', JSON.stringify(whole)),
        (body) => assert.ok(!('stream_options' in body)),
      ],
      [
        'the limit, then the temperature',
        3,
        (body, response) =>
          'max_tokens' in body
            ? fails(
                400,
                saying("'max_tokens' is not supported with this model. Use 'max_completion_tokens'."),
              )(response)
            : 'temperature' in body
              ? fails(400, saying("Unsupported value: 'temperature' does not support 0 with this model."))(response)
              : replies(response),
        (body) => assert.equal(body['max_completion_tokens'], 20),
      ],
      [
        'the usage of a stream',
        2,
        unless((body) => 'stream_options' in body, 400, { message: 'Unrecognized request argument: stream_options' }),
      ],
    ];
    for (const [what, requests, answer, check] of cases)
      it(`${what}`, async () => {
        const tiny = await model(answer);
        assert.equal((await complete(tiny, messages, { maxTokens: 20 })).text, 'At the pier.');
        assert.equal(server.requests.length, requests);
        await complete(tiny, messages, { maxTokens: 20 });
        assert.equal(server.requests.length, requests + 1, 'it is remembered');
        check?.(bodies().at(-1) as Body);
      });
  });

  describe('reply in a form of their own', () => {
    const sent: [what: string, body: string, type?: string][] = [
      ['events by single line breaks', `${stream('\n')}data: [DONE]\n`],
      ['events by CRLF', `${stream('\r\n\r\n')}data: [DONE]\r\n\r\n`],
      ['events by single CRLF, without [DONE]', stream('\r\n')],
      ['a stream without [DONE]', stream('\n\n')],
      ['a stream whose last event lacks its end', stream('\n\n').trimEnd()],
      ['a stream as plain text', `${stream('\n\n')}data: [DONE]\n\n`, 'text/plain; charset=utf-8'],
      ['a stream under the type of JSON', `${stream('\n\n')}data: [DONE]\n\n`, 'application/json'],
      ['comments and names beside the data', `: hello\n\nevent: message\nid: 1\n${stream('\n\n')}`],
      ['comments, blanks and times as data', `data: : wait\n\ndata:\n\ndata: 08:40:33\n\n${stream('\n\n')}`],
      ['events that are no part of it', `event: ping\n${stream('\n\n', ['{"type":"ping"}', '{"id":"x"}', ...chunks])}`],
      ["'' for no end", stream('\n\n').replaceAll('null', '""')],
      ['no space behind the colon', stream('\n\n').replaceAll('data: ', 'data:')],
      ['an event over several lines', stream('\n\n', [JSON.stringify(whole, null, 1).replaceAll('\n', '\ndata: ')])],
      ['one JSON value a line', chunks.join('\n'), 'application/x-ndjson'],
      ['one whole reply, on many lines', JSON.stringify(whole, null, 2), 'text/plain'],
      [
        'marks of the end',
        stream('\n\n', [
          chunk({ content: 'At the pier.<|im' }),
          chunk({ content: '_end|>' }),
          chunk({ content: '\n<|endoftext|>' }, 'stop'),
        ]),
      ],
      ['a mark of another family', stream('\n\n', [chunk({ content: 'At the pier.<|eot_id|>' }, 'stop')])],
      [
        'content as parts',
        stream('\n\n', [
          chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
          chunk({ content: ['At the ', 'pier.'].map((text) => ({ type: 'text', text })) }, 'stop'),
        ]),
      ],
    ];
    for (const [what, body, type = EVENTS] of sent)
      it(what, async () => {
        const tiny = await model((_body, response) => send(response, type, body));
        assert.equal((await complete(tiny, messages)).text.trimEnd(), 'At the pier.');
        assert.equal(server.requests.length, 1);
      });

    it('text that only speaks of such marks stays whole', async () => {
      const text = 'A turn ends by <|im_end|> or </s>, and a < b <|';
      const tiny = await model((_body, response) => says(response, ...[...text].map((content) => ({ content }))));
      assert.equal((await complete(tiny, messages)).text, text);
    });

    it('tells what the provider took from its cache', async () => {
      for (const usage of [
        { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6 } },
        { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 6 },
      ]) {
        const tiny = await model((_body, response) =>
          send(response, EVENTS, `${stream('\n\n')}data: ${JSON.stringify({ choices: [], usage })}\n\n`),
        );
        const reply = await complete(tiny, messages);
        assert.deepEqual(reply.usage, { inputTokens: 9, outputTokens: 4, cachedTokens: 6, estimated: false });
        await server.stop();
      }
    });
  });

  describe('fail in words of their own', () => {
    const BLEW = ',"error":{"message":"A fuse blew"}}]';
    const [EMPTY, GONE, LONG] = ['model-empty-reply', 'model-unreachable', 'context-too-long'];
    const cases: [what: string, answer: (response: ServerResponse) => void, code: string, message: RegExp][] = [
      ['reasoning only', (r) => says(r, { content: '', reasoning: 'The ferry…' }), EMPTY, /thought for/],
      ['reasoning by another name', (r) => says(r, { reasoning_content: 'Hm.' }), EMPTY, /thought for/],
      ['thoughts in tags', (r) => says(r, { content: '<think>Hm.</think>\n' }), EMPTY, /thought for/],
      ['null', (r) => says(r, { content: null }), EMPTY, /empty reply/],
      ['blanks', (r) => says(r, { content: ' \n' }), EMPTY, /tiny/],
      ['nothing but the end', (r) => send(r, EVENTS, 'data: [DONE]\n\n'), EMPTY, /empty reply/],
      ['a mark of the end alone', (r) => says(r, { content: '<|im_end|>' }), EMPTY, /empty reply/],
      [
        'a tool that nobody offered',
        (r) => says(r, { tool_calls: [{ index: 0, id: 'c', function: { name: 'search' } }] }),
        EMPTY,
        /called a tool/,
      ],
      ['an error under status 200', fails(200, saying('Region is closed on Sundays')), GONE, /Region is closed/],
      [
        'an error under status 200, with a status inside',
        fails(200, saying('No auth credentials found', { code: 401 })),
        'wrong-key',
        /asks for an API key/,
      ],
      ['an error that is called none', fails(200, { success: false, message: 'Account is frozen' }), GONE, /frozen/],
      [
        'an error as an event',
        (r) => send(r, EVENTS, 'event: error\ndata: {"error":{"message":"No GPU is left"}}\n\n'),
        GONE,
        /No GPU is left/,
      ],
      [
        'an error as the end of a choice',
        (r) => send(r, EVENTS, stream('\n\n', [chunk({ content: 'At' }), chunk({}, 'error').replace('}]', BLEW)])),
        GONE,
        /broke off its reply: A fuse blew/,
      ],
      [
        "a stream that is cut, with '' for no end",
        (r) => send(r, EVENTS, stream('\n\n', chunks.slice(0, 2)).replaceAll('null', '""')),
        GONE,
        /broke/,
      ],
      ['nothing but a ping', (r) => send(r, EVENTS, 'data: {"type":"ping"}\n\n'), GONE, /no reply of a model/],
      ['words in place of events', (r) => send(r, EVENTS, 'data: Out of memory\n\n'), GONE, /no reply/],
      ['a page under another type', (r) => send(r, 'text/plain', '<!doctype html><p>'), GONE, /no model endpoint/],
      [
        'too much, in llama.cpp’s words',
        fails(400, saying('the request exceeds the available context size', { code: 400 })),
        LONG,
        /too long/,
      ],
      [
        'too much, in vLLM’s words',
        fails(400, { message: "This model's maximum context length is 4096 tokens" }),
        LONG,
        /too long/,
      ],
      ['too much, in other words', fails(422, saying('Please reduce the length of the messages.')), LONG, /too long/],
      ['too much, in Anthropic’s words', fails(400, saying('prompt is too long: 210000 tokens')), LONG, /too long/],
      [
        'plain words to an encrypted port',
        fails(400, saying('an HTTP request to an HTTPS server')),
        GONE,
        /speaks HTTPS only/,
      ],
    ];
    for (const [what, answer, code, message] of cases)
      it(what, async () => {
        const tiny = await model((_body, response) => answer(response));
        await assert.rejects(complete(tiny, messages), (error: Error & { code?: string }) => {
          assert.equal(error.code, code, error.message);
          assert.match(error.message, message);
          return true;
        });
      });

    it('TLS to a port that speaks none is said as such', async () => {
      const tiny = await model(
        (_body, response) => replies(response),
        (baseUrl) => baseUrl.replace('http:', 'https:'),
      );
      await assert.rejects(complete(tiny, messages), { code: 'model-unreachable', message: /does not speak HTTPS/ });
    });
  });

  describe('addresses', () => {
    const ways: [what: string, written: (origin: string) => string, path: string][] = [
      ['with all of it', (origin) => `${origin}/v1`, '/v1/chat/completions'],
      ['with a slash and blanks', (origin) => ` ${origin}/v1/ `, '/v1/chat/completions'],
      ['without /v1', (origin) => origin, '/v1/chat/completions'],
      ['without http://', (origin) => `${origin.replace('http://', '')}/v1`, '/v1/chat/completions'],
      ['without either', (origin) => origin.replace('http://', ''), '/v1/chat/completions'],
      ['with the whole path', (origin) => `${origin}/v1/chat/completions`, '/v1/chat/completions'],
      ['below another path', (origin) => `${origin}/api/plain`, '/api/plain/chat/completions'],
      [
        'with a query',
        (origin) => `${origin}/openai/deployments/d?api-version=2024-06-01`,
        '/openai/deployments/d/chat/completions?api-version=2024-06-01',
      ],
    ];
    for (const [what, written, path] of ways)
      it(`are taken ${what}, and what answers is remembered`, async () => {
        server = await HostileServer.answering((request, response) =>
          request.path === path
            ? replies(response)
            : fails(404, { error: { message: `no route ${request.path}` } })(response),
        );
        const options = { baseUrl: written(server.origin), model: 'tiny', apiKey, retry };
        assert.equal((await complete(openAiModel(options), messages)).text, 'At the pier.');
        const before = server.requests.length;
        assert.ok(before <= 2, `${before} requests`);
        await complete(openAiModel(options), messages);
        assert.deepEqual(
          server.requests.slice(before).map((request) => request.path),
          [path],
        );
      });

    it('tell where the list of models is', async () => {
      server = await HostileServer.answering(({ path }, response) =>
        path === '/api/models'
          ? send(response, 'application/json', '{"data":[{"id":"tiny"}]}')
          : fails(404, {})(response),
      );
      const listed = await listOpenAiModels({ baseUrl: `${server.origin}/api`, apiKey });
      assert.deepEqual(listed, [{ id: 'tiny' }]);
    });

    it('with credentials send these, and show them nowhere', async () => {
      const tiny = await model(
        (_body, response, { authorization }) =>
          authorization === `Basic ${btoa('ida:p@ss wörd'.replace('ö', 'Ã¶'))}`
            ? replies(response)
            : fails(401, {})(response),
        (baseUrl) => baseUrl.replace('://', '://ida:p%40ss%20w%C3%B6rd@'),
      );
      assert.equal((await complete(tiny, messages)).text, 'At the pier.');
      assert.doesNotMatch(`${tiny.id} ${tiny.endpoint} ${tiny.windowNote}`, /ida|p@ss|p%40ss/);
    });

    it('of no endpoint are refused at once', async () => {
      server = await HostileServer.answering((_request, response) => replies(response));
      for (const baseUrl of ['', 'ftp://host/v1', 'http://', 'two words'])
        assert.throws(() => openAiModel({ baseUrl, model: 'tiny', apiKey }), { code: 'model-unreachable' }, baseUrl);
    });
  });
});
