import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { z } from 'zod';
import { complete, tellSilence } from '../../../../src/research/language-model/complete.ts';
import { contextRoom, estimatePromptTokens } from '../../../../src/research/language-model/context-window.ts';
import { BadReplyError, EmptyReplyError } from '../../../../src/research/language-model/errors.ts';
import type { CompletionPart, LanguageModel } from '../../../../src/research/language-model/language-model.ts';
import { openAiModel } from '../../../../src/research/language-model/openai-model.ts';
import { requestStructured } from '../../../../src/research/language-model/structured-reply.ts';
import { hasSpoken, withoutThoughts } from '../../../../src/research/language-model/thoughts.ts';
import { FakeOpenAiServer, type FakeReply, type FakeServerOptions } from '../../../doubles/fake-openai-server.ts';

const ANALYSIS = '<|channel|>analysis<|message|>Is it the mill?';

describe('a reply without its thoughts', () => {
  const cases: [string, string, string][] = [
    ['has none that begin and end', 'So: <think>hm</think>the <think>or</think>pier', 'So: the pier'],
    ['has none that the prompt began', 'Is it the mill? No.\n</think>\nThe pier', '\nThe pier'],
    ['has none that the prompt began around others', 'Hm. <think>What?</think> Hm.</think>The pier', 'The pier'],
    ['has none that end twice', '<think>hm</think>\n</think>The pier', 'The pier'],
    ['has none of other names', '<Thinking>hm</Thinking>The <reasoning>or</reasoning>pier', 'The pier'],
    ['has none of Magistral and Kimi', '[THINK]hm[/THINK]The ◁think▷or◁/think▷pier', 'The pier'],
    ['has none of tags with blanks', '<think time="3">hm</think >The <thought>or</thought>pier', 'The pier'],
    [
      'has no channel but the last',
      `${ANALYSIS}Or<|end|><|start|>assistant<|channel|>final<|message|>The pier`,
      'The pier',
    ],
    ['keeps brackets of prose', 'You [think] so, and [thought] it.', 'You [think] so, and [thought] it.'],
    ['is nothing where nothing follows', 'Is it the mill? No.</think>', ''],
    ['keeps marks that it speaks of', 'It writes `<think>`, then `</think>`.', 'It writes `<think>`, then `</think>`.'],
    ['ends where a thought begins that never ends', 'The pier. <think>Or', 'The pier. '],
  ];
  for (const [what, reply, spoken] of cases) it(what, () => assert.equal(withoutThoughts(reply, 'removed'), spoken));

  it('keeps a thought that never ends where that is wanted, and what was said before', () => {
    assert.equal(withoutThoughts('<think>hm</think>The pier. <think>Or', 'kept'), 'The pier. <think>Or');
    assert.equal(withoutThoughts('Hm.</think>The pier. <think>Or', 'kept'), 'The pier. <think>Or');
  });
});

describe('a reply so far', () => {
  for (const said of [
    '',
    ' ',
    '<',
    '<thi',
    '<think>',
    '<think>Is it',
    '<think>Is it the mill? No.</think>\n',
    '[THI',
    '◁think',
    ANALYSIS.slice(0, 24),
    ANALYSIS,
  ])
    it(`says nothing yet: ${JSON.stringify(said)}`, () => assert.equal(hasSpoken(said), false));
  for (const said of ['The', '<think>hm</think>The', '{"a":', '< 5 days', '<ul>', '[1] The', '[1]'])
    it(`says something: ${said}`, () => assert.equal(hasSpoken(said), true));
});

describe('a model that thinks before it speaks', () => {
  let server: FakeOpenAiServer;
  afterEach(() => server.stop());
  const question = [{ role: 'user' as const, content: 'Where is the ferry?' }];
  const short = { maxTokens: 60, stop: ['\n\n'] };
  const answer: FakeReply = {
    kind: 'stream',
    text: 'At the pier.',
    usage: { prompt_tokens: 12, completion_tokens: 900 },
  };
  const silent: FakeReply = {
    kind: 'stream',
    text: '',
    finish: 'length',
    usage: { prompt_tokens: 12, completion_tokens: 60, completion_tokens_details: { reasoning_tokens: 60 } },
  };

  async function model(replies: FakeServerOptions['replies'], contextTokens = 32_000): Promise<LanguageModel> {
    server = await FakeOpenAiServer.start({ replies });
    return openAiModel({ baseUrl: server.baseUrl, model: 'tiny', apiKey: async () => undefined, contextTokens });
  }
  const limits = (): unknown[] => server.requests.map(({ body }) => body.max_tokens);

  it('is asked again with room to think where all of its reply went into thoughts, and has room from then on', async () => {
    const thinker = await model([silent, answer]);
    assert.equal(thinker.thoughtTokens, 0);
    const { text, usage, truncated } = await complete(thinker, question, short);
    assert.deepEqual({ text, truncated }, { text: 'At the pier.', truncated: undefined });
    assert.deepEqual(usage, { inputTokens: 24, outputTokens: 960, estimated: false });
    assert.deepEqual(limits(), [60, 60 + 4096]);
    assert.deepEqual(server.requests[0]?.body.stop, ['\n\n']);
    const { stop, reasoning_effort: effort } = server.requests[1]?.body ?? {};
    assert.deepEqual({ stop, effort }, { stop: undefined, effort: 'low' });
    assert.equal((await complete(thinker, question, short)).text, 'At the pier.');
    assert.deepEqual(limits(), [60, 4156, 4156]);
  });

  it('is given no more room than its prompt leaves of the window, and never less than was asked for', async () => {
    const thinker = await model([silent, answer], 1_000);
    const long = (words: number) => [{ role: 'user' as const, content: 'pier '.repeat(words) }];
    assert.equal((await complete(thinker, long(850), short)).text, 'At the pier.');
    await complete(thinker, long(940), short);
    await complete(thinker, question, short);
    const left = 1_000 - estimatePromptTokens(long(850));
    assert.ok(left > 60 && left < 60 + 250);
    assert.deepEqual(limits(), [60, left, 60, 60 + 250]);
  });

  it('is known by thoughts that come beside its words, by either name', async () => {
    for (const field of ['reasoning', 'reasoning_content'] as const) {
      const thinker = await model([{ ...answer, thoughts: { field, text: 'The mill? No.' } }]);
      const parts: CompletionPart['type'][] = [];
      for await (const part of thinker.stream(question, short)) parts.push(part.type);
      assert.deepEqual([parts[0], parts.at(-1)], ['thought', 'usage']);
      await complete(thinker, question, short);
      assert.deepEqual(limits(), [60, 4156]);
      await server.stop();
    }
  });

  it('is known by thoughts that it writes down, and what comes of the second call is no thought', async () => {
    const broken: FakeReply[] = [
      { kind: 'stream', text: '<think>The mill? Or', finish: 'length' },
      { kind: 'stream', text: '<think>' }, // ended by a stop sequence
    ];
    for (const first of broken)
      for (const second of ['At the pier.', '<think>The pier.</think>\nAt the pier.']) {
        const thinker = await model([first, { kind: 'stream', text: second }]);
        const { text } = await complete(thinker, question, short);
        assert.equal(withoutThoughts(text, 'removed').trim(), 'At the pier.');
        assert.deepEqual(limits(), [60, 4156]);
        await server.stop();
      }
  });

  it('is asked without the effort where its service knows none', async () => {
    const thinker = await model((_request, index) =>
      index === 0
        ? silent
        : index === 1
          ? {
              kind: 'status',
              status: 400,
              body: { error: { message: 'think value "low" is not supported for this model' } },
            }
          : answer,
    );
    assert.equal((await complete(thinker, question, short)).text, 'At the pier.');
    assert.deepEqual(
      server.requests.map(({ body }) => body.reasoning_effort),
      [undefined, 'low', undefined],
    );
  });

  it('that thinks on and on is given up with a word on why', async () => {
    const thinker = await model([
      silent,
      {
        ...silent,
        usage: { prompt_tokens: 12, completion_tokens: 4156, completion_tokens_details: { reasoning_tokens: 4156 } },
      },
    ]);
    await assert.rejects(complete(thinker, question, short), (error) => {
      assert.ok(error instanceof EmptyReplyError);
      assert.equal(error.message, 'tiny thought for 4216 tokens and came to no word of an answer.');
      assert.deepEqual(error.usage, { inputTokens: 24, outputTokens: 60 + 4156, estimated: false });
      return true;
    });
    assert.equal(server.requests.length, 2);
  });

  it('may write down more than others before it answers', async () => {
    const thoughts = `<think>${'Is it the mill? '.repeat(1_250)}</think>\n`;
    const thinker = await model([
      { kind: 'stream', text: '<think>The mill?', finish: 'length' },
      { kind: 'stream', text: `${thoughts}At the pier.` },
    ]);
    const { text, truncated } = await complete(thinker, question, short);
    assert.equal(truncated, undefined);
    assert.equal(withoutThoughts(text, 'removed').trim(), 'At the pier.');
  });

  it('gives no usable value where all of a structured reply went into thoughts, as one that cannot be read', async () => {
    const thinker = await model([silent]);
    const asked = { messages: question, name: 'plan', schema: z.object({ plan: z.string() }), options: short };
    await assert.rejects(requestStructured(thinker, asked), (error) => {
      assert.ok(error instanceof BadReplyError && error.cause instanceof EmptyReplyError);
      assert.deepEqual([error.calls, error.usage.outputTokens], [1, 120]);
      return true;
    });
  });

  it('leaves three quarters of a small window to the passages', async () => {
    const thinker = await model([silent, answer], 4000);
    const before = contextRoom(thinker, question, 200);
    await complete(thinker, question, short);
    assert.equal(thinker.thoughtTokens, 1000);
    assert.equal(before - contextRoom(thinker, question, 200), 1000);
  });

  it('is none where a reply is cut after it has begun', async () => {
    const plain = await model([{ kind: 'stream', text: 'At the', finish: 'length' }]);
    assert.equal((await complete(plain, question, short)).text, 'At the');
    assert.deepEqual([plain.thoughtTokens, server.requests.length], [0, 1]);
  });

  it('is told apart from one that sends nothing', async () => {
    const told: boolean[] = [];
    const later = (_after: number, ring: () => void): (() => void) => {
      let on = true;
      setTimeout(() => on && ring(), 500);
      return () => (on = false);
    };
    const watch = async (reply: FakeReply): Promise<boolean[]> => {
      const watched = tellSilence(await model([reply]), (thinking) => told.push(thinking), later);
      const signal = AbortSignal.timeout(1500);
      await complete(watched, question, { ...short, signal }).catch(() => undefined);
      await server.stop();
      return told.splice(0);
    };
    assert.deepEqual(await watch({ kind: 'hang', after: '' }), [false]);
    assert.deepEqual(await watch({ kind: 'hang', after: '<think>The mill?' }), [true]);
    assert.deepEqual(await watch({ kind: 'hang', after: 'At the' }), []);
  });
});
