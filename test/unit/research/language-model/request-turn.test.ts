import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ChatMessage, ToolSchema } from '../../../../src/research/language-model/language-model.ts';
import { openAiModel } from '../../../../src/research/language-model/openai-model.ts';
import { argumentsOf, requestTurn, type TurnRequest } from '../../../../src/research/language-model/request-turn.ts';
import { HostileServer } from '../../../doubles/hostile-server.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../../doubles/scripted-language-model.ts';

const tools: ToolSchema[] = [
  { name: 'search', description: 'Finds passages.', parameters: { type: 'object', properties: { query: {} } } },
  { name: 'read', description: 'Reads lines.', parameters: { type: 'object', properties: { path: {} } } },
];
const question: ChatMessage[] = [
  { role: 'system', content: 'Answer from the notes.' },
  { role: 'user', content: 'Where is the ferry?' },
];
const looked: ChatMessage[] = [
  ...question,
  { role: 'assistant', content: 'I look.', toolCalls: [{ id: 'a', name: 'search', arguments: '{"query":"ferry"}' }] },
  { role: 'tool', toolCallId: 'a', content: 'log.md:3 The ferry lies at the pier.' },
];

interface Sent {
  messages: { role: string; content: string | null; [name: string]: unknown }[];
  tools?: unknown[];
  tool_choice?: unknown;
}

describe('a turn with native tools', () => {
  let server: HostileServer;
  afterEach(() => server.stop());

  type Reply = { deltas: unknown[]; finish?: string } | { status: number; message: string };
  const ask = async (reply: (body: Sent) => Reply, request: Partial<TurnRequest> = {}) => {
    server = await HostileServer.answering(({ body }, response) => {
      const answer = reply(JSON.parse(body) as Sent);
      if ('status' in answer) {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ error: { message: answer.message } }));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events = [
        ...answer.deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
        { choices: [{ index: 0, delta: {}, finish_reason: answer.finish ?? 'stop' }] },
      ];
      return response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
    });
    const model = openAiModel({
      baseUrl: server.baseUrl,
      model: 'tiny',
      apiKey: async () => undefined,
      retry: { attempts: 1, base: 1, cap: 1, longestRetryAfter: 1 },
    });
    return { model, turn: await requestTurn(model, { messages: question, tools, ...request }) };
  };
  const sent = (): Sent[] => server.requests.map(({ body }) => JSON.parse(body) as Sent);
  const piece = (index: number | undefined, id: string | undefined, name?: string, values?: string): unknown => ({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: values } }],
  });

  const more = (index: number | undefined, values: string): unknown => piece(index, undefined, undefined, values);
  const begun = piece(0, 'a', 'search', '{"query":');
  const one = [['search', '{"query":"ferry"}']];
  const two = [
    ['search', '{"query":"ferry"}'],
    ['read', '{"path":"a"}'],
  ];
  const streams: [what: string, deltas: unknown[], calls: string[][]][] = [
    ['whole', [piece(0, 'a', 'search', '{"query":"ferry"}')], one],
    ['in pieces', [piece(0, 'a', 'search', ''), more(0, '{"query":'), more(0, '"ferry"}')], one],
    ['with the id and an empty name again', [begun, piece(0, 'a', '', '"ferry"}')], one],
    ['with the name again', [begun, piece(0, 'a', 'search', '"ferry"}')], one],
    ['without index', [piece(undefined, 'a', 'search', '{"query":'), more(undefined, '"ferry"}')], one],
    [
      'without ids',
      [piece(0, undefined, 'search', '{"query":"ferry"}'), piece(1, undefined, 'read', '{"path":"a"}')],
      two,
    ],
    ['interleaved', [begun, piece(1, 'b', 'read', '{"path":'), more(0, '"ferry"}'), more(1, '"a"}')], two],
    ['all numbered 0', [piece(0, 'a', 'search', '{"query":"ferry"}'), piece(0, 'b', 'read', '{"path":"a"}')], two],
    [
      'all numbered 0, without ids',
      [piece(0, '', 'search', '{"query":"ferry"}'), piece(0, '', 'read', '{"path":'), piece(0, '', 'read', '"a"}')],
      two,
    ],
    ['all of one id', [piece(0, 'a', 'search', '{"query":"ferry"}'), piece(1, 'a', 'read', '{"path":"a"}')], two],
    [
      'without index and ids',
      [piece(undefined, undefined, 'search', '{"query":"ferry"}'), piece(undefined, undefined, 'read', '{"path":"a"}')],
      two,
    ],
    [
      'with an object of arguments',
      [{ tool_calls: [{ function: { name: 'search', arguments: { query: 'ferry' } } }] }],
      one,
    ],
    [
      'as text with tags',
      [{ content: '<tool_call>\n{"name": "search", "arguments": {"query":"ferry"}}\n</tool_call>' }],
      one,
    ],
    ['as text', [{ content: '```json\n{"name": "search", "arguments": {"query":"ferry"}}\n```' }], one],
  ];
  for (const [what, deltas, calls] of streams)
    it(`reads calls that come ${what}`, async () => {
      for (const finish of ['tool_calls', 'stop']) {
        const { turn } = await ask(() => ({ deltas, finish }));
        assert.deepEqual(
          turn.calls.map((call) => [call.name, call.arguments]),
          calls,
        );
        assert.equal(new Set(turn.calls.map(({ id }) => id)).size, calls.length, 'ids are different');
        assert.deepEqual(turn.message.toolCalls, turn.calls);
        await server.stop();
      }
    });

  it('sends tools, calls and results by the protocol', async () => {
    const { model, turn } = await ask(() => ({ deltas: [{ content: 'At the pier.' }] }), { messages: looked });
    assert.deepEqual([turn.text, turn.calls, turn.requests, model.tools], ['At the pier.', [], 1, true]);
    const [{ messages, tools: told } = { messages: [] }] = sent();
    assert.deepEqual(told?.[0], { type: 'function', function: tools[0] });
    assert.deepEqual(messages.slice(2), [
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'search', arguments: '{"query":"ferry"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'log.md:3 The ferry lies at the pier.' },
    ]);
  });

  for (const [status, message] of [
    [400, 'registry.example/tiny does not support tools'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use.'],
    [500, 'tools param requires --jinja flag'],
    [422, 'Extra inputs are not permitted: tools'],
    [400, 'Bad Request'],
  ] as const)
    it(`goes on in words where tools are refused: ${status} ${message}`, async () => {
      const { model, turn } = await ask(
        (body) =>
          body.tools
            ? { status, message }
            : { deltas: [{ content: '{"look":[{"tool":"read","arguments":{"path":"a"}}]}' }] },
        { messages: looked },
      );
      assert.deepEqual(
        turn.calls.map((call) => [call.name, call.arguments]),
        [['read', '{"path":"a"}']],
      );
      assert.equal(model.tools, false);
      assert.equal(server.requests.length, 2);
      const { messages = [] } = sent()[1] ?? {};
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'user'],
      );
      assert.match(
        messages[2]?.content ?? '',
        /^I look\.\n\{"look":\[\{"tool":"search","arguments":\{"query":"ferry"\}\}\]\}$/,
      );
      assert.match(
        messages[3]?.content ?? '',
        /^search \{"query":"ferry"\} found:\nlog\.md:3 The ferry[\s\S]*- read: Reads lines\./,
      );
      await requestTurn(model, { messages: looked, tools });
      assert.equal(server.requests.length, 3, 'it is remembered');
    });

  it('does without tool_choice where only that is refused', async () => {
    const { turn } = await ask(
      (body) =>
        body.tool_choice
          ? { status: 400, message: 'tool_choice is not supported' }
          : { deltas: [{ content: 'Pier.' }] },
      { mayLook: false },
    );
    assert.equal(turn.text, 'Pier.');
    assert.deepEqual(
      sent().map((body) => [body.tool_choice, body.tools?.length]),
      [
        ['none', 2],
        [undefined, 2],
      ],
    );
  });

  it('asks in words a model that calls where it may not, or falls silent after a result', async () => {
    for (const [mayLook, delta] of [
      [false, piece(0, 'a', 'search', '{}')],
      [true, { content: '' }],
    ] as const) {
      const { turn } = await ask((body) => ({ deltas: [body.tools ? delta : { content: 'At the pier.' }] }), {
        messages: looked,
        mayLook,
      });
      assert.deepEqual([turn.text, turn.calls, turn.requests], ['At the pier.', [], 2]);
      await server.stop();
    }
  });

  it('does not take a prompt that is too long for a refusal of tools', async () => {
    const asked = ask(() => ({ status: 400, message: 'maximum context length is 10 tokens; tools use 40' }));
    await assert.rejects(asked, { code: 'context-too-long' });
    assert.equal(server.requests.length, 1);
  });
});

describe('a turn in words', () => {
  const ask = async (script: ScriptedReply[], request: Partial<TurnRequest> = {}) => {
    const model = Object.assign(new ScriptedLanguageModel(script, { pieceLength: 3 }), { tools: false });
    const said: string[] = [];
    const asked = { messages: question, tools, onText: (text: string) => said.push(text), ...request };
    return { model, turn: await requestTurn(model, asked), said: said.join('') };
  };

  it('tells of the tools at the end, and that none may be used any more', async () => {
    const { model } = await ask(['At the pier.'], { messages: looked });
    const last = model.calls[0]?.messages.at(-1)?.content ?? '';
    assert.match(last, /- search: Finds passages\. \{"type":"object"[\s\S]*\{"look":\[/);
    const ended = await ask(['At the pier.'], { messages: looked, mayLook: false });
    assert.doesNotMatch(ended.model.calls[0]?.prompt ?? '', /Finds passages/);
    assert.match(ended.model.calls[0]?.prompt ?? '', /nothing more can be looked up/);
  });

  const looks: [string, string[][]][] = [
    ['{"look":[{"tool":"search","arguments":{"query":"ferry"}}]}', [['search', '{"query":"ferry"}']]],
    [
      'I look it up:\n```json\n{"look": [{"tool": "search", "arguments": {"query": "ferry",}}]}\n```',
      [['search', '{"query":"ferry"}']],
    ],
    ["{look: {'tool': 'read', 'arguments': {'path': 'a.md'}}}", [['read', '{"path":"a.md"}']]],
    [
      '<think>{"look":[]}</think>{"look":[{"name":"read","input":{"path":"a"}},{"tool":"guess"}]}',
      [
        ['read', '{"path":"a"}'],
        ['guess', '{}'],
      ],
    ],
    ['{"tool":"search","arguments":{"query":"x"}}', [['search', '{"query":"x"}']]],
    ['The tool {"tool":"search","arguments":{}} is there.', []],
    ['{"look":[]}', []],
    ['The ferry {at the pier} [1].', []],
  ];
  for (const [text, calls] of looks)
    it(`reads ${calls.length} looks in ${text}`, async () => {
      const { turn, said } = await ask([text]);
      assert.deepEqual(
        turn.calls.map((call) => [call.name, call.arguments]),
        calls,
      );
      if (calls.length > 0) assert.doesNotMatch(said, /look"|tool/);
    });

  it('hands on prose as it comes, and nothing of thoughts', async () => {
    const text = '<think>Is it\n{"look"…?</think>\nAt the pier.\n```ts\ncode();\n```\nSo it is.';
    const { turn, said } = await ask([text]);
    assert.equal(said, 'At the pier.\n```ts\ncode();\n```\nSo it is.');
    assert.equal(turn.text, said);
  });

  it('counts what was said for nothing', async () => {
    const usage = { inputTokens: 5, outputTokens: 1, cachedTokens: 2, estimated: false };
    await assert.rejects(ask([{ text: ' ', usage }]), { code: 'model-empty-reply', why: 'silent', usage });
    const model = new ScriptedLanguageModel([
      { text: ' ', usage },
      { text: 'At the pier.', usage },
    ]);
    const turn = await requestTurn(model, { messages: looked, tools });
    assert.deepEqual(
      [turn.text, turn.requests, turn.usage],
      ['At the pier.', 2, { inputTokens: 10, outputTokens: 2, cachedTokens: 4, estimated: false }],
    );
  });

  it('reads arguments as models write them', () => {
    const of = (values: string) => argumentsOf({ id: 'a', name: 'search', arguments: values });
    assert.deepEqual(of("{query: 'ferry',}"), { query: 'ferry' });
    assert.deepEqual(of(JSON.stringify(JSON.stringify({ query: 'ferry' }))), { query: 'ferry' }, 'written twice');
    for (const values of ['', 'ferry', '[1]', 'null', '"ferry"']) assert.deepEqual(of(values), {});
  });
});
