import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { demoQuestion } from '../../../scripts/demo-question.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

describe('asking in the panel', () => {
  let workbench: Workbench;
  let panel: HoptrailPanel;

  useNotesWindow((opened) => {
    ({ workbench, panel } = opened);
  });

  it('answers from the example and cites file and line', async () => {
    await panel.ask(demoQuestion);
    assert.match(await panel.answer.innerText(), /\b461\b/);
    const marks = panel.answer.locator('[data-cite]');
    assert.ok((await marks.count()) > 0, await panel.turn.innerText());
    await marks.first().click();
    const { path: file, line } = await panel.placeOfCitation(marks.first());
    await workbench.waitForCursor(path.basename(file), line);
  });

  it('shows a trail through several files, whose hops open at their lines', async () => {
    assert.equal(await panel.answer.locator('.abstain-title').count(), 0, await panel.turn.innerText());
    const count = await panel.hops.count();
    const files = await panel.hops.locator('.base').allInnerTexts();
    assert.ok(new Set(files).size >= 2, `hops: ${files.join(', ')}`);
    for (let index = 0; index < count; index++) {
      const hop = panel.hops.nth(index);
      const file = await hop.locator('.base').innerText();
      const line = Number(await hop.locator('.line-number').innerText());
      await hop.click();
      await workbench.waitForCursor(file, line);
    }
  });

  it('shows of a passage what is said and not how it is written: cells of a table, and no front matter', async () => {
    await panel.ask('How much is planned for the masts in 2024?');
    const hop = panel.turn.locator('.hop').filter({ has: panel.frame.locator('.base', { hasText: 'budget-2024.md' }) });
    const table = hop.locator('.excerpt').first();
    await table.locator('.row .cell', { hasText: '37,800' }).waitFor();
    assert.doesNotMatch(await table.innerText(), /\|/);
    for (const text of await panel.turn.locator('.hop .excerpt').allInnerTexts())
      assert.doesNotMatch(text, /^(?:title|updated|owner|tags|date): |^---$/m);
  });

  it('walks the trail by keyboard alone', async () => {
    const count = await panel.hops.count();
    await panel.hops.first().focus();
    for (let index = 1; index < count; index++) await workbench.page.keyboard.press('ArrowDown');
    const last = panel.hops.nth(count - 1);
    const line = Number(await last.locator('.line-number').innerText());
    await workbench.page.keyboard.press('Enter');
    await workbench.waitForCursor(await last.locator('.base').innerText(), line);
  });

  it('says that the closest lines may not answer, where no model reads them', async () => {
    await panel.ask('What is the boiling point of rhenium at the orbital refinery?');
    await panel.answer.getByText('These lines come closest').first().waitFor();
    assert.doesNotMatch(await panel.turn.innerText(), /nothing unsupported|answer in sight/);
  });

  it('finds what has just been typed into a file', async () => {
    await workbench.openFile('kitchen-rota.md');
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('\n\nThe kettle descaler is kept behind the Quillfeather cupboard.\n');
    await workbench.page.keyboard.press('Control+S');
    await workbench.page.locator('.tab.active:not(.dirty)').filter({ hasText: 'kitchen-rota.md' }).waitFor();
    const found = /kitchen-rota\.md[^]*Quillfeather|Quillfeather[^]*kitchen-rota\.md/;
    // The first answers may be of the index before the file was read, or while it is.
    for (const until = Date.now() + 30_000; ;) {
      await panel.ask('Where is the kettle descaler kept?');
      const answer = await panel.turn.innerText();
      if (Date.now() > until) assert.match(answer, found);
      if (found.test(answer)) break;
    }
  });

  it('keeps the thread over a reload of the window', async () => {
    const asked = await panel.frame.locator('article.turn').count();
    await workbench.reload();
    panel = await HoptrailPanel.open(workbench);
    await panel.frame
      .locator('article.turn')
      .nth(asked - 1)
      .waitFor();
    // Its text, drawn or not: turns out of sight are not.
    assert.equal(await panel.frame.locator('article.turn .question').first().textContent(), demoQuestion);
  });
});
