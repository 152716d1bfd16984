import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { complete } from '../../../../src/research/language-model/complete.ts';
import {
  BadRequestError,
  ConsentError,
  ContextTooLongError,
  ModelTimeoutError,
  NoModelError,
  QuotaError,
  RefusedError,
  UnreachableError,
} from '../../../../src/research/language-model/errors.ts';
import type { ChatMessage } from '../../../../src/research/language-model/language-model.ts';
import {
  findVscodeModel,
  type LanguageModelApi,
  listVscodeModels,
  vscodeLanguageModel,
} from '../../../../src/vscode/model/vscode-language-model.ts';
import { requestTurn } from '../../../../src/research/language-model/request-turn.ts';
import { ManualClock } from '../../../doubles/manual-clock.ts';
import * as parts from '../../../doubles/vscode/vscode.ts';

/** The few parts of the editor's API that the provider touches. */
class FakeTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  cancel(): void {
    this.token.isCancellationRequested = true;
  }
  dispose(): void {}
}
const api = {
  ...parts,
  CancellationTokenSource: FakeTokenSource,
} as unknown as LanguageModelApi;

type Send = (
  messages: unknown[],
  options: vscode.LanguageModelChatRequestOptions,
  token: vscode.CancellationToken,
) => AsyncIterable<unknown>;

/** Strings are texts; anything else is a part of its own. */
async function* inParts(said: AsyncIterable<unknown>): AsyncIterable<unknown> {
  for await (const one of said) yield typeof one === 'string' ? new parts.LanguageModelTextPart(one) : one;
}

const chat = (send: Send, details: Partial<vscode.LanguageModelChat> = {}): vscode.LanguageModelChat => ({
  id: 'tiny',
  vendor: 'fake',
  family: 'fake',
  version: '1',
  name: 'Tiny',
  maxInputTokens: 4000,
  countTokens: async (text) => String(text).split(/\s+/).length,
  sendRequest: async (messages, options, token) => {
    const said = send(messages, options ?? {}, token as vscode.CancellationToken);
    return { text: say(), stream: inParts(said) };
  },
  ...details,
});
async function* say<T = string>(...pieces: T[]): AsyncIterable<T> {
  yield* pieces;
}
async function* fail(error: Error, ...pieces: string[]): AsyncIterable<string> {
  yield* pieces;
  throw error;
}
async function* silence(): AsyncIterable<string> {
  yield 'One';
  await new Promise(() => {});
}
const failure = (code: string, message: string, cause?: Error): Error =>
  Object.assign(new Error(message, { cause }), { code });

const messages: ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: 'What?' },
  { role: 'user', content: 'The ferry.' },
];
const timing = () => ({ clock: new ManualClock(), random: () => 0.5 });

describe('vscodeLanguageModel', () => {
  it('asks a model again, with room to think, that came to no word within its limit', async () => {
    const limits: unknown[] = [];
    const model = vscodeLanguageModel(
      api,
      chat((_sent, { modelOptions }) => {
        limits.push(modelOptions?.max_tokens);
        return limits.length === 1 ? say() : say('At the pier.');
      }),
      timing(),
    );
    const { text, usage } = await complete(model, messages, { maxTokens: 60, stop: ['\n'] });
    assert.equal(text, 'At the pier.');
    assert.deepEqual(usage, { inputTokens: 16, outputTokens: 3, estimated: true });
    await complete(model, messages, { maxTokens: 60 });
    assert.deepEqual(limits, [60, 1060, 1060]);
    assert.equal(model.thoughtTokens, 1000);
  });

  it('sends roles that the editor knows, streams, and counts with the model, marked as estimated', async () => {
    let seen: unknown[] = [];
    let asked: vscode.LanguageModelChatRequestOptions | undefined;
    const model = vscodeLanguageModel(
      api,
      chat((sent, options) => {
        seen = sent;
        asked = options;
        return say('At ', 'the pier.');
      }),
      timing(),
    );
    const reply = await complete(model, messages, { maxTokens: 30 });
    assert.equal(reply.text, 'At the pier.');
    assert.deepEqual(reply.usage, { inputTokens: 2 + 3 + 1 + 2, outputTokens: 3, estimated: true });
    assert.deepEqual(
      seen.map((one) => (one as { role: string }).role),
      ['user', 'user', 'assistant', 'user'],
    );
    assert.match(asked?.justification ?? '', /passages of this workspace/);
    assert.deepEqual(asked?.modelOptions, { temperature: 0, max_tokens: 30 });
    assert.equal(model.id, 'vscode:fake/tiny');
    assert.equal(model.contextTokens, 4000);
  });

  it('loses no reply to a model that does not count, and waits for no count that nobody wants', async () => {
    const countTokens = async () => Promise.reject(new Error('not implemented'));
    const reply = await complete(
      vscodeLanguageModel(
        api,
        chat(() => say('At the pier.'), { countTokens }),
        timing(),
      ),
      messages,
      {},
    );
    assert.equal(reply.text, 'At the pier.');
    assert.ok(reply.usage.estimated && reply.usage.inputTokens > 0 && reply.usage.outputTokens > 0);
    const stop = new AbortController();
    const counting = chat(() => say('At the pier.'), {
      countTokens: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    await assert.rejects(
      complete(vscodeLanguageModel(api, counting, timing()), messages, { signal: stop.signal }),
      (error: Error) => error.name === 'AbortError',
    );
  });

  it('puts a schema into the prompt', async () => {
    let seen = '';
    const model = vscodeLanguageModel(
      api,
      chat((sent) => {
        seen = JSON.stringify(sent.at(-1));
        return say('{}');
      }),
      timing(),
    );
    await complete(model, messages, { schema: { name: 'x', schema: { type: 'object' } } });
    assert.match(seen, /JSON schema/);
  });

  describe('with tools', () => {
    const search = { name: 'search', description: 'Finds passages.', parameters: { type: 'object' } };
    const looking: ChatMessage[] = [
      { role: 'user', content: 'Where is the ferry?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'a', name: 'search', arguments: '{"query":"ferry"}' },
          { id: 'b', name: 'search', arguments: '{"query":"pier"}' },
        ],
      },
      { role: 'tool', toolCallId: 'a', content: 'log.md:3 The ferry.' },
      { role: 'tool', toolCallId: 'b', content: 'Nothing.' },
    ];
    const call = new parts.LanguageModelToolCallPart('c', 'search', { query: 'mill' });

    it('offers them, sends calls and results as parts, and hands on what is called', async () => {
      const sent: unknown[] = [];
      const offered: unknown[] = [];
      const model = vscodeLanguageModel(
        api,
        chat((told, { tools }) => {
          sent.push(told);
          offered.push(tools);
          return say<unknown>('I look. ', call);
        }),
        timing(),
      );
      const turn = await requestTurn(model, { messages: looking, tools: [search] });
      assert.deepEqual(turn.calls, [{ id: 'c', name: 'search', arguments: '{"query":"mill"}' }]);
      assert.equal(turn.text, 'I look.');
      assert.equal(model.tools, true);
      assert.deepEqual(offered, [
        [{ name: 'search', description: 'Finds passages.', inputSchema: { type: 'object' } }],
      ]);
      const text = (value: string) => new parts.LanguageModelTextPart(value);
      assert.deepEqual(sent, [
        [
          { role: 'user', content: 'Where is the ferry?' },
          {
            role: 'assistant',
            content: [
              new parts.LanguageModelToolCallPart('a', 'search', { query: 'ferry' }),
              new parts.LanguageModelToolCallPart('b', 'search', { query: 'pier' }),
            ],
          },
          {
            role: 'user',
            content: [
              new parts.LanguageModelToolResultPart('a', [text('log.md:3 The ferry.')]),
              new parts.LanguageModelToolResultPart('b', [text('Nothing.')]),
            ],
          },
        ],
      ]);
    });

    for (const [what, details, refused] of [
      ['is known to take none', { capabilities: { supportsToolCalling: false } } as object, 0],
      ['refuses them', {}, 1],
    ] as const)
      it(`asks in words a model that ${what}`, async () => {
        let refusals = 0;
        const model = vscodeLanguageModel(
          api,
          chat((told, { tools }) => {
            if (tools?.length) {
              refusals += 1;
              return fail(new Error('Tool calling is not supported by this model'));
            }
            assert.match(JSON.stringify(told), /log\.md:3 The ferry/);
            return say('{"look":[{"tool":"search","arguments":{"query":"mill"}}]}');
          }, details),
          timing(),
        );
        const turn = await requestTurn(model, { messages: looking, tools: [search] });
        assert.deepEqual(turn.calls, [{ id: 'look-4-1', name: 'search', arguments: '{"query":"mill"}' }]);
        assert.equal(model.tools, false);
        await requestTurn(model, { messages: looking, tools: [search] });
        assert.equal(refusals, refused, 'the refusal is remembered');
      });

    it('ends a conversation without tools, in words', async () => {
      const model = vscodeLanguageModel(
        api,
        chat((told, { tools }) => {
          assert.equal(tools, undefined);
          assert.match(JSON.stringify(told), /Nothing\..*nothing more can be looked up/s);
          return say('At the pier.');
        }),
        timing(),
      );
      const turn = await requestTurn(model, { messages: looking, tools: [search], mayLook: false });
      assert.deepEqual([turn.text, turn.calls], ['At the pier.', []]);
    });

    it('says that a model said nothing', async () => {
      const silent = vscodeLanguageModel(
        api,
        chat(() => say()),
        timing(),
      );
      await assert.rejects(complete(silent, looking), { code: 'model-empty-reply' });
    });
  });

  const cases: [string, Error, new (...args: never[]) => Error][] = [
    ['refused consent', failure('NoPermissions', 'User did not grant access'), ConsentError],
    ['a model that is gone', failure('NotFound', 'not found'), NoModelError],
    [
      'a spent quota',
      failure('Unknown', 'Request failed', new Error('You have exceeded your premium requests quota')),
      QuotaError,
    ],
    ['a content filter', failure('Blocked', 'Response got filtered'), RefusedError],
    ['a long prompt', failure('Unknown', 'Message exceeds token limit.'), ContextTooLongError],
    ['no network', failure('Unknown', 'net', new Error('fetch failed')), UnreachableError],
    ['anything else', new Error('surprise'), BadRequestError],
  ];
  for (const [what, error, type] of cases) {
    it(`maps ${what} to ${type.name}`, async () => {
      const model = vscodeLanguageModel(
        api,
        chat(() => fail(error)),
        timing(),
      );
      await assert.rejects(complete(model, messages), (thrown) => thrown instanceof type && thrown.cause === error);
    });
  }

  it('tries again after a rate limit, but not after text was handed on', async () => {
    let calls = 0;
    const times = timing();
    const limited = vscodeLanguageModel(
      api,
      chat(() => (++calls === 1 ? fail(new Error('rate limited: too many requests')) : say('ok'))),
      times,
    );
    assert.equal((await complete(limited, messages)).text, 'ok');
    assert.deepEqual(times.clock.slept, [250]);
    calls = 0;
    const late = vscodeLanguageModel(
      api,
      chat(() => {
        calls += 1;
        return fail(new Error('too many requests'), 'Well');
      }),
      timing(),
    );
    await assert.rejects(complete(late, messages), QuotaError);
    assert.equal(calls, 1);
  });

  it('cancels the token and stops waiting for a provider that does not heed it', async () => {
    let token: vscode.CancellationToken | undefined;
    const controller = new AbortController();
    const model = vscodeLanguageModel(
      api,
      chat((_, __, given) => {
        token = given;
        return silence();
      }),
      timing(),
    );
    await assert.rejects(complete(model, messages, { signal: controller.signal, onText: () => controller.abort() }), {
      name: 'AbortError',
    });
    assert.equal(token?.isCancellationRequested, true);
  });

  it('ends at its deadline', async () => {
    const times = timing();
    const model = vscodeLanguageModel(
      api,
      chat(() => silence()),
      times,
    );
    await assert.rejects(
      complete(model, messages, { deadlineSeconds: 90, onText: () => times.clock.advance(90_000) }),
      ModelTimeoutError,
    );
    assert.equal(times.clock.pending, 0);
  });
});

describe('listVscodeModels', () => {
  const models = [
    chat(() => say(), { id: 'small', name: 'Small', maxInputTokens: 1000 }),
    chat(() => say()),
    chat(() => say()),
  ];
  const lm = {
    selectChatModels: async (selector: vscode.LanguageModelChatSelector = {}) =>
      models.filter(
        (one) => (!selector.id || one.id === selector.id) && (!selector.vendor || one.vendor === selector.vendor),
      ),
  };

  it('lists each model once, the largest context first', async () => {
    assert.deepEqual(
      (await listVscodeModels(lm)).map((one) => one.id),
      ['vscode:fake/tiny', 'vscode:fake/small'],
    );
  });

  it('finds a remembered model, or says that it is gone', async () => {
    assert.equal((await findVscodeModel(lm, 'vscode:fake/small'))?.name, 'Small');
    assert.equal(await findVscodeModel(lm, 'vscode:fake/large'), undefined);
  });
});
