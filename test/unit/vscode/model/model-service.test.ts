import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { lm, resetVscode, workspace } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { modelProviders } = await import('../../../../src/vscode/model/model-providers.ts');
const { ModelService } = await import('../../../../src/vscode/model/model-service.ts');

describe('ModelService', () => {
  afterEach(resetVscode);

  it('tells the model that was chosen last, however long an earlier one takes to be found', async () => {
    const settings: Record<string, string> = { 'model.provider': 'editor', 'model.editorModel': 'copilot/gpt' };
    let find: (chats: unknown[]) => void = () => undefined;
    workspace.isTrusted = true;
    workspace.getConfiguration = () => ({ get: (key) => settings[key] });
    lm.selectChatModels = () =>
      new Promise((resolve) => {
        find = resolve;
      });
    const models = new ModelService(
      { onDidChange: () => ({ dispose: () => undefined }) } as unknown as vscode.SecretStorage,
      { warn: () => undefined } as unknown as vscode.LogOutputChannel,
      '/learning',
    );
    const told: (string | undefined)[] = [];
    models.onDidChange((model) => told.push(model?.id));
    const slow = models.refresh();
    await settled();
    settings['model.provider'] = 'none';
    await models.refresh();
    find([{ vendor: 'copilot', id: 'gpt', name: 'GPT', maxInputTokens: 1000 }]);
    await slow;
    assert.deepEqual(told, [undefined]);
    settings['model.provider'] = 'editor';
    const again = models.refresh();
    await settled();
    find([{ vendor: 'copilot', id: 'gpt', name: 'GPT', maxInputTokens: 1000 }]);
    await again;
    assert.deepEqual(told, [undefined, 'vscode:copilot/gpt']);
  });

  it('opens the models of a provider that is added, and none where the settings name none that there is', async () => {
    const settings: Record<string, string> = { 'model.provider': 'attic', 'model.name': 'dusty' };
    workspace.isTrusted = true;
    workspace.getConfiguration = () => ({ get: (key) => settings[key] });
    const opened = new ScriptedLanguageModel([]);
    const asked: string[] = [];
    const models = new ModelService(
      { onDidChange: () => ({ dispose: () => undefined }) } as unknown as vscode.SecretStorage,
      { warn: () => undefined } as unknown as vscode.LogOutputChannel,
      '/learning',
      new Map([
        ...modelProviders,
        [
          'attic',
          {
            open: async ({ name }) => {
              asked.push(name);
              return opened;
            },
          },
        ],
      ]),
    );
    assert.equal(await models.current(), opened);
    assert.deepEqual(asked, ['dusty']);
    for (const name of ['cellar', 'none', 'toString']) {
      settings['model.provider'] = name;
      await models.refresh();
      assert.equal(await models.current(), undefined, name);
    }
  });
});
