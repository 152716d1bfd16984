import { abortError, throwIfAborted, unlessAborted } from '#base';
import type { IndexReport, IndexState } from '../domain/index-state.ts';
import { reportOfUpdate } from '../indexer/file-ledger.ts';
import type { IndexService, UpdateOptions } from '../indexer/index-service.ts';
import type { UnsavedText } from '../indexer/unsaved-texts.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import { FairTurns } from './fair-turns.ts';
import type { Ports } from './messages.ts';
import { isWorthWaitingFor } from './worth-waiting.ts';

/** What the clients of one daemon share. */
export class SharedIndex {
  readonly ports: Ports;
  readonly turns = new FairTurns();
  readonly texts = new ShownTexts();
  /** Clients that tell of changed files: windows. */
  readonly watchers = new Set<object>();
  readonly #open: (signal?: AbortSignal) => Promise<IndexState>;
  readonly #onState: (listener: (state: IndexState) => void) => () => void;

  /** @param open Opens the index, or waits for that. */
  constructor(
    ports: Ports,
    open: (signal?: AbortSignal) => Promise<IndexState>,
    onState: (listener: (state: IndexState) => void) => () => void,
  ) {
    this.ports = ports;
    this.#open = open;
    this.#onState = onState;
  }

  /** The ports of one client. None closes what others use. */
  portsOf(client: object): Ports {
    const { index, retriever } = this.ports;
    return {
      retriever: takingTurns(retriever, this.turns, client),
      index: {
        ...index,
        open: (_, signal) => this.#open(signal),
        close: () => Promise.resolve(),
        unsaved: (texts, signal) => index.unsaved(this.texts.with(client, texts), signal),
        update: async (options, signal) => {
          if (options.watched) this.watchers.add(client);
          return options.soon
            ? updatedSoon(index, this.#onState, options, this.watchers.size > 0, signal)
            : index.update(options, signal);
        },
      },
    };
  }

  /** A client is gone: what it alone has shown is given up. */
  async left(client: object): Promise<void> {
    this.watchers.delete(client);
    const texts = this.texts.without(client);
    if (texts.length > 0) await this.ports.index.unsaved(texts);
  }
}

/** Milliseconds that an update may make no progress before a question goes on: an endpoint for embeddings is silent. */
const SILENT_MS = 10_000;
/** Milliseconds that a question waits for a look at folders that are being watched: their watchers tell of changes. */
const WATCHED_MS = 150;

/**
 * An update for a question: it goes on behind the question's back. Resolves with what there is when nothing is worth
 * waiting for any more.
 */
async function updatedSoon(
  index: IndexService,
  onState: (listener: (state: IndexState) => void) => () => void,
  options: UpdateOptions,
  watched: boolean,
  signal: AbortSignal | undefined,
): Promise<IndexReport> {
  const [enough, ended] = [new AbortController(), new AbortController()];
  const isFound = ({ phase }: IndexState): boolean => phase === 'ready' || phase === 'embedding' || phase === 'paused';
  const knewAll = isFound(await index.state(signal));
  const wait = watched && knewAll ? WATCHED_MS : SILENT_MS;
  let timer = setTimeout(() => enough.abort(), wait);
  const stop = onState((state) => {
    if (isFound(state) && state.phase !== 'ready' && !isWorthWaitingFor(state)) return enough.abort();
    if (wait === WATCHED_MS) return;
    clearTimeout(timer);
    timer = setTimeout(() => enough.abort(), SILENT_MS);
  });
  const update = index.update(options, ended.signal);
  try {
    return await unlessAborted(update, signal ? AbortSignal.any([signal, enough.signal]) : enough.signal);
  } catch (error) {
    if (!enough.signal.aborted && !signal?.aborted) throw error;
    update.catch(() => undefined); // told in the state, if it is more than an end
    if ((watched && knewAll) || signal?.aborted) ended.abort(abortError());
    throwIfAborted(signal);
    const [report, { coverage }] = await Promise.all([index.report(signal), index.state(signal)]);
    return reportOfUpdate(report, coverage, 0, 0);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/**
 * What the editors of several clients show of the same files and have not saved: the text that came last counts, and
 * when that is given up the one before it, if another client still shows that.
 */
class ShownTexts {
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
}

/** A retriever of one client, whose trails wait for their turn; all else is answered as it comes. */
function takingTurns(retriever: Retriever, turns: FairTurns, client: object): Retriever {
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
