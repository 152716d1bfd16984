import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import {
  keepRun,
  NotRecordedError,
  readRuns,
  recordReplies,
  replayedModel,
} from '../../../lab/evaluation/recording.ts';
import type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
} from '../../../src/research/language-model/language-model.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const usage: CompletionPart = { type: 'usage', usage: { inputTokens: 7, outputTokens: 2, estimated: false } };

/** A model that gives numbered replies, in pieces. */
class Counting implements LanguageModel {
  readonly id = 'test:counting';
  readonly name = 'Counting';
  contextTokens = 6144;
  calls = 0;
  fails = false;

  async *stream(): AsyncIterable<CompletionPart> {
    if (this.fails) throw new Error('The server went away.');
    this.calls += 1;
    yield { type: 'text', text: 'reply ' };
    yield { type: 'text', text: String(this.calls) };
    yield { type: 'tool-call', call: { id: 'a', name: 'read', arguments: '{"path":"a.md"}' } };
    yield usage;
  }
}

async function ask(model: LanguageModel, content: string, options: CompletionOptions = {}): Promise<string> {
  const messages: ChatMessage[] = [{ role: 'user', content }];
  const parts: CompletionPart[] = [];
  for await (const part of model.stream(messages, options)) parts.push(part);
  assert.deepEqual(parts.slice(-2), [
    { type: 'tool-call', call: { id: 'a', name: 'read', arguments: '{"path":"a.md"}' } },
    usage,
  ]);
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

describe('recorded replies', () => {
  let file: string;
  let model: Counting;
  beforeEach(() => {
    file = join(temporaryFolder(), 'replies.jsonl');
    model = new Counting();
  });

  it('answer the same request again, in another run too, and no other request', async () => {
    assert.equal(await ask(recordReplies(model, file), 'One?'), 'reply 1');
    const again = recordReplies(model, file);
    assert.equal(await ask(again, 'One?'), 'reply 1');
    assert.equal(await ask(again, 'Two?'), 'reply 2');
    assert.equal(await ask(again, 'One?', { maxTokens: 7 }), 'reply 3');
    assert.equal(await ask(again, 'One?', { tools: [] }), 'reply 4');
    assert.equal(await ask(again, 'One?', { temperature: 1 }), 'reply 5');
    assert.equal(await ask(again, 'One?', { temperature: 1 }), 'reply 6', 'chance is not repeated');
    const first = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as { messages: ChatMessage[] };
    assert.deepEqual(first.messages, [{ role: 'user', content: 'One?' }], 'the request is kept');
  });

  it('are of a model with the window that it was asked with, which it may have told late', async () => {
    const recorded = recordReplies(model, file);
    await ask(recorded, 'One?');
    model.contextTokens = 131_072;
    await ask(recorded, 'Two?');
    assert.equal(replayedModel(file).contextTokens, 131_072);
  });

  it('survive a cut-off line, and a failed call is made again', async () => {
    model.fails = true;
    await assert.rejects(ask(recordReplies(model, file), 'One?'), /went away/);
    model.fails = false;
    assert.equal(await ask(recordReplies(model, file), 'One?'), 'reply 1');
    appendFileSync(file, '{"key":"abc","parts":[{"type":"te');
    assert.equal(await ask(recordReplies(model, file), 'Two?'), 'reply 2');
    model.fails = true;
    for (const [asked, reply] of [
      ['One?', 'reply 1'],
      ['Two?', 'reply 2'],
    ] as const)
      assert.equal(await ask(recordReplies(model, file), asked), reply);
  });

  it('replay without the model, in order, and say which request has none', async () => {
    const recorded = recordReplies(model, file);
    await ask(recorded, 'One?', { temperature: 1 });
    await ask(recorded, 'One?', { temperature: 1 });
    const replay = replayedModel(file);
    assert.deepEqual([replay.id, replay.contextTokens], ['test:counting', 6144]);
    assert.equal(await ask(replay, 'One?', { temperature: 1 }), 'reply 1');
    assert.equal(await ask(replay, 'One?', { temperature: 1 }), 'reply 2');
    await assert.rejects(ask(replay, 'Two?'), NotRecordedError);
    assert.equal(model.calls, 2);
    assert.throws(() => replayedModel(`${file}.none`), NotRecordedError);
  });
});

describe('recorded runs', () => {
  it('are read as they were kept, the last of a question', () => {
    const folder = join(temporaryFolder(), 'runs');
    assert.throws(() => readRuns(folder), NotRecordedError);
    const run = (text: string) => ({
      id: 'q1',
      events: [{ type: 'answer-delta' as const, text, runId: 'r', time: 1 }],
    });
    keepRun(folder, run('first'));
    keepRun(folder, run('second'));
    keepRun(folder, { ...run('other'), id: 'q2' });
    assert.deepEqual(readRuns(folder), [run('second'), { ...run('other'), id: 'q2' }]);
  });
});
