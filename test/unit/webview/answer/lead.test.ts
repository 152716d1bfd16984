import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import { browserForSuite, PanelPage, threadMessages, turnOf } from '../../../doubles/panel-page.ts';
import { abstainedRun, answeredRun, codeLeadRun, extractiveRun, nearestRowRun } from '../../../doubles/panel-runs.ts';

describe('what leads an answer in the panel', function () {
  this.timeout(60_000);
  const browser = browserForSuite();
  let panel: PanelPage;
  const show = async (run: readonly ResearchEvent[]): Promise<void> => {
    panel = await PanelPage.open(browser(), { width: 360 });
    await panel.send(...threadMessages([turnOf(run)]));
  };
  const text = (selector: string): Promise<string> => panel.page.locator(selector).first().innerText();
  const size = (selector: string): Promise<number> =>
    panel.page
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  afterEach(() => panel.end());

  it('is the best unit, larger than the quotes below it, and no guess', async () => {
    await show(extractiveRun);
    assert.match(await text('.lead.quoted blockquote'), /^Hamish Adeyemi keeps our account/);
    assert.ok((await size('.lead blockquote p')) > (await size('.answer-text > ul li')));
    assert.doesNotMatch(await text('.answer'), /perhaps|guess/i);
    assert.deepEqual(await panel.page.locator('.found').locator('bdi').allInnerTexts(), ['Mast Power', 'Halden Cells']);
  });

  it('is the short answer of a model', async () => {
    await show(
      answeredRun.map((event) =>
        event.type === 'answer-end'
          ? { ...event, answer: { ...event.answer, text: '**Hamish Adeyemi** [4]\n\nHe keeps it. [3]' } }
          : event,
      ),
    );
    assert.match(await text('.lead.said'), /^Hamish Adeyemi/);
    assert.match(await text('.answer-text > p'), /^He keeps it/);
  });

  it('is, of a refusal, the row that comes nearest, with its header cells, and its source can be opened', async () => {
    await show(nearestRowRun);
    assert.equal(await text('.abstain-title'), 'Only part was looked at, and no answer was found there.');
    assert.equal(await text('.abstained .quiet'), 'Only systems/ was looked at.');
    assert.deepEqual(await panel.page.locator('.lead th').allInnerTexts(), [
      'Part',
      'Kept at',
      'Warranty',
      'Where to claim it',
    ]);
    assert.equal(await panel.page.locator('.lead td .cite').count(), 1);
    assert.doesNotMatch(await text('.turn'), /workspace|nothing unsupported/i);
  });

  it('is, of a refusal, no larger than other text: it is no answer', async () => {
    await show(
      nearestRowRun.map((event) =>
        event.type === 'answer-end' && event.answer.lead
          ? { ...event, answer: { ...event.answer, lead: { ...event.answer.lead, text: '> It is kept in Varn. [1]' } } }
          : event,
      ),
    );
    assert.match(await text('.lead.quoted blockquote'), /^It is kept in Varn/);
    assert.equal(await size('.lead blockquote p'), await size('.abstain-title'));
  });

  it('is nothing where no file speaks of it', async () => {
    await show(abstainedRun);
    assert.equal(await text('.abstain-title'), 'No file speaks of this.');
    assert.equal(await panel.page.locator('.lead').count(), 0);
  });

  it('is the name that no file has', async () => {
    await show(
      abstainedRun.map((event) =>
        event.type === 'answer-end' ? { ...event, answer: { ...event.answer, absent: ['CSRF', 'Fly'] } } : event,
      ),
    );
    assert.equal(await text('.abstain-title'), 'No file speaks of CSRF, Fly.');
  });

  it('is code in its colours, as it stands', async () => {
    await show(codeLeadRun);
    assert.match(await text('.lead pre'), /^export async function runTask[^]*`Task \$\{name\} is not implemented`/);
    assert.equal(await text('.lead pre .tok-keyword'), 'export');
    assert.equal(await panel.page.locator('.lead .cite').count(), 1);
  });
});
