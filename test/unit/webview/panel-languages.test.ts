import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { browserForSuite, PanelPage, threadMessages, turnOf } from '../../doubles/panel-page.ts';
import { answeredRun, extractiveRun } from '../../doubles/panel-runs.ts';
import { panelStates } from '../../doubles/panel-states.ts';

const bundle = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../l10n/bundle.l10n.${language}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

/** What an earlier version kept of the reason why the second hop follows. */
const keptReason = 'links to "systems/mast-power" from line 26';
/** The answered run as that version kept it. */
const keptRun = answeredRun.map((event) => {
  if (event.type !== 'answer-end') return event;
  const hops = event.answer.chain.hops.map((hop, index) =>
    index === 1 ? { ...hop, why: { ...hop.why, because: undefined, text: keptReason } } : hop,
  );
  return { ...event, answer: { ...event.answer, chain: { ...event.answer.chain, hops } } };
});

describe('the panel in other languages', function () {
  this.timeout(120_000);
  const browser = browserForSuite();

  for (const [language, reason, line] of [
    ['de', '„The silent weekend“ verweist auf „systems/mast-power“ (Zeile 26)', 'Zeile 26'],
    ['fr', '« The silent weekend » renvoie à « systems/mast-power » (ligne 26)', 'ligne 26'],
    ['es', '«The silent weekend» enlaza con «systems/mast-power» (línea 26)', 'línea 26'],
    ['ja', '「The silent weekend」が「systems/mast-power」にリンク(26 行目)', '26 行目'],
    ['zh-cn', '“The silent weekend”链接到“systems/mast-power”（第 26 行）', '第 26 行'],
  ] as const)
    it(`tells why a hop follows, its line a link, and fits a narrow side bar: ${language}`, async () => {
      const panel = await PanelPage.open(browser(), { width: 200, translations: bundle(language) });
      try {
        await panel.send(...threadMessages([turnOf(answeredRun)]));
        const why = panel.page.locator('.hop').nth(1).locator('.why');
        assert.equal((await why.innerText()).trim(), reason);
        await why.getByRole('button', { name: line, exact: true }).click();
        assert.deepEqual(
          (await panel.postedOf('open')).map(({ startLine }) => startLine),
          [26],
        );
        for (const [name, messages] of Object.entries(panelStates(0))) {
          await panel.send(...messages);
          const [wide, room] = await panel.page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.documentElement.clientWidth,
          ]);
          assert.ok((wide ?? 0) <= (room ?? 0), `${name} is ${wide} pixels wide`);
        }
      } finally {
        await panel.end();
      }
    });

  it('writes numbers as the language does', async () => {
    const panel = await PanelPage.open(browser(), { locale: 'de-DE', translations: bundle('de') });
    await panel.send(...threadMessages([turnOf(extractiveRun)], null));
    assert.match(await panel.page.locator('.how .count').innerText(), /\b0,4 s$/);
    await panel.end();
  });

  it('shows the reason that an earlier version kept in English, its line a link', async () => {
    const panel = await PanelPage.open(browser(), { translations: bundle('de') });
    try {
      await panel.send(...threadMessages([turnOf(keptRun)]));
      const why = panel.page.locator('.hop').nth(1).locator('.why');
      assert.equal((await why.innerText()).trim(), keptReason);
      await why.getByRole('button', { name: 'line 26', exact: true }).click();
      assert.deepEqual(
        (await panel.postedOf('open')).map(({ startLine }) => startLine),
        [26],
      );
    } finally {
      await panel.end();
    }
  });
});
