import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { UnsavedText } from '../../../../src/search/indexer/unsaved-texts.ts';
import { type IndexReport, type IndexState, UNKNOWN_INDEX } from '../../../../src/search/domain/index-state.ts';
import type { IndexConfig } from '../../../../src/search/indexer/index-service.ts';
import type { Ports } from '../../../../src/search/process/messages.ts';
import {
  FairTurns,
  guestPorts,
  type GuestPorts,
  type HostedIndex,
  ShownTexts,
} from '../../../../src/search/process/sharing/guest-ports.ts';
import {
  askedAgainAfter,
  type SharedProcess,
  sharingPorts,
} from '../../../../src/search/process/sharing/shared-process.ts';
import { passTime, settled, stopTime } from '../../../doubles/waiting.ts';

const config: IndexConfig = {
  indexUri: '/nowhere',
  roots: [],
  excludeGlobs: [],
  useGitignore: false,
  maxFileBytes: 1,
  embedder: { kind: 'bundled' },
};

/** An index that keeps what it is shown, as the index does: by file. */
function host(changes: Partial<Ports['index']> = {}): {
  shown: Map<string, string>;
  own: Ports;
  guest: (wanted?: IndexConfig) => GuestPorts;
} {
  const shown = new Map<string, string>();
  const index = {
    open: () => Promise.resolve(UNKNOWN_INDEX),
    close: () => Promise.resolve(),
    state: () => Promise.resolve(UNKNOWN_INDEX),
    unsaved: async (texts: readonly UnsavedText[]) => {
      for (const { uri, text } of texts) {
        if (text === null) shown.delete(uri);
        else shown.set(uri, text);
      }
    },
    ...changes,
  };
  let hosted: HostedIndex | undefined;
  const sharing = { offer: async (offered?: HostedIndex) => void (hosted = offered) } as unknown as SharedProcess;
  const own = sharingPorts({ index, retriever: {}, learner: {} } as unknown as Ports, sharing);
  return {
    shown,
    own,
    guest: (wanted = config) => {
      assert.ok(hosted);
      return guestPorts(hosted, wanted);
    },
  };
}

const uri = 'file:///notes/a.md';

describe('what several windows show of a file that is not saved', () => {
  it('stays as its own window shows it when a guest saves that file or leaves', async () => {
    const { shown, own, guest } = host();
    await own.index.open(config);
    await own.index.unsaved([{ uri, text: 'of the host' }]);
    const one = guest();
    await one.ports.index.unsaved([{ uri, text: 'of a guest' }]);
    assert.equal(shown.get(uri), 'of a guest');
    await one.ports.index.unsaved([{ uri, text: null }]);
    assert.equal(shown.get(uri), 'of the host', 'saved by the guest, and open still in the host');
    await one.ports.index.unsaved([{ uri, text: 'of a guest, again' }]);
    await one.left();
    assert.equal(shown.get(uri), 'of the host', 'the guest is gone');
    await own.index.unsaved([{ uri, text: null }]);
    assert.deepEqual([...shown], []);
  });

  it('stays as a guest shows it when its host saves it, until that guest leaves', async () => {
    const { shown, own, guest } = host();
    await own.index.open(config);
    const [one, other] = [guest(), guest()];
    await one.ports.index.unsaved([{ uri, text: 'of a guest' }]);
    await own.index.unsaved([{ uri, text: 'of the host' }]);
    await own.index.unsaved([{ uri, text: null }]);
    await other.left();
    assert.equal(shown.get(uri), 'of a guest');
    await one.left();
    assert.deepEqual([...shown], []);
  });

  it('is not brought back by a guest once the index was closed or opened otherwise', async () => {
    for (const end of ['close', 'open'] as const) {
      const { shown, own, guest } = host();
      await own.index.open(config);
      await own.index.unsaved([{ uri, text: 'of the host' }]);
      const one = guest();
      await one.ports.index.unsaved([{ uri, text: 'of a guest' }]);
      await (end === 'close' ? own.index.close() : own.index.open({ ...config, maxFileBytes: 2 }));
      shown.clear();
      await one.left();
      assert.deepEqual([...shown], [], end);
    }
  });
});

describe('an update that a guest wants for a question', () => {
  /** Ends of the updates that were begun; one that is aborted ends by itself. */
  let ends: (() => void)[];
  /** Of each update, whether it was aborted. */
  let aborted: boolean[];
  let phase: IndexState['phase'];
  const report = { files: 7, skipped: [], fallbacks: [], passages: 70, embedded: 3, reused: 0, seconds: 1 };

  const opened = async (): Promise<ReturnType<typeof host>> => {
    const made = host({
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
    await made.own.index.open(config);
    return made;
  };
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
    for (const watching of ['host', 'guest'] as const) {
      const { own, guest } = await opened();
      const watcher = guest();
      void (watching === 'host' ? own : watcher.ports).index.update({ watched: true });
      await settled();
      ends[0]?.();
      const time = stopTime();
      try {
        const files = watch(guest().ports.index.update({ soon: true }));
        await passTime(149);
        assert.equal(files(), undefined);
        await passTime(1);
        assert.deepEqual([files(), aborted], [0, [false, true]]);
        await watcher.left();
        const after = watch(guest().ports.index.update({ soon: true }));
        await passTime(150);
        assert.equal(after(), watching === 'host' ? 0 : undefined, 'who watched is gone');
      } finally {
        time.goOn();
      }
      [ends, aborted] = [[], []];
    }
  });

  it('goes on without the question where nobody watches', async () => {
    const { guest } = await opened();
    const time = stopTime();
    try {
      const files = watch(guest().ports.index.update({ soon: true }));
      await passTime(4_999);
      assert.equal(files(), undefined);
      await passTime(1);
      assert.deepEqual([files(), aborted], [0, [false]]);
    } finally {
      time.goOn();
    }
  });

  it('is waited for where it ends in time, where it is more than a question, and while files are read', async () => {
    const { own, guest } = await opened();
    void own.index.update({ watched: true });
    const time = stopTime();
    try {
      const inTime = watch(guest().ports.index.update({ soon: true }));
      await passTime(10);
      ends.at(-1)?.();
      await passTime(1);
      assert.equal(inTime(), 7);
      const command = watch(guest().ports.index.update({}));
      phase = 'reading';
      const early = watch(guest().ports.index.update({ soon: true }));
      await passTime(6_000);
      assert.deepEqual([command(), early()], [undefined, undefined]);
      for (const end of ends) end();
      await passTime(1);
      assert.deepEqual([command(), early()], [7, 7]);
      assert.deepEqual(aborted, [false, false, false, false]);
    } finally {
      time.goOn();
    }
  });

  it('ends with the question that is called off', async () => {
    const { guest } = await opened();
    const stop = new AbortController();
    const update = guest().ports.index.update({ soon: true }, stop.signal);
    await settled();
    stop.abort();
    await assert.rejects(update, { name: 'AbortError' });
    assert.deepEqual(aborted, [true]);
  });
});

describe('the state that a guest sees who only follows', () => {
  it('comes without who writes where that cannot be read', async () => {
    const { own } = host();
    const hosted: HostedIndex = {
      config,
      ports: own,
      turns: new FairTurns(),
      texts: new ShownTexts(),
      watchers: new Set(),
      holder: () => Promise.reject(new Error('no network')),
    };
    const seen = await guestPorts(hosted, { ...config, follow: true }).seen(UNKNOWN_INDEX);
    assert.deepEqual([seen.phase, seen.heldBy], ['read-only', undefined]);
  });

  it('asks who writes once in a while, and again after a failure', async () => {
    let [asked, time] = [0, 0];
    const ask = askedAgainAfter(
      10,
      () => (++asked === 1 ? Promise.reject(new Error('no network')) : Promise.resolve(asked)),
      () => time,
    );
    await assert.rejects(ask());
    assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2]);
    time = 9;
    assert.equal(await ask(), 2);
    time = 10;
    assert.equal(await ask(), 3);
  });
});
