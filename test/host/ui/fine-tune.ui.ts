import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { ExperienceStore } from '../../../src/learning/experience/experience-store.ts';
import { fileOnDisk } from '../../../src/base/line-file.ts';
import { FakeFineTuningServer, SPLITS_ALIKE } from '../../doubles/fake-fine-tuning-server.ts';
import { taughtBy } from '../../unit/learning/experience/run-records.ts';
import type { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

const BASE = 'gpt-4o-mini-2024-07-18';

describe('fine-tuning a model', () => {
  /** Statuses of a job; the server looks at them anew with each question. */
  const course = ['succeeded'];
  let server: FakeFineTuningServer;
  let host: VscodeHost;
  let workbench: Workbench;
  let panel: HoptrailPanel;

  before(async () => {
    server = await FakeFineTuningServer.start({
      course,
      chat: ({ model, messages }) => {
        const prompt = messages.map((message) => message.content).join('\n');
        if (prompt.includes('two ways to split a question')) return SPLITS_ALIKE;
        if (!model.startsWith('ft:')) return 'I do not know.';
        return prompt.includes('next')
          ? '{"question": "Where is rope bought?"}'
          : prompt.includes('verdict')
            ? '{"reason": "A step forward.", "verdict": "keep"}'
            : 'Answer: Tallinn [1]';
      },
    });
  });
  useNotesWindow(
    (opened) => {
      ({ host, workbench, panel } = opened);
    },
    async () => ({
      settings: {
        'hoptrail.model.provider': 'endpoint',
        'hoptrail.model.baseUrl': server.baseUrl,
        'hoptrail.model.name': BASE,
      },
    }),
  );
  before(async () => {
    const experience = new ExperienceStore(
      fileOnDisk(
        path.join(
          host.server.dataDirectory,
          'data',
          'User',
          'globalStorage',
          'hoptrail.hoptrail',
          'learning',
          'experience.jsonl',
        ),
      ),
    );
    await experience.add(
      taughtBy(
        60,
        (i) => `Where is rope ${i} bought?`,
        () => ({}),
      ),
    );
  });
  after(() => server.stop());

  const begin = (): Promise<void> => workbench.runCommand('Hoptrail: Fine-Tune Model');

  it('sends nothing before a person has seen what, and where to', async () => {
    await begin();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    const said = await dialog.innerText();
    assert.match(said, /Send \d+ examples to 127\.0\.0\.1:\d+ to fine-tune gpt-4o-mini-2024-07-18\?/);
    assert.match(said, /They come from all your workspaces and hold questions, answers and passages of files/);
    await workbench.answerDialog('Cancel');
    assert.deepEqual(
      server.requests.filter((request) => request.path.includes('fil')),
      [],
    );
  });

  it('uses the model that does better, says so, and goes back with one click', async () => {
    await begin();
    await workbench.answerDialog('Send and Fine-Tune');
    const won = workbench.notification('The fine-tuned model does better and is in use now');
    await won.waitFor({ timeout: 90_000 });
    assert.equal(server.files.size, 0, 'the examples are deleted at the service');
    await panel.frame.locator('.model-button', { hasText: 'ft:' }).waitFor();
    await workbench.runAndChoose('Hoptrail: Fine-Tune Model', `Step Back to ${BASE}`);
    await panel.frame.locator('.model-button', { hasText: BASE }).waitFor();
  });
});
