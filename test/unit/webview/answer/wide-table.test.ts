import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ResearchEvent } from '../../../../src/vscode/protocol.ts';
import { browserForSuite, PanelPage, threadMessages, turnOf } from '../../../doubles/panel-page.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';

const FIVE = [
  '| Variable | Description | Type | Default | Required |',
  '|---|---|---|---|---|',
  '| `map_public_ip_on_launch` | Whether a machine `gets` a public address when it starts | `bool` | false | no |',
];
const TWO = ['| Term | Months |', '|---|---|', '| warranty of the_longest_name_that_any_part_has | 36 |'];

/** The answered run with a table as its whole answer. */
function tableRun(lines: readonly string[]): ResearchEvent[] {
  const events = structuredClone(answeredRun);
  for (const event of events) {
    if (event.type === 'answer-end')
      Object.assign(event.answer, { text: lines.join('\n'), statements: [], lead: undefined, short: '' });
  }
  return events;
}

describe('a table of many columns in an answer', function () {
  this.timeout(60_000);
  const browser = browserForSuite();
  let panel: PanelPage;
  afterEach(() => panel.end());

  const show = async (width: number, lines: readonly string[]) => {
    panel = await PanelPage.open(browser(), { width });
    await panel.send(...threadMessages([turnOf(tableRun(lines), { question: 'What is set?' })]));
    const frame = panel.page.locator('.answer-text .table-scroll');
    await frame.waitFor();
    return frame;
  };
  const beyond = (frame: Awaited<ReturnType<typeof show>>) =>
    frame.evaluate((element) => element.scrollWidth - element.clientWidth);

  for (const width of [200, 300, 420]) {
    it(`lies within a panel of ${width} pixels, each value behind the title of its column`, async () => {
      const frame = await show(width, FIVE);
      assert.ok((await beyond(frame)) <= 0);
      const cells = frame.locator('td');
      const titles = await cells.evaluateAll((all) =>
        all.map((cell) => getComputedStyle(cell, '::before').content.replaceAll('"', '')),
      );
      assert.deepEqual(titles, ['Variable', 'Description', 'Type', 'Default', 'Required']);
      const tops = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().top));
      assert.deepEqual(
        tops,
        tops.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(tops).size, tops.length);
    });
  }

  it('is a table where it has room', async () => {
    const frame = await show(800, FIVE);
    const tops = await frame
      .locator('td')
      .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().top)));
    assert.equal(new Set(tops).size, 1);
    assert.ok(await frame.locator('thead').isVisible());
  });

  it('stays a table in a narrow panel where it has few columns', async () => {
    const frame = await show(300, TWO);
    assert.ok(await frame.locator('thead').isVisible());
  });
});
