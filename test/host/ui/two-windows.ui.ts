import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesHost } from './notes-window.ts';

const question = 'Who supplies the batteries of the masts?';

/** What a process was started with, and by which other; of one that has ended while we looked, nothing. */
function processOf(pid: string): { command: string; parent: string } {
  try {
    const parent = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '0';
    return { command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'), parent };
  } catch {
    return { command: '', parent: '0' };
  }
}

/** Processes that run an index under the server with this data directory. Linux only, as the host of these tests is. */
function indexProcesses(dataDirectory: string): string[] {
  const isOfServer = (pid: string): boolean => {
    if (Number(pid) <= 1) return false;
    const { command, parent } = processOf(pid);
    return command.includes(dataDirectory) || isOfServer(parent);
  };
  // The same program reads files in a process of its own, where it is told that this is its part.
  const runsIndex = (command: string): boolean => /index-process\.cjs\0(?!reading)/.test(command);
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && runsIndex(processOf(name).command) && isOfServer(name),
  );
}

describe('two windows on one workspace', () => {
  let workspace: string;
  let host: VscodeHost;
  let first: Workbench;
  let second: Workbench;
  /** The process id of the daemon; once the first window is gone, nothing tells that it is of this server. */
  let daemon: string;

  useNotesHost((opened) => {
    ({ workspace, host } = opened);
  });

  it('lets the second use the index process of the first', async () => {
    first = await host.openWindow();
    await (await HoptrailPanel.open(first)).waitForIndex();
    second = await host.openWindow();
    const panel = await HoptrailPanel.open(second);
    await panel.waitForIndex(); // nothing is said of another window
    const [found = '', ...others] = indexProcesses(host.server.dataDirectory);
    assert.ok(found !== '' && others.length === 0, `index processes: ${[found, ...others].join()}`);
    daemon = found;
    await panel.ask(question);
    assert.match(await panel.turn.innerText(), /halden-cells\.md|Halden Cells/);
  });

  it('shows the second what is changed under the first', async () => {
    appendFileSync(
      path.join(workspace, 'misc', 'naming.md'),
      '\n\nThe lightning rod of Tarn Ridge is called Brackenspire.\n',
    );
    const panel = await HoptrailPanel.open(second);
    const until = Date.now() + 30_000;
    do await panel.ask('What is the lightning rod of Tarn Ridge called?');
    while (!(await panel.turn.innerText()).includes('Brackenspire') && Date.now() < until);
    assert.match(await panel.turn.innerText(), /Brackenspire/);
  });

  it('lets the second go on with it when the first is closed', async () => {
    await first.page.close();
    const panel = await HoptrailPanel.open(second);
    await panel.waitForIndex(60_000);
    appendFileSync(
      path.join(workspace, 'misc', 'naming.md'),
      '\n\nThe weather vane of Tarn Ridge is called Ottermantle.\n',
    );
    const until = Date.now() + 30_000;
    do await panel.ask('What is the weather vane of Tarn Ridge called?');
    while (!(await panel.turn.innerText()).includes('Ottermantle') && Date.now() < until);
    assert.match(await panel.turn.innerText(), /Ottermantle/);
    assert.ok(existsSync(`/proc/${daemon}`));
    assert.deepEqual(
      indexProcesses(host.server.dataDirectory).filter((pid) => pid !== daemon),
      [],
    );
  });
});
