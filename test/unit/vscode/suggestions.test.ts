import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { FakeSessions } from '../../doubles/vscode/fake-sessions.ts';
import { passTime, stopTime } from '../../doubles/waiting.ts';

const { Suggestions } = await import('../../../src/vscode/suggestions.ts');

describe('Suggestions', () => {
  let time: ReturnType<typeof stopTime>;
  beforeEach(() => {
    time = stopTime();
  });
  afterEach(() => time.goOn());

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
