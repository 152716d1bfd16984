import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { FakeSessions } from '../../doubles/vscode/fake-sessions.ts';
import { passTime, stopTime } from '../../doubles/waiting.ts';

const { Suggestions } = await import('../../../src/vscode/suggestions.ts');

const never = new AbortController().signal;

describe('Suggestions', () => {
  let time: ReturnType<typeof stopTime>;
  beforeEach(() => {
    time = stopTime();
  });
  afterEach(() => time.goOn());

  it('give the first of them to whoever waits, and nothing where none has an answer or it takes too long', async () => {
    for (const [found, expected] of [
      [['Who keeps the mast?', 'Who calls merge?'], 'Who keeps the mast?'],
      [[], undefined],
      [undefined, undefined],
    ] as const) {
      const sessions = new FakeSessions();
      const session = await sessions.get();
      const none = new Promise<string[]>(() => {});
      Object.assign(session.engine, { suggestions: async () => found ?? none });
      const log = { warn: (text: string) => assert.fail(text) } as unknown as vscode.LogOutputChannel;
      const suggestions = new Suggestions(
        sessions.holder,
        () => undefined,
        () => false,
        log,
        1,
      );
      const first = suggestions.first(50, never);
      sessions.become('ready');
      Object.assign(sessions.state ?? {}, { coverage: { files: 1, passages: 3, embedded: 3, indexing: false } });
      await passTime(50);
      assert.equal(await first, expected);
      if (found) assert.equal(await suggestions.first(50, never), expected);
      suggestions.dispose();
    }
  });

  it('open the index for whoever waits, and keep nobody waiting where nothing is tried', async function () {
    this.timeout(2000);
    const stop = new AbortController();
    for (const ends of [
      (sessions: FakeSessions) => sessions.become('failed'),
      (sessions: FakeSessions) => sessions.become('paused'),
      (sessions: FakeSessions) => sessions.read('a.md'),
      () => stop.abort(),
    ]) {
      const sessions = new FakeSessions();
      const warned: string[] = [];
      const suggestions = new Suggestions(
        sessions.holder,
        () => undefined,
        () => false,
        { warn: (text: string) => warned.push(text) } as unknown as vscode.LogOutputChannel,
        1,
      );
      const first = suggestions.first(60_000, stop.signal);
      const { engine } = await sessions.get();
      assert.equal(sessions.tried, 1);
      Object.assign(engine, { suggestions: () => Promise.reject(new Error('The index process ended.')) });
      await passTime(5);
      ends(sessions);
      Object.assign(sessions.state ?? {}, { coverage: { files: 1, passages: 3, embedded: 3, indexing: false } });
      await passTime(1);
      assert.equal(await first, undefined);
      suggestions.dispose();
    }
  });

  it('say what keeps the index from opening to whoever waits', async () => {
    const sessions = new FakeSessions();
    sessions.failure = new Error('No such model.');
    const suggestions = new Suggestions(
      sessions.holder,
      () => undefined,
      () => false,
      { warn: (text: string) => assert.fail(text) } as unknown as vscode.LogOutputChannel,
    );
    await assert.rejects(suggestions.first(60_000, never), sessions.failure);
    suggestions.dispose();
  });

  it('are tried once for an index, when it is quiet, and anew after somebody typed', async () => {
    const sessions = new FakeSessions();
    const session = await sessions.get();
    const signals: AbortSignal[] = [];
    Object.assign(session.engine, {
      suggestions: async (signal: AbortSignal) => {
        signals.push(signal);
        await new Promise((resolve) => setTimeout(resolve, 30));
        return ['What calls merge?'];
      },
    });
    const told: string[][] = [];
    let asked = true;
    const suggestions = new Suggestions(
      sessions.holder,
      (questions) => told.push(questions),
      () => asked,
      { warn: (text: string) => assert.fail(text) } as unknown as vscode.LogOutputChannel,
      5,
    );
    const became = (phase: 'embedding' | 'ready', passages: number): void => {
      sessions.become(phase);
      Object.assign(sessions.state ?? {}, { coverage: { files: 1, passages, embedded: 0, indexing: false } });
    };
    became('ready', 3);
    await passTime(20);
    assert.equal(signals.length, 0, 'nobody has opened a panel');
    assert.deepEqual(await suggestions.get(), []);
    became('embedding', 3);
    await passTime(20);
    assert.equal(signals.length, 0, 'the machine has other things to do');
    became('ready', 3);
    await passTime(20);
    assert.equal(signals.length, 0, 'somebody waits for an answer');
    asked = false;
    await passTime(15);
    assert.equal(signals.length, 1);
    suggestions.makeRoom();
    assert.ok(signals[0]?.aborted);
    await passTime(120);
    assert.equal(signals.length, 2);
    assert.deepEqual(told, [['What calls merge?']]);
    became('ready', 3);
    assert.deepEqual(await suggestions.get(), ['What calls merge?']);
    await passTime(60);
    assert.equal(signals.length, 2, 'the same index is not tried again');
    became('ready', 4);
    await passTime(120);
    assert.equal(signals.length, 3);
    suggestions.dispose();
  });
});
