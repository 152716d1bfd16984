import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ToWebview } from '../../../src/vscode/protocol.ts';
import { openWorkspace, panelForSuite, type PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import {
  answeredRun,
  extractiveRun,
  failedAtStart,
  failedRun,
  runningRun,
  silentRun,
  stamp,
  stoppedAtStart,
  streamingRun,
  supplierChain,
  supplierQuestion,
} from '../../doubles/panel-runs.ts';
import { panelStates } from '../../doubles/panel-states.ts';

const ids = supplierChain.hops.map((hop) => hop.passage.id);

describe('the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { posted } = panelForSuite((opened) => {
    panel = opened;
  });

  describe('links and trail', () => {
    beforeEach(async () => {
      await panel.send(...threadMessages([turnOf(answeredRun)]));
    });

    it('opens the quoted lines of a citation, to the side with a modifier', async () => {
      await panel.page.locator('.cite', { hasText: '1' }).click();
      await panel.page.locator('.cite', { hasText: '2' }).click({ modifiers: ['Control'] });
      assert.deepEqual(
        (await posted('open')).map(({ passageId, startLine, toSide }) => [passageId, startLine, toSide]),
        [
          [ids[0], 25, false],
          [ids[1], 10, true],
        ],
      );
    });

    it('shows the marked lines of a program whole in a narrow side bar', async () => {
      const inCode = JSON.parse(
        JSON.stringify(answeredRun).replaceAll('"markdown"', '"typescript"'),
      ) as typeof answeredRun;
      await panel.page.setViewportSize({ width: 280, height: 700 });
      await panel.send(...threadMessages([turnOf(inCode)]));
      const cut = await panel.page
        .locator('.excerpt .code .line:has(mark) .text')
        .evaluateAll((lines) => lines.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
      assert.ok(cut.length > 0 && !cut.includes(true), JSON.stringify(cut));
    });

    it('marks the hop of a citation', async () => {
      await panel.hover(panel.page.locator('.cite', { hasText: '2' }));
      assert.equal(await panel.page.locator('.hop.lit').getAttribute('data-passage'), ids[1]);
    });

    it('marks the citations of a hop', async () => {
      await panel.hover(panel.page.locator('.hop').nth(2).locator('.hop-open'));
      await panel.page.locator('.cite.lit').first().waitFor();
      assert.deepEqual(await panel.page.locator('.cite.lit').allTextContents(), ['3']);
    });

    it('shows the passage of a citation with its line beside it', async () => {
      const mark = panel.page.locator('.cite', { hasText: '1' }).first();
      await panel.hover(mark);
      const hover = panel.page.locator('.hover');
      await hover.waitFor();
      assert.match(await hover.locator('.hover-title').innerText(), /:25$/);
      assert.ok((await hover.locator('.number').allInnerTexts()).includes('25'));
      await panel.hover(panel.page.locator('.question').first());
      await hover.waitFor({ state: 'hidden' });
    });

    it('walks from hop to hop by keyboard, and opens', async () => {
      await panel.page.locator('.hop-open').first().focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Enter', 'Control+Enter', ' '])
        await panel.page.keyboard.press(key);
      const opened = await posted('open');
      assert.deepEqual(
        opened.map(({ passageId, toSide, preserveFocus }) => [passageId, toSide, preserveFocus ?? false]),
        [
          [ids[2], false, false],
          [ids[2], true, false],
          [ids[2], false, true],
        ],
      );
      await panel.page.keyboard.press('ArrowRight');
      await panel.page.locator('.hop').nth(2).locator('.more[aria-expanded=true]').waitFor();
    });

    it('opens nothing for whom selects a line to copy it', async () => {
      const line = panel.page.locator('.excerpt .text').nth(1);
      await panel.hover(line);
      const { x = 0, y = 0 } = (await line.boundingBox()) ?? {};
      await panel.page.mouse.move(x + 2, y + 8);
      await panel.page.mouse.down();
      await panel.page.mouse.move(x + 90, y + 8, { steps: 3 });
      await panel.page.mouse.up();
      assert.notEqual(await panel.page.evaluate(() => String(getSelection())), '');
      assert.deepEqual(await posted('open'), []);
      await line.click();
      assert.equal((await posted('open')).length, 1);
    });

    it('marks the linking words in both passages', async () => {
      const marks = await panel.page
        .locator('.hop')
        .evaluateAll((hops) =>
          hops.map((hop) => [...hop.querySelectorAll('.excerpt mark')].map((mark) => mark.textContent)),
        );
      assert.ok(marks[0]?.includes('systems/mast-power') && marks[1]?.includes('Mast Power'), JSON.stringify(marks));
    });

    it('opens either place that a reason names, by click and by keyboard', async () => {
      const why = panel.page.locator('.hop').nth(1).locator('.why');
      const line = why.getByRole('button', { name: 'line 26', exact: true });
      const word = why.getByRole('button', { name: 'systems/mast-power', exact: true });
      assert.equal(await line.getAttribute('title'), 'incidents/2024-02-17-silent-weekend.md:26');
      assert.equal((await why.innerText()).trim(), '“The silent weekend” links to “systems/mast-power” on line 26');
      await line.click({ modifiers: ['Control'] });
      await word.focus();
      await panel.page.keyboard.press('Enter');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press(' ');
      assert.deepEqual(
        (await posted('open')).map(({ passageId, startLine, toSide }) => [passageId, startLine, toSide]),
        [
          [ids[0], 26, true],
          [ids[1], 7, false],
          [ids[0], 26, false],
        ],
      );
      assert.equal(await panel.page.locator('.hop').nth(3).locator('.why button').count(), 0, 'it names no line');
    });

    it('opens both places where a program is told from the end that is used', async () => {
      const run = structuredClone(answeredRun);
      const answers = run.flatMap((event) => ('answer' in event && event.answer ? [event.answer] : []));
      const [router, trie] = answers.at(-1)?.chain.hops ?? [];
      assert.ok(router && trie);
      Object.assign(router.passage, {
        path: 'router.ts',
        startLine: 1,
        endLine: 1,
        text: 'export interface Router {}',
      });
      const text = "import { Router } from './router.ts';\nexport class TrieRouter implements Router {}";
      Object.assign(trie.passage, { path: 'trie.ts', startLine: 1, endLine: 2, text });
      const at = text.lastIndexOf('Router');
      trie.why = {
        kind: 'backlink',
        because: { code: 'implements', who: 'TrieRouter', what: 'Router', line: 2, path: 'trie.ts' },
        terms: ['Router'],
        from: 0,
        fromSpan: { start: 17, end: 23 },
        toSpan: { start: at, end: at + 6 },
      };
      await panel.send(...threadMessages([turnOf(run)]));
      const why = panel.page.locator('.hop').nth(1).locator('.why');
      assert.equal((await why.innerText()).trim(), '“TrieRouter” implements “Router” in trie.ts on line 2');
      await why.getByRole('button', { name: 'Router', exact: true }).click();
      await why.getByRole('button', { name: 'line 2', exact: true }).click();
      assert.deepEqual(
        (await posted('open')).map(({ passageId, startLine }) => [passageId, startLine]),
        [
          [ids[0], 1],
          [ids[1], 2],
        ],
      );
    });

    it('shows where the walk of the editor stands', async () => {
      await panel.send({ type: 'walk', runId: 'answered', passageId: ids[3] ?? '' });
      assert.equal(await panel.page.locator('[aria-current=step]').getAttribute('data-hop'), '3');
      assert.ok(await panel.page.locator('[data-hop="3"]').isVisible());
    });

    it('has one hop that Tab reaches, wherever the walk stands', async () => {
      const reached = () =>
        panel.page
          .locator('.hop-open[tabindex="0"]')
          .evaluateAll((hops) => hops.map((hop) => hop.getAttribute('data-hop')));
      assert.deepEqual(await reached(), ['0']);
      await panel.send({ type: 'walk', runId: 'answered', passageId: ids[2] ?? '' });
      assert.deepEqual(await reached(), ['2']);
      await panel.send({ type: 'walk', runId: 'answered', passageId: 'a passage of an earlier trail' });
      assert.deepEqual(await reached(), ['0']);
      assert.equal(await panel.page.locator('[aria-current=step]').count(), 0);
    });

    it('tells what does not belong, and what was good', async () => {
      await panel.hover(panel.page.locator('.hop').nth(1));
      await panel.page.locator('.hop').nth(1).getByRole('button', { name: 'This Passage Does Not Belong' }).click();
      await panel.page.getByRole('button', { name: 'Good answer' }).click();
      assert.deepEqual(
        (await posted('feedback')).map((message) => message.feedback),
        [{ rejectedPassageIds: [ids[1]] }, { rating: 'up', rejectedPassageIds: [] }],
      );
      await panel.send({
        type: 'feedback',
        runId: 'answered',
        feedback: { rating: 'up', rejectedPassageIds: [ids[1] ?? ''] },
      });
      assert.equal(await panel.page.locator('.hop.rejected .excerpt').count(), 0);
      assert.equal(await panel.page.getByRole('button', { name: 'Good answer' }).getAttribute('aria-pressed'), 'true');
    });

    it('thanks for a thumb, and thinks harder or debates the plan on request, one run at a time', async () => {
      await panel.send({ type: 'feedback', runId: 'answered', feedback: { rating: 'up', rejectedPassageIds: [] } });
      assert.equal(await panel.page.locator('.thanks[role=status]').innerText(), 'Thanks for your feedback.');
      await panel.page.getByRole('button', { name: 'Think harder' }).click();
      await panel.page.getByRole('button', { name: 'Debate the plan' }).click();
      const asked = [
        { type: 'think-harder', runId: 'answered' },
        { type: 'think-harder', runId: 'answered', debate: true },
      ];
      assert.deepEqual(await posted('think-harder'), asked);
      const turn = turnOf(stamp('again', runningRun), { harder: true });
      await panel.send({ type: 'turn-start', threadId: 'thread', turn });
      await panel.page.locator('.turn.running .quiet-line', { hasText: 'More effort' }).waitFor();
      await panel.page.getByRole('button', { name: 'Think harder' }).click();
      assert.equal((await posted('think-harder')).length, 2);
      await panel.page.locator('.top .error-card', { hasText: 'Wait for its answer, or stop it.' }).waitFor();
    });

    it('shows searches, looks and sub-answers as they come, each with its source', async () => {
      await panel.send(...threadMessages([turnOf(runningRun)]));
      const lines = panel.page.locator('.main > .activities li');
      const words = (await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      assert.equal(
        words[0],
        'part that froze on the silent weekend → 5 passages 2024-02-17-silent-weekend.md:23 mast-power.md:7 halden-cells.md:9',
      );
      assert.match(words[1] ?? '', /^Which part froze\? → The pack in the Mast Power cabinet 2024-02-17/);
      assert.equal(words[3], 'halden-cells.md:9');
      assert.match(await panel.page.locator('.activity').innerText(), /^Reading halden-cells\.md/);
      await lines.last().getByRole('button').click();
      assert.deepEqual(
        (await posted('open')).map(({ passageId, startLine }) => [passageId, startLine]),
        [[ids[2], 9]],
      );
    });

    it('asks what stays open with one click', async () => {
      await panel.page.locator('.missing').getByRole('button').click();
      assert.deepEqual(
        (await posted('ask')).map(({ question }) => question),
        ['Since when does he keep the account?'],
      );
    });

    it('names a model that is silent, aloud too, and quotes in its place when it is told to', async () => {
      const notice = 'No word yet from Slow: it has sent nothing for 8 seconds.';
      const details = { model: 'Slow', seconds: 8, thinks: false };
      await panel.send({
        type: 'turn-start',
        threadId: 'thread',
        turn: turnOf(stamp('silent', runningRun), {}),
      });
      await panel.send({
        type: 'event',
        threadId: 'thread',
        event: { type: 'notice', runId: 'silent', time: 1, code: 'model-silent', details },
      });
      await panel.page.locator('.turn.running .notice', { hasText: notice }).waitFor();
      await panel.page.locator('[aria-live]', { hasText: notice }).waitFor({ state: 'attached' });
      await panel.page.getByRole('button', { name: 'Show quotes instead' }).click();
      assert.deepEqual(await posted('quote-instead'), [{ type: 'quote-instead', runId: 'silent' }]);
      await panel.send({
        type: 'event',
        threadId: 'thread',
        event: { type: 'answer-delta', runId: 'silent', time: 2, text: 'At last' },
      });
      assert.equal(await panel.page.locator('.notice', { hasText: 'No word yet' }).count(), 0);
    });

    it('shows quotes in the place of a silent model, each a link, until it speaks', async () => {
      await panel.send(...threadMessages([turnOf(silentRun)]));
      const quotes = panel.page.locator('section.meanwhile');
      await quotes.waitFor();
      assert.equal(await quotes.locator('h3').innerText(), 'Quotes for now');
      assert.ok(await quotes.evaluate((element) => element.getBoundingClientRect().top < innerHeight), 'in view');
      await quotes.locator('[data-cite]').first().click();
      const [opened] = await posted('open');
      assert.equal(opened?.runId, 'running');
      assert.ok(opened.startLine !== undefined && opened.startLine > 0);
      await panel.page.getByRole('button', { name: 'Stop, and keep the quotes' }).click();
      assert.deepEqual(await posted('quote-instead'), [{ type: 'quote-instead', runId: 'running' }]);
      await panel.send({
        type: 'event',
        threadId: 'thread',
        event: { type: 'answer-delta', runId: 'running', time: 2, text: 'At last' },
      });
      await panel.page.locator('.answer.streaming').waitFor();
      assert.equal(await quotes.count(), 0);
    });

    it('says how it was answered in one closed line, with the plan and the debate folded in it', async () => {
      const how = panel.page.locator('.how');
      assert.equal(await panel.page.locator('details[open]').count(), 0);
      assert.equal(
        (await how.locator('> summary').innerText()).replace(/\s+/g, ' '),
        'How this was answered 7 model calls, 14 s',
      );
      await how.locator('> summary').click();
      const facts = (await how.locator('.facts').innerText()).replace(/\s+/g, ' ');
      for (const fact of [
        'Question needs an intermediate step',
        '1 statement isn’t supported by its sources',
        '6,120 tokens sent · 480 answered',
      ])
        assert.ok(facts.includes(fact), facts);
      await how.locator('.plan > summary').click();
      assert.match(
        await how.locator('.plan').innerText(),
        /agreed in a debate[^]*Three facts that hang on one another/,
      );
      await how.locator('details.fold > summary').click();
      assert.deepEqual(await how.locator('.debate .role').allInnerTexts(), ['For', 'Against', 'Judge']);
      assert.equal(await how.locator('.activities li').count(), 6);
      const place = await panel.page.locator('.trail, .how').evaluateAll((all) => all.map((one) => one.className));
      assert.deepEqual(place, ['trail', 'fold how'], 'sources stand before it');
    });

    it('offers no harder thinking where no model thought', async () => {
      await panel.send(...threadMessages([turnOf(extractiveRun)], null));
      assert.equal(await panel.page.getByRole('button', { name: 'Think harder' }).count(), 0);
    });

    it('marks what no source supports in place, for the eye and for screen readers', async () => {
      const marked = panel.page.locator('.answer .unsupported');
      assert.equal(await marked.textContent(), 'He has done so since the beginning');
      assert.equal(await marked.getAttribute('title'), 'Not supported by its sources: no passage is cited');
      assert.match(
        (await panel.page.locator('.answer .visually-hidden').textContent()) ?? '',
        /\(Not supported by its sources: no passage is cited\)/,
      );
    });

    it('shows the first source above the fold of a narrow side bar', async () => {
      await panel.page.setViewportSize({ width: 300, height: 700 });
      const top = await panel.page
        .locator('.hop-open')
        .first()
        .evaluate((hop) => hop.getBoundingClientRect().bottom);
      assert.ok(top < 600, String(top));
    });
  });

  describe('untrusted text', () => {
    it('shows HTML, scripts and command links of an answer as text', async () => {
      const evil =
        '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> ' +
        '[run](command:workbench.action.quit) [js](javascript:window.hacked=1) ![pic](https://evil.test/x.png) ' +
        '<b>bold</b> [web](https://example.org/)';
      const events = answeredRun.map((event) =>
        event.type === 'answer-end' ? { ...event, answer: { ...event.answer, text: evil, statements: [] } } : event,
      );
      await panel.send(...threadMessages([turnOf(events)]));
      assert.deepEqual(
        await panel.page.locator('.answer a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
        ['https://example.org/'],
      );
      assert.equal(await panel.page.locator('.answer img, .answer script, .answer b').count(), 0);
      assert.equal(await panel.page.evaluate(() => 'hacked' in window), false);
      assert.ok((await panel.page.locator('.answer').textContent())?.includes('<script>'));
    });

    it('shows markup in passages, titles and questions as text', async () => {
      const events = JSON.parse(
        JSON.stringify(answeredRun).replaceAll('Mast Power', '<u onclick=1>Mast</u>'),
      ) as typeof answeredRun;
      await panel.send(...threadMessages([turnOf(events, { question: '<u>q</u>' })]));
      assert.equal(await panel.page.locator('u').count(), 0);
      assert.equal(await panel.page.locator('.question').textContent(), '<u>q</u>');
    });
  });

  /** The browser gives turns above their true height when it comes to them, and the panel follows a frame later. */
  async function newestAtTheTop(): Promise<void> {
    const below = () =>
      panel.page
        .locator('.turn')
        .last()
        .evaluate(
          (turn) =>
            // Half a pixel above is there, too: adding 0 makes 0 of -0.
            Math.round(turn.getBoundingClientRect().top - (turn.parentElement?.getBoundingClientRect().top ?? 0)) + 0,
        );
    for (const until = Date.now() + 10_000; (await below()) !== 0 && Date.now() < until;)
      await panel.page.waitForTimeout(20);
    assert.equal(await below(), 0);
  }

  describe('a run as it unfolds', () => {
    it('is there before its first event, and can be stopped', async () => {
      await panel.send(...threadMessages([]), {
        type: 'turn-start',
        threadId: 'thread',
        turn: turnOf([], { runId: 'stopped-at-start', question: supplierQuestion }),
      });
      const turn = panel.page.locator('.turn');
      assert.equal(await turn.innerText(), `${supplierQuestion}\nStarting`);
      assert.equal(await turn.getAttribute('aria-busy'), 'true');
      assert.equal(await panel.page.locator('[role=status]').textContent(), 'Looking for an answer');
      await panel.page.getByRole('button', { name: 'Stop', exact: true }).click();
      assert.deepEqual(
        (await posted('stop')).map(({ runId }) => runId),
        ['stopped-at-start'],
      );
      for (const event of stoppedAtStart) await panel.send({ type: 'event', threadId: 'thread', event });
      assert.match(await turn.innerText(), /Stopped before anything was found\.\s+Ask again/);
      assert.equal(await panel.page.locator('[role=status]').textContent(), 'Stopped before anything was found.');
      assert.ok(await panel.page.getByRole('button', { name: 'Ask', exact: true }).isVisible());
    });

    it('that cannot begin ends in a card that is announced once', async () => {
      await panel.send(...threadMessages([turnOf(failedRun)]));
      assert.equal(await panel.page.locator('[role=alert]').count(), 0, 'what failed long ago is no news');
      await panel.send({
        type: 'turn-start',
        threadId: 'thread',
        turn: turnOf([], { runId: 'failed-at-start', question: supplierQuestion }),
      });
      for (const event of failedAtStart) await panel.send({ type: 'event', threadId: 'thread', event });
      assert.match(
        await panel.page.locator('.turn').last().innerText(),
        /The index process ended unexpectedly\.\s+It is started anew; ask again\.\s+Show Log\s+Ask again/,
      );
      assert.equal(
        await panel.page.locator('[role=status]').textContent(),
        'The index process ended unexpectedly. It is started anew; ask again.',
      );
      assert.equal(await panel.page.locator('[role=alert]').count(), 0);
    });

    it('patches the page: what is shown stays the same element', async () => {
      const [start, ...rest] = streamingRun;
      assert.ok(start);
      await panel.send(...threadMessages([]), { type: 'turn-start', threadId: 'thread', turn: turnOf([start]) });
      const marker = () =>
        panel.page.evaluate(() => (window as unknown as { hop?: Element }).hop === document.querySelector('.hop'));
      let marked = false;
      for (const event of rest) {
        await panel.send({ type: 'event', threadId: 'thread', event });
        if (!marked && (await panel.page.locator('.hop').count()) > 0) {
          await panel.page.evaluate(() => {
            Object.assign(window, { hop: document.querySelector('.hop') });
          });
          marked = true;
        }
      }
      assert.ok(marked && (await marker()));
      assert.ok((await panel.page.locator('.answer.streaming').textContent())?.includes('has to be rung'));
      assert.equal(await panel.page.locator('.cite').count(), 0, 'marks are links only once they are checked');
      assert.equal(await panel.page.locator('[role=status]').textContent(), 'Looking for an answer');
    });

    it('keeps the newest question at the top, until anything else scrolls', async () => {
      const [start, ...rest] = streamingRun;
      assert.ok(start);
      const scroll = panel.page.locator('#scroll');
      await panel.send(
        ...threadMessages(['a', 'b', 'c'].map((id) => ({ ...turnOf(stamp(id, answeredRun)), runId: id }))),
      );
      await panel.send({ type: 'turn-start', threadId: 'thread', turn: turnOf([start]) });
      const half = Math.floor(rest.length / 2);
      for (const event of rest.slice(0, half)) {
        await panel.send({ type: 'event', threadId: 'thread', event });
        await newestAtTheTop();
      }
      // As find in page, a screen reader or the walk along a trail do: no wheel, key or pointer tells of it.
      await scroll.evaluate((element) => {
        element.scrollTop = 0;
      });
      for (const event of rest.slice(half)) await panel.send({ type: 'event', threadId: 'thread', event });
      assert.equal(
        await scroll.evaluate((element) => element.scrollTop),
        0,
        'nobody is taken back from where they scrolled to',
      );
    });

    it('moves nothing when a turn goes out of sight and is drawn in two lines', async () => {
      await panel.send(
        ...threadMessages(['a', 'b', 'c', 'd'].map((id) => ({ ...turnOf(stamp(id, answeredRun)), runId: id }))),
      );
      const scroll = panel.page.locator('#scroll');
      const first = panel.page.locator('.turn').first();
      const height = () => first.evaluate((turn) => Math.round(turn.getBoundingClientRect().height));
      await panel.page.locator('.turn').last().waitFor();
      await scroll.evaluate((element) => {
        element.scrollTop = 0;
      });
      await first.locator('.turn-body').waitFor();
      const drawn = await height();
      await scroll.evaluate((element) => {
        element.scrollTop = element.scrollHeight;
      });
      await first.locator('.far').waitFor({ state: 'attached' });
      assert.equal(await height(), drawn);
    });

    it('goes to the newest question however late it is drawn, as after the panel was hidden', async () => {
      await panel.send(
        ...threadMessages(['a', 'b', 'c'].map((id) => ({ ...turnOf(stamp(id, answeredRun)), runId: id }))),
      );
      await panel.page.locator('#scroll').evaluate((element) => {
        element.scrollTop = 0;
      });
      // The clock goes on between the message and its drawing.
      await panel.page.evaluate(
        'window.addEventListener("message", () => { const now = Date.now() + 60000; Date.now = () => now; }, { once: true })',
      );
      await panel.send({ type: 'turn-start', threadId: 'thread', turn: turnOf(runningRun) });
      await newestAtTheTop();
    });
  });

  it('goes on after a message or an event that it does not know', async () => {
    const unknown = [
      { type: 'of-a-later-version' },
      { type: 'event', threadId: 'thread', event: { type: 'of-a-later-version', runId: 'answered', time: 0 } },
    ] as unknown as ToWebview[];
    await panel.send(...threadMessages([turnOf(answeredRun)]), ...unknown, {
      type: 'scope',
      scope: { kind: 'folder', path: 'suppliers' },
    });
    await panel.page.locator('.chip', { hasText: 'suppliers' }).waitFor();
    assert.ok(await panel.page.locator('.answer').isVisible());
  });

  it('says what is missing, with the one button that helps', async () => {
    await panel.send(...(panelStates(0)['index-failed'] ?? []));
    await panel.page.locator('.error-card vscode-button').click();
    await panel.send(...(panelStates(0)['no-folder'] ?? []));
    await panel.page.locator('vscode-button').click();
    assert.deepEqual(
      (await posted('run-action')).map(({ action }) => action),
      ['show-log', 'open-folder'],
    );
    await panel.send({ ...openWorkspace, type: 'workspace', name: 'x', trusted: true, supported: false });
    assert.ok(await panel.page.getByText('Virtual workspaces are not supported').isVisible());
  });
});
