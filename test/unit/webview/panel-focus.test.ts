import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { panelForSuite, PanelPage, readyIndex, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun, stoppedAtStart, stoppedRun } from '../../doubles/panel-runs.ts';
import { keptThreads, panelStates } from '../../doubles/panel-states.ts';

const now = Date.UTC(2024, 10, 21);

describe('the keyboard in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { browser } = panelForSuite((opened) => {
    panel = opened;
  });

  const press = (...keys: string[]): Promise<void> =>
    keys.reduce((before, key) => before.then(() => panel.page.keyboard.press(key)), Promise.resolve());
  const focusedRow = () => panel.page.locator('.thread-row:focus-within').getAttribute('data-thread');

  it('begins in the input where the panel has it, and is not taken from an editor', async () => {
    assert.equal(await panel.focused(), 'Question');
    const behind = await PanelPage.open(browser(), { focused: false });
    assert.equal(await behind.focused(), 'body');
    await behind.send(...threadMessages([turnOf(answeredRun)]));
    assert.equal(await behind.focused(), 'body');
    assert.deepEqual(await behind.postedOf('keyboard'), []);
    await behind.end();
  });

  it('is told to the extension as it comes and goes', async () => {
    await panel.page.evaluate(() => {
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
    });
    assert.deepEqual(
      (await panel.postedOf('keyboard')).map(({ inside }) => inside),
      [true, false, true],
    );
  });

  it('stays where it is when the extension speaks, unless a text is handed over', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.page.locator('.hop-open').first().focus();
    await panel.send(
      { type: 'fill-input', submit: false, scope: { kind: 'folder', path: 'suppliers' } },
      { type: 'restore-input', text: 'Who?' },
      { type: 'error', error: { code: 'x', message: 'no' } },
    );
    assert.equal(await panel.focused(), 'hop-open');
    await panel.send({ type: 'fill-input', text: 'Who else?', submit: false });
    assert.equal(await panel.focused(), 'Question');
  });

  it('takes what it lit up with it when it leaves a citation', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.page.locator('.cite').first().focus();
    await panel.page.locator('.hover:not([hidden])').waitFor();
    assert.ok((await panel.page.locator('.lit').count()) > 0);
    await panel.page.locator('.composer textarea').focus();
    assert.equal(await panel.page.locator('.lit').count(), 0);
    assert.ok(!(await panel.page.locator('.hover').isVisible()));
  });

  it('stays on the one button that asks and stops', async () => {
    await panel.send(...threadMessages([]));
    await panel.page.locator('textarea').fill('Who?');
    await panel.page.locator('.send').focus();
    await panel.page.keyboard.down('Enter');
    await panel.send({
      type: 'turn-start',
      threadId: 'thread',
      turn: turnOf([], { runId: 'stopped-at-start', question: 'Who?' }),
    });
    assert.equal(await panel.focused(), 'Stop');
    await panel.page.keyboard.down('Enter'); // held down, it repeats
    assert.deepEqual([(await panel.postedOf('ask')).length, (await panel.postedOf('stop')).length], [1, 0]);
    await panel.page.keyboard.up('Enter');
    await press('Enter');
    assert.equal((await panel.postedOf('stop')).length, 1);
    for (const event of stoppedAtStart) await panel.send({ type: 'event', threadId: 'thread', event });
    assert.equal(await panel.focused(), 'Ask');
  });

  it('goes to the input after a suggestion, after asking again and after opening a thread', async () => {
    await panel.send(...(panelStates(now)['empty'] ?? []));
    await panel.page.locator('.suggestion').nth(1).focus();
    await press('Enter');
    await panel.send(...threadMessages([turnOf(stoppedRun)]));
    assert.equal(await panel.focused(), 'Question');
    await panel.page.getByRole('button', { name: 'Ask again' }).focus();
    await press('Enter');
    assert.equal(await panel.focused(), 'Question');
    await panel.openThreads(keptThreads(now), 'thread');
    await panel.page.locator('.thread-open').nth(1).focus();
    await press('Enter');
    await panel.send({ type: 'thread', thread: { id: 'b', title: 'Which huts had ice?', updated: now, turns: [] } });
    assert.equal(await panel.focused(), 'Question');
    assert.equal(await panel.page.locator('textarea').inputValue(), '');
  });

  it('goes to the next thread after one is deleted, to the one before at the end, and to the search when none is left', async () => {
    const threads = keptThreads(now);
    const remove = async (id: string): Promise<void> => {
      await panel.page.locator(`[data-thread="${id}"]`).getByRole('button', { name: 'Delete' }).focus();
      await press('Enter');
      threads.splice(
        threads.findIndex((thread) => thread.id === id),
        1,
      );
      await panel.send({ type: 'threads', threads: [...threads], activeId: null });
    };
    await panel.send(...threadMessages([]));
    await panel.openThreads([...threads], null);
    await remove('b');
    assert.deepEqual([await panel.focused(), await focusedRow()], ['thread-open', 'c']);
    await remove('c');
    assert.deepEqual([await panel.focused(), await focusedRow()], ['thread-open', 'thread']);
    await remove('thread');
    assert.equal(await panel.focused(), 'thread-search');
    assert.deepEqual(await panel.postedOf('open-thread'), []);
  });

  it('stays in the row of a thread that is renamed, or not after all, wherever the row goes', async () => {
    const threads = keptThreads(now);
    await panel.send(...threadMessages([]));
    await panel.openThreads(threads, null);
    const rename = panel.page.locator('[data-thread="c"]').getByRole('button', { name: 'Rename' });
    await rename.focus();
    await press('Enter', 'Escape');
    assert.deepEqual([await panel.focused(), await focusedRow()], ['Rename', 'c']);
    await press('Enter', 'K', 'Enter');
    assert.deepEqual(
      (await panel.postedOf('rename-thread')).map(({ threadId, title }) => [threadId, title]),
      [['c', 'K']],
    );
    await panel.send({
      type: 'threads',
      threads: [{ id: 'c', title: 'K', updated: now, turns: 5 }, ...threads.slice(0, 2)],
      activeId: null,
    });
    assert.deepEqual([await panel.focused(), await focusedRow()], ['Rename', 'c']);
  });

  it('stays on the button that pauses and resumes, and goes to the input when that is gone', async () => {
    const coverage = { files: 63, passages: 412, embedded: 176, indexing: true };
    await panel.send(...(panelStates(now)['embedding'] ?? []));
    await panel.page.getByRole('button', { name: 'Pause Indexing' }).focus();
    await press('Enter');
    await panel.send({ type: 'index-state', state: { ...readyIndex, phase: 'paused', coverage } });
    assert.equal(await panel.focused(), 'Resume Indexing');
    await press('Enter');
    await panel.send({ type: 'index-state', state: { ...readyIndex, phase: 'embedding', coverage } });
    assert.equal(await panel.focused(), 'Pause Indexing');
    await panel.send({ type: 'index-state', state: readyIndex });
    assert.equal(await panel.focused(), 'Question');
    assert.deepEqual(
      (await panel.postedOf('run-action')).map(({ action }) => action),
      ['toggle-indexing', 'toggle-indexing'],
    );
  });
});
