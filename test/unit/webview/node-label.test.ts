import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { panelForSuite, type PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun } from '../../doubles/panel-runs.ts';
import { nodeLabel } from '../../../webview/views/labels.ts';

describe('the numbers on a hop', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  panelForSuite((opened) => {
    panel = opened;
  });

  it('end before the sign of its file, where they are widest', async () => {
    for (const numbers of [
      [1, 2, 3, 4],
      [10, 11],
    ]) {
      const events = answeredRun.map((event) => {
        if (event.type !== 'answer-end') return event;
        const passageId = event.answer.chain.hops[0]?.passage.id ?? '';
        const citations = numbers.map((number) => ({ number, passageId, startLine: 25, endLine: 25 }));
        return { ...event, answer: { ...event.answer, citations } };
      });
      await panel.send(...threadMessages([turnOf(events)]));
      const hop = panel.page.locator('.hop').first();
      const node = await hop.locator('.node').boundingBox();
      const sign = await hop.locator('.hop-open .codicon').first().boundingBox();
      const text = await hop.locator('.node').evaluate((element) => element.scrollHeight - element.clientHeight);
      assert.ok(text <= 1, `${numbers.join()} in more than one line`);
      assert.ok(node && sign && node.x + node.width <= sign.x - 1, JSON.stringify([node, sign]));
    }
  });

  it('have room beside its name, however many there are', () => {
    assert.deepEqual(
      [[], [3], [1, 2], [2, 5], [1, 2, 3, 4], [1, 3, 4], [10], [10, 11], [1, 12], [9, 10, 11]].map(nodeLabel),
      ['', '3', '1,2', '2,5', '1–4', '1…', '10', '10…', '1…', '9…'],
    );
  });
});
