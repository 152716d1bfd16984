import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { noteFailure } from './notes-window.ts';
import { copyExample, multiplyNotes } from './workspace-copy.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

/** So many times the example's notes take long enough to be watched, also where nothing else keeps the machine busy. */
const COPIES = 6;

/** As the strip tells it, in seconds. */
function secondsLeft(text: string): number | undefined {
  if (text.includes('a few seconds left')) return 9;
  const [, number, unit] = /(\d+) (s|min) left/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === 'min' ? 60 : 1);
}

const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => value >= (values[index - 1] ?? value));

/** One sentence and one button, which opens a folder. */
async function showsOneButton({ frame }: HoptrailPanel): Promise<void> {
  assert.equal(await frame.locator('main :is(h2, p)').count(), 1);
  await frame.locator('main').getByRole('button', { name: 'Open Folder' }).waitFor();
  assert.equal(await frame.locator('main').getByRole('button').count(), 1);
}

describe('kinds of workspace', () => {
  let host: VscodeHost | undefined;

  afterEach(async function () {
    await noteFailure(this.currentTest, host);
    await host?.close();
    host = undefined;
  });

  it('searches every folder of a multi-root workspace', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copyExample('notes'), copyExample('code')] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.waitForIndex();
    await panel.ask('Who supplies the batteries of the masts?');
    assert.match(await panel.turn.innerText(), /\.md/);
    await panel.workbench.runCommand('Hoptrail: Show Index Report');
    const report = await panel.workbench.webview('h1', 'Index report');
    for (const name of ['notes', 'code'])
      await report
        .locator('code', { hasText: `${name}/` })
        .first()
        .waitFor();
    const paths = await report.locator('code').allInnerTexts();
    assert.deepEqual(
      paths.filter((one) => one.includes('//')),
      [],
    );
  });

  it('answers with quotes in restricted mode', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copyExample('notes')], restricted: true });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.waitForIndex();
    await panel.frame.locator('.hint', { hasText: 'Restricted mode' }).waitFor();
    await panel.ask('Who supplies the batteries of the masts?');
    assert.match(await panel.turn.innerText(), /halden-cells\.md|Halden Cells/);
  });

  it('says what is missing when no folder is open', async () => {
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.frame.getByText('Open a folder of code or notes to ask about it.').waitFor();
    assert.ok(await panel.input.isDisabled());
    await showsOneButton(panel);
  });

  it('says of an empty folder that nothing is there to be read, with the way to another', async () => {
    const folder = temporaryFolder();
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [folder] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    await panel.frame.getByText(`“${path.basename(folder)}” holds no text that can be read yet.`).waitFor();
    await showsOneButton(panel);
  });

  it('shows of a larger folder how far its index is, and a time left that only falls', async () => {
    const folder = copyExample('notes');
    multiplyNotes(folder, COPIES);
    host = await VscodeHost.open({ linked: [repositoryRoot], folders: [folder] });
    const panel = await HoptrailPanel.open(await host.openWindow());
    const strip = panel.indexStrip.filter({ hasText: 'Getting ready to search by meaning' });
    await strip.filter({ hasText: 'You can ask now.' }).waitFor({ timeout: 120_000 });
    const shown: { percent: number; bar: number; left: number | undefined }[] = [];
    const bars = new Set<number>();
    const since = Date.now();
    // The end is not waited for: on two cores it may be minutes away.
    while ((await strip.count()) > 0 && (bars.size < 8 || Date.now() < since + 10_000)) {
      const [text, bar] = await Promise.all([
        strip.innerText({ timeout: 500 }),
        strip.locator('.index-bar').evaluate((element) => (element as HTMLProgressElement).value, { timeout: 500 }),
      ]).catch(() => ['', -1] as const);
      const percent = /by meaning: (\d+) %/.exec(text)?.[1];
      if (percent !== undefined && bar >= 0) {
        shown.push({ percent: Number(percent), bar, left: secondsLeft(text) });
        bars.add(bar);
      }
      await panel.workbench.page.waitForTimeout(100);
    }
    const told = JSON.stringify(shown);
    assert.ok(bars.size >= 5, `the bar moves: ${told}`);
    assert.ok(isRising(shown.map(({ bar }) => bar)) && isRising(shown.map(({ percent }) => percent)), told);
    const left = shown.flatMap((state) => state.left ?? []);
    assert.ok(left.length > shown.length / 2, `it is told: ${told}`);
    assert.ok(isRising(left.reverse()), told);
  });
});
