import type { TimerClock } from '#base';
import type { IndexCoverage } from '../domain/index-state.ts';
import type { IndexStore, VectorTables, openStore } from '../store/index-store.ts';
import { type OtherRootsError, type StorageReadOnlyError, IndexDamagedError } from '../store/storage-errors.ts';
import type { Lease, LockOptions } from '../store/writer-lease.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import type { IndexBuild } from './index-build.ts';
import type { EarlierBuild } from './vector-reuse.ts';
import type { IndexProgress } from './index-progress.ts';
import type { EmbedderChoice, IndexConfig } from './index-service.ts';
import type { QuietMachine } from './quiet-machine.ts';
import type { UnsavedTexts } from './unsaved-texts.ts';

/** A generation that is read here, not written. */
export interface ReadGeneration {
  store: IndexStore;
  coverage: IndexCoverage;
  answers: AnsweringIndex;
  /** Set where it was made for other folders: then it refuses to answer. */
  conflict?: OtherRootsError;
}

/** What goes with the lease. */
interface Holding {
  lease: Lease;
  /** An earlier generation that answers until the written one is complete. */
  before?: ReadGeneration;
  /** Generations whose vectors may be taken over. */
  donors: readonly EarlierBuild[];
}

interface Written extends Holding {
  build: IndexBuild;
  /** What answers when nothing else does. */
  answers: AnsweringIndex;
}

/** Nothing is known yet, or the generation to write is being opened, also in place of a damaged one. */
export interface Opening extends Omit<Holding, 'lease'> {
  is: 'opening';
  lease?: Lease;
  /** What this window has followed until now: it answers until something is open for writing. */
  followed?: ReadGeneration;
  /** What was known last. */
  coverage: IndexCoverage;
}

/** This window writes. */
export interface Writer extends Written {
  is: 'writer';
}

/** This window may write, but what lies there is of other folders: only a rebuild takes its place. */
export interface Conflict extends Written {
  is: 'conflict';
  error: OtherRootsError;
}

/** Another window writes, or nobody: this one reads, and waits for the lease unless it was only asked to follow. */
interface Follower {
  is: 'follower';
  /** Undefined while there is no index. */
  answering?: ReadGeneration;
}

/** Nobody can write there; this window reads, and waits for nothing. */
interface ReadOnly {
  is: 'read-only';
  because: StorageReadOnlyError;
  answering: ReadGeneration;
}

interface Closed {
  is: 'closed';
}

/** What this window is to the index that it has opened. */
export type SessionState = Opening | Writer | Conflict | Follower | ReadOnly | Closed;

/** What may follow what; everything else is a mistake of ours, and throws. */
export const transitions: Readonly<Record<SessionState['is'], readonly SessionState['is'][]>> = {
  // The lease was had (and the generation opened) or not; the place cannot be written; opening failed.
  opening: ['opening', 'writer', 'conflict', 'follower', 'read-only', 'closed'],
  // A rebuild begins or is complete; the generation is damaged; the lease is lost.
  writer: ['writer', 'opening', 'follower', 'closed'],
  // A rebuild begins; as above.
  conflict: ['writer', 'opening', 'follower', 'closed'],
  // The generation that is followed has a successor; the lease is had.
  follower: ['follower', 'opening', 'closed'],
  'read-only': ['read-only', 'closed'],
  closed: [],
};

export const NOTHING: IndexCoverage = { files: 0, passages: 0, embedded: 0, indexing: false };

/** What holds the lease with a generation to write; undefined in every other state. */
export const writtenIn = (state: SessionState): Writer | Conflict | undefined =>
  state.is === 'writer' || state.is === 'conflict' ? state : undefined;

export const leaseIn = (state: SessionState): Lease | undefined => ('lease' in state ? state.lease : undefined);

/** The generation that answers without being written here. */
export function readIn(state: SessionState): ReadGeneration | undefined {
  if ('answering' in state) return state.answering;
  if (state.is === 'opening') return state.before ?? state.followed;
  return 'before' in state ? state.before : undefined;
}

export const conflictIn = (state: SessionState): OtherRootsError | undefined =>
  state.is === 'conflict' ? state.error : 'answering' in state ? state.answering?.conflict : undefined;

export const answersIn = (state: SessionState): AnsweringIndex | undefined =>
  readIn(state)?.answers ?? writtenIn(state)?.answers;

/** Of what answers. `indexing`: files are being read or embedded here. */
export function coverageIn(state: SessionState, indexing: boolean): IndexCoverage {
  const read = readIn(state)?.coverage ?? (state.is === 'opening' ? state.coverage : undefined);
  if (read) return { ...read, indexing: indexing || read.indexing };
  return { ...(writtenIn(state)?.build.coverage() ?? NOTHING), indexing };
}

/** What is open in a state; what is open in the next one as well stays so. */
export function storesIn(state: SessionState): Set<VectorTables> {
  const stores = [readIn(state)?.store, writtenIn(state)?.build.store];
  if ('donors' in state) stores.push(...state.donors.map((donor) => donor.store as IndexStore));
  return new Set(stores.filter((store) => store !== undefined));
}

export interface IndexServiceDependencies {
  openEmbedder(choice: EmbedderChoice): Promise<Embedder>;
  /** What reads; it is to see the unsaved texts in place of the files that they are of. */
  createSource(config: IndexConfig, embedder: Embedder, unsaved: UnsavedTexts): FolderPassageSource;
  clock: TimerClock;
  /** Milliseconds since the epoch. */
  wallClock(): number;
  log(level: 'info' | 'warn' | 'error', message: string): void;
  lock?: LockOptions;
  /** Opens the tables of a generation; LanceDB's when undefined. */
  openStore?: typeof openStore;
  /** How long nothing must have happened before the tables are tidied; default 5 min. */
  idleMs?: number;
  /** Whether the machine has time, where vectors are only made when it has; this one's when undefined. */
  quiet?: QuietMachine;
  /** How often a window that reads looks whether it can write; default: as the index's layout says. */
  takeoverMs?: number;
}

/** What a session is given: the service's own, and what outlives sessions. */
export interface SessionPorts extends IndexServiceDependencies {
  index: SwitchingIndex;
  progress: IndexProgress;
}

/** What answers now. */
interface AnsweringIndex {
  index: PassageIndex;
  /** False for an index of another embedding model: its words can be searched, its vectors cannot be compared. */
  vectorsComparable: boolean;
  /**
   * Why a search by meaning is refused where vectors cannot be compared; undefined where it finds nothing until another
   * index takes its place.
   */
  refusal?: () => Error;
}

/**
 * The index that answers, whichever that is at the moment: builds change places behind it. A failure to read is tried
 * once more, since a compaction may just have removed the files of the version that a query began with; the second
 * failure is reported, and where that leads to another index, the query goes there.
 */
export class SwitchingIndex implements PassageIndex {
  #target: AnsweringIndex | undefined;
  readonly #onDamage: (error: IndexDamagedError, index: PassageIndex) => Promise<void>;

  constructor(onDamage: (error: IndexDamagedError, index: PassageIndex) => Promise<void>) {
    this.#onDamage = onDamage;
  }

  switchTo(target: AnsweringIndex | undefined): void {
    this.#target = target;
  }

  get current(): AnsweringIndex | undefined {
    return this.#target;
  }

  textSearch: PassageIndex['textSearch'] = (query, options) =>
    this.#ask((index) => index.textSearch(query, options), []);
  vectorSearch: PassageIndex['vectorSearch'] = (vector, options) =>
    this.#compare((index) => index.vectorSearch(vector, options));
  findByName: PassageIndex['findByName'] = (keys, options) => this.#ask((index) => index.findByName(keys, options), []);
  findLinkingTo: PassageIndex['findLinkingTo'] = (keys, options) =>
    this.#ask((index) => index.findLinkingTo(keys, options), []);
  rank: PassageIndex['rank'] = (query, options) => {
    const list = (index: PassageIndex): ReturnType<PassageIndex['rank']> => index.rank(query, options);
    return 'vector' in query ? this.#compare(list) : this.#ask(list, []);
  };
  read: PassageIndex['read'] = (refs, options) => this.#ask((index) => index.read(refs, options), []);
  get: PassageIndex['get'] = (ids) => this.#ask((index) => index.get(ids), []);
  passagesOf: PassageIndex['passagesOf'] = (path) => this.#ask((index) => index.passagesOf(path), []);
  documentFrequencies: PassageIndex['documentFrequencies'] = (terms) =>
    this.#ask((index) => index.documentFrequencies(terms), { total: 0, frequencies: terms.map(() => 0) });
  coverage: PassageIndex['coverage'] = () => this.#ask((index) => index.coverage(), NOTHING);
  references: PassageIndex['references'] = (options) => this.#ask((index) => index.references(options), undefined);

  /** A search by meaning. */
  #compare<T>(search: (index: PassageIndex) => Promise<T[]>): Promise<T[]> {
    if (this.#target?.vectorsComparable) return this.#ask(search, []);
    return this.#target?.refusal ? Promise.reject(this.#target.refusal()) : Promise.resolve([]);
  }

  async #ask<T>(question: (index: PassageIndex) => Promise<T>, whenEmpty: T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const asked = this.#target;
      if (!asked) return whenEmpty;
      try {
        return await question(asked.index);
      } catch (error) {
        if (attempt === 3) throw error;
        if (asked !== this.#target) continue; // it was closed under the query because another took its place
        if (!(error instanceof IndexDamagedError)) throw error;
        if (attempt === 1) continue;
        await this.#onDamage(error, asked.index);
        if (asked === this.#target) throw error;
      }
    }
  }
}
