import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { BadReplyError } from '../../../../src/research/language-model/errors.ts';
import { jsonSchemaOf, requestStructured } from '../../../../src/research/language-model/structured-reply.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';

const schema = z.object({ type: z.enum(['lookup', 'comparison']), reason: z.string() });
const messages = [{ role: 'user' as const, content: 'Which type?' }];
const good = { type: 'lookup', reason: 'one fact' };
const cost = { inputTokens: 10, outputTokens: 5, estimated: false };

describe('requestStructured', () => {
  it('gives the schema to the model and returns the validated value', async () => {
    const model = new ScriptedLanguageModel([{ json: good }]);
    const reply = await requestStructured(model, {
      messages,
      name: 'classification',
      schema,
      options: { maxTokens: 50 },
    });
    assert.deepEqual(reply.value, good);
    assert.equal(reply.calls, 1);
    assert.equal(reply.repaired, false);
    assert.equal(model.calls[0]?.options.schema?.name, 'classification');
    assert.deepEqual(model.calls[0]?.options.schema?.schema, jsonSchemaOf(schema));
    assert.equal(model.calls[0]?.options.maxTokens, 50);
  });

  it('takes the value that fits the schema from a rambling reply', async () => {
    const model = new ScriptedLanguageModel([
      `Types are {"types": 2}. Hmm. So: \`\`\`json\n{'type': 'lookup', 'reason': 'one fact',}\n\`\`\` Bye.`,
    ]);
    assert.deepEqual((await requestStructured(model, { messages, name: 'x', schema })).value, good);
  });

  it('shows the model once what was wrong', async () => {
    const model = new ScriptedLanguageModel([
      { text: '{"type": "riddle"}', usage: cost },
      { text: JSON.stringify(good), usage: cost },
    ]);
    const reply = await requestStructured(model, { messages, name: 'x', schema });
    assert.deepEqual(reply, {
      value: good,
      text: JSON.stringify(good),
      usage: { inputTokens: 20, outputTokens: 10, estimated: false },
      calls: 2,
      repaired: true,
    });
    const [question, bad, hint] = model.calls[1]?.messages ?? [];
    assert.equal(question?.content, 'Which type?');
    assert.equal(bad?.content, '{"type": "riddle"}');
    assert.match(hint?.content ?? '', /lookup/);
    assert.match(hint?.content ?? '', /reason/);
  });

  it('shows it what it said, and not what it thought', async () => {
    const thoughts = `<think>${'A riddle, or no riddle? '.repeat(100)}</think>\n`;
    const model = new ScriptedLanguageModel([`${thoughts}{"type": "riddle"}`, { json: good }]);
    await requestStructured(model, { messages, name: 'x', schema });
    assert.equal(model.calls[1]?.messages[1]?.content, '{"type": "riddle"}');
  });

  it('gives up after one repair, with what it cost', async () => {
    const model = new ScriptedLanguageModel([
      { text: 'I would say lookup.', usage: cost },
      { text: 'As I said: lookup.', usage: cost },
      { json: good },
    ]);
    await assert.rejects(requestStructured(model, { messages, name: 'classification', schema }), (error) => {
      assert.ok(error instanceof BadReplyError);
      assert.equal(error.calls, 2);
      assert.deepEqual(error.usage, { inputTokens: 20, outputTokens: 10, estimated: false });
      assert.equal(error.reply, 'As I said: lookup.');
      assert.match(error.message, /no JSON/);
      return true;
    });
    assert.equal(model.calls.length, 2);
  });

  it('does not show an endless reply whole, and says that it was cut', async () => {
    const model = new ScriptedLanguageModel([{ text: 'la '.repeat(5000), truncated: true }, { json: good }]);
    await requestStructured(model, { messages, name: 'x', schema });
    const [, bad, hint] = model.calls[1]?.messages ?? [];
    assert.ok((bad?.content.length ?? 0) < 1600);
    assert.match(hint?.content ?? '', /be shorter/);
  });

  it('passes errors of the model on and does not repair them', async () => {
    const failure = new Error('no line');
    const model = new ScriptedLanguageModel([{ error: failure }]);
    await assert.rejects(requestStructured(model, { messages, name: 'x', schema }), failure);
    assert.equal(model.calls.length, 1);
  });

  it('marks usage as estimated when the model gives none', async () => {
    const model = new ScriptedLanguageModel([{ text: JSON.stringify(good), usage: 'missing' }]);
    const { usage } = await requestStructured(model, { messages, name: 'x', schema });
    assert.equal(usage.estimated, true);
    assert.ok(usage.inputTokens > 0 && usage.outputTokens > 0);
  });

  it('is cancelled', async () => {
    const model = new ScriptedLanguageModel([{ hang: true, after: '{"type"' }]);
    const controller = new AbortController();
    const reply = requestStructured(model, { messages, name: 'x', schema, options: { signal: controller.signal } });
    controller.abort();
    await assert.rejects(reply, { name: 'AbortError' });
  });
});
