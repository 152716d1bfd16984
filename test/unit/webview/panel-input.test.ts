import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { MAX_QUESTION_LENGTH, MAX_SCOPE_FILES, type ToWebview } from '../../../src/vscode/protocol.ts';
import { panelForSuite, PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { failedRun, runningRun, stoppedRun } from '../../doubles/panel-runs.ts';
import { panelStates, rareStates } from '../../doubles/panel-states.ts';

describe('asking in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { browser, posted, reload } = panelForSuite((opened) => {
    panel = opened;
  });

  describe('by the input', () => {
    beforeEach(async () => {
      await panel.send(...(panelStates(0)['empty'] ?? []));
    });
    const input = () => panel.page.locator('textarea');

    it('asks on Enter, takes new lines with Shift, and forgets nothing', async () => {
      await input().fill('first');
      await input().press('Shift+Enter');
      await input().pressSequentially('second');
      await input().press('Enter');
      assert.deepEqual(
        (await posted('ask')).map(({ question, scope }) => [question, scope]),
        [['first\nsecond', { kind: 'workspace' }]],
      );
      assert.equal(await input().inputValue(), '');
      await input().press('ArrowUp');
      assert.equal(await input().inputValue(), 'first\nsecond');
    });

    it('leaves Enter to an input method at work', async () => {
      await input().fill('に');
      await input().evaluate((element) =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
      assert.deepEqual(await posted('ask'), []);
      assert.equal(await input().inputValue(), 'に');
    });

    it('completes @names and limits the scope to the chosen files', async () => {
      await input().pressSequentially('what of @mast');
      const [request] = (await posted('complete')).slice(-1);
      assert.equal(request?.prefix, 'mast');
      await panel.send({
        type: 'completions',
        requestId: request?.requestId ?? 0,
        items: [
          { label: 'mast-visit.md', detail: 'runbooks', path: 'runbooks/mast-visit.md' },
          { label: 'mast-power.md', detail: 'systems', path: 'systems/mast-power.md' },
        ],
      });
      await input().press('ArrowDown');
      await input().press('Enter');
      assert.equal(await input().inputValue(), 'what of mast-power.md ');
      await input().press('Enter');
      assert.deepEqual((await posted('ask'))[0]?.scope, { kind: 'files', paths: ['systems/mast-power.md'] });
      await panel.page.getByRole('button', { name: 'Remove systems/mast-power.md from the scope' }).click();
      await panel.page.locator('.chip', { hasText: 'Workspace' }).waitFor();
    });

    it('offers the file in the editor as a chip that a click chooses, and goes on in the input', async () => {
      const offered = panel.page.locator('.chip.offered');
      const chosen = panel.page.locator('.composer .chip:not(.offered)');
      await panel.send({ type: 'active-file', path: 'systems/mast-power.md' });
      assert.equal((await offered.innerText()).trim(), 'mast-power.md');
      await panel.page.getByRole('button', { name: 'Look in systems/mast-power.md alone' }).click();
      assert.equal(await panel.focused(), 'Question');
      await offered.waitFor({ state: 'detached' });
      await panel.send({ type: 'active-file', path: 'people/ann.md' });
      await panel.page.getByRole('button', { name: 'Look in people/ann.md, too' }).click();
      await chosen.nth(1).waitFor();
      assert.deepEqual(await chosen.locator('.chip-name').allInnerTexts(), ['mast-power.md', 'ann.md']);
      await input().fill('Who?');
      await input().press('Enter');
      const paths = ['systems/mast-power.md', 'people/ann.md'];
      assert.deepEqual((await posted('ask'))[0]?.scope, { kind: 'files', paths });
      await panel.page.getByRole('button', { name: 'Remove people/ann.md from the scope' }).click();
      assert.equal(await panel.focused(), 'Question');
      await panel.send({ type: 'active-file', path: null });
      assert.equal(await offered.count(), 0);
      await panel.send({ type: 'scope', scope: { kind: 'folder', path: 'people' } });
      assert.deepEqual(await chosen.locator('.chip-name').allInnerTexts(), ['mast-power.md', 'people'], 'it is added');
      await panel.send(
        { type: 'scope', scope: { kind: 'workspace' } },
        { type: 'scope', scope: { kind: 'folder', path: 'people' } },
        { type: 'active-file', path: 'people/ann.md' },
      );
      assert.equal(await offered.count(), 0, 'a folder is a choice of its own');
    });

    it('asks about a chosen symbol, everywhere, and shows it as a chip', async () => {
      await input().pressSequentially('who needs @mastO');
      const requestId = (await posted('complete')).at(-1)?.requestId ?? 0;
      const item = { label: 'mastOf', detail: 'src/mast.ts:7', path: 'src/mast.ts', line: 7 };
      await panel.send({ type: 'completions', requestId, items: [item] });
      await input().press('Enter');
      assert.equal(await input().inputValue(), 'who needs mastOf ');
      await panel.page.locator('.chips', { hasText: /mastOf\s*Workspace/ }).waitFor();
      await input().press('Enter');
      const [asked] = await posted('ask');
      assert.deepEqual(asked?.scope, { kind: 'workspace' });
      assert.deepEqual(asked?.selection, {
        path: 'src/mast.ts',
        startLine: 7,
        endLine: 7,
        text: 'mastOf',
        symbol: true,
      });
    });

    it('asks a suggested question', async () => {
      await panel.page.locator('.suggestion').first().click();
      assert.match((await posted('ask'))[0]?.question ?? '', /Satellite trial/);
    });

    it('stops a run by Escape and by its button, and asks nothing meanwhile', async () => {
      await panel.send(...threadMessages([turnOf(runningRun)]));
      await input().fill('another');
      await input().press('Enter');
      await input().press('Escape');
      await panel.page.getByRole('button', { name: 'Stop' }).click();
      assert.deepEqual(await posted('ask'), []);
      assert.equal(await input().inputValue(), 'another');
      assert.deepEqual(
        (await posted('stop')).map(({ runId }) => runId),
        ['running', 'running'],
      );
    });

    it('stops a run by Escape on its button too, which says so', async () => {
      await panel.send(...threadMessages([turnOf(runningRun)]));
      await panel.page.locator('.send').press('Escape');
      assert.deepEqual(
        (await posted('stop')).map(({ runId }) => runId),
        [runningRun[0]?.runId],
      );
    });

    it('shows all that is typed when the panel gets narrower', async () => {
      const input = panel.page.locator('.composer textarea');
      await panel.send(...threadMessages([]));
      await input.fill('What do we do when the batteries freeze on a weekend and nobody is there?');
      await panel.page.setViewportSize({ width: 220, height: 900 });
      await panel.page.waitForFunction(() => {
        const box = document.querySelector('.composer textarea');
        return box && box.clientHeight > 60 && box.scrollHeight <= box.clientHeight;
      });
    });

    it('has buttons of 24 pixels at least, however long a name and whatever stands beside them', async () => {
      const small: string[] = [];
      const long = 'systems/mast-power-and-the-rest-of-a-long-name';
      const states: Record<string, ToWebview[]> = {
        files: [{ type: 'scope', scope: { kind: 'files', paths: [`${long}.md`, 'b.md'] } }],
        folder: [{ type: 'scope', scope: { kind: 'folder', path: long } }],
        many: [{ type: 'scope', scope: { kind: 'files', paths: ['a.md', 'b.md', 'c.md', 'd.md'] } }],
        selection: rareStates['selection-chip'] ?? [],
        offered: rareStates['offered-chip'] ?? [],
        running: panelStates(Date.now())['running'] ?? [],
      };
      for (const width of [170, 240, 280])
        for (const [name, messages] of Object.entries(states)) {
          await panel.page.setViewportSize({ width, height: 700 });
          await panel.send(...threadMessages([]), ...messages, {
            type: 'model-state',
            model: { id: 'm', name: 'gpt-4o-mini-2024-07-18-and-more' },
          });
          const found = await panel.page.locator('.composer button').evaluateAll((all) =>
            all.flatMap((one) => {
              const { width: wide, height } = one.getBoundingClientRect();
              return wide < 24 || height < 24 ? [`${one.className} ${wide} × ${height}`] : [];
            }),
          );
          assert.ok((await panel.page.locator('.composer button').count()) >= 3, name);
          small.push(...found.map((one) => `${name}, ${width} px: ${one}`));
        }
      assert.deepEqual(small, []);
    });

    it('says in full that there are quotes only, in a side bar of 260 pixels', async () => {
      await panel.page.setViewportSize({ width: 260, height: 700 });
      const button = panel.page.locator('.model-button');
      assert.equal((await button.innerText()).trim(), 'Quotes only');
      assert.ok(await button.evaluate((element) => element.scrollWidth <= element.clientWidth));
    });

    for (const width of [170, 240, 280]) {
      it(`keeps scope, a long name of a model and the button beside one another in a side bar of ${width} pixels`, async () => {
        await panel.page.setViewportSize({ width, height: 700 });
        await panel.send(
          { type: 'model-state', model: { id: 'm', name: 'gpt-4o-mini-2024-07-18-and-more' } },
          { type: 'scope', scope: { kind: 'files', paths: ['systems/mast-power-and-more.md', 'b.md'] } },
        );
        const boxes = await panel.page
          .locator('.composer')
          .locator('.chip, .model-button, .send')
          .evaluateAll((all) =>
            all.map((one) => {
              const { left, right, top, bottom, width: wide } = one.getBoundingClientRect();
              return { left, right, top, bottom, wide };
            }),
          );
        assert.equal(boxes.length, 4);
        for (const [index, box] of boxes.entries()) {
          assert.ok(box.left >= 0 && box.right <= width && box.bottom <= 700 && box.wide >= 24, JSON.stringify(boxes));
          for (const other of boxes.slice(index + 1)) {
            assert.ok(
              box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top,
              JSON.stringify(boxes),
            );
          }
        }
        await input().fill('Who?');
        await panel.page.getByRole('button', { name: 'Ask', exact: true }).click();
        assert.deepEqual(
          (await posted('ask')).map(({ question }) => question),
          ['Who?'],
        );
      });
    }

    it('shows the chosen completion, however long the list', async () => {
      await input().pressSequentially('@m');
      const requestId = (await posted('complete')).at(-1)?.requestId ?? 0;
      await panel.send({
        type: 'completions',
        requestId,
        items: Array.from({ length: 20 }, (_, index) => ({
          label: `m${index}.md`,
          detail: 'notes',
          path: `notes/m${index}.md`,
        })),
      });
      const chosen = () =>
        panel.page.locator('.completions [aria-selected=true]').evaluate((option) => {
          const [own, list] = [option.getBoundingClientRect(), option.parentElement?.getBoundingClientRect()];
          return {
            label: option.querySelector('.completion-label')?.textContent,
            shown: list !== undefined && own.top >= list.top && own.bottom <= list.bottom,
          };
        });
      await input().press('ArrowUp');
      assert.deepEqual(await chosen(), { label: 'm19.md', shown: true });
      await input().press('ArrowDown');
      assert.deepEqual(await chosen(), { label: 'm0.md', shown: true });
    });

    it('keeps a question that is too long, and says so beside it until it is shorter', async () => {
      const long = 'x'.repeat(MAX_QUESTION_LENGTH + 1);
      await input().fill(long);
      await input().press('Enter');
      assert.deepEqual(await posted('ask'), []);
      assert.equal(await input().inputValue(), long);
      assert.match(
        await panel.page.locator('.composer [role=alert]').innerText(),
        /longer than 20,000 characters\. Shorten it/,
      );
      assert.equal(
        await input().getAttribute('aria-describedby'),
        await panel.page.locator('.composer [role=alert]').getAttribute('id'),
      );
      await input().fill(long.slice(1));
      assert.equal(await panel.page.locator('.composer [role=alert]').count(), 0);
      await input().press('Enter');
      assert.equal((await posted('ask')).length, 1);
    });

    it('shows many files as their number, and says when they are too many', async () => {
      const scopeOf = (length: number): ToWebview => ({
        type: 'scope',
        scope: { kind: 'files', paths: Array.from({ length }, (_, index) => `notes/n${index}.md`) },
      });
      await panel.send(scopeOf(MAX_SCOPE_FILES));
      await input().fill('Who?');
      assert.deepEqual(await panel.page.locator('.composer .chip').allInnerTexts(), ['500 files']);
      assert.equal(await panel.page.locator('.composer [role=alert]').count(), 0);
      await panel.send(scopeOf(MAX_SCOPE_FILES + 1));
      await input().press('Enter');
      await panel.page.locator('.suggestion').first().click();
      assert.match(
        await panel.page.locator('.composer [role=alert]').innerText(),
        /More than 500 files are chosen\. Choose fewer/,
      );
      assert.deepEqual(await posted('ask'), []);
      assert.equal(await input().inputValue(), 'Who?');
      await panel.page.getByRole('button', { name: 'Look in the whole workspace' }).click();
      await input().press('Enter');
      assert.deepEqual(
        (await posted('ask')).map(({ question, scope }) => [question, scope]),
        [['Who?', { kind: 'workspace' }]],
      );
    });

    it('keeps what is being typed when only the scope is handed over, or an earlier question comes back', async () => {
      await input().fill('half a quest');
      await panel.send(
        { type: 'fill-input', submit: false, scope: { kind: 'folder', path: 'suppliers' } },
        { type: 'restore-input', text: 'Who?' },
      );
      assert.equal(await input().inputValue(), 'half a quest');
      await panel.page.locator('.chip', { hasText: 'suppliers' }).waitFor();
      await panel.send({ type: 'fill-input', text: '', submit: false }, { type: 'restore-input', text: 'Who?' });
      assert.equal(await input().inputValue(), 'Who?');
      await panel.send({ type: 'fill-input', submit: true });
      assert.deepEqual(
        (await posted('ask')).map(({ question }) => question),
        ['Who?'],
      );
    });

    it('offers no completions for a text that comes back while the keyboard is elsewhere', async () => {
      const behind = await PanelPage.open(browser(), {
        focused: false,
        state: { draft: 'what of @mast', history: [], scope: { kind: 'workspace' } },
      });
      await behind.send(...(panelStates(0)['empty'] ?? []));
      assert.equal(await behind.page.locator('textarea').inputValue(), 'what of @mast');
      assert.deepEqual(await behind.postedOf('complete'), []);
      await behind.page.locator('textarea').click();
      assert.deepEqual(
        (await behind.postedOf('complete')).map(({ prefix }) => prefix),
        ['mast'],
      );
      await behind.end();
    });

    it('remembers draft, history and scope for the next time', async () => {
      await input().fill('half a quest');
      await reload();
      await panel.send(...(panelStates(0)['empty'] ?? []));
      assert.equal(await input().inputValue(), 'half a quest');
    });
  });

  describe('again', () => {
    it('begins no second run beside the first, and says why until that has ended', async () => {
      await panel.send(...threadMessages([turnOf(stoppedRun), turnOf(failedRun)]));
      await panel.page.getByRole('button', { name: 'Ask again' }).first().click();
      assert.equal((await posted('ask-again')).length, 1);
      await panel.send({ type: 'turn-start', threadId: 'thread', turn: turnOf(runningRun) });
      const told = panel.page.locator('.top .error-card', {
        hasText: 'A question of this thread is still being answered.',
      });
      assert.equal(await told.count(), 0);
      for (const button of await panel.page.getByRole('button', { name: 'Ask again' }).all()) await button.click();
      assert.equal((await posted('ask-again')).length, 1);
      await told.waitFor();
      const runId = runningRun[0]?.runId ?? '';
      const usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 1 };
      await panel.send({ type: 'event', threadId: 'thread', event: { type: 'run-end', runId, time: 2, usage } });
      await told.waitFor({ state: 'detached' });
    });

    it('is offered beside the button of an error, and is that button where it means to try again', async () => {
      await panel.send(...threadMessages([turnOf(failedRun)]));
      await panel.page.getByRole('button', { name: 'Ask again' }).click();
      const retry = failedRun.map((event) =>
        event.type === 'run-error' ? { ...event, error: { ...event.error, action: 'retry' as const } } : event,
      );
      await panel.send(...threadMessages([turnOf(retry)]));
      assert.equal(await panel.page.getByRole('button', { name: 'Ask again' }).count(), 0);
      await panel.page.getByRole('button', { name: 'Try Again' }).click();
      assert.deepEqual(
        (await posted('ask-again')).map(({ runId }) => runId),
        ['failed', 'failed'],
      );
    });
  });
});
