import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { AxeResults } from 'axe-core';
import { browserForSuite, PanelPage, type ThemeName, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun } from '../../doubles/panel-runs.ts';
import { keptThreads, panelStates, rareStates } from '../../doubles/panel-states.ts';

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Rules that axe breaks, with the elements that break them; the page must hold axe. */
async function violations(panel: PanelPage, coloursAlone: boolean): Promise<string[]> {
  // The size of buttons is a rule that axe knows and leaves out unless asked.
  const rules = coloursAlone ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } };
  const options = { resultTypes: ['violations'], ...rules };
  const results = await panel.page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  );
}

describe('the panel is accessible', function () {
  this.timeout(180_000);
  const browser = browserForSuite();

  const now = Date.UTC(2024, 10, 21);
  const states = { ...panelStates(now), ...rareStates };
  const openFolds = (panel: PanelPage): Promise<void> =>
    panel.page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true;
    });
  // As narrow as a side bar gets, as it usually is, and as wide as an editor; a theme decides colours and no more.
  for (const [theme, ...widths] of [
    ['dark', 200, 280, 900],
    ['light', 280],
    ['high-contrast', 280],
    ['high-contrast-light', 280],
  ] satisfies [ThemeName, ...number[]][]) {
    it(`in every state, ${theme}, at ${widths.join(', ')} px`, async () => {
      const found: string[] = [];
      for (const width of widths) {
        const panel = await PanelPage.open(browser(), { theme, width, height: 1200 });
        await panel.page.evaluate(axe); // through the debugger's channel: the page's policy stops foreign scripts
        const look = async (name: string): Promise<void> => {
          await openFolds(panel);
          const broken = await violations(panel, theme !== 'dark');
          found.push(...broken.map((violation) => `${name}, ${width} px: ${violation}`));
        };
        for (const [name, messages] of Object.entries(states)) {
          await panel.send(...messages);
          if (name === 'threads') await panel.openThreads(keptThreads(now), 'thread');
          await look(name);
        }
        for (const [name, lead] of Object.entries(handled)) {
          await lead(panel);
          await look(name);
        }
        found.push(...panel.complaints);
        await panel.close();
      }
      assert.deepEqual(found, []);
    });
  }
});

/** States to which a person leads by hand. */
const handled: Record<string, (panel: PanelPage) => Promise<void>> = {
  completions: async (panel) => {
    await panel.send(...threadMessages([]), { type: 'scope', scope: { kind: 'workspace' } });
    await panel.page.locator('.composer textarea').fill('');
    await panel.page.locator('.composer textarea').pressSequentially('what of @m');
    const requestId = (await panel.postedOf('complete')).at(-1)?.requestId ?? 0;
    const items = Array.from({ length: 12 }, (_, i) => ({
      label: `mast-power-and-all-that-belongs-to-it-${i}.md`,
      detail: 'systems/in-the-field/masts',
      path: `systems/m${i}.md`,
    }));
    await panel.send({ type: 'completions', requestId, items });
    await panel.page.locator('.completions').waitFor();
  },
  'question-editor': async (panel) => {
    await panel.page.locator('.composer textarea').fill('');
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.page.getByRole('button', { name: 'Edit Question' }).press('Enter');
    await panel.page.locator('.question-editor textarea').waitFor();
  },
};
