import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { demoQuestion } from '../../../scripts/demo-question.ts';
import { searchUntil } from './search-tool.ts';

async function research(input: object, token?: vscode.CancellationToken): Promise<string> {
  const result = await vscode.lm.invokeTool('hoptrail_ask', { input, toolInvocationToken: undefined }, token);
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

describe('tools for agents', () => {
  it('are offered with a schema and a description of what comes back', () => {
    for (const [name, asked] of [
      ['hoptrail_search', 'query'],
      ['hoptrail_ask', 'question'],
      ['hoptrail_references', 'symbol'],
    ] as const) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.ok(tool, `${name} is not offered`);
      assert.deepEqual((tool.inputSchema as { required?: string[] } | undefined)?.required, [asked]);
      assert.match(tool.description, /line/i);
    }
  });

  it('research several files and give each source with file and lines', async () => {
    const found = await searchUntil(
      'Halden Cells',
      (text) => text.includes('halden-cells.md') && !text.includes('still being built'),
      120_000,
    );
    assert.ok(!found.includes('still being built'), found);
    const text = await research({ question: demoQuestion });
    assert.match(text, /Sources:\n\[1\] \[[\w/-]+\.md:\d+-\d+\]\(file:\S+\.md#L\d+\)/);
    assert.match(text, /Trail:\n1\. \[[\w/-]+\.md:\d+-\d+\]\(file:\S+\.md#L\d+\)/);
    assert.doesNotMatch(text, /undefined/);
    const files = new Set([...text.matchAll(/^\d+\. \[([\w/-]+\.md):/gm)].map(([, file]) => file));
    assert.ok(files.size >= 3, text);
    assert.match(text, /Halden Cells/);
  });

  it('say what was searched, what was left out, and what reading the result costs', async () => {
    const coverage =
      /\n\n\(Searched \d+ passages of \d+ files by words, all of them by meaning.*\. About [\d,]+ tokens\.\)$/;
    assert.match(await searchUntil('Halden Cells', (text) => coverage.test(text), 60_000), coverage);
    assert.match(await research({ question: 'Who keeps our account with Halden Cells?' }), coverage);
    const references = await vscode.lm.invokeTool('hoptrail_references', {
      input: { symbol: 'Halden' },
      toolInvocationToken: undefined,
    });
    const [part] = references.content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.match(part.value, /About [\d,]+ tokens\.\)$/);
  });

  it('keep to a folder, refuse one that is not there, and say where no line may answer', async () => {
    const text = await research({
      question: 'Which company makes the batteries of the mast power system?',
      folder: 'people',
    });
    const sources = [...text.matchAll(/^\[\d+\] \[(\S+):\d+-\d+\]/gm)].map(([, path]) => path);
    assert.ok(sources.length > 0 && sources.every((path) => path?.startsWith('people/')), text);
    await assert.rejects(
      research({ question: 'Who?', folder: 'nowhere' }),
      /Nothing that is indexed lies at or below "nowhere"/,
    );
    assert.match(
      await research({ question: 'What did the parliament of Iceland decide about whaling quotas in 1989?' }),
      /^These lines come closest; they may not answer it\./,
    );
  });

  it('say what is wrong with an input, and stop when asked', async () => {
    await assert.rejects(research({ question: '' }), /not valid/);
    const stop = new vscode.CancellationTokenSource();
    stop.cancel();
    await assert.rejects(research({ question: 'Who keeps our account with Halden Cells?' }, stop.token));
  });
});
