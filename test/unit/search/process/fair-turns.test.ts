import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FairTurns } from '../../../../src/search/process/fair-turns.ts';
import { settled } from '../../../doubles/waiting.ts';

describe('turns of several clients', () => {
  /** Works that end when they are told to, by name, in the order of their beginnings. */
  function works(turns: FairTurns): {
    begun: string[];
    ask: (client: object, name: string, signal?: AbortSignal) => Promise<string>;
    end: (name: string) => Promise<void>;
  } {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      begun,
      ask: (client, name, signal) =>
        turns.run(
          client,
          () =>
            new Promise((resolve) => {
              begun.push(name);
              ends.set(name, () => resolve(name));
            }),
          signal,
        ),
      end: async (name) => {
        ends.get(name)?.();
        await settled();
      },
    };
  }

  it('come round by round, a few at once', async () => {
    const turns = new FairTurns(2);
    const { begun, ask, end } = works(turns);
    const [a, b] = [{}, {}];
    const all = [ask(a, 'a1'), ask(a, 'a2'), ask(a, 'a3'), ask(a, 'a4'), ask(b, 'b1'), ask(b, 'b2')];
    assert.deepEqual(begun, ['a1', 'a2']);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']) await end(name);
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']);
    await Promise.all(all);
    assert.ok(turns.idle);
  });

  it('are not taken by who gave up, and pass on what failed', async () => {
    const turns = new FairTurns(1);
    const { begun, ask, end } = works(turns);
    const failed = turns.run({}, () => Promise.reject(new Error('no')));
    const stop = new AbortController();
    const client = {};
    const first = ask(client, 'first');
    const given = ask(client, 'given up', stop.signal);
    const last = ask({}, 'last');
    stop.abort();
    await assert.rejects(given, { name: 'AbortError' });
    await assert.rejects(failed, /no/);
    await assert.rejects(ask(client, 'too late', stop.signal), { name: 'AbortError' });
    await settled();
    await end('first');
    await end('last');
    assert.deepEqual(begun, ['first', 'last']);
    await Promise.all([first, last]);
    assert.ok(turns.idle);
  });
});
