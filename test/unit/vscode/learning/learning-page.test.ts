import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { EventEmitter, resetVscode, Uri, window } from '../../../doubles/vscode/vscode.ts';
import type { LearningPagePorts } from '../../../../src/vscode/learned/learning-page.ts';

const { LearningPage } = await import('../../../../src/vscode/learned/learning-page.ts');

describe('the page of what was learnt', () => {
  afterEach(resetVscode);

  it('shows nothing older than what it shows, whichever report is ready first', async () => {
    const changed = new EventEmitter<void>();
    const reading: ((report: unknown) => void)[] = [];
    const shown: unknown[] = [];
    const never = (): void => undefined;
    Object.assign(window, {
      createWebviewPanel: () => ({
        webview: {
          asWebviewUri: (uri: Uri) => uri,
          onDidReceiveMessage: never,
          postMessage: async ({ report }: { report: unknown }) => shown.push(report),
        },
        onDidChangeViewState: never,
        onDidDispose: never,
        dispose: never,
      }),
    });
    const page = new LearningPage({
      extensionUri: Uri.file('/extension'),
      learning: { onDidChange: changed.event, report: () => new Promise((resolve) => reading.push(resolve)) },
      run: never,
    } as unknown as LearningPagePorts);
    page.show();
    changed.fire();
    changed.fire();
    const [first, second] = reading;
    second?.('after');
    first?.('before');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(shown, ['after']);
    // Runs may teach faster than reports are read.
    for (let run = 3; run <= 6; run++) {
      changed.fire();
      changed.fire();
      reading.at(-2)?.(`run ${run}`);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(shown.at(-1), `run ${run}`);
    }
    page.dispose();
  });
});
