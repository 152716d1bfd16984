import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { resetVscode, window, workspace } from '../../../doubles/vscode/vscode.ts';
import { BASE, TuningDesk } from '../../learning/fine-tuning/tuning-desk.ts';
import type { FineTunePorts } from '../../../../src/vscode/learned/fine-tune.ts';

const { fineTune } = await import('../../../../src/vscode/learned/fine-tune.ts');

describe('what a person is asked before examples are sent', () => {
  const desk = new TuningDesk();
  beforeEach(() => desk.begin());
  afterEach(async () => {
    resetVscode();
    await desk.stopServer();
  });

  /** Begins a round with this setting, and thinks better of it: what was said of the examples. */
  async function said(loss: string | undefined): Promise<{ counts: number[]; weights: string | undefined }> {
    const settings: Record<string, unknown> = {
      'model.provider': 'endpoint',
      'model.baseUrl': 'http://127.0.0.1:9/v1',
      'model.name': BASE,
      'research.loss': loss,
    };
    workspace.isTrusted = true;
    workspace.getConfiguration = () => ({ get: (key: string) => settings[key] });
    window.showInputBox = async () => '';
    let detail = '';
    window.showWarningMessage = async (_message, options) => {
      detail = (options as { detail: string }).detail;
      return undefined;
    };
    const learning = {
      fineTuningRound: async () => undefined,
      open: () => ({ folder: desk.folder, experience: desk.experience }),
    };
    await fineTune({ learning, secrets: { get: async () => undefined } } as unknown as FineTunePorts);
    const counts = /: (\d+) on what to ask next, (\d+) on what passages say, (\d+) on what to keep/.exec(detail);
    return { counts: counts?.slice(1).map(Number) ?? [], weights: /They weigh [^\n]+/.exec(detail)?.[0] };
  }

  it('counts each kind of example as often as it weighs, and says why', async () => {
    const alike = await said(undefined);
    assert.equal(alike.weights, undefined);
    const [asked, read = 0, kept = 0] = alike.counts;
    assert.ok(read > 0 && kept > 0, alike.counts.join());
    assert.deepEqual(await said('1,3,0'), {
      counts: [asked, 3 * read, 0],
      weights: 'They weigh 1, 3 and 0, as the setting hoptrail.research.loss says.',
    });
    const twice = await said('2, 2, 2');
    assert.deepEqual([twice.counts.slice(1), twice.weights], [[2 * read, 2 * kept], undefined]);
    assert.deepEqual(await said('much'), alike, 'what is no weight weighs as the paper has it');
  });
});
