import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { FromWebview, RunAction, Thread, ToWebview } from '../../../../src/vscode/protocol.ts';
import type { PanelServices } from '../../../../src/vscode/panel/panel-controller.ts';
import { turnOf } from '../../../doubles/panel-page.ts';
import { answeredRun, understoodRun } from '../../../doubles/panel-runs.ts';
import { notePassage } from '../../../doubles/scripted-retriever.ts';
import { EventEmitter, openFolders, resetVscode, Uri, window } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { PanelController } = await import('../../../../src/vscode/panel/panel-controller.ts');

describe('a panel', () => {
  afterEach(resetVscode);
  let time = 1_000_000;

  /**
   * A panel whose page sends messages, and what the panel asked of others, in order.
   * @param others What it works with instead of what is said here.
   */
  function open(
    thread?: Thread,
    others: { conversations?: object; models?: object } = {},
    remembered?: string,
  ): {
    send(message: FromWebview): Promise<void>;
    panel: InstanceType<typeof PanelController>;
    asked: unknown[];
    say(threadId: string, message: ToWebview): void;
    shown(type: ToWebview['type']): ToWebview[];
  } {
    let say: (threadId: string, message: ToWebview) => void = () => undefined;
    const told: ToWebview[] = [];
    const received = new EventEmitter<unknown>();
    const asked: unknown[] = [];
    const nothing = () => ({ dispose: () => undefined });
    const services = {
      conversations: {
        listen: (listener: typeof say) => {
          say = listener;
          return () => undefined;
        },
        open: async () => thread,
        create: () => thread,
        again: async (...given: unknown[]) => void asked.push(['again', ...given]),
        ask: async (...given: unknown[]) => void asked.push(['ask', ...given.slice(0, 2)]),
        ...others.conversations,
      },
      threads: { active: async () => thread?.id, setActive: async () => undefined },
      suggestions: async () => [],
      sessions: {
        onState: nothing,
        ifWanted: async () => ({
          engine: {
            index: {
              passagesOf: async (path: string) => [notePassage(path, 'The ferry decision > Costs', 'Text.')],
            },
          },
        }),
      },
      models: { onDidChange: nothing, state: async () => ({ name: null, id: null }), ...others.models },
      log: { error: () => undefined },
      busy: () => undefined,
      now: () => time,
      runAction: async (action: RunAction) => {
        await settled();
        asked.push(action);
      },
    } as unknown as PanelServices;
    const webview = {
      onDidReceiveMessage: received.event,
      postMessage: async (message: ToWebview) => told.push(message) > 0,
    };
    const panel = new PanelController(
      webview as unknown as vscode.Webview,
      services,
      () => asked.push('keyboard'),
      remembered,
    );
    return {
      panel,
      asked,
      say: (threadId, message) => say(threadId, message),
      shown: (type) => told.filter((message) => message.type === type),
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

  it('had the keyboard as long as a command is looked for, unless somebody has gone on in an editor', async () => {
    const selected = new EventEmitter<void>();
    window.onDidChangeTextEditorSelection = (listener) => selected.event(listener);
    const { send, panel } = open();
    assert.equal(panel.hadKeyboard, false);
    await send({ type: 'keyboard', inside: false });
    assert.equal(panel.hadKeyboard, false, 'it never was inside');
    await send({ type: 'keyboard', inside: true });
    time += 3_600_000;
    selected.fire();
    assert.equal(panel.hadKeyboard, true, 'it is still inside');
    await send({ type: 'keyboard', inside: false });
    time += 10_000;
    assert.equal(panel.hadKeyboard, true);
    time += 30_000;
    assert.equal(panel.hadKeyboard, false);
    await send({ type: 'keyboard', inside: true });
    await send({ type: 'keyboard', inside: false });
    selected.fire();
    assert.equal(panel.hadKeyboard, false);
  });

  it('tells which file of the workspace the editor shows, also while the keyboard is beside it', async () => {
    openFolders({ path: '/home/ann/notes', name: 'notes' });
    const changed = new EventEmitter<void>();
    window.onDidChangeActiveTextEditor = (listener) => changed.event(listener);
    const { send, shown } = open();
    const editor = (path: string) => ({ document: { uri: Uri.file(path) } });
    window.activeTextEditor = editor('/home/ann/notes/systems/mast.md');
    await send({ type: 'ready' });
    window.visibleTextEditors = [editor('/home/ann/notes/people.md')];
    for (const active of [undefined, editor('/etc/hosts')]) {
      window.activeTextEditor = active;
      changed.fire();
    }
    assert.deepEqual(
      shown('active-file').map((message) => message.type === 'active-file' && message.path),
      ['systems/mast.md', 'people.md', null],
    );
  });

  it('asks a question again without what does not belong', async () => {
    const { send, asked } = open();
    const without = { passageIds: ['p'], paths: ['a.md'] };
    await send({ type: 'ask-again', runId: 'r', without });
    assert.deepEqual(asked, [['again', 'r', without]]);
  });

  describe('shows a thread', () => {
    const threadOf = (id: string): Thread => ({ id, title: id, updated: 0, turns: [] });
    /** Threads that are read when the test says so, save `known`, which is open already. */
    function slowThreads(known = ''): { conversations: object; read: Record<string, (thread?: Thread) => void> } {
      const read: Record<string, (thread?: Thread) => void> = {};
      const reading: Record<string, Promise<Thread>> = { [known]: Promise.resolve(threadOf(known)) };
      const open = (id: string) =>
        (reading[id] ??= new Promise((resolve, reject) => {
          read[id] = (thread) => (thread ? resolve(thread) : reject(new Error('It cannot be read.')));
        }));
      return { conversations: { open, create: () => threadOf('new') }, read };
    }
    const idsOf = (messages: ToWebview[]) => messages.map((message) => message.type === 'thread' && message.thread.id);

    it('that was chosen last, however long an earlier one is read', async () => {
      const { conversations, read } = slowThreads('b');
      const { send, shown } = open(undefined, { conversations });
      await send({ type: 'ready' });
      await send({ type: 'open-thread', threadId: 'a' });
      await send({ type: 'open-thread', threadId: 'b' });
      read['a']?.(threadOf('a'));
      await settled();
      assert.equal(idsOf(shown('thread')).at(-1), 'b');
    });

    it('before the editor has said which models it has', async () => {
      const { send, shown } = open(threadOf('last'), { models: { state: () => new Promise(() => undefined) } });
      await send({ type: 'ready' });
      assert.deepEqual(idsOf(shown('thread')), ['last']);
    });

    it('and asks in it what was asked while it was read', async () => {
      const { conversations, read } = slowThreads();
      const { send, panel, asked, shown } = open(threadOf('last'), { conversations });
      await send({ type: 'ready' });
      panel.post({ type: 'fill-input', text: 'Who?', submit: true });
      assert.deepEqual(shown('fill-input'), [], 'the thread comes first');
      await send({ type: 'ask', question: 'When?', scope: { kind: 'workspace' } });
      read['last']?.(threadOf('last'));
      await settled();
      await settled();
      assert.deepEqual(asked, [['ask', 'last', 'When?']]);
      assert.equal(shown('fill-input').length, 1);
      assert.equal(panel.thread?.id, 'last');
    });

    it('that it showed before the window was reloaded, whichever another panel showed last', async () => {
      const { send, shown } = open(
        threadOf('last'),
        { conversations: { open: async (id: string) => threadOf(id) } },
        'own',
      );
      await send({ type: 'ready' });
      assert.deepEqual(idsOf(shown('thread')), ['own']);
    });

    it('that is new where the one of before cannot be read, and tells why', async () => {
      const { conversations, read } = slowThreads();
      const { send, shown } = open(threadOf('last'), { conversations });
      await send({ type: 'ready' });
      read['last']?.();
      await settled();
      await settled();
      assert.deepEqual(idsOf(shown('thread')), ['new']);
      assert.equal(shown('error').length, 1);
    });
  });
});
