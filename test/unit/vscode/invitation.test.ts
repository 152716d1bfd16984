import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { readyIndex } from '../../doubles/panel-page.ts';
import { commands, EventEmitter, openFolders, resetVscode, window } from '../../doubles/vscode/vscode.ts';
import type { IndexState } from '../../../src/search/domain/index-state.ts';
import { settled } from '../../doubles/waiting.ts';

const { Invitation } = await import('../../../src/vscode/invitation.ts');

describe('the invitation', () => {
  let states: EventEmitter<IndexState>;
  let shown: EventEmitter<void>;
  let messages: string[];
  let badges: (vscode.ViewBadge | undefined)[];
  let asked: number;
  const memory = new Map<string, unknown>();

  const make = () =>
    new Invitation({
      memory: {
        get: <T>(key: string) => memory.get(key) as T | undefined,
        update: async (key: string, value: unknown) => void memory.set(key, value),
      },
      sessions: { onState: states.event as never },
      showBadge: (badge) => badges.push(badge),
      onPanelShown: shown.event as never,
      ask: async () => void asked++,
    });

  beforeEach(() => {
    memory.clear();
    [states, shown, messages, badges, asked] = [new EventEmitter(), new EventEmitter(), [], [], 0];
    openFolders({ path: '/vault', name: 'vault' });
    window.showInformationMessage = async (text) => {
      messages.push(String(text));
      return 'Ask';
    };
  });
  afterEach(resetVscode);

  it('comes once, when the folder can be asked about, with its name', async () => {
    make();
    states.fire({ ...readyIndex, phase: 'reading' });
    assert.deepEqual(messages, []);
    states.fire({ ...readyIndex, phase: 'embedding' });
    states.fire(readyIndex);
    await settled();
    assert.deepEqual(messages, ['vault is read: ask what no single file of it answers.']);
    assert.equal(asked, 1);
    assert.equal(badges.at(-1)?.value, 1);
    shown.fire();
    assert.equal(badges.at(-1), undefined);
    make();
    states.fire(readyIndex);
    assert.deepEqual([messages.length, badges.at(-1)], [1, undefined], 'a later window says nothing');
  });

  it('keeps its number in later windows until the panel is opened, and says nothing more', async () => {
    window.showInformationMessage = async (text) => {
      messages.push(String(text));
      assert.equal(memory.size, 0, 'what is not shown yet is not kept as shown');
      return undefined;
    };
    make();
    states.fire(readyIndex);
    badges = [];
    states = new EventEmitter();
    make();
    states.fire(readyIndex);
    states.fire(readyIndex);
    await settled();
    assert.deepEqual([messages.length, badges.map((badge) => badge?.value)], [1, [1]]);
    shown.fire();
    assert.equal(badges.at(-1), undefined);
  });

  it('comes where the folder is read only when it is asked, and not where there is none', async () => {
    make().inviteUnread();
    await settled();
    assert.deepEqual(messages, ['vault is read as soon as you ask: ask what no single file of it answers.']);
    assert.deepEqual([asked, badges.at(-1)?.value], [1, 1]);
    memory.clear();
    openFolders();
    make().inviteUnread();
    assert.equal(messages.length, 1);
  });

  it('does not come to who has opened the panel, nor for a folder without text', () => {
    make();
    states.fire({ ...readyIndex, coverage: { files: 0, passages: 0, embedded: 0, indexing: false } });
    assert.deepEqual(messages, []);
    shown.fire();
    states.fire(readyIndex);
    assert.deepEqual(messages, []);
  });

  it('leads to the first steps', async () => {
    const run: unknown[] = [];
    commands.executeCommand = async (...given) => void run.push(given);
    window.showInformationMessage = async () => 'Get Started';
    make();
    states.fire(readyIndex);
    await settled();
    assert.deepEqual(run, [['workbench.action.openWalkthrough', 'hoptrail.hoptrail#hoptrail.start', false]]);
  });
});
