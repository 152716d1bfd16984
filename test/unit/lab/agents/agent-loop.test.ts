/** The loop of an agent over a real folder, with a scripted model. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { runAgent } from '../../../../lab/agents/agent-loop.ts';
import { fileTools } from '../../../../lab/agents/file-tools.ts';
import { ScriptedLanguageModel, type ScriptedReply } from '../../../doubles/scripted-language-model.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

describe('an agent that is measured', () => {
  let root: string;
  before(() => {
    root = temporaryFolder({
      'sites/masts.md': '# Masts\n\nThe northern mast has Halden cells.\n',
      'sites/long.md': 'a line about nothing much\n'.repeat(200),
    });
  });

  const act = (tool: string, input: string): ScriptedReply => ({ json: { tool, input, files: [] } });
  const answer = (text: string, ...files: string[]): ScriptedReply => ({
    json: { tool: 'answer', input: text, files },
  });
  const run = async (script: ScriptedReply[], actions = 8) => {
    const model = new ScriptedLanguageModel(script);
    const limits = { actions, resultCharacters: 400 };
    const done = await runAgent(model, 'What cells?', fileTools(root), limits, new AbortController().signal);
    return { ...done, results: model.calls.map(({ messages }) => messages.at(-1)?.content ?? ''), model };
  };

  it('acts, sees results, answers, and tells what it was shown and what it took', async () => {
    const done = await run([
      act('list', '.'),
      act('grep', 'HALDEN'),
      act('read', 'sites/masts.md:3'),
      answer('Halden', 'sites/masts.md'),
    ]);
    assert.equal(done.answer, 'Halden');
    assert.deepEqual(done.cited, ['sites/masts.md']);
    assert.deepEqual(done.shown, ['sites/masts.md']);
    assert.deepEqual(
      done.actions.map(({ tool }) => tool),
      ['list', 'grep', 'read'],
    );
    assert.match(done.results[1] ?? '', /sites\//);
    assert.match(done.results[2] ?? '', /sites\/masts\.md:3:The northern mast/);
    assert.match(done.results[3] ?? '', /lines 1 to 4 of 4\n# Masts/);
    assert.equal(done.calls, 4);
    assert.ok(done.inputTokens > done.outputTokens && done.outputTokens > 0);
  });

  it('shows errors to the model, cuts long results, and refuses the same action twice', async () => {
    const done = await run([
      act('read', '../outside.md'),
      act('read', 'none.md'),
      act('grep', '('),
      act('read', 'sites/long.md'),
      act('read', 'sites/long.md'),
      answer(''),
    ]);
    assert.match(done.results[1] ?? '', /Error: .*outside of the folder/);
    assert.match(done.results[2] ?? '', /Error: There is no none\.md/);
    assert.match(done.results[3] ?? '', /Error: /);
    assert.ok((done.results[4] ?? '').length < 500);
    assert.match(done.results[5] ?? '', /exactly this before/);
    const offered = done.model.calls.map(({ options }) => JSON.stringify(options.schema).includes('"read"'));
    assert.deepEqual(offered, [true, true, true, true, true, false]);
  });

  it('ends without an answer where the model twice writes what is no action', async () => {
    const done = await run([act('grep', 'halden'), 'null', 'null']);
    assert.deepEqual([done.answer, done.calls, done.shown], ['', 3, ['sites/masts.md']]);
  });

  it('has to answer when its actions are used up', async () => {
    const done = await run([act('list', '.'), act('list', 'sites'), answer('unknown')], 2);
    assert.equal(done.answer, 'unknown');
    const last = done.model.calls.at(-1)?.options.schema;
    assert.equal(last?.name, 'last_action');
    assert.doesNotMatch(JSON.stringify(last?.schema), /grep/);
  });
});
