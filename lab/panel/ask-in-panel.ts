/**
 * Asks questions in the panel of a real VS Code, as a person would, and keeps what is seen: the texts as JSON lines,
 * and a picture of the panel before the first question and of each answer, in each theme and width that is named. For
 * looking at answers about folders that are in no set of questions.
 *
 *     node --import tsx lab/panel/ask-in-panel.ts FOLDER QUESTIONS.txt OUT [--width 360]… [--theme THEME]…
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { VscodeHost } from '../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';
import { HoptrailPanel } from '../../test/host/ui/hoptrail-panel.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true, default: ['420'] },
    theme: { type: 'string', multiple: true, default: ['Default Dark Modern'] },
  },
});
const [folder, questionFile, out] = positionals;
if (folder === undefined || questionFile === undefined || out === undefined) {
  throw new Error('Say a folder, a file with a question a line, and where to put what is seen.');
}
const questions = readFileSync(questionFile, 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '');
mkdirSync(out, { recursive: true });

const host = await VscodeHost.open({
  linked: [repositoryRoot],
  folders: [path.resolve(folder)],
  settings: { 'workbench.colorTheme': values.theme[0], 'workbench.startupEditor': 'none' },
  viewport: { width: 1280, height: 1000 },
});
try {
  const workbench = await host.openWindow();
  const panel = await HoptrailPanel.open(workbench);
  /** A picture in each theme and width, `02-Light Modern-260.png`. */
  const picture = async (number: number): Promise<void> => {
    for (const theme of values.theme) {
      if (values.theme.length > 1) await workbench.setTheme(theme.replace(/^Default /, ''));
      for (const width of values.width) {
        await workbench.setSideBarWidth(Number(width));
        const name = `${String(number).padStart(2, '0')}-${theme.replace(/^Default /, '')}-${width}.png`;
        await workbench.page.locator('.part.sidebar').screenshot({ path: path.join(out, name) });
      }
    }
  };
  const opened = performance.now();
  await panel.waitForIndex(1_800_000);
  console.log(`indexed in ${((performance.now() - opened) / 1000).toFixed(0)} s`);
  // The first suggested question; a folder may have none.
  await panel.frame
    .locator('.suggestion')
    .first()
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined);
  await picture(0);
  const seen: string[] = [];
  for (const [i, question] of questions.entries()) {
    // On a busy machine the command comes later: where there is no turn yet, it would take the question's own away.
    if (i > 0) {
      await workbench.runCommand('Hoptrail: New Thread');
      await panel.frame.locator('article.turn').first().waitFor({ state: 'detached' });
    }
    const asked = performance.now();
    await panel.ask(question);
    const seconds = ((performance.now() - asked) / 1000).toFixed(1);
    const said = (await panel.turn.innerText()).replaceAll(/\n+/g, '\n');
    seen.push(JSON.stringify({ question, seconds: Number(seconds), said }));
    await picture(i + 1);
    console.log(`${i + 1}. ${question} (${seconds} s)`);
  }
  writeFileSync(path.join(out, 'answers.jsonl'), `${seen.join('\n')}\n`);
} catch (error) {
  // What was in view tells where it stood still.
  console.error(await host.capture('asked in panel').catch(() => 'nothing in view'));
  throw error;
} finally {
  await host.close();
}
