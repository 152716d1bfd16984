import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { UnsavedText } from '../../../../src/search/indexer/unsaved-texts.ts';
import { type IndexReport, type IndexState, UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import { SharedIndex } from '../../../../src/search/process/client-ports.ts';
import type { Ports } from '../../../../src/search/process/messages.ts';
import { passTime, settled, stopTime } from '../../../doubles/waiting.ts';

/** An index that keeps what it is shown, as the index does: by file. */
function host(changes: Partial<Ports['index']> = {}) {
  const shown = new Map<string, string>();
  const listeners = new Set<(state: IndexState) => void>();
  const index = {
    state: () => Promise.resolve(UNKNOWN_INDEX),
    unsaved: async (texts: readonly UnsavedText[]) => {
      for (const { uri, text } of texts) {
        if (text === null) shown.delete(uri);
        else shown.set(uri, text);
      }
    },
    ...changes,
  };
  const shared = new SharedIndex(
    { index, retriever: {} } as unknown as Ports,
    () => Promise.resolve(UNKNOWN_INDEX),
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  );
  return {
    shown,
    tell: (state: Partial<IndexState>) => {
      for (const listener of listeners) listener({ ...UNKNOWN_INDEX, ...state });
    },
    client: () => {
      const client = {};
      return { ports: shared.portsOf(client), left: () => shared.left(client) };
    },
  };
}

const uri = 'file:///notes/a.md';

describe('what several windows show of a file that is not saved', () => {
  it('is the text that came last, and the one before when that is saved or its window is gone', async () => {
    const { shown, client } = host();
    const [one, two, other] = [client(), client(), client()];
    await one.ports.index.unsaved([{ uri, text: 'of one' }]);
    await two.ports.index.unsaved([{ uri, text: 'of two' }]);
    assert.equal(shown.get(uri), 'of two');
    await two.ports.index.unsaved([{ uri, text: null }]);
    assert.equal(shown.get(uri), 'of one', 'saved by two, and open still in one');
    await two.ports.index.unsaved([{ uri, text: 'of two, again' }]);
    await other.left();
    assert.equal(shown.get(uri), 'of two, again');
    await two.left();
    assert.equal(shown.get(uri), 'of one');
    await one.left();
    assert.deepEqual([...shown], []);
  });
});

describe('an update for a question', () => {
  /** Ends of the updates that were begun; one that is aborted ends by itself. */
  let ends: (() => void)[];
  /** Of each update, whether it was aborted. */
  let aborted: boolean[];
  let phase: IndexState['phase'];
  const report = { files: 7, skipped: [], fallbacks: [], passages: 70, embedded: 3, reused: 0, seconds: 1 };

  const opened = (): ReturnType<typeof host> =>
    host({
      state: () => Promise.resolve({ ...UNKNOWN_INDEX, phase }),
      report: () => Promise.resolve({ files: [], skipped: [], fallbacks: [] }),
      update: (_, signal) =>
        new Promise((resolve, reject) => {
          const number = aborted.push(false) - 1;
          ends.push(() => resolve(report));
          signal?.addEventListener('abort', () => {
            aborted[number] = true;
            reject(signal.reason as Error);
          });
        }),
    });
  /** What an update has come to, if it has ended. */
  const watch = (update: Promise<IndexReport>): (() => number | undefined) => {
    let files: number | undefined;
    void update.then((found) => (files = found.files));
    return () => files;
  };
  beforeEach(() => {
    [ends, aborted, phase] = [[], [], 'ready'];
  });

  it('is ended after a moment where somebody watches the folders: what is there will do', async () => {
    const { client } = opened();
    const watcher = client();
    void watcher.ports.index.update({ watched: true });
    await settled();
    ends[0]?.();
    const time = stopTime();
    try {
      const files = watch(client().ports.index.update({ soon: true }));
      await passTime(149);
      assert.equal(files(), undefined);
      await passTime(1);
      assert.deepEqual([files(), aborted], [0, [false, true]]);
      await watcher.left();
      const after = watch(client().ports.index.update({ soon: true }));
      await passTime(150);
      assert.equal(after(), undefined, 'who watched is gone');
    } finally {
      time.goOn();
    }
  });

  it('waits for what is read and for few vectors, not for many, and not for an endpoint that is silent', async () => {
    phase = 'reading';
    const { client, tell } = opened();
    const coverage = (passages: number) => ({ files: 1, passages, embedded: 0, indexing: true });
    const time = stopTime();
    try {
      const few = watch(client().ports.index.update({ soon: true }));
      for (let i = 0; i < 5; i++) {
        tell({ phase: 'reading' });
        await passTime(9_000);
      }
      tell({ phase: 'embedding', coverage: coverage(512) });
      await passTime(9_000);
      assert.equal(few(), undefined, 'as long as anything moves');
      ends[0]?.();
      await passTime(1);
      assert.equal(few(), 7);
      const many = watch(client().ports.index.update({ soon: true }));
      await passTime(1);
      tell({ phase: 'embedding', coverage: coverage(513) });
      await passTime(1);
      assert.equal(many(), 0);
      const silent = watch(client().ports.index.update({ soon: true }));
      await passTime(1);
      tell({ phase: 'embedding', coverage: coverage(5) });
      await passTime(10_000);
      assert.equal(silent(), 0);
      assert.deepEqual(aborted, [false, false, false], 'they go on without the question');
    } finally {
      time.goOn();
    }
  });

  it('ends with the question that is called off', async () => {
    const { client } = opened();
    const stop = new AbortController();
    const update = client().ports.index.update({ soon: true }, stop.signal);
    await settled();
    stop.abort();
    await assert.rejects(update, { name: 'AbortError' });
    assert.deepEqual(aborted, [true]);
  });
});
