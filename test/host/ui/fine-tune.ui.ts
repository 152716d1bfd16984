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
import { until } from '../../doubles/waiting.ts';

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

  async function begin(price: string): Promise<void> {
    await workbench.runCommand('Hoptrail: Fine-Tune Model');
    const input = workbench.page.locator('.quick-input-widget input[type=text]').first();
    await workbench.page.locator('.quick-input-widget', { hasText: 'Price of a million trained tokens' }).waitFor();
    await input.fill(price);
    await input.press('Enter');
  }

  it('sends nothing before a person has seen what, where to and at what price', async () => {
    await begin('3 USD');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    const said = await dialog.innerText();
    assert.match(said, /Send \d+ examples to 127\.0\.0\.1:\d+ to fine-tune gpt-4o-mini-2024-07-18\?/);
    assert.match(said, /Training: \d+ epochs, about [\d,]+ tokens, about \d+\.\d\d USD\./);
    assert.match(said, /They come from all your workspaces and hold questions, answers and passages of files/);
    await workbench.answerDialog('Cancel');
    assert.deepEqual(
      server.requests.filter((request) => request.path.includes('fil')),
      [],
    );
  });

  it('uses the model that does better, says so, and goes back with one click', async () => {
    await begin('');
    await workbench.answerDialog('Send and Fine-Tune');
    const won = workbench.notification('The fine-tuned model does better and is in use now');
    await won.waitFor({ timeout: 90_000 });
    assert.equal(server.files.size, 0, 'the examples are deleted at the service');
    await panel.frame.locator('.model-button', { hasText: 'ft:' }).waitFor();
    await won.getByRole('button', { name: 'Details' }).click();
    const page = await workbench.webview('.learning-page section[aria-label="Fine-tuning"]');
    assert.match(
      await page.locator('section[aria-label="Fine-tuning"]').innerText(),
      /It did better\.\s+In use now: ft:/,
    );
    await page.getByRole('button', { name: 'Fine-Tune Model…' }).click();
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: `Step Back to ${BASE}` }).click();
    await page.locator('section[aria-label="Fine-tuning"]', { hasText: 'you went back to the old model' }).waitFor();
    await panel.frame.locator('.model-button', { hasText: BASE }).waitFor();
  });

  it('cancels a round that it looks after itself: the job ends there, and the examples go', async () => {
    course.splice(0, 1, 'running');
    await begin('');
    await workbench.answerDialog('Send and Fine-Tune');
    await workbench.notification('Fine-tuning gpt-4o-mini').waitFor();
    await until(() => server.count('GET', /jobs\/[^/]+$/) > 0, 'the job is looked after');
    await workbench.runAndChoose('Hoptrail: Fine-Tune Model', 'Cancel the Round');
    await workbench.statusBarItem('The round is cancelled').waitFor();
    assert.equal(server.count('POST', /jobs\/[^/]+\/cancel$/), 1);
    assert.equal(server.files.size, 0);
    await workbench.notification('Fine-tuning gpt-4o-mini').waitFor({ state: 'detached' });
    await panel.frame.locator('.model-button', { hasText: BASE }).waitFor();
  });
});
