import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { resetVscode, window, workspace } from '../../../doubles/vscode/vscode.ts';
import { BASE, TuningDesk } from '../../learning/fine-tuning/tuning-desk.ts';
import type { FineTunePorts } from '../../../../src/vscode/learned/fine-tune.ts';

const { fineTune } = await import('../../../../src/vscode/learned/fine-tune.ts');

describe('fine-tuning a model', () => {
  const desk = new TuningDesk();
  beforeEach(() => desk.begin());
  afterEach(async () => {
    resetVscode();
    await desk.stopServer();
  });

  it('says how many examples would go where, and sends nothing to whoever thinks better of it', async () => {
    const settings: Record<string, unknown> = {
      'model.provider': 'endpoint',
      'model.baseUrl': 'http://127.0.0.1:9/v1',
      'model.name': BASE,
    };
    workspace.isTrusted = true;
    workspace.getConfiguration = () => ({ get: (key: string) => settings[key] });
    const said: string[] = [];
    window.showWarningMessage = async (message, options) => {
      said.push(String(message), (options as { detail: string }).detail);
      return undefined;
    };
    const learning = { open: () => ({ folder: desk.folder, experience: desk.experience }) };
    await fineTune({ learning, secrets: { get: async () => undefined } } as unknown as FineTunePorts);
    assert.match(said[0] ?? '', /^Send \d+ examples to 127\.0\.0\.1:9 to fine-tune /);
    assert.match(said[1] ?? '', /questions, answers and passages of files/);
  });

  it('is refused in restricted mode', async () => {
    workspace.isTrusted = false;
    await assert.rejects(fineTune({} as FineTunePorts), { action: 'manage-trust' });
  });
});
