import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { FromWebview, RunAction } from '../../../../src/vscode/protocol.ts';
import type { PanelServices } from '../../../../src/vscode/panel/panel-services.ts';
import { settled } from '../../../doubles/vscode/fake-sessions.ts';
import { EventEmitter, resetVscode } from '../../../doubles/vscode/vscode.ts';

const { PanelController } = await import('../../../../src/vscode/panel/panel-controller.ts');

describe('a panel', () => {
  afterEach(resetVscode);

  /** A panel whose page sends messages, and what the panel asked of others, in order. */
  function open(): { send(message: FromWebview): Promise<void>; asked: unknown[] } {
    const received = new EventEmitter<unknown>();
    const asked: unknown[] = [];
    const nothing = () => ({ dispose: () => undefined });
    const services = {
      conversations: {
        listen: () => () => undefined,
        again: async (...given: unknown[]) => void asked.push(['again', ...given]),
      },
      sessions: { onState: nothing },
      models: { onDidChange: nothing },
      log: { error: () => undefined },
      runAction: async (action: RunAction) => {
        await settled();
        asked.push(action);
      },
    } as unknown as PanelServices;
    const webview = { onDidReceiveMessage: received.event, postMessage: async () => true };
    new PanelController(webview as unknown as vscode.Webview, services, () => asked.push('keyboard'));
    return {
      asked,
      send: async (message) => {
        received.fire(message);
        await settled();
        await settled();
      },
    };
  }

  it('takes the keyboard back once a model is chosen or a key is set, and after nothing else', async () => {
    const { send, asked } = open();
    await send({ type: 'run-action', action: 'choose-model' });
    await send({ type: 'run-action', action: 'show-log' });
    await send({ type: 'run-action', action: 'set-key' });
    assert.deepEqual(asked, ['choose-model', 'keyboard', 'show-log', 'set-key', 'keyboard']);
  });

  it('asks a question again without what does not belong', async () => {
    const { send, asked } = open();
    const without = { passageIds: ['p'], paths: ['a.md'] };
    await send({ type: 'ask-again', runId: 'r', without });
    assert.deepEqual(asked, [['again', 'r', without]]);
  });
});
