import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type IndexState, UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import { firstReading } from '../../../../src/search/process/index-process-client.ts';
import { settled, until } from '../../../doubles/waiting.ts';

/** An index whose state is what it was last set to. */
class ScriptedIndex {
  #current: IndexState = UNKNOWN_INDEX;
  readonly #listeners = new Set<(state: IndexState) => void>();
  readonly index = { state: () => Promise.resolve(this.#current) };

  set(state: Partial<Omit<IndexState, 'coverage'>>, passages = 0, embedded = 0): this {
    const coverage = { files: passages, passages, embedded, indexing: true };
    this.#current = { ...UNKNOWN_INDEX, ...state, coverage };
    for (const listener of this.#listeners) listener(this.#current);
    return this;
  }

  readonly onState = (listener: (state: IndexState) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get heard(): number {
    return this.#listeners.size;
  }
}

const never = new AbortController().signal;
const untilHeard = (index: ScriptedIndex): Promise<void> => until(() => index.heard > 0, 'it is listened to');

describe('a question that comes while a workspace is read for the first time', () => {
  it('waits until that is done, tells so once, and listens no longer', async () => {
    const index = new ScriptedIndex().set({ phase: 'reading' });
    const order: string[] = [];
    const waiting = firstReading(index, never, () => order.push('waits')).then(() => order.push('goes on'));
    await untilHeard(index);
    index.set({ phase: 'embedding' }, 100, 0);
    await settled();
    assert.deepEqual(order, ['waits']);
    index.set({ phase: 'ready' }, 100, 100);
    await waiting;
    assert.deepEqual(order, ['waits', 'goes on']);
    assert.equal(index.heard, 0);
  });

  it('does not wait for what is there, what nobody makes now, and what takes long', async () => {
    const cases: [string, ScriptedIndex][] = [
      ['most is there', new ScriptedIndex().set({ phase: 'embedding', secondsLeft: 1 }, 100, 60)],
      ['an edit is read', new ScriptedIndex().set({ phase: 'reading' }, 100, 100)],
      ['an empty folder', new ScriptedIndex().set({ phase: 'ready' })],
      ['paused', new ScriptedIndex().set({ phase: 'paused' }, 100, 0)],
      ['another process is to make it', new ScriptedIndex().set({ phase: 'starting', missing: true })],
      ['a large folder', new ScriptedIndex().set({ phase: 'embedding' }, 30_000, 100)],
      [
        'a computer that is busy',
        new ScriptedIndex().set(
          { phase: 'embedding', secondsLeft: 1, notices: [{ code: 'waits', details: { why: 'busy' } }] },
          100,
          0,
        ),
      ],
    ];
    for (const [name, index] of cases) await firstReading(index, never, () => assert.fail(name));
  });

  it('goes on when it turns out to take long, and ends with the run', async () => {
    const index = new ScriptedIndex().set({ phase: 'reading' });
    const waiting = firstReading(index, never, () => undefined);
    await untilHeard(index);
    index.set({ phase: 'embedding' }, 5_000, 10);
    await waiting;
    index.set({ phase: 'reading' });
    const run = new AbortController();
    const cancelled = firstReading(index, run.signal, () => undefined);
    await untilHeard(index);
    run.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal(index.heard, 0);
  });
});
