import type { IndexState } from '../domain/index-state.ts';
import { reportError, SerialQueue } from '#base';
import type { Embedder } from '../embedding/embedder.ts';
import type { IndexService } from './index-service.ts';
import { type IndexedPassage, type PassageIndex, toPassage } from '../store/passage-index.ts';
import { IndexProgress } from './index-progress.ts';
import { IndexSession } from './index-session.ts';
import type { IndexServiceDependencies, SessionPorts } from './session-state.ts';
import { NOTHING, SwitchingIndex } from './switching-index.ts';
import { nameKeys, pathKey } from '../domain/link-keys.ts';

export type { IndexServiceDependencies };

/** The writing side together with what reads: what the index process serves. */
export interface LocalIndexService extends IndexService {
  /** Answers from whichever build answers at the moment; empty before `open`. */
  readonly index: PassageIndex;
  /** The embedder of the open index. Rejects before `open`. */
  readonly embedder: Embedder;
  onState(listener: (state: IndexState) => void): () => void;
  /** Passages that somebody asks about: those that have no vector yet get theirs before all others. */
  prefer(passageIds: Iterable<string>): void;
}

/** Makes the service. One configuration is open at a time; opening another closes the one before. */
export function createIndexService(deps: IndexServiceDependencies): LocalIndexService {
  let session: IndexSession | undefined;
  const calls = new SerialQueue();
  const index = new SwitchingIndex(async (error, damaged) => session?.indexDamaged(error, damaged));
  const progress = new IndexProgress(deps.clock, () => session?.coverage() ?? NOTHING);
  const ports: SessionPorts = { ...deps, index, progress };

  const opened = (): IndexSession => {
    if (!session) throw new Error('open() comes first');
    return session;
  };
  const inSession = async <T>(use: (session: IndexSession) => Promise<T>): Promise<T> => use(opened());
  const end = async (): Promise<void> => {
    await session?.close();
    session = undefined;
    index.switchTo(undefined);
  };
  const embedder = lateEmbedder(() => opened().embedder);

  return {
    index,
    embedder,
    onState: (listener) => progress.onChange(listener),
    prefer: (passageIds) => session?.prefer(passageIds),
    open: (config) =>
      calls.run(async () => {
        if (session && JSON.stringify(session.config) === JSON.stringify(config)) return progress.state();
        await end();
        progress.reset();
        try {
          session = await IndexSession.open(config, ports);
        } catch (error) {
          progress.tell({ error: reportError(error) });
          progress.setPhase('failed');
          throw error;
        }
        return progress.state();
      }),
    update: (options, signal) => inSession((s) => s.update(options, signal)),
    filesChanged: (uris, signal) => inSession((s) => s.filesChanged(uris, signal)),
    unsaved: (texts, signal) => inSession((s) => s.unsavedChanged(texts, signal)),
    shown: (uris) => inSession((s) => s.shown(uris)),
    importPassages: (passages, signal) => inSession((s) => s.importPassages(passages, signal)),
    pause: () => inSession((s) => s.pause()),
    resume: () => inSession((s) => s.resume()),
    state: () => Promise.resolve(progress.state()),
    report: () => inSession((s) => s.report()),
    passagesOf: async (path) => (await index.passagesOf(path)).map(toPassage),
    linkingTo: async (path) => (await passagesLinkingTo(index, path)).map(toPassage),
    close: () => calls.run(end),
  };
}

/** An embedder that is whichever one is open when it is used; closing it is left to its session. */
const lateEmbedder = (current: () => Embedder): Embedder =>
  new Proxy({} as Embedder, {
    get: (_, name) => {
      if (name === 'close') return () => Promise.resolve();
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
  });

/** Passages that are read at most: a file to which more lead is found by its links from everywhere. */
const MOST = 200;
const PATH_KEY = 'path:';

/**
 * Passages of other files with a link that resolves to this file, to a heading of it or to a symbol that it defines.
 * Links by a name that several files bear count for none of them.
 */
async function passagesLinkingTo(
  index: Pick<PassageIndex, 'passagesOf' | 'findLinkingTo'>,
  path: string,
): Promise<IndexedPassage[]> {
  const own = await index.passagesOf(path);
  const keys = new Set([pathKey(path), ...own.flatMap(nameKeys).filter((key) => key.startsWith(PATH_KEY))]);
  const found = await index.findLinkingTo([...keys], { limit: MOST });
  return found.map(({ passage }) => passage).filter((passage) => passage.path !== path);
}
