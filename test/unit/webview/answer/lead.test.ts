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

  it('shows at most two quotes beside the one that leads', async () => {
    const quotes = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((quote) => `> ${quote} [1]`);
    await show(
      extractiveRun.map((event) =>
        event.type === 'answer-end'
          ? {
              ...event,
              answer: {
                ...event.answer,
                text: quotes.join('\n\n'),
                lead: { kind: 'quotes', text: quotes[0] ?? '', citations: [1] },
              },
            }
          : event,
      ),
    );
    assert.equal(await panel.page.locator('.answer blockquote:visible').count(), 3);
    const more = panel.page.locator('.more-quotes summary');
    assert.equal(await more.innerText(), '2 more quotes');
    await more.click();
    assert.equal(await panel.page.locator('.answer blockquote:visible').count(), 5);
  });

  it('is nothing in a refusal: its closest passages stand below', async () => {
    await show(nearestRowRun);
    assert.equal(await text('.abstain-title'), 'I couldn’t find an answer in the part that was searched.');
    assert.equal(await panel.page.locator('.lead').count(), 0);
    assert.equal(await text('.trail .section-title'), 'Closest passages');
    await panel.send(...threadMessages([turnOf(abstainedRun)]));
    assert.equal(await text('.abstain-title'), 'I couldn’t find an answer.');
  });

  it('names what no file mentions', async () => {
    await show(
      abstainedRun.map((event) =>
        event.type === 'answer-end' ? { ...event, answer: { ...event.answer, absent: ['CSRF', 'Fly'] } } : event,
      ),
    );
    assert.equal(await text('.abstain-title'), '“CSRF”, “Fly” aren’t mentioned in any file.');
  });

  it('is code in its colours, as it stands', async () => {
    await show(codeLeadRun);
    assert.match(await text('.lead pre'), /^export async function runTask[^]*`Task \$\{name\} is not implemented`/);
    assert.equal(await text('.lead pre .tok-keyword'), 'export');
    assert.equal(await panel.page.locator('.lead .cite').count(), 1);
  });
});
