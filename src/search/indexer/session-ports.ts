import type { TimerClock } from '#base';
import type { Embedder } from '../embedding/embedder.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { openStore } from '../store/index-store.ts';
import type { LockOptions } from '../store/writer-lease.ts';
import type { IndexProgress } from './index-progress.ts';
import type { EmbedderChoice, IndexConfig } from './index-service.ts';
import type { QuietMachine } from './quiet-machine.ts';
import type { SwitchingIndex } from './switching-index.ts';
import type { UnsavedTexts } from './unsaved-texts.ts';

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
