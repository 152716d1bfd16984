import { isDeepStrictEqual } from 'node:util';
import type { IndexState, LockHolder } from '../../domain/index-state.ts';
import { reportOfUpdate } from '../../indexer/file-ledger.ts';
import type { IndexConfig } from '../../indexer/index-service.ts';
import type { Ports } from '../messages.ts';
import { type FairTurns, takingTurns } from './fair-turns.ts';
import { NotSharedError } from './guest-messages.ts';

export interface HostedIndex {
  /** As the process that writes it has opened it. */
  config: IndexConfig;
  ports: Ports;
  turns: FairTurns;
  /** Who holds the writer's lock, for those who only follow. */
  holder(): Promise<LockHolder | undefined>;
}

/** What one guest may ask. */
export interface GuestPorts {
  ports: Ports;
  /** A state as this guest is to see it. */
  seen(state: IndexState): Promise<IndexState>;
  /** The guest is gone: what it alone has shown is given up. */
  left(): Promise<void>;
}

const notShared = (): Promise<never> => Promise.reject(new NotSharedError());

/**
 * The ports of a process that several share. A guest does what the host's own parent can do, and opens and closes
 * nothing. One that only follows changes nothing either, and sees an index that another process writes. What would
 * change the answers of all (learnt heads) or replace the index is not shared.
 */
export function guestPorts(hosted: HostedIndex, wanted: IndexConfig): GuestPorts {
  const { index, retriever } = hosted.ports;
  const guest = {};
  const follows = wanted.follow === true;
  /** Files whose unsaved text came from this guest. */
  const shown = new Set<string>();
  const seen = async (state: IndexState): Promise<IndexState> => {
    if (!follows) return state;
    const heldBy = await hosted.holder();
    return {
      ...state,
      phase: 'read-only',
      notices: [{ code: 'only-followed', details: {} }],
      ...(heldBy && { heldBy }),
    };
  };
  const state = async (signal?: AbortSignal): Promise<IndexState> => seen(await index.state(signal));
  const unlessFollowing = async <T>(change: () => Promise<T>): Promise<T | undefined> =>
    follows ? undefined : change();
  return {
    seen,
    left: async () => {
      if (shown.size > 0) await index.unsaved([...shown].map((uri) => ({ uri, text: null })));
    },
    ports: {
      retriever: takingTurns(retriever, hosted.turns, guest),
      learner: { train: notShared, score: notShared, use: notShared },
      index: {
        ...index,
        state,
        open: (config, signal) => (isDeepStrictEqual(config, wanted) ? state(signal) : notShared()),
        importPassages: notShared,
        close: () => Promise.resolve(),
        pause: async (signal) => unlessFollowing(() => index.pause(signal)),
        resume: async (signal) => unlessFollowing(() => index.resume(signal)),
        filesChanged: async (uris, signal) => unlessFollowing(() => index.filesChanged(uris, signal)),
        unsaved: async (texts, signal) =>
          unlessFollowing(async () => {
            for (const { uri, text } of texts) {
              if (text === null) shown.delete(uri);
              else shown.add(uri);
            }
            await index.unsaved(texts, signal);
          }),
        update: async (options, signal) => {
          if (!follows) return index.update(options, signal);
          if (options.rebuild) return notShared(); // which says that it only follows
          const [report, { coverage }] = await Promise.all([index.report(signal), index.state(signal)]);
          return reportOfUpdate(report, coverage, 0, 0);
        },
      },
    },
  };
}
