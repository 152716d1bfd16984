import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { panelForSuite, type PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import {
  answeredRun,
  examplePassage,
  firstHitsRun,
  stamp,
  supplierChain,
  supplierHits,
} from '../../doubles/panel-runs.ts';
import { panelStates, rareStates } from '../../doubles/panel-states.ts';

describe('an answer in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { posted } = panelForSuite((opened) => {
    panel = opened;
  });

  it('shows no front matter of a note, at its hop, beside the pointer or unfolded', async () => {
    const note = examplePassage('notes/people/hamish-adeyemi.md', 1, 24, 'Hamish Adeyemi');
    const whole = <T extends { path: string }>(passage: T): T =>
      passage.path === note.path ? { ...passage, text: note.text, endLine: note.endLine } : passage;
    const run = answeredRun.map((event) => {
      if (event.type !== 'answer-end') return event;
      const { answer } = event;
      const hops = answer.chain.hops.map((hop) => ({ ...hop, passage: whole(hop.passage) }));
      return {
        ...event,
        answer: { ...answer, passages: answer.passages.map(whole), chain: { ...answer.chain, hops } },
      };
    });
    await panel.send(...threadMessages([turnOf(run)]));
    const hover = panel.page.locator('.hover');
    const lines = async (within: Locator): Promise<number[]> =>
      (await within.locator('.number').allInnerTexts()).filter((line) => line !== '⋯').map(Number);
    /** What stands beside the pointer when it rests on this. */
    const beside = async (target: Locator): Promise<number[]> => {
      await panel.hover(target);
      await hover.waitFor();
      const shown = await lines(hover);
      await panel.hover(panel.page.locator('.question').first());
      await hover.waitFor({ state: 'hidden' });
      return shown;
    };
    // A note whose name stands in its front matter (lines 1 to 6), is joined by it, and is cited as a whole.
    const hop = panel.page.locator('.hop').last();
    assert.equal((await lines(hop))[0], 8);
    assert.equal((await beside(hop.locator('.excerpt')))[0], 8);
    assert.equal((await beside(panel.page.locator('.cite', { hasText: '4' }).first()))[0], 8);
    await hop.locator('.more').click();
    assert.equal((await lines(hop))[0], 8);
    assert.equal((await beside(panel.page.locator('.cite', { hasText: '1' }).first()))[0], 25, 'the quoted line leads');
  });

  it('leads at a hop with the line that is quoted, to be seen at once and told from others', async () => {
    await panel.page.setViewportSize({ width: 280, height: 900 });
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    const hop = panel.page.locator('.hop').first();
    const quoted = hop.locator('.quoted');
    assert.deepEqual(await quoted.locator('.number').allInnerTexts(), ['25']);
    assert.notEqual(
      await quoted.locator('.number').evaluate((element) => getComputedStyle(element).borderInlineStartColor),
      await hop
        .locator('.line:not(.quoted) .number')
        .first()
        .evaluate((element) => getComputedStyle(element).borderInlineStartColor),
    );
    const isWhole = await quoted
      .locator('.text')
      .evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => [
        scrollHeight <= clientHeight,
        scrollWidth <= clientWidth,
      ]);
    assert.deepEqual(isWhole, [true, true], 'however narrow the panel is');
    const above = await hop
      .locator('.excerpt .line:has(~ .quoted) .text')
      .evaluateAll((all) =>
        all.flatMap((line) => (line.querySelector('mark, .tok-heading') ? [] : [line.textContent])),
      );
    assert.deepEqual(above, [], 'above it stands at most the heading, and words that link');
  });

  it('shows first hits as links until the trail comes, and says nothing of them', async () => {
    await panel.send(...threadMessages([turnOf(firstHitsRun())]));
    const found = panel.page.locator('section.first-hits');
    await found.waitFor();
    assert.equal(await found.locator('h3').textContent(), 'Found so far');
    const links = found.locator('.source-link');
    assert.equal(await links.count(), supplierHits.length);
    const [first] = supplierHits;
    assert.equal((await links.first().textContent())?.trim(), `${first?.passage.path}:${first?.passage.startLine}`);
    assert.equal(await found.locator('.line').count(), supplierHits.length, 'one leading line each');
    await links.first().click();
    assert.deepEqual(
      (await posted('open')).map(({ runId, passageId }) => [runId, passageId]),
      [['first', first?.passage.id]],
    );
    assert.equal(await panel.page.locator('[role=status] .first-hits, [aria-live] .first-hits').count(), 0);
    const steps = stamp('first', [
      { type: 'step-start', stepId: 's', operator: 'extractive', question: '', dependsOn: [] },
      {
        type: 'passages-retrieved',
        stepId: 's',
        query: 'q',
        hits: supplierHits,
        chain: supplierChain,
        milliseconds: 1,
      },
    ]);
    await panel.send(...steps.map((event) => ({ type: 'event' as const, threadId: 'thread', event })));
    await panel.page.locator('.trail .hop').first().waitFor();
    assert.equal(await found.count(), 0);
  });

  it('has no fold without anything in it, in any state', async () => {
    const empty: string[] = [];
    let folds = 0;
    // A critique that keeps an answer need not say why.
    const unsaid = answeredRun.flatMap((event): typeof answeredRun => {
      if (event.type === 'critique-ready')
        return event.of === 'answer' ? [{ ...event, verdict: { ...event.verdict, reason: '' } }] : [];
      return event.type === 'answer-end' ? [{ ...event, answer: { ...event.answer, statements: [] } }] : [event];
    });
    const states = { ...panelStates(Date.now()), ...rareStates, unsaid: threadMessages([turnOf(unsaid)]) };
    for (const [name, messages] of Object.entries(states)) {
      await panel.send(...messages);
      const bodies = await panel.page.locator('details').evaluateAll((all) =>
        all.map((fold) => {
          const summary = fold.querySelector('summary');
          const parts = [...fold.querySelectorAll('p, ul, ol, dl, li, dd, .plan > div')];
          return {
            title: summary?.textContent?.trim(),
            isEmpty: parts.length === 0 || parts.some((part) => part.textContent?.trim() === ''),
          };
        }),
      );
      folds += bodies.length;
      empty.push(...bodies.filter(({ isEmpty }) => isEmpty).map(({ title }) => `${name}: ${title}`));
    }
    assert.ok(folds > 10, String(folds));
    assert.deepEqual(empty, []);
  });
});
