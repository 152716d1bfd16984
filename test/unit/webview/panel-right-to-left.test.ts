import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Hop, ResearchEvent } from '../../../src/vscode/protocol.ts';
import { browserForSuite, PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun } from '../../doubles/panel-runs.ts';

/**
 * A path without a Latin letter at its end: a line number behind it is drawn into its run of letters unless it is kept
 * apart.
 */
const hebrewPath = 'תורן/סוללה';

/** The answered run with texts and paths in Hebrew; its first two sources disagree. */
function hebrewRun(): ResearchEvent[] {
  const events = structuredClone(answeredRun);
  const inHebrew = ({ passage, why }: Hop): Hop => ({
    passage: { ...passage, path: hebrewPath, startLine: 12, endLine: 14, text: 'הסוללה קפאה.', title: '' },
    score: 1,
    why: { ...why, fromSpan: undefined, toSpan: undefined },
  });
  for (const event of events) {
    if (event.type === 'step-start') event.question = 'איזה חלק קפא?';
    if (event.type === 'passages-retrieved')
      for (const hit of event.hits) Object.assign(hit.passage, { path: hebrewPath, startLine: 12 });
    if (event.type !== 'answer-end') continue;
    const hops = event.answer.chain.hops.map(inHebrew);
    Object.assign(event.answer, {
      chain: { ...event.answer.chain, hops },
      text: 'כן, זה הוא.\n\n- פריט ראשון.\n\n| טבלה! |\n|---|\n| תא. |',
      statements: [],
      conflicts: [{ statement: '', hops }],
    });
  }
  return events;
}

describe('the panel with text from right to left', function () {
  this.timeout(60_000);
  const browser = browserForSuite();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await PanelPage.open(browser(), { width: 700 });
    await panel.send(
      ...threadMessages([
        turnOf(hebrewRun(), {
          question: 'למי מתקשרים?',
          scope: { kind: 'folder', path: 'תורן' },
          without: { passageIds: [], paths: ['masts.md'] },
        }),
      ]),
    );
    await panel.page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
  });
  afterEach(() => panel.end());

  /** Where a word of an element's text is drawn, in pixels from the left. */
  const leftOf = (selector: string, word: string) =>
    panel.page
      .locator(selector)
      .first()
      .evaluate((element, wanted) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.textContent?.indexOf(wanted) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          return range.getBoundingClientRect().left;
        }
        throw new Error(`${wanted} is not in ${element.textContent}`);
      }, word);

  for (const [name, selector, first, last] of [
    ['the question', '.question', 'למי', '?'],
    ['a paragraph', '.answer-text p', 'כן', '.'],
    ['a list item', '.answer-text li', 'פריט', '.'],
    ['a heading of a table', '.answer-text th', 'טבלה', '!'],
    ['a cell', '.answer-text td', 'תא', '.'],
    ['a passage', '.excerpt .text', 'הסוללה', '.'],
    ['a step', '.step-body bdi', 'איזה', '?'],
  ] as const) {
    it(`ends ${name} at the left`, async () => {
      assert.ok((await leftOf(selector, last)) < (await leftOf(selector, first)));
    });
  }

  it('begins what is typed at the right', async () => {
    await panel.page.locator('textarea').fill('למי');
    assert.equal(await panel.page.locator('textarea').evaluate((input) => getComputedStyle(input).direction), 'rtl');
    await panel.page.locator('textarea').fill('Who');
    assert.equal(await panel.page.locator('textarea').evaluate((input) => getComputedStyle(input).direction), 'ltr');
  });

  for (const [name, selector, path, behind] of [
    ['where sources disagree', '.conflicts li', hebrewPath, '12'],
    ['among what was searched', '.activities .source-link', 'סוללה', '12'],
    ['in the quiet line', '.quiet-line', 'תורן', 'without'],
  ] as const) {
    it(`puts what follows a path behind it, ${name}`, async () => {
      assert.ok((await leftOf(selector, behind)) > (await leftOf(selector, path)));
    });
  }
});
