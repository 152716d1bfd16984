import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { askStructured } from '../../../../src/research/context/ask-model.ts';
import { Budget, defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { BadReplyError, EmptyReplyError, RefusedError } from '../../../../src/research/language-model/errors.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../../doubles/scripted-language-model.ts';

const request = {
  messages: [{ role: 'user' as const, content: 'Which pier?' }],
  name: 'pier',
  schema: z.object({ pier: z.string() }),
  maxTokens: 50,
};
const usage = { inputTokens: 1000, outputTokens: 60, estimated: false };

/** Asks for a reply that comes as told; the budget afterwards, and what it ended with. */
async function asked(...replies: ScriptedReply[]) {
  const budget = new Budget(defaultResearchOptions.budget, () => 0);
  const model = new ScriptedLanguageModel(replies);
  const ended: unknown = await askStructured({ model, budget, signal: new AbortController().signal }, request).catch(
    (error: unknown) => error,
  );
  return { ended, used: budget.usage() };
}

describe('what a reply of a given form costs', () => {
  it('is its call, and that of its repair', async () => {
    const first = { text: '{"pier": "north"}', usage };
    assert.deepEqual((await asked(first)).used.calls, 1);
    const { used } = await asked({ text: 'north', usage }, first);
    assert.deepEqual([used.calls, used.inputTokens, used.outputTokens, used.estimated], [2, 2000, 120, false]);
  });

  it('is both where the repair is of no use either', async () => {
    const { ended, used } = await asked({ text: 'north', usage }, { text: 'the north one', usage });
    assert.ok(ended instanceof BadReplyError);
    assert.deepEqual([used.calls, used.inputTokens, used.outputTokens], [2, 2000, 120]);
  });

  it('is both where the repair is refused', async () => {
    const { ended, used } = await asked({ text: 'north', usage }, { error: new RefusedError('tiny', 'no piers') });
    assert.ok(ended instanceof RefusedError);
    assert.equal(used.calls, 2);
    assert.ok(used.inputTokens > 1000 && used.inputTokens < 1200, `${used.inputTokens}: the prompt of the repair, too`);
    assert.equal(used.outputTokens, 60);
    assert.equal(used.estimated, true);
  });

  it('is what the model thought where it came to no word', async () => {
    const { used } = await asked({
      error: new EmptyReplyError('tiny', 'thoughts', { ...usage, outputTokens: 4156 }),
    });
    assert.deepEqual([used.calls, used.inputTokens, used.outputTokens], [1, 1000, 4156]);
  });

  it('is the first where the repair is cancelled', async () => {
    const { used } = await asked({ text: 'north', usage }, { error: new DOMException('cancelled', 'AbortError') });
    assert.deepEqual([used.calls, used.inputTokens, used.outputTokens], [1, 1000, 60]);
  });
});
