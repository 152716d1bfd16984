import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { Engine } from '../../../../src/hoptrail.ts';
import { EventEmitter, openFolders, resetVscode, Uri, workspace } from '../../../doubles/vscode/vscode.ts';
import { passTime, stopTime } from '../../../doubles/waiting.ts';

const { engineAfter, UnsavedEditors, unsavedEditorsDefaults } =
  await import('../../../../src/vscode/index/unsaved-editors.ts');

describe('UnsavedEditors', () => {
  const changed = new EventEmitter<{ document: unknown }>();
  const saved = new EventEmitter<unknown>();
  const closed = new EventEmitter<unknown>();
  let told: { uri: string; text: string | null }[][];
  let failed: unknown[];
  let refuse: boolean;
  let editors: InstanceType<typeof UnsavedEditors>;

  const document = (path: string, text: string) => {
    const uri = Uri.file(path);
    const made = { uri, isDirty: true, isClosed: false, text, getText: () => made.text };
    (workspace as unknown as { textDocuments: unknown[] }).textDocuments.push(made);
    return made;
  };
  const listen = (options: Partial<typeof unsavedEditorsDefaults> = {}): void => {
    editors = new UnsavedEditors(
      async (texts) => {
        if (refuse) throw new Error('no index');
        told.push(texts);
      },
      (error) => failed.push(error),
      { ...unsavedEditorsDefaults, quietMs: 5, longestMs: 30, ...options },
    );
  };
  let time: ReturnType<typeof stopTime>;

  beforeEach(() => {
    time = stopTime();
    [told, failed, refuse] = [[], [], false];
    openFolders({ path: '/notes', name: 'notes' });
    Object.assign(workspace, {
      textDocuments: [],
      onDidChangeTextDocument: changed.event,
      onDidSaveTextDocument: saved.event,
      onDidCloseTextDocument: closed.event,
    });
  });
  afterEach(() => {
    time.goOn();
    editors.dispose();
    resetVscode();
  });

  it('tells what an editor shows, once it rests, and that it was saved', async () => {
    listen();
    const quay = document('/notes/quay.md', 'A');
    for (const text of ['A', 'AB', 'ABC']) {
      quay.text = text;
      changed.fire({ document: quay });
    }
    await passTime(4);
    assert.deepEqual(told, []);
    await passTime(60);
    assert.deepEqual(told, [[{ uri: 'file:///notes/quay.md', text: 'ABC' }]]);
    quay.isDirty = false;
    saved.fire(quay);
    changed.fire({ document: quay });
    await editors.flush();
    assert.deepEqual(told[1], [{ uri: 'file:///notes/quay.md', text: null }]);
    saved.fire(quay);
    await editors.flush();
    assert.equal(told.length, 2, 'what was never told is not taken back');
  });

  it('tells at once before a question, also of what was not saved when the window opened', async () => {
    document('/notes/quay.md', 'restored');
    listen({ quietMs: 60_000, longestMs: 60_000 });
    await editors.flush();
    assert.deepEqual(told, [[{ uri: 'file:///notes/quay.md', text: 'restored' }]]);
  });

  it('goes back to the disk when an editor is closed without saving', async () => {
    listen();
    const quay = document('/notes/quay.md', 'draft');
    changed.fire({ document: quay });
    await editors.flush();
    quay.isClosed = true;
    closed.fire(quay);
    await editors.flush();
    assert.deepEqual(told[1], [{ uri: 'file:///notes/quay.md', text: null }]);
  });

  it('tells nothing of other folders, other schemes, and of what is too large', async () => {
    listen({ mostCharacters: 5, mostCharactersTogether: 8 });
    for (const [path, text] of [
      ['/elsewhere/a.md', 'x'],
      ['/notes/large.md', 'xxxxxx'],
      ['/notes/one.md', 'xxxxx'],
      ['/notes/two.md', 'xxxxx'],
    ] as const)
      changed.fire({ document: document(path, text) });
    const other = document('/notes/b.md', 'x');
    changed.fire({ document: { ...other, uri: Uri.parse('untitled:b.md') } });
    await editors.flush();
    assert.deepEqual(told, [[{ uri: 'file:///notes/one.md', text: 'xxxxx' }]]);
  });

  it('tells again what the index did not take, and keeps no question waiting for ever', async () => {
    listen({ quietMs: 60_000, longestMs: 60_000, waitMs: 10 });
    refuse = true;
    const quay = document('/notes/quay.md', 'A');
    changed.fire({ document: quay });
    await editors.flush();
    assert.equal(failed.length, 1);
    refuse = false;
    await editors.flush();
    assert.deepEqual(told, [[{ uri: 'file:///notes/quay.md', text: 'A' }]]);
    refuse = true;
    quay.isDirty = false;
    saved.fire(quay);
    await editors.flush();
    refuse = false;
    await editors.flush();
    assert.deepEqual(told[1], [{ uri: 'file:///notes/quay.md', text: null }]);
  });

  it('lets an engine look for nothing before the index knows', async () => {
    const order: string[] = [];
    const engine = {
      model: 'the model',
      retriever: { search: async () => void order.push('search') },
      // eslint-disable-next-line require-yield
      async *research() {
        order.push('research');
      },
    } as unknown as Engine;
    listen();
    const waiting = engineAfter(engine, async () => void order.push('ready'));
    await waiting.retriever.search('crane', { retriever: 'text', limit: 1 });
    for await (const _ of waiting.research({ text: 'Which crane?', history: [] } as never));
    assert.deepEqual(order, ['ready', 'search', 'ready', 'research']);
    assert.equal(waiting.model as unknown as vscode.LogLevel, 'the model');
  });
});
