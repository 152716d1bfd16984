import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { FakeSessions } from '../../doubles/vscode/fake-sessions.ts';
import { EventEmitter, openFolders, resetVscode } from '../../doubles/vscode/vscode.ts';
import type { FirstRunPorts } from '../../../src/vscode/first-run.ts';

const { FirstRun } = await import('../../../src/vscode/first-run.ts');

describe('the first run', () => {
  afterEach(resetVscode);

  function begin(kept = new Map<string, unknown>()) {
    const sessions = new FakeSessions();
    const panelShown = new EventEmitter<void>();
    let opened = 0;
    const firstRun = new FirstRun({
      memory: {
        get: (key: string) => kept.get(key),
        update: async (key: string, value: unknown) => void kept.set(key, value),
      },
      sessions: sessions.holder,
      onPanelShown: panelShown.event,
      open: async () => void opened++,
    } as unknown as FirstRunPorts);
    return { panelShown, firstRun, kept, opened: () => opened };
  }

  it('opens the panel once where a folder is read only when something is asked', () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    const { firstRun, opened, kept } = begin();
    firstRun.openUnread();
    firstRun.openUnread();
    assert.equal(opened(), 1);
    const next = begin(kept);
    next.firstRun.openUnread();
    assert.equal(next.opened(), 0, 'another window');
  });

  it('opens nothing without a folder, or once the panel was seen', () => {
    const { firstRun, panelShown, opened } = begin();
    firstRun.openUnread();
    panelShown.fire();
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    firstRun.openUnread();
    assert.equal(opened(), 0);
  });
});
