import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { relayEngine } from '../../../doubles/answered-run.ts';
import { BORN } from '../../../doubles/relay-corpus.ts';
import { resetVscode, workspace } from '../../../doubles/vscode/vscode.ts';

const { Session } = await import('../../../../src/vscode/session.ts');

describe("a session's options", () => {
  afterEach(resetVscode);

  it('are what the settings say when a question is asked, without a restart', async () => {
    const values: Record<string, unknown> = {};
    workspace.getConfiguration = () => ({ get: (key) => values[key] });
    const session = Object.create(Session.prototype) as typeof Session.prototype;
    const { engine } = relayEngine();
    const classifiers: string[] = [];
    for (const classifier of ['embedded', 'zero-shot', 'examples', 'embedded']) {
      values['research.classifier'] = classifier;
      for await (const event of engine.research({ text: BORN, history: [] }, session.researchOptions()))
        if (event.type === 'question-classified') classifiers.push(event.classification.classifier);
    }
    assert.deepEqual(classifiers, ['embedded', 'zero-shot', 'examples', 'embedded']);
  });
});
