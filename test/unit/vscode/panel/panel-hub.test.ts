import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { PanelServices } from '../../../../src/vscode/panel/panel-controller.ts';
import { commands, EventEmitter, resetVscode, Uri } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { PanelHub } = await import('../../../../src/vscode/panel/panel-hub.ts');

describe('the panels of a window', () => {
  afterEach(resetVscode);

  it('get the keyboard back after a command that was chosen from the list of commands', async () => {
    const nothing = () => ({ dispose: () => undefined });
    const panels = new PanelHub({
      extensionUri: Uri.file('/extension'),
      conversations: { listen: () => () => undefined },
      sessions: { onState: nothing },
      models: { onDidChange: nothing },
      now: () => 1_000_000,
    } as unknown as PanelServices);
    const received = new EventEmitter<unknown>();
    const run: unknown[] = [];
    commands.executeCommand = async (name) => void run.push(name);
    panels.resolveView({
      webview: {
        onDidReceiveMessage: received.event,
        postMessage: async () => true,
        asWebviewUri: (uri: unknown) => uri,
      },
      show: () => run.push('shown'),
      onDidChangeVisibility: nothing,
      onDidDispose: nothing,
    } as unknown as vscode.WebviewView);
    await panels.keepKeyboard(async () => void run.push('work'));
    assert.deepEqual(run, ['work'], 'whoever was elsewhere stays there');
    received.fire({ type: 'keyboard', inside: true });
    received.fire({ type: 'keyboard', inside: false });
    await panels.keepKeyboard(async () => void run.push('work'));
    await settled();
    assert.deepEqual(run, ['work', 'work', 'hoptrail.chat.focus', 'shown']);
    panels.dispose();
  });

  it('go on with the thread of before, also when a command comes before the page', async () => {
    const nothing = () => ({ dispose: () => undefined });
    const shown: string[] = [];
    const panels = new PanelHub({
      extensionUri: Uri.file('/extension'),
      conversations: {
        listen: () => () => undefined,
        open: async (id: string) => ({ id, title: '', updated: 0, turns: [] }),
        create: () => assert.fail('There is a thread.'),
      },
      threads: { active: async () => 'last', setActive: async (id: string) => void shown.push(id) },
      sessions: { onState: nothing },
      models: { onDidChange: nothing },
    } as unknown as PanelServices);
    const webview = {
      onDidReceiveMessage: nothing,
      postMessage: async () => true,
      asWebviewUri: (uri: unknown) => uri,
    };
    const view = { webview, onDidChangeVisibility: nothing, onDidDispose: nothing } as unknown as vscode.WebviewView;
    panels.resolveView(view);
    assert.equal(await panels.activeThreadId(), 'last');
    panels.resolveView(view, { draft: '', threadId: 'own' });
    assert.equal(await panels.activeThreadId(), 'own');
    panels.resolveView(view, { draft: '', threadId: 7 });
    assert.equal(await panels.activeThreadId(), 'last');
    assert.deepEqual(shown, ['last', 'own', 'last']);
    panels.dispose();
  });
});
