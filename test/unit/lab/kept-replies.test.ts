import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { keepReplies } from '../../../lab/evaluation/kept-replies.ts';
import { complete, type ChatMessage, type CompletionOptions, type LanguageModel } from '../../../src/research/index.ts';
import { ScriptedLanguageModel } from '../../doubles/scripted-language-model.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

describe('replies that are kept', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const asked = (content: string): ChatMessage[] => [{ role: 'user', content }];
  const ask = async (
    model: ScriptedLanguageModel,
    content: string,
    options: CompletionOptions = {},
  ): Promise<string> => {
    const reply = await complete(keepReplies(model, join(folder, 'replies.jsonl')), asked(content), options);
    assert.ok(reply.usage.outputTokens > 0, 'what it cost is kept with it');
    return reply.text;
  };

  it('are given again to the same question, by another run too, and never to another', async () => {
    let calls = 0;
    const model = new ScriptedLanguageModel(() => `reply ${(calls += 1)}`);
    assert.equal(await ask(model, 'One?'), 'reply 1');
    assert.equal(await ask(model, 'One?'), 'reply 1');
    assert.equal(await ask(model, 'Two?'), 'reply 2');
    assert.equal(await ask(model, 'One?', { maxTokens: 7 }), 'reply 3');
    assert.equal(await ask(model, 'One?', { temperature: 1 }), 'reply 4', 'chance is not repeated');
  });

  it('are those of a model that goes on telling what it takes', async () => {
    /** Its window is its own. */
    class Learning implements LanguageModel {
      readonly id = 'learning';
      readonly name = 'Learning';
      #window = 1_000;
      #replies = new ScriptedLanguageModel(() => 'yes');
      get contextTokens(): number {
        return this.#window;
      }
      learnWindow(): Promise<void> {
        this.#window = 6_144;
        return Promise.resolve();
      }
      stream(...call: Parameters<LanguageModel['stream']>): ReturnType<LanguageModel['stream']> {
        return this.#replies.stream(...call);
      }
      countTokens(text: string): Promise<number> {
        return this.#replies.countTokens(text);
      }
    }
    const kept = keepReplies(new Learning(), join(folder, 'replies.jsonl'));
    assert.equal((await complete(kept, asked('One?'), {})).text, 'yes');
    await kept.learnWindow?.();
    assert.equal(kept.contextTokens, 6_144);
    assert.ok((await kept.countTokens('one two')) > 0);
  });

  it('survive a line that was cut off, and a call that failed is made again', async () => {
    let fails = true;
    const model = new ScriptedLanguageModel(() => {
      if (fails) throw new Error('The server went away.');
      return 'reply';
    });
    await assert.rejects(ask(model, 'One?'));
    fails = false;
    assert.equal(await ask(model, 'One?'), 'reply');
    appendFileSync(join(folder, 'replies.jsonl'), '["abc",[{"type":"te');
    assert.equal(await ask(model, 'Two?'), 'reply');
    fails = true;
    assert.equal(await ask(model, 'One?'), 'reply');
    assert.equal(await ask(model, 'Two?'), 'reply', 'what came behind the cut is kept, too');
  });
});
