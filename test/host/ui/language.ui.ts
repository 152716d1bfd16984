import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';
import { HoptrailPanel } from './hoptrail-panel.ts';
import { useNotesHost } from './notes-window.ts';

const texts = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(repositoryRoot, file), 'utf8')) as Record<string, string>;

describe('a window in German', () => {
  const said = texts('l10n/bundle.l10n.de.json');
  const named = texts('package.nls.de.json');
  let workbench: Workbench;
  let panel: HoptrailPanel;
  const german = (english: string, ...values: string[]): string => {
    const text = said[english];
    assert.ok(text !== undefined && text !== english, `${english} is not translated`);
    return text.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? '');
  };

  useNotesHost(
    async ({ host }) => {
      workbench = await host.openWindow();
    },
    async () => ({ locale: 'de' }),
  );

  it('opens with a panel in German', async () => {
    panel = await HoptrailPanel.shown(workbench);
    await panel.frame.locator('.empty-title', { hasText: german('Ask anything about “{0}”', 'notes') }).waitFor();
    await panel.frame.getByRole('button', { name: german('Quotes only'), exact: true }).waitFor();
    assert.equal(await panel.input.getAttribute('placeholder'), german('Ask a question, @ for files'));
  });

  it('is answered in German around what the notes say in English', async () => {
    await panel.ask('Who supplies the batteries of the masts?');
    assert.match(await panel.turn.innerText(), /Halden Cells/);
    await panel.turn.locator('.trail .section-title', { hasText: german('Sources') }).waitFor();
    await panel.button(german('Copy as Markdown')).waitFor();
  });

  it('offers its commands in German', async () => {
    const title = named['command.showIndexReport'] ?? '';
    const offered = await workbench.offeredCommands(title);
    assert.ok(offered.includes(`Hoptrail: ${title}`), `${title}: ${offered.join()}`);
  });
});
