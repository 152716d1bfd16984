import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode-host/browser.ts';
import type { FromWebview, ThreadTurn } from '../../../src/protocol.ts';
import { openWorkspace, PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun, extractiveRun, runningRun, stamp, streamingRun, supplierChain } from '../../doubles/panel-runs.ts';
import { panelStates } from '../../doubles/panel-states.ts';

const ids = supplierChain.hops.map((hop) => hop.passage.id);

describe('the panel', function () {
  this.timeout(60_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => { browser = await launchBrowser(); });
  after(async () => { await browser.close(); });
  beforeEach(async () => { panel = await PanelPage.open(browser); });
  afterEach(async () => {
    assert.deepEqual(panel.complaints, []);
    await panel.close();
  });

  const posted = async <T extends FromWebview['type']>(type: T): Promise<Extract<FromWebview, { type: T }>[]> =>
    (await panel.posted()).filter((message): message is Extract<FromWebview, { type: T }> => message.type === type);

  describe('links and trail', () => {
    beforeEach(async () => { await panel.send(...threadMessages([turnOf(answeredRun)])); });

    it('opens the quoted lines of a citation, to the side with a modifier', async () => {
      await panel.page.locator('.cite', { hasText: '1' }).click();
      await panel.page.locator('.cite', { hasText: '2' }).click({ modifiers: ['Control'] });
      assert.deepEqual((await posted('open')).map(({ passageId, startLine, toSide }) => [passageId, startLine, toSide]), [[ids[0], 25, false], [ids[1], 10, true]]);
    });

    it('marks the hop of a citation, and the citations of a hop', async () => {
      await panel.page.locator('.cite', { hasText: '2' }).hover();
      assert.equal(await panel.page.locator('.hop.lit').getAttribute('data-passage'), ids[1]);
      await panel.page.locator('.hop').nth(2).locator('.hop-open').hover();
      assert.deepEqual(await panel.page.locator('.cite.lit').allTextContents(), ['3']);
    });

    it('walks from hop to hop by keyboard, and opens', async () => {
      await panel.page.locator('.hop-open').first().focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Enter', 'Control+Enter', ' ']) await panel.page.keyboard.press(key);
      const opened = await posted('open');
      assert.deepEqual(opened.map(({ passageId, toSide, preserveFocus }) => [passageId, toSide, preserveFocus ?? false]), [[ids[2], false, false], [ids[2], true, false], [ids[2], false, true]]);
      await panel.page.keyboard.press('ArrowRight');
      await panel.page.locator('.hop').nth(2).locator('.more[aria-expanded=true]').waitFor();
    });

    it('marks the linking words in both passages', async () => {
      const marks = await panel.page.locator('.hop').evaluateAll((hops) => hops.map((hop) => [...hop.querySelectorAll('.excerpt mark')].map((mark) => mark.textContent)));
      assert.ok(marks[0]?.includes('[[systems/mast-power]]') && marks[1]?.includes('Mast Power'), JSON.stringify(marks));
    });

    it('shows where the walk of the editor stands', async () => {
      await panel.send({ type: 'walk', runId: 'answered', index: 3 });
      assert.equal(await panel.page.locator('[aria-current=step]').getAttribute('data-hop'), '3');
      assert.ok(await panel.page.locator('[data-hop="3"]').isVisible());
    });

    it('tells what does not belong, and what was good', async () => {
      await panel.page.locator('.hop').nth(1).hover();
      await panel.page.locator('.hop').nth(1).getByRole('button', { name: 'This Passage Does Not Belong' }).click();
      await panel.page.getByRole('button', { name: 'Good answer' }).click();
      assert.deepEqual((await posted('feedback')).map((message) => message.feedback), [{ rejectedPassageIds: [ids[1]] }, { rating: 'up', rejectedPassageIds: [] }]);
      await panel.send({ type: 'feedback', runId: 'answered', feedback: { rating: 'up', rejectedPassageIds: [ids[1] ?? ''] } });
      assert.equal(await panel.page.locator('.hop.rejected .excerpt').count(), 0);
      assert.equal(await panel.page.getByRole('button', { name: 'Good answer' }).getAttribute('aria-pressed'), 'true');
    });

    it('says in one line which strategy was chosen and why, and thinks harder on request', async () => {
      assert.match(await panel.page.locator('.strategy-line').innerText(), /^Looks like a question over several passages: a full plan; thorough costs about 2 × as much\.$/);
      await panel.page.getByRole('button', { name: 'Think harder' }).click();
      assert.deepEqual(await posted('think-harder'), [{ type: 'think-harder', runId: 'answered' }]);
      await panel.send({ type: 'turn-start', threadId: 'thread', turn: turnOf(stamp('again', runningRun), { harder: true }) });
      await panel.page.locator('.turn.running .quiet-line', { hasText: 'Thinking harder' }).waitFor();
      await panel.page.getByRole('button', { name: 'Think harder' }).click();
      assert.equal((await posted('think-harder')).length, 1, 'one run at a time');
    });

    it('offers no harder thinking where no model thought', async () => {
      await panel.send(...threadMessages([turnOf(extractiveRun)], null));
      assert.equal(await panel.page.getByRole('button', { name: 'Think harder' }).count(), 0);
      assert.equal(await panel.page.locator('.strategy-line').count(), 0);
    });

    it('underlines what no source supports, and folds the rest away', async () => {
      assert.equal(await panel.page.locator('.answer .unsupported').textContent(), 'He has done so since the beginning');
      assert.equal(await panel.page.locator('details[open]').count(), 0);
      assert.deepEqual(await panel.page.locator('.sections summary').evaluateAll((all) => all.map((one) => one.textContent?.replace(one.querySelector('.count')?.textContent ?? '', '').trim())), ['Plan and debate', 'Critique', 'What was searched', 'Budget']);
    });
  });

  describe('input', () => {
    beforeEach(async () => { await panel.send(...(panelStates(0)['empty'] ?? [])); });
    const input = () => panel.page.locator('textarea');

    it('asks on Enter, takes new lines with Shift, and forgets nothing', async () => {
      await input().fill('first');
      await input().press('Shift+Enter');
      await input().pressSequentially('second');
      await input().press('Enter');
      assert.deepEqual((await posted('ask')).map(({ question, scope }) => [question, scope]), [['first\nsecond', { kind: 'workspace' }]]);
      assert.equal(await input().inputValue(), '');
      await input().press('ArrowUp');
      assert.equal(await input().inputValue(), 'first\nsecond');
    });

    it('leaves Enter to an input method at work', async () => {
      await input().fill('に');
      await input().evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
      assert.deepEqual(await posted('ask'), []);
      assert.equal(await input().inputValue(), 'に');
    });

    it('completes @names and limits the scope to the chosen files', async () => {
      await input().pressSequentially('what of @mast');
      const [request] = (await posted('complete')).slice(-1);
      assert.equal(request?.prefix, 'mast');
      await panel.send({ type: 'completions', requestId: request?.requestId ?? 0, items: [{ label: 'mast-visit.md', detail: 'runbooks', path: 'runbooks/mast-visit.md' }, { label: 'mast-power.md', detail: 'systems', path: 'systems/mast-power.md' }] });
      await input().press('ArrowDown');
      await input().press('Enter');
      assert.equal(await input().inputValue(), 'what of mast-power.md ');
      await input().press('Enter');
      assert.deepEqual((await posted('ask'))[0]?.scope, { kind: 'files', paths: ['systems/mast-power.md'] });
      await panel.page.getByRole('button', { name: 'Remove systems/mast-power.md from the scope' }).click();
      await panel.page.locator('.chip', { hasText: 'Workspace' }).waitFor();
    });

    it('asks a suggested question', async () => {
      await panel.page.locator('.suggestion').first().click();
      assert.match((await posted('ask'))[0]?.question ?? '', /silent weekend/);
    });

    it('stops a run by Escape and by its button, and asks nothing meanwhile', async () => {
      await panel.send(...threadMessages([turnOf(runningRun)]));
      await input().fill('another');
      await input().press('Enter');
      await input().press('Escape');
      await panel.page.getByRole('button', { name: 'Stop' }).click();
      assert.deepEqual(await posted('ask'), []);
      assert.deepEqual((await posted('stop')).map(({ runId }) => runId), ['running', 'running']);
    });

    it('keeps a long name of a model beside the scope, not over it, in a narrow side bar', async () => {
      await panel.page.setViewportSize({ width: 280, height: 700 });
      await panel.send({ type: 'model-state', model: { id: 'm', name: 'gpt-4o-mini-2024-07-18-and-more' } });
      const boxOf = async (selector: string): Promise<{ x: number; width: number }> => (await panel.page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0 };
      const [scope, model, send] = [await boxOf('.composer .chip'), await boxOf('.model-button'), await boxOf('.send')];
      assert.ok(scope.width > 0 && scope.x + scope.width <= model.x, JSON.stringify({ scope, model }));
      assert.ok(model.width > 40 && model.x + model.width <= send.x && send.x + send.width <= 280, JSON.stringify({ model, send }));
    });

    it('remembers draft, history and scope for the next time', async () => {
      await input().fill('half a quest');
      const kept = await panel.kept();
      await panel.close();
      panel = await PanelPage.open(browser, { state: kept });
      await panel.send(...(panelStates(0)['empty'] ?? []));
      assert.equal(await input().inputValue(), 'half a quest');
    });
  });

  describe('untrusted text', () => {
    it('shows HTML, scripts and command links of an answer as text', async () => {
      const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [run](command:workbench.action.quit) [js](javascript:window.hacked=1) ![pic](https://evil.test/x.png) <b>bold</b> [web](https://example.org/)';
      const events = answeredRun.map((event) => (event.type === 'answer-end' ? { ...event, answer: { ...event.answer, text: evil, statements: [] } } : event));
      await panel.send(...threadMessages([turnOf(events)]));
      assert.deepEqual(await panel.page.locator('.answer a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))), ['https://example.org/']);
      assert.equal(await panel.page.locator('.answer img, .answer script, .answer b').count(), 0);
      assert.equal(await panel.page.evaluate(() => 'hacked' in window), false);
      assert.ok((await panel.page.locator('.answer').textContent())?.includes('<script>'));
    });

    it('shows markup in passages, titles and questions as text', async () => {
      const events = JSON.parse(JSON.stringify(answeredRun).replaceAll('Mast Power', '<u onclick=1>Mast</u>')) as typeof answeredRun;
      await panel.send(...threadMessages([turnOf(events, { question: '<u>q</u>' })]));
      assert.equal(await panel.page.locator('u').count(), 0);
      assert.equal(await panel.page.locator('.question').textContent(), '<u>q</u>');
    });
  });

  describe('a run as it unfolds', () => {
    it('patches the page: what is shown stays the same element', async () => {
      const [start, ...rest] = streamingRun;
      assert.ok(start);
      await panel.send(...threadMessages([]), { type: 'turn-start', threadId: 'thread', turn: turnOf([start]) });
      const marker = () => panel.page.evaluate(() => (window as unknown as { hop?: Element }).hop === document.querySelector('.hop'));
      let marked = false;
      for (const event of rest) {
        await panel.send({ type: 'event', threadId: 'thread', event });
        if (!marked && await panel.page.locator('.hop').count() > 0) {
          await panel.page.evaluate(() => { Object.assign(window, { hop: document.querySelector('.hop') }); });
          marked = true;
        }
      }
      assert.ok(marked && await marker());
      assert.ok((await panel.page.locator('.answer.streaming').textContent())?.includes('has to be rung'));
      assert.equal(await panel.page.locator('.cite').count(), 0, 'marks are links only once they are checked');
      assert.equal(await panel.page.locator('[role=status]').textContent(), 'Looking for an answer');
    });

    it('keeps the newest question at the top, until anything else scrolls', async () => {
      const [start, ...rest] = streamingRun;
      assert.ok(start);
      const scroll = panel.page.locator('#scroll');
      const toTheTop = () => panel.page.locator('.turn').last().evaluate((turn) => Math.round(turn.getBoundingClientRect().top - (turn.parentElement?.getBoundingClientRect().top ?? 0)));
      await panel.send(...threadMessages(['a', 'b', 'c'].map((id) => ({ ...turnOf(stamp(id, answeredRun)), runId: id }))));
      await panel.send({ type: 'turn-start', threadId: 'thread', turn: turnOf([start]) });
      const half = Math.floor(rest.length / 2);
      for (const event of rest.slice(0, half)) {
        await panel.send({ type: 'event', threadId: 'thread', event });
        assert.equal(await toTheTop(), 0);
      }
      // As find in page, a screen reader or the walk along a trail do: no wheel, key or pointer tells of it.
      await scroll.evaluate((element) => { element.scrollTop = 0; });
      for (const event of rest.slice(half)) await panel.send({ type: 'event', threadId: 'thread', event });
      assert.equal(await scroll.evaluate((element) => element.scrollTop), 0, 'nobody is taken back from where they scrolled to');
    });
  });

  describe('threads', () => {
    it('are searched, opened, renamed and deleted', async () => {
      await panel.send(...(panelStates(Date.UTC(2024, 10, 21))['threads'] ?? []));
      await panel.page.locator('vscode-textfield input').fill('ice');
      await panel.page.locator('.thread-open').nth(1).click();
      await panel.page.locator('.thread-row').nth(2).hover();
      await panel.page.locator('.thread-row').nth(2).getByRole('button', { name: 'Rename' }).click();
      await panel.page.locator('.rename').fill('Hot kilns');
      await panel.page.locator('.rename').press('Enter');
      await panel.page.locator('.thread-row').nth(1).hover();
      await panel.page.locator('.thread-row').nth(1).getByRole('button', { name: 'Delete' }).click();
      assert.equal((await posted('list-threads')).at(-1)?.query, 'ice');
      assert.deepEqual((await posted('open-thread')).map(({ threadId }) => threadId), ['b']);
      assert.deepEqual((await posted('rename-thread')).map(({ threadId, title }) => [threadId, title]), [['c', 'Hot kilns']]);
      assert.deepEqual((await posted('delete-thread')).map(({ threadId }) => threadId), ['b']);
    });

    it('of a thousand turns draw only what is near', async () => {
      const turns: ThreadTurn[] = Array.from({ length: 1000 }, (_, index) => ({ ...turnOf(stamp(`r${index}`, answeredRun)), runId: `r${index}` }));
      await panel.send(...threadMessages(turns));
      assert.equal(await panel.page.locator('.turn').count(), 1000);
      const full = await panel.page.locator('.turn-body').count();
      assert.ok(full > 0 && full < 30, `${full} turns are drawn in full`);
      await panel.page.locator('#scroll').evaluate((element) => { element.scrollTop = 0; });
      await panel.page.locator('[data-run=r0] .turn-body').waitFor();
    });
  });

  it('says what is missing, with the one button that helps', async () => {
    await panel.send(...(panelStates(0)['index-failed'] ?? []));
    await panel.page.locator('.error-card vscode-button').click();
    await panel.send(...(panelStates(0)['no-folder'] ?? []));
    await panel.page.locator('vscode-button').click();
    assert.deepEqual((await posted('run-action')).map(({ action }) => action), ['show-log', 'open-folder']);
    await panel.send({ ...openWorkspace, type: 'workspace', name: 'x', trusted: true, supported: false });
    assert.ok(await panel.page.getByText('Virtual workspaces are not supported').isVisible());
  });
});
