import type { HoptrailError, Lease, LockOptions, TimerClock } from '#base';
import type { IndexCoverage } from '../domain/index-state.ts';
import type { IndexStore, VectorTables, openStore } from '../store/index-store.ts';
import type { OtherRootsError } from '../store/storage-errors.ts';
import type { WriterLease } from '../store/writer-lease.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { IndexBuild } from './index-build.ts';
import type { EarlierBuild } from './vector-reuse.ts';
import type { IndexProgress } from './index-progress.ts';
import type { EmbedderChoice, IndexConfig } from './index-service.ts';
import type { QuietMachine } from './quiet-machine.ts';
import { type AnsweringIndex, NOTHING, type SwitchingIndex } from './switching-index.ts';
import type { UnsavedTexts } from './unsaved-texts.ts';

/** A generation that is read here, not written. */
export interface ReadGeneration {
  store: IndexStore;
  coverage: IndexCoverage;
  answers: AnsweringIndex;
  /** Set where it was made for other folders: then it refuses to answer. */
  conflict?: OtherRootsError;
}

/**
 * What this process is to the index that it has opened. `opening`: nothing is known yet, or the generation to write is
 * being opened, also in place of a damaged one. `conflict`: it may write, but what lies there is of other folders, and
 * only a rebuild takes its place. `reader`: another machine writes, the place cannot be written now, or the lease was
 * lost.
 */
export interface SessionState {
  is: 'opening' | 'writer' | 'conflict' | 'reader' | 'closed';
  lease?: Lease;
  /** What is written: a writer and a conflict have it. */
  build?: IndexBuild;
  /** What answers where nothing else does. */
  answers?: AnsweringIndex;
  /** An earlier generation, which answers until the written one is complete. */
  before?: ReadGeneration;
  /** What this process only reads: it answers until something is open for writing. */
  answering?: ReadGeneration;
  /** Generations whose vectors may be taken over. */
  donors: readonly EarlierBuild[];
  /** Of a conflict. */
  error?: OtherRootsError;
  /** Why a reader cannot write there; undefined where somebody else writes. */
  because?: HoptrailError;
  /** While opening: what was known last. */
  coverage?: IndexCoverage;
}

/** What may follow what; everything else is a mistake of ours, and throws. */
export const transitions: Readonly<Record<SessionState['is'], readonly SessionState['is'][]>> = {
  // The lease was had (and the generation opened) or not; opening failed.
  opening: ['opening', 'writer', 'conflict', 'reader', 'closed'],
  // A rebuild begins or is complete; the generation is damaged; the lease is lost.
  writer: ['writer', 'opening', 'reader', 'closed'],
  // A rebuild begins; as above.
  conflict: ['writer', 'opening', 'reader', 'closed'],
  // The generation that is read has a successor; the lease is had.
  reader: ['reader', 'opening', 'closed'],
  closed: [],
};

/** The generation that answers without being written here. */
export const readIn = ({ before, answering }: SessionState): ReadGeneration | undefined => before ?? answering;

export const answersIn = (state: SessionState): AnsweringIndex | undefined => readIn(state)?.answers ?? state.answers;

/** Of what answers. `indexing`: files are being read or embedded here. */
export function coverageIn(state: SessionState, indexing: boolean): IndexCoverage {
  const read = readIn(state)?.coverage ?? state.coverage;
  return read
    ? { ...read, indexing: indexing || read.indexing }
    : { ...(state.build?.coverage() ?? NOTHING), indexing };
}

/** What is open in a state; what is open in the next one as well stays so. */
export function storesIn(state: SessionState): Set<VectorTables> {
  const stores = [readIn(state)?.store, state.build?.store, ...state.donors.map(({ store }) => store)];
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
  /** Which build of this program runs: files that an earlier one gave up are tried again by the next. */
  program?: string;
  lease?: LockOptions;
  /** Opens the tables of a generation; LanceDB's when undefined. */
  openStore?: typeof openStore;
  /** How long nothing must have happened before the tables are tidied; default 5 min. */
  idleMs?: number;
  /** Whether the machine has time, where vectors are only made when it has; this one's when undefined. */
  quiet?: QuietMachine;
  /** How often a reader looks what the writer does, in milliseconds; default 15,000: each look is some requests. */
  followMs?: number;
  /** Keeps the index to one writer; that of its layout when undefined. */
  writerLease?(config: IndexConfig): WriterLease;
}

/** What a session is given: the service's own, and what outlives sessions. */
export interface SessionPorts extends IndexServiceDependencies {
  index: SwitchingIndex;
  progress: IndexProgress;
}
