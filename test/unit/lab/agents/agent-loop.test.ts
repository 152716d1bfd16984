/** The loop of a bare reader over a real folder, with a scripted model. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { runAgent } from '../../../../lab/agents/agent-loop.ts';
import { fileTools } from '../../../../lab/agents/file-tools.ts';
import type {
  ChatMessage,
  CompletionOptions,
  CompletionPart,
  LanguageModel,
} from '../../../../src/research/language-model/language-model.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

type Reply = { tool: string; input: object } | { short: string; none?: boolean };

/** A model that calls tools natively, as scripted, and notes what it is shown. */
class Scripted implements LanguageModel {
  readonly id = 'test:scripted';
  readonly name = 'Scripted';
  readonly contextTokens = 100_000;
  readonly tools = true;
  readonly shown: string[] = [];
  readonly #script: Reply[];

  constructor(script: readonly Reply[]) {
    this.#script = [...script];
  }

  async *stream(messages: readonly ChatMessage[], { toolChoice }: CompletionOptions): AsyncIterable<CompletionPart> {
    this.shown.push(messages.at(-1)?.content ?? '');
    const reply = toolChoice === 'none' ? this.#script.find((one) => 'short' in one) : this.#script.shift();
    assert.ok(reply, 'asked once too often');
    if ('tool' in reply)
      yield {
        type: 'tool-call',
        call: { id: `c${this.shown.length}`, name: reply.tool, arguments: JSON.stringify(reply.input) },
      };
    else yield { type: 'text', text: JSON.stringify({ answer: `${reply.short} [a]`, none: false, ...reply }) };
    yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 2, estimated: false } };
  }
}

describe('a bare reader that is measured', () => {
  let root: string;
  before(() => {
    root = temporaryFolder({
      'sites/masts.md': '# Masts\n\nThe northern mast has Halden cells.\n',
      'sites/long.md': 'a line about nothing much\n'.repeat(400),
    });
  });

  const run = async (script: readonly Reply[], calls = 8) => {
    const model = new Scripted(script);
    const limits = { calls, resultCharacters: 400 };
    const done = await runAgent(model, 'What cells?', fileTools(root), limits, new AbortController().signal);
    return { ...done, shown: model.shown };
  };

  it('looks, sees results, answers, and says what that cost', async () => {
    const done = await run([
      { tool: 'list', input: { folder: '.' } },
      { tool: 'grep', input: { pattern: 'HALDEN' } },
      { tool: 'read', input: { path: 'sites/masts.md', from: 3 } },
      { short: 'Halden' },
    ]);
    assert.deepEqual([done.short, done.none, done.looks.length], ['Halden', false, 3]);
    assert.deepEqual([done.usage.calls, done.usage.inputTokens, done.usage.outputTokens], [4, 40, 8]);
    assert.match(done.shown[2] ?? '', /1 lines match\nsites\/masts\.md:3:The northern/);
    assert.match(done.shown[3] ?? '', /^sites\/masts\.md, lines 3 to 4 of 4\n3\| The northern/);
  });

  it('is told what is wrong with a call, and shown no more of a result than was set', async () => {
    const done = await run([
      { tool: 'find', input: {} },
      { tool: 'read', input: { path: '../../etc/passwd' } },
      { tool: 'read', input: {} },
      { tool: 'read', input: { path: 'sites/long.md' } },
      { short: '', none: true },
    ]);
    assert.deepEqual(done.shown.slice(1, 3), [
      'There is no tool find.',
      'Error: ../../etc/passwd lies outside of the folder.',
    ]);
    assert.match(done.shown[3] ?? '', /^Error: .*path/s);
    assert.equal(done.shown[4]?.length, 400);
    assert.equal(done.none, true);
  });

  it('has to answer once its calls are spent', async () => {
    const done = await run([{ tool: 'list', input: { folder: '.' } }, { short: 'Halden' }], 1);
    assert.deepEqual([done.short, done.looks.length], ['Halden', 1]);
  });
});
