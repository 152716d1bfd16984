import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { FromLearningPage, ToLearningPage } from '../../../src/vscode/protocol.ts';
import { learningOff, muchLearnt, nothingLearnt } from '../../doubles/learning-reports.ts';
import { browserForSuite, PanelPage } from '../../doubles/panel-page.ts';

describe('the learning page', function () {
  this.timeout(60_000);
  const browser = browserForSuite();
  let page: PanelPage;
  before(async () => {
    page = await PanelPage.open(browser(), { place: 'learning', width: 800 });
  });
  after(() => page.end());

  it('asks what there is, and says when there is nothing', async () => {
    assert.deepEqual(await page.posted<FromLearningPage>(), [{ type: 'ready' }]);
    await page.send({ type: 'learning', report: nothingLearnt });
    const text = await page.page.locator('main').innerText();
    assert.match(
      text,
      /No answer of a language model has taught yet\. The choice started from: measurements on 60 questions/,
    );
    assert.match(text, /A run teaches when its citations hold/);
    assert.equal(await page.page.locator('table').count(), 0);
  });

  it('shows what pays by kind of question, the examples and the judgements', async () => {
    await page.send({ type: 'learning', report: muchLearnt });
    const rows = await page.page.locator('table').first().locator('tbody tr').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split(/\s*\t\s*/).slice(0, 3)),
      [
        ['Lookup', '21', 'one retrieval'],
        ['Inference', '15', 'step-by-step retrieval'],
        ['Comparison', '4', muchLearnt.byType[2]?.best.words],
      ],
    );
    assert.match(
      await page.page.locator('main').innerText(),
      /Choice of passage chains\s+96\s+In use: it won\s+41 held-out questions, difference 0\.018 to 0\.101\s+0\.612\s+0\.671/,
    );
    assert.match(
      await page.page.locator('main').innerText(),
      /In use now, from this round or an earlier one: Choice of passage chains, Types of questions/,
    );
    assert.deepEqual(await page.page.locator('.tile-value').allInnerTexts(), ['74', '61', '88']);
    assert.match(
      await page.page.locator('main').innerText(),
      /Of 29 runs, 412 kB\. 0 of the examples may leave this machine\./,
    );
    assert.deepEqual(await page.page.locator('.judgements li').allInnerTexts(), [
      '12 good answers',
      '3 bad answers',
      '5 passages that do not belong',
    ]);
  });

  it('names what cannot be read, beside what can', async () => {
    const section = page.page.locator('section[aria-label="What cannot be read"]');
    await page.send({
      type: 'learning',
      report: { ...muchLearnt, round: [], damaged: ['The state of the learning round cannot be read.'] },
    });
    assert.match(
      await section.innerText(),
      /The state of the learning round cannot be read\.\s+What Hoptrail came with is used in its place\. “Delete Everything…” removes it\./,
    );
    assert.deepEqual(await page.page.locator('.tile-value').allInnerTexts(), ['74', '61', '88']);
    await page.send({ type: 'learning', report: muchLearnt });
    assert.equal(await section.count(), 0);
  });

  it('shows what fine-tuning came to, and which model is used since', async () => {
    const text = page.page.locator('section[aria-label="Fine-tuning"]');
    await page.send({ type: 'learning', report: muchLearnt });
    assert.match(
      await text.innerText(),
      /gpt-4o-mini at api\.openai\.com, 191 examples\. It did better\.\s+In use now: ft:gpt-4o-mini:hoptrail\s+0\.534 before, 0\.602 after on 47 questions held back; difference 0\.011 to 0\.124\./,
    );
    await page.send({
      type: 'learning',
      report: {
        ...muchLearnt,
        fineTuning: {
          phase: 'failed',
          baseModel: 'm',
          host: 'h',
          examples: 12,
          problem: 'The file holds no examples.',
        },
      },
    });
    assert.match(await text.innerText(), /It failed\.\s+The file holds no examples\./);
    assert.doesNotMatch(await text.innerText(), /In use now/);
    await page.send({ type: 'learning', report: nothingLearnt });
    assert.equal(await text.count(), 0);
  });

  it('goes on after a message that it does not know', async () => {
    await page.send({ type: 'learning', report: nothingLearnt });
    const before = await page.page.locator('main').innerText();
    await page.send({ type: 'of-a-later-version' } as unknown as ToLearningPage);
    assert.deepEqual([await page.page.locator('main').innerText(), page.complaints], [before, []]);
  });

  it('says that learning is off, and what could not be read', async () => {
    await page.send({ type: 'learning', report: learningOff });
    assert.match(await page.page.locator('.learning-state').innerText(), /Learning is off[^]*Strategy: ircot\./);
    assert.match(await page.page.locator('main').innerText(), /1 lines? could not be read/);
  });

  it('opens the settings, fine-tunes, exports and deletes by keyboard', async () => {
    for (const name of ['Open Settings', 'Fine-Tune Model…', 'Export…', 'Delete Everything…']) {
      await page.page.getByRole('button', { name }).focus();
      await page.page.keyboard.press('Enter');
    }
    assert.deepEqual((await page.posted<FromLearningPage>()).slice(1), [
      { type: 'settings' },
      { type: 'fine-tune' },
      { type: 'export' },
      { type: 'delete' },
    ]);
  });
});
