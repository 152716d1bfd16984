import { isDeepStrictEqual } from 'node:util';
import { abortError, throwIfAborted, unlessAborted } from '#base';
import type { IndexPhase, IndexReport, IndexState, LeaseHolder } from '../../domain/index-state.ts';
import { reportOfUpdate } from '../../indexer/file-ledger.ts';
import type { IndexConfig, IndexService, UpdateOptions } from '../../indexer/index-service.ts';
import type { UnsavedText } from '../../indexer/unsaved-texts.ts';
import type { Ports } from '../messages.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { NotSharedError } from './meeting-point.ts';

export interface HostedIndex {
  /** As the process that writes it has opened it. */
  config: IndexConfig;
  ports: Ports;
  turns: FairTurns;
  /** Of the process's own parent and of all guests. */
  texts: ShownTexts;
  /** Who of them tells of changed files. */
  watchers: Set<object>;
  /** Who holds the writer's lease, for those who only follow. */
  holder(): Promise<LeaseHolder | undefined>;
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

/** Everything can be found by its words, if it was not changed just now. */
const SEARCHABLE = new Set<IndexPhase>(['ready', 'embedding', 'paused']);
/** Milliseconds that a question waits for the folders to be looked through: where somebody watches them, and else. */
const WAITS = { watched: 150, unwatched: 5_000 };

/** What there is, without a look at the folders. */
async function asItIs(index: IndexService, signal: AbortSignal | undefined): Promise<IndexReport> {
  const [report, { coverage }] = await Promise.all([index.report(signal), index.state(signal)]);
  return reportOfUpdate(report, coverage, 0, 0);
}

/**
 * An update for a question, which does not wait for its end: a small folder is looked through in time, so that what was
 * saved this moment is found; of a large one, those who watch it tell what changed, and the look is ended. Where nobody
 * watches it goes on without the question.
 */
async function updatedSoon(
  index: IndexService,
  options: UpdateOptions,
  watched: boolean,
  signal: AbortSignal | undefined,
): Promise<IndexReport> {
  const [late, ended] = [new AbortController(), new AbortController()];
  const timer = setTimeout(() => late.abort(), watched ? WAITS.watched : WAITS.unwatched);
  const update = index.update(options, ended.signal);
  try {
    return await unlessAborted(update, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } catch (error) {
    if (!late.signal.aborted && !signal?.aborted) throw error;
    update.catch(() => undefined); // told in the state, if it is more than an end
    if (watched || signal?.aborted) ended.abort(abortError());
    throwIfAborted(signal);
    return await asItIs(index, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The ports of a process that several share. A guest does what the host's own parent can do, and opens and closes
 * nothing. One that only follows changes nothing either, and sees an index that another process writes. What would
 * change the answers of all (learnt heads) or replace the index is not shared.
 */
export function guestPorts(hosted: HostedIndex, wanted: IndexConfig): GuestPorts {
  const { index, retriever } = hosted.ports;
  const guest = {};
  const follows = wanted.follow === true;
  const seen = async (state: IndexState): Promise<IndexState> => {
    if (!follows) return state;
    const heldBy = await hosted.holder().catch(() => undefined); // told where it can be
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
      hosted.watchers.delete(guest);
      const texts = hosted.texts.without(guest);
      if (texts.length > 0) await index.unsaved(texts);
    },
    ports: {
      retriever: takingTurns(retriever, hosted.turns, guest),
      index: {
        ...index,
        state,
        open: (config, signal) => (isDeepStrictEqual(config, wanted) ? state(signal) : notShared()),
        importPassages: notShared,
        close: () => Promise.resolve(),
        pause: async (signal) => unlessFollowing(() => index.pause(signal)),
        resume: async (signal) => unlessFollowing(() => index.resume(signal)),
        shown: async (uris, signal) => unlessFollowing(() => index.shown(uris, signal)),
        filesChanged: async (uris, signal) => unlessFollowing(() => index.filesChanged(uris, signal)),
        unsaved: async (texts, signal) => unlessFollowing(() => index.unsaved(hosted.texts.with(guest, texts), signal)),
        update: async (options, signal) => {
          if (follows)
            return options.rebuild ? notShared() /* which says that it only follows */ : asItIs(index, signal);
          if (options.watched) hosted.watchers.add(guest);
          if (options.soon && SEARCHABLE.has((await index.state(signal)).phase))
            return updatedSoon(index, options, hosted.watchers.size > 0, signal);
          return index.update(options, signal);
        },
      },
    },
  };
}

/**
 * What the editors of several clients show of the same files and have not saved: the text that came last counts, and
 * when that is given up the one before it, if another client still shows that.
 */
export class ShownTexts {
  readonly #byUri = new Map<string, Map<object, string>>();

  /** Takes what one client shows, or gives up. Returns what counts of these files from now on. */
  with(client: object, texts: readonly UnsavedText[]): UnsavedText[] {
    return texts.map(({ uri, text }) => {
      const shown = this.#byUri.get(uri) ?? new Map<object, string>();
      shown.delete(client);
      if (text !== null) shown.set(client, text);
      if (shown.size > 0) this.#byUri.set(uri, shown);
      else this.#byUri.delete(uri);
      return { uri, text: [...shown.values()].at(-1) ?? null };
    });
  }

  /** Gives up all that one client shows. Returns what counts of those files from now on. */
  without(client: object): UnsavedText[] {
    const uris = [...this.#byUri].filter(([, shown]) => shown.has(client)).map(([uri]) => uri);
    return this.with(
      client,
      uris.map((uri) => ({ uri, text: null })),
    );
  }

  /** The index that they were shown to is closed. */
  clear(): void {
    this.#byUri.clear();
  }
}

/** Trails that are walked at once: one computes while the other waits for the index or the model. */
const AT_ONCE = 2;

/**
 * Turns for what takes long, so that the first answer does not wait for all: a few at once, and of several clients that
 * wait each has one before any has its next.
 */
export class FairTurns {
  readonly #most: number;
  #free: number;
  /** By client, in the order in which their turns come. */
  readonly #lines = new Map<object, (() => void)[]>();

  constructor(most = AT_ONCE) {
    this.#most = most;
    this.#free = most;
  }

  /** Does the work when its turn has come. Rejects with AbortError when the signal is aborted before. */
  async run<T>(client: object, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(client, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** True when nobody works or waits. */
  get idle(): boolean {
    return this.#free === this.#most;
  }

  #wait(client: object, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        const line = this.#lines.get(client);
        const at = line?.indexOf(begin) ?? -1;
        if (!line || at < 0) return;
        line.splice(at, 1);
        if (line.length === 0) this.#lines.delete(client);
        reject(abortError());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const line = this.#lines.get(client);
      if (line) line.push(begin);
      else this.#lines.set(client, [begin]);
    });
  }

  /** To the next client, who goes to the end of the round. */
  #pass(): void {
    const next = this.#lines.entries().next().value;
    if (!next) {
      this.#free += 1;
      return;
    }
    const [client, line] = next;
    const first = line.shift();
    this.#lines.delete(client);
    if (line.length > 0) this.#lines.set(client, line);
    first?.();
  }
}

/** A retriever of one client, whose trails wait for their turn; all else is answered as it comes. */
export function takingTurns(retriever: Retriever, turns: FairTurns, client: object): Retriever {
  return {
    ...retriever,
    chains: (question, options, signal) => turns.run(client, () => retriever.chains(question, options, signal), signal),
    connect: (from, to, options, signal) =>
      turns.run(client, () => retriever.connect(from, to, options, signal), signal),
    search: (query, options, signal) =>
      options.retriever === 'beam'
        ? turns.run(client, () => retriever.search(query, options, signal), signal)
        : retriever.search(query, options, signal),
  };
}
