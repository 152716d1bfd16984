import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesWindow } from './notes-window.ts';

const question = 'Who supplies the batteries of the masts?';

describe('everyday use, without a language model', () => {
  let workspace: string;
  let workbench: Workbench;
  let panel: HoptrailPanel;

  useNotesWindow((opened) => {
    ({ workspace, workbench, panel } = opened);
  });

  it('answers in place, and goes on in the panel', async () => {
    const { page } = workbench;
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await workbench.runCommand('Hoptrail: Quick Answer');
    await page.locator('.quick-input-title', { hasText: 'Quick Answer' }).waitFor();
    await page.locator('.quick-input-widget input').first().fill('battery pack of the mast');
    await rows
      .filter({ hasText: /\.md:\d+/ })
      .first()
      .waitFor();
    await page.locator('.quick-input-widget input').first().fill(question);
    await rows.filter({ hasText: question }).first().waitFor();
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Open in Panel' }).waitFor({ timeout: 60_000 });
    assert.ok((await rows.filter({ hasText: /\.md:\d+/ }).count()) > 0);
    await panel.awaitTurn(() => rows.filter({ hasText: 'Open in Panel' }).click());
    assert.equal(await panel.turn.locator('.question').textContent(), question);
    await panel.answer.waitFor();
  });

  it('says how the question was answered in one closed line', async () => {
    const how = panel.turn.locator('.how');
    assert.equal(await how.getAttribute('open'), null);
    assert.match(await how.locator('> summary').innerText(), /^How this was answered\s+[\d.]+ s$/);
  });

  it('opens a hop to the side with a modifier, and keeps the focus in the panel on Space', async () => {
    const hop = panel.hops.first();
    const [file, line] = [
      await hop.locator('.base').innerText(),
      Number(await hop.locator('.line-number').innerText()),
    ];
    await hop.click();
    await workbench.waitForCursor(file, line);
    await hop.click({ modifiers: ['Control'] });
    await workbench.page.locator('.editor-group-container').nth(1).waitFor();
    // It takes the focus when its file is read.
    await workbench.page.locator('.editor-group-container').nth(1).locator('.monaco-editor.focused').waitFor();
    await hop.focus();
    await workbench.page.keyboard.press(' ');
    await workbench.page.keyboard.press('ArrowDown');
    await panel.turn.locator('.hop-open[data-hop="1"]:focus').waitFor();
    await workbench.runCommand('View: Close All Editors');
  });

  it('shows the passage behind a citation while the pointer rests on it', async () => {
    const mark = panel.answer.locator('[data-cite]').first();
    const { path: file, line } = await panel.placeOfCitation(mark);
    await mark.hover();
    const hover = panel.frame.locator('.hover:visible');
    await hover.filter({ hasText: path.basename(file) }).waitFor();
    const said = readFileSync(path.join(workspace, file), 'utf8').split('\n')[line - 1] ?? '';
    const [word = 'no word'] = /[\p{L}\p{N}]{2,}/u.exec(said) ?? [];
    const shown = await hover.innerText();
    assert.ok(shown.includes(word) && shown.split('\n').includes(`${line}`), `line ${line}, ${said}: ${shown}`);
    await panel.turn.locator('.question').hover();
    await hover.waitFor({ state: 'detached' });
  });

  it('walks the trail from the editor by command', async () => {
    const count = await panel.hops.count();
    assert.ok(count > 1, 'a trail');
    const there = Array.from({ length: Math.min(2, count - 1) }, (_, i) => ['Next', i + 1] as const);
    for (const [command, index] of [...there, ['Previous', there.length - 1] as const]) {
      await workbench.runCommand(`Hoptrail: Go to ${command} Source`);
      await panel.turn.locator(`.hop-open[data-hop="${index}"][aria-current=step]`).waitFor();
      const hop = panel.hops.nth(index);
      await workbench.waitForCursor(
        await hop.locator('.base').innerText(),
        Number(await hop.locator('.line-number').innerText()),
      );
    }
  });

  it('copies the answer with links, and exports the trail and the thread', async () => {
    await panel.button('Copy as Markdown').click();
    await workbench.statusBarItem('Answer copied as Markdown').waitFor();
    assert.match(
      await workbench.page.evaluate(() => navigator.clipboard.readText()),
      /\*\*Who supplies[^]*\]\([\w/-]+\.md#L\d+\)[^]*Sources:/,
    );
    const tour = path.join(workspace, 'batteries.tour');
    await panel.button('Export Sources as CodeTour').click();
    await workbench.saveAs(tour);
    const { steps } = JSON.parse(readFileSync(tour, 'utf8')) as { steps: { file: string; line: number }[] };
    assert.equal(steps.length, await panel.hops.count());
    assert.ok(
      steps.every(({ file, line }) => readFileSync(path.join(workspace, file), 'utf8').split('\n').length >= line),
    );
    const thread = path.join(workspace, 'thread.md');
    await panel.button('Export Thread').click();
    await workbench.saveAs(thread);
    assert.match(
      readFileSync(thread, 'utf8'),
      /^<!-- hoptrail:thread -->\n# Who supplies/,
      'marked, so that it is not indexed',
    );
  });

  it('inserts the answer at the cursor', async () => {
    await workbench.openFile('naming.md');
    await workbench.page.keyboard.press('Control+End');
    await panel.button('Insert Answer at Cursor').click();
    await workbench.page.locator('.tab.active.dirty').filter({ hasText: 'naming.md' }).waitFor();
    await workbench.page
      .locator('.editor-group-container.active .view-line', { hasText: 'Who supplies the batteries of the masts?' })
      .first()
      .waitFor();
    await workbench.runCommand('File: Revert File');
  });

  it('asks about a selection', async () => {
    await workbench.openFile('halden-cells.md');
    await workbench.goToTop(); // a hop may have left it further down
    // A word, by its place: what stands in the middle of a line may be the space between two.
    await workbench.page
      .locator('.editor-group-container.active .view-line', { hasText: 'supplier:' })
      .dblclick({ position: { x: 20, y: 8 } });
    await workbench.statusBarItem('(8 selected)').waitFor();
    await workbench.runCommand('Hoptrail: Ask About Selection');
    const chip = panel.frame.locator('.chip', { hasText: /halden-cells\.md:\d+/ });
    await chip.waitFor();
    assert.equal(await panel.input.inputValue(), '', 'it stands beside the question, not in it');
    await panel.frame.getByRole('button', { name: 'Ask without the selection' }).click();
    await chip.waitFor({ state: 'detached' });
  });

  it('sends the selection beside the question, and not in it', async () => {
    const line = 'supplier: Halden Cells';
    await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'supplier:' }).click();
    await workbench.page.keyboard.press('Home');
    await workbench.page.keyboard.press('Shift+End');
    await workbench.runCommand('Hoptrail: Ask About Selection');
    const chip = panel.frame.locator('.composer .chip', { hasText: /halden-cells\.md:\d+/ });
    await chip.waitFor();
    await panel.ask('Who keeps our account with them?'); // what is asked is what was typed
    const about = panel.turn.locator('.asked-about', { hasText: 'halden-cells.md:2' });
    assert.equal(await about.getAttribute('title'), line);
    assert.match(await panel.answer.innerText(), /Hamish Adeyemi/, 'whom “them” means is in the selection alone');
    await chip.waitFor({ state: 'detached' });
  });

  it('asks about what an editor names, chosen while its name is typed', async () => {
    await workbench.openFile('halden-cells.md'); // from then on the editor knows the headings of notes
    await panel.input.fill('');
    await panel.input.pressSequentially('What is @Remarks');
    const heading = panel.frame.locator('.completions [role=option]', { hasText: /suppliers\/halden-cells\.md:\d+/ });
    await heading.click();
    const chip = panel.frame.locator('.composer .chip', { hasText: 'Remarks' });
    await chip.locator('.codicon-symbol-method').waitFor();
    await panel.awaitTurn(() => panel.input.press('Enter'));
    await panel.turn.locator('.asked-about', { hasText: 'Remarks' }).waitFor();
    await chip.waitFor({ state: 'detached' });
  });

  it('asks in the file of the editor alone, by one click', async () => {
    await workbench.openFile('halden-cells.md');
    await panel.frame.getByRole('button', { name: 'Look in suppliers/halden-cells.md alone' }).click();
    await panel.ask('Who keeps the account?');
    const files = await panel.hops.locator('.base').allInnerTexts();
    assert.ok(files.length > 0 && files.every((file) => file === 'halden-cells.md'), files.join());
    await panel.frame.getByRole('button', { name: 'Remove suppliers/halden-cells.md from the scope' }).click();
    await panel.frame.locator('.chip', { hasText: 'Workspace' }).waitFor();
  });

  it('asks in a folder alone', async () => {
    const { page } = workbench;
    await workbench.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'suppliers' }).click({ button: 'right' });
    // By key: a menu that has just opened does not take clicks, lest the one that opened it chooses something.
    await page.getByRole('menuitem', { name: 'Ask in This Folder' }).hover();
    await page.keyboard.press('Enter');
    panel = await HoptrailPanel.shown(workbench);
    await panel.frame.locator('.chip', { hasText: 'suppliers' }).waitFor();
    await panel.ask('Which pack do we buy?');
    const folders = await panel.hops.locator('.folder').allTextContents();
    assert.ok(folders.length > 0 && folders.every((folder) => folder === 'suppliers'), folders.join());
  });

  it('looks in the whole workspace again in another thread, unless the folder was pinned', async () => {
    const folder = panel.frame.locator('.chip', { hasText: 'suppliers' });
    await panel.frame.getByRole('button', { name: 'Keep for other threads' }).click();
    await workbench.runCommand('Hoptrail: New Thread');
    await panel.frame.locator('.empty').waitFor();
    await folder.waitFor();
    await panel.frame.getByRole('button', { name: 'Keep for other threads', pressed: true }).click();
    await workbench.runCommand('Hoptrail: New Thread');
    await folder.waitFor({ state: 'detached' });
    await panel.frame.locator('.chip', { hasText: 'Workspace' }).waitFor();
  });

  it('asks what the folder was found to answer, over two files at least', async () => {
    await panel.awaitTurn(() => panel.frame.locator('.suggestion').first().click({ timeout: 240_000 }));
    assert.equal(await panel.answer.locator('.abstain-title').count(), 0, await panel.turn.innerText());
    const files = await panel.hops.locator('.base').allInnerTexts();
    assert.ok(new Set(files).size >= 2, `hops: ${files.join(', ')}`);
  });

  it('asks again, and again without a passage that does not belong', async () => {
    const again = (name: string): Promise<void> => panel.awaitTurn(() => panel.button(name).click());
    const passages = (): Promise<(string | null)[]> =>
      panel.turn.locator('.hop').evaluateAll((hops) => hops.map((hop) => hop.getAttribute('data-passage')));
    const found = await passages();
    await panel.turn.locator('.question').hover();
    await again('Repeat Question');
    assert.deepEqual(await passages(), found);
    const hop = panel.turn.locator('.hop').first();
    await hop.hover();
    await hop.getByRole('button', { name: 'This Passage Does Not Belong' }).click();
    await again('Ask again without it');
    assert.ok(!(await passages()).includes(found[0] ?? ''), 'it is not on the trail any more');
    await panel.turn.locator('.quiet-line', { hasText: 'without 1 passage' }).waitFor();
  });

  it('asks a question that was put right, in its place', async () => {
    await panel.turn.locator('.question').hover();
    await panel.button('Edit Question').click();
    const editor = panel.turn.locator('.question-editor textarea');
    const right = 'Who keeps our account with Halden Cells?';
    await editor.fill(right);
    await editor.press('Enter');
    await panel.frame.locator('article.turn:not(.running)', { hasText: right }).waitFor({ timeout: 120_000 });
    assert.equal(await panel.turn.locator('.question').textContent(), right);
    assert.match(await panel.answer.innerText(), /Hamish Adeyemi/);
  });

  it('asks again without what an answer cites that was bad', async () => {
    await panel.button('Bad answer').click();
    const again = panel.turn.locator('.after .again', { hasText: /without (?:this passage|these \d+ passages)/ });
    const { path: file, line } = await panel.placeOfCitation(panel.answer.locator('[data-cite]').first());
    await panel.awaitTurn(() => again.click());
    await panel.turn.locator('.quiet-line', { hasText: /without \d+ passages?/ }).waitFor();
    for (const mark of await panel.answer.locator('[data-cite]').all())
      assert.notDeepEqual(await panel.placeOfCitation(mark), { path: file, line });
  });

  it('asks each question as it is written, where no model can rewrite it', async () => {
    await panel.ask('When did he start?');
    assert.equal(await panel.turn.locator('.understood').count(), 0);
  });

  it('shows how two files are connected', async () => {
    const { page } = workbench;
    await panel.awaitTurn(async () => {
      await workbench.runCommand('Hoptrail: How Are These Connected?');
      const ends: [string, string][] = [
        ['From this file', 'mast-power.md'],
        ['To this file', 'hamish-adeyemi.md'],
      ];
      for (const [asked, name] of ends) {
        const input = page.locator(`.quick-input-widget input[type=text][placeholder^="${asked}"]`);
        await input.waitFor(); // the first list stays on the screen until the second is there
        await input.fill(name);
        // By key, once it leads: a row moves while the list is narrowed, and a click would meet another.
        const first = page.locator('.quick-input-list .monaco-list-row').first();
        await first.filter({ hasText: name }).waitFor();
        await input.press('Enter');
      }
    });
    assert.match(await panel.answer.innerText(), /mast-power\.md leads to hamish-adeyemi\.md in \d steps?/);
    assert.ok((await panel.hops.count()) >= 2);
  });

  it('keeps, finds, renames and deletes threads', async () => {
    await workbench.runCommand('Hoptrail: New Thread');
    await panel.frame.locator('.empty').waitFor();
    await panel.frame.locator('.thread-button').click();
    await panel.frame.locator('.thread-row', { hasText: question }).waitFor();
    await panel.frame.locator('.thread-search').locator('input').fill('no such words anywhere');
    await panel.frame.locator('.threads-none').waitFor();
    await panel.frame.locator('.thread-search').locator('input').fill('batteries');
    const row = panel.frame.locator('.thread-row', { hasText: question });
    await row.hover();
    await row.getByRole('button', { name: /Rename/ }).click();
    await panel.frame.locator('.rename').fill('Batteries, all about them');
    await panel.frame.locator('.rename').press('Enter');
    const renamed = panel.frame.locator('.thread-row', { hasText: 'Batteries, all about them' });
    await renamed.locator('.thread-open').click();
    await panel.frame.locator('article.turn .question', { hasText: question }).first().waitFor();
    await panel.frame.locator('.thread-button').click();
    await renamed.hover();
    await renamed.getByRole('button', { name: /Delete/ }).click();
    await renamed.waitFor({ state: 'detached' });
  });
});
