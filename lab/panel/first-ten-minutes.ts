/**
 * What a newcomer does first, done in a real VS Code by the same keys and clicks, counted and timed: the table of
 * docs/first-ten-minutes.md. A task ends when what it is about is on the screen; a typed line counts as one. Seconds
 * are those of the machine: nobody reads or thinks here.
 *
 *     npm run build && node --import tsx lab/panel/first-ten-minutes.ts [--pictures FOLDER] [--first RUNS]
 *
 * With `--first` only the first question is asked, in so many new workspaces one after the other.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator } from 'playwright-core';
import { quantile } from '../statistics.ts';
import { demoQuestion } from '../../scripts/demo-question.ts';
import { VscodeHost } from '../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from '../../test/host/ui/hoptrail-panel.ts';
import { copyExample } from '../../test/host/ui/workspace-copy.ts';

const { values } = parseArgs({ options: { pictures: { type: 'string' }, first: { type: 'string' } } });

/** Does what a hand does, and counts it. */
class Hand {
  clicks = 0;
  keys = 0;
  lines = 0;
  readonly workbench: Workbench;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.keys++;
    await this.workbench.page.keyboard.press(key);
  }

  async write(into: Locator, text: string): Promise<void> {
    this.lines++;
    await into.fill(text);
  }

  /** By the command palette: a key, a line, Enter. */
  async command(title: string): Promise<void> {
    this.keys += 2;
    this.lines++;
    await this.workbench.runCommand(title);
  }

  /** By Quick Open: a key, a line, Enter. */
  async open(file: string): Promise<void> {
    this.keys += 2;
    this.lines++;
    await this.workbench.openFile(file);
  }
}

interface Task {
  title: string;
  /** @returns what was seen at its end, for the table */
  did(hand: Hand): Promise<string>;
}

/** Seconds from opening a folder that was never indexed to a place to ask, and to the first answer. */
async function firstAnswer(): Promise<{ panel: number; answer: number }> {
  const host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copyExample('notes')] });
  const since = (began: number): number => (performance.now() - began) / 1000;
  try {
    const opened = performance.now();
    const open = await HoptrailPanel.open(await host.openWindow());
    const panel = since(opened);
    await open.ask(demoQuestion);
    const answer = since(opened);
    assert.match(await open.turn.innerText(), /\b461\b/);
    return { panel, answer };
  } finally {
    await host.close();
  }
}

if (values.first !== undefined) {
  const runs: number[] = [];
  while (runs.length < Number(values.first)) {
    const { panel, answer } = await firstAnswer();
    console.log(`A place to ask after ${panel.toFixed(1)} s, the first answer after ${answer.toFixed(1)} s`);
    runs.push(answer);
  }
  console.log(`Median of the first answer: ${quantile(runs, 0.5).toFixed(1)} s`);
  process.exit(0);
}

const host = await VscodeHost.open({ linked: [repositoryRoot], folders: [copyExample('notes')] });
try {
  const opened = performance.now();
  const workbench = await host.openWindow();
  const { page } = workbench;
  let panel: HoptrailPanel | undefined;
  let answered = 0;
  const open = (): HoptrailPanel => {
    assert.ok(panel);
    return panel;
  };
  const rows = page.locator('.quick-input-list .monaco-list-row');

  /** Sends what stands in the composer, and waits for the end of its run. */
  const send = (hand: Hand): Promise<void> => open().awaitTurn(() => hand.press('Enter'));
  const ask = async (hand: Hand, question: string): Promise<string> => {
    await hand.click(open().input);
    await hand.write(open().input, question);
    await send(hand);
    return open().turn.innerText();
  };

  const tasks: readonly Task[] = [
    {
      title: 'Open the panel of a folder that was never indexed',
      did: async (hand) => {
        hand.clicks++;
        panel = await HoptrailPanel.open(workbench);
        return 'a place to ask';
      },
    },
    {
      title: 'Ask at once, what several files answer together',
      did: async (hand) => {
        assert.match(await ask(hand, demoQuestion), /\b461\b/);
        answered = (performance.now() - opened) / 1000;
        return `the right line, a trail of ${await open().hops.count()} hops`;
      },
    },
    {
      title: 'Open the line that answers',
      did: async (hand) => {
        const mark = open().answer.locator('[data-cite]').first();
        await hand.click(mark);
        const place = await open().placeOfCitation(mark);
        await workbench.waitForCursor(path.basename(place.path), place.line);
        return 'the file at its line';
      },
    },
    {
      title: 'Walk the trail from its first hop to its last',
      did: async (hand) => {
        const count = await open().hops.count();
        for (let hop = 0; hop < count; hop++) {
          const each = open().hops.nth(hop);
          await hand.click(each);
          const line = Number(await each.locator('.line-number').innerText());
          await workbench.waitForCursor(await each.locator('.base').innerText(), line);
        }
        return `${count} files, each at its line`;
      },
    },
    {
      title: 'Ask a question that the panel proposes: each was answered before it is shown',
      did: async (hand) => {
        await hand.command('Hoptrail: New Thread');
        await open().frame.locator('.empty').waitFor(); // the turn of before is gone
        await open().awaitTurn(() => hand.click(open().frame.locator('.empty .suggestion').first()));
        assert.equal(await open().answer.locator('.abstain-title').count(), 0, await open().turn.innerText());
        return `an answer and a trail of ${await open().hops.count()} hops`;
      },
    },
    {
      title: 'Ask what no file answers',
      did: async (hand) => {
        await ask(hand, 'What is the boiling point of rhenium at the orbital refinery?');
        return `“${(await open().answer.locator('.abstain-title').innerText()).trim()}”`;
      },
    },
    {
      title: 'Get a quick answer without leaving the editor',
      did: async (hand) => {
        await hand.command('Hoptrail: Quick Answer');
        await page.locator('.quick-input-title', { hasText: 'Quick Answer' }).waitFor();
        const question = 'Who supplies the batteries of the masts?';
        await hand.write(page.locator('.quick-input-widget input').first(), question);
        await rows.filter({ hasText: question }).first().waitFor();
        await hand.press('Enter');
        await rows.filter({ hasText: 'Open in Panel' }).waitFor({ timeout: 60_000 });
        const lines = await rows.filter({ hasText: /\.md:\d+/ }).count();
        await page.keyboard.press('Escape');
        return `${lines} lines, each a place to open`;
      },
    },
    {
      title: 'Ask about what is selected in the editor',
      did: async (hand) => {
        await hand.open('halden-cells.md');
        hand.keys++;
        await workbench.goToTop();
        await hand.click(
          page.locator('.editor-group-container.active .view-line', { hasText: 'Halden Cells' }).first(),
        );
        await hand.press('Shift+End');
        await hand.command('Hoptrail: Ask About Selection');
        await open()
          .frame.locator('.chip', { hasText: /halden-cells\.md:\d+/ })
          .waitFor();
        await ask(hand, 'Who keeps our account with them?');
        assert.equal(await open().answer.locator('.abstain-title').count(), 0, await open().turn.innerText());
        return 'an answer; the selection stands above it';
      },
    },
    {
      title: 'Ask for what was typed a moment ago, and not saved',
      did: async (hand) => {
        await hand.open('kitchen-rota.md');
        await hand.press('Control+End');
        hand.lines++;
        await page.keyboard.type('\n\nThe kettle descaler is kept behind the Quillfeather cupboard.\n');
        assert.match(await ask(hand, 'Where is the kettle descaler kept?'), /Quillfeather/);
        return 'the line just typed';
      },
    },
    {
      title: 'See what an open file is related to, without a question',
      did: async (hand) => {
        await hand.open('halden-cells.md');
        await hand.command('Hoptrail: Show What Is Related to This File');
        const list = page.locator('.part.sidebar .monaco-list-row');
        for (const group of ['Links here', 'Links to', 'Nearest passages'])
          await list.filter({ hasText: group }).first().waitFor();
        return 'links both ways and the nearest passages';
      },
    },
  ];

  const table = [
    '| | task | clicks | keys | lines typed | seconds | what is there then |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const [i, { title, did }] of tasks.entries()) {
    const hand = new Hand(workbench);
    const began = performance.now();
    const seen = await did(hand);
    const seconds = (performance.now() - began) / 1000;
    table.push(
      `| ${i + 1} | ${title} | ${hand.clicks} | ${hand.keys} | ${hand.lines} | ${seconds.toFixed(1)} | ${seen} |`,
    );
    if (values.pictures !== undefined) {
      mkdirSync(values.pictures, { recursive: true });
      await page.screenshot({ path: path.join(values.pictures, `${String(i + 1).padStart(2, '0')}.png`) });
    }
    console.error(table.at(-1));
  }
  console.log(`${table.join('\n')}\n\nFrom opening the folder to the first answer: ${answered.toFixed(0)} s.`);
} finally {
  await host.close();
}
