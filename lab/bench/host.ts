/**
 * In a real VS Code with the example of notes: activation as VS Code itself reports it, and the time from Enter to the
 * first evidence on screen, which the first hits are where they come before the trail, and to the trail.
 * `npm run build && node --import tsx lab/bench/host.ts [WINDOWS]`. Goals: activation under 50 ms, first evidence under
 * 1 s.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VscodeHost } from '../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';
import { quantile, timesOf } from '../statistics.ts';
import { HoptrailPanel } from '../../test/host/ui/hoptrail-panel.ts';
import { copyExample } from '../../test/host/ui/workspace-copy.ts';

const WINDOWS = Number(process.argv[2] ?? 5);
const readme = readFileSync(path.join(repositoryRoot, 'examples', 'notes', 'README.md'), 'utf8');
const questions = [...readme.matchAll(/\*\*(.+\?)\*\*/g)].flatMap(([, question]) => question ?? []);
if (questions.length === 0) throw new Error('The README of examples/notes asks no question.');

const activation: number[] = [];
const evidence: number[] = [];
const trail: number[] = [];
let hitsFirst = 0;
const host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copyExample('notes')] });
try {
  for (let window = 0; window < WINDOWS; window++) {
    const workbench = await host.openWindow();
    const panel = await HoptrailPanel.open(workbench);
    await panel.waitForIndex();
    await workbench.runCommand('Developer: Show Running Extensions');
    const row = workbench.page.locator('.runtime-extensions-editor .extension', { hasText: 'Hoptrail' }).first();
    await row.waitFor();
    const found = /Activation: (\d+)ms/.exec((await row.innerText()).replaceAll('\u00a0', ' '));
    if (found === null) throw new Error(`VS Code says of the extension: ${await row.innerText()}`);
    activation.push(Number(found[1]));
    if (window === WINDOWS - 1) {
      for (const question of questions) {
        const turns = await panel.frame.locator('article.turn').count();
        await panel.input.fill(question);
        const started = performance.now();
        await panel.input.press('Enter');
        const turn = panel.frame.locator('article.turn').nth(turns);
        const hop = turn.locator('.hop-open');
        await turn.locator('section.first-hits .source-link').or(hop).first().waitFor();
        evidence.push(performance.now() - started);
        if ((await hop.count()) === 0) hitsFirst += 1;
        await hop.first().waitFor();
        trail.push(performance.now() - started);
        await panel.frame.locator('article.turn:not(.running)').nth(turns).waitFor();
      }
    }
    await workbench.page.close();
  }
} finally {
  await host.close();
}
process.stdout.write(
  `${JSON.stringify(
    {
      'activation ms': { p50: quantile(activation, 0.5), worst: Math.max(...activation), windows: activation.length },
      'first evidence ms': { ...timesOf(evidence), questions: evidence.length, 'of first hits': hitsFirst },
      'trail ms': timesOf(trail),
    },
    null,
    2,
  )}\n`,
);
