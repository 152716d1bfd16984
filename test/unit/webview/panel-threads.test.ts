import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ThreadTurn } from '../../../src/vscode/protocol.ts';
import { panelForSuite, PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun, stamp } from '../../doubles/panel-runs.ts';
import { keptThreads } from '../../doubles/panel-states.ts';

describe('threads in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { browser, posted } = panelForSuite((opened) => {
    panel = opened;
  });

  it('are searched, opened, renamed and deleted', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.openThreads(keptThreads(Date.UTC(2024, 10, 21)), 'thread');
    await panel.page.locator('vscode-textfield input').fill('ice');
    await panel.page.locator('.thread-open').nth(1).click();
    await panel.hover(panel.page.locator('.thread-row').nth(2));
    await panel.page.locator('.thread-row').nth(2).getByRole('button', { name: 'Rename' }).click();
    await panel.page.locator('.rename').fill('Hot kilns');
    await panel.page.locator('.rename').press('Enter');
    await panel.hover(panel.page.locator('.thread-row').nth(1));
    await panel.page.locator('.thread-row').nth(1).getByRole('button', { name: 'Delete' }).click();
    assert.equal((await posted('list-threads')).at(-1)?.query, 'ice');
    assert.deepEqual(
      (await posted('open-thread')).map(({ threadId }) => threadId),
      ['b'],
    );
    assert.deepEqual(
      (await posted('rename-thread')).map(({ threadId, title }) => [threadId, title]),
      [['c', 'Hot kilns']],
    );
    assert.deepEqual(
      (await posted('delete-thread')).map(({ threadId }) => threadId),
      ['b'],
    );
  });

  it('of the day before are of yesterday, where clocks changed in between too', async () => {
    const there = await PanelPage.open(browser(), { timezoneId: 'Europe/Berlin' });
    await there.page.clock.setFixedTime('2025-03-31T08:00:00+02:00');
    await there.send(...threadMessages([]));
    const updated = Date.parse('2025-03-30T20:00:00+02:00');
    await there.openThreads([{ id: 'a', title: 'A', updated, turns: 1 }], 'thread');
    assert.match(await there.page.locator('.thread-when').innerText(), /^Yesterday/);
    await there.end();
  });

  it('open when a person opens them, and at no other time', async () => {
    const threads = keptThreads(Date.UTC(2024, 10, 21));
    const list = panel.page.locator('.thread-list');
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.openThreads(threads, 'thread');
    await panel.hover(panel.page.locator('.thread-row').first());
    await panel.page.locator('.thread-row').first().getByRole('button', { name: 'Rename' }).click();
    await panel.page.locator('.rename').fill('Batteries');
    await panel.page.locator('.thread-button').click(); // the field loses the keyboard, which renames
    assert.deepEqual(
      (await posted('rename-thread')).map(({ title }) => title),
      ['Batteries'],
    );
    await panel.send({
      type: 'threads',
      threads: threads.map((thread) => (thread.id === 'thread' ? { ...thread, title: 'Batteries' } : thread)),
      activeId: 'thread',
    });
    assert.equal(await list.count(), 0);
    assert.equal(await panel.page.locator('.thread-title').textContent(), 'Batteries');
    await panel.page.locator('.thread-button').click();
    await panel.page.locator('.threads').waitFor();
    assert.equal(await list.count(), 0, 'nothing stale while the list is being read');
  });

  it('stay open when the shown one is deleted, and close when another is opened', async () => {
    const threads = keptThreads(Date.UTC(2024, 10, 21));
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.openThreads(threads, 'thread');
    await panel.hover(panel.page.locator('.thread-row').first());
    await panel.page.locator('.thread-row').first().getByRole('button', { name: 'Delete' }).click();
    await panel.send(
      { type: 'thread', thread: { id: 'new', title: '', updated: 0, turns: [] } },
      { type: 'threads', threads: threads.slice(1), activeId: 'new' },
    );
    assert.equal(await panel.page.locator('.thread-row').count(), 2);
    await panel.page.locator('.thread-open').first().click();
    await panel.send({ type: 'thread', thread: { id: 'b', title: 'Which huts had ice?', updated: 0, turns: [] } });
    assert.equal(await panel.page.locator('.threads').count(), 0);
  });

  it('show what went wrong above them, until it is dismissed', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]), {
      type: 'error',
      error: { code: 'x', message: 'The thread could not be kept.', action: 'show-log' },
    });
    const card = panel.page.locator('.error-card[role=alert]');
    assert.match(await card.innerText(), /The thread could not be kept\./);
    await panel.openThreads(keptThreads(0), 'thread');
    assert.ok(await card.isVisible());
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
  });

  it('of a thousand turns draw only what is near', async () => {
    const turns: ThreadTurn[] = Array.from({ length: 1000 }, (_, index) => ({
      ...turnOf(stamp(`r${index}`, answeredRun)),
      runId: `r${index}`,
    }));
    await panel.send(...threadMessages(turns));
    assert.equal(await panel.page.locator('.turn').count(), 1000);
    const full = await panel.page.locator('.turn-body').count();
    assert.ok(full > 0 && full < 30, `${full} turns are drawn in full`);
    await panel.page.locator('#scroll').evaluate((element) => {
      element.scrollTop = 0;
    });
    await panel.page.locator('[data-run=r0] .turn-body').waitFor();
  });
});
