import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer, ResearchEvent, ToWebview } from '../../../../src/vscode/protocol.ts';
import { panelForSuite, type PanelPage, threadMessages, turnOf } from '../../../doubles/panel-page.ts';
import { answeredRun, streamingRun } from '../../../doubles/panel-runs.ts';

/** The messages that show the answered run with another text. */
const withText = (text: string, change: Partial<Answer> = {}): ToWebview[] => {
  const answer = { text, short: '', lead: undefined, statements: [], ...change };
  return threadMessages([
    turnOf(
      answeredRun.map((event) =>
        event.type === 'answer-end' ? { ...event, answer: { ...event.answer, ...answer } } : event,
      ),
    ),
  ]);
};

describe('the text of an answer', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  panelForSuite((opened) => {
    panel = opened;
  });

  it('stays as it is while more is written: its selection, its keyboard, and how far it is scrolled', async () => {
    const [start] = streamingRun;
    assert.ok(start);
    const write = (text: string): ToWebview => ({
      type: 'event',
      threadId: 'thread',
      event: { ...start, type: 'answer-delta', text } as ResearchEvent,
    });
    const table = `| ${'a'.repeat(60)} | b |\n|---|---|\n| 1 | 2 |`;
    await panel.send(...threadMessages([turnOf([start])]), write(`It is so.\n\n${table}\n\n\`\`\`\none\n`));
    await panel.page.locator('.answer-text pre').focus();
    await panel.page.evaluate(() => {
      document.querySelector('.table-scroll')?.scrollTo(40, 0);
      getSelection()?.selectAllChildren(document.querySelector('.answer-text p') ?? document.body);
    });
    const state = () =>
      panel.page.evaluate(() => [
        document.activeElement?.localName,
        document.querySelector('.table-scroll')?.scrollLeft,
        String(getSelection()),
      ]);
    assert.deepEqual(await state(), ['pre', 40, 'It is so.']);
    await panel.send(write('two\n'));
    await panel.send(write('```\n\nThe end.'));
    assert.deepEqual(await state(), ['pre', 40, 'It is so.']);
    const text = (await panel.page.locator('.answer-text').textContent()) ?? '';
    assert.match(text, /^It is so\.\s+a+\s+b\s+1\s+2\s+one\ntwo\s+The end\.\s*$/);
  });

  it('underlines what no source supports, with code or a citation in it too, and no part of a longer word', async () => {
    const texts = ['`check_it` runs first.', 'Ann [1], and Bob [2], keep it.', 'It is so.'];
    const statements = texts.map((text) => ({ text, citations: [], support: 'unsupported' as const }));
    await panel.send(...withText(`It is some.\n\n${texts.join('\n\n')}`, { statements }));
    const marked = await panel.page
      .locator('.answer-text > p')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('.unsupported')].map((mark) => mark.textContent).join('|')),
      );
    assert.deepEqual(marked, ['', 'check_it| runs first', 'Ann |and Bob |keep it', 'It is so']);
  });

  it('links each citation, where sources are listed in the way of Markdown too', async () => {
    await panel.send(...withText('It is so [1].\n\n[1]: https://example.org/'));
    assert.equal(await panel.page.locator('.answer-text').innerText(), 'It is so 1.\n\n1: https://example.org/');
    assert.equal(await panel.page.locator('.answer-text .cite').count(), 2);
  });

  it('has code in its colours by what the language is called for short', async () => {
    await panel.send(...withText("```py\nx = 1 # don't\n```"));
    assert.equal(await panel.page.locator('.answer-text .tok-comment').textContent(), "# don't");
  });
});
