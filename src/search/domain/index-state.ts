import type { ErrorReport } from '#base';
import type { IndexNotice } from './notices.ts';
import type { SkippedFile } from './source-file.ts';

/** What the index is doing now. */
export type IndexPhase =
  | 'starting'
  | 'reading' // crawling, parsing, writing text rows
  | 'embedding' // text is searchable, vectors follow
  | 'ready'
  | 'paused'
  | 'read-only' // another window writes; this one reads
  | 'failed';

/** Which process writes the index, as its lock file tells. */
export interface LockHolder {
  /** Path of the lock file. */
  file: string;
  /** Undefined where the file does not say it. */
  pid?: number;
  host?: string;
  /** When the lock was taken, in milliseconds since the epoch; undefined where the file does not say it. */
  since?: number;
  /** When the process gave its last sign of life, in milliseconds since the epoch. */
  lastBeat: number;
}

/** A sentence on who holds a lock: its file, its owner, since when, and when that gave its last sign of life. */
export function describeHolder({ file, pid, host, since, lastBeat }: LockHolder, now = Date.now()): string {
  const owner = pid === undefined ? 'by a process that has not said who it is' : `by process ${pid} on ${host}`;
  const from = since === undefined ? '' : ` since ${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return `The lock ${file} is held ${owner}${from}; its last sign of life came ${Math.max(0, Math.round((now - lastBeat) / 1000))} s ago.`;
}

/** Progress of the index, sent a few times a second at most. */
export interface IndexState {
  phase: IndexPhase;
  coverage: IndexCoverage;
  filesTotal: number;
  filesDone: number;
  passagesToEmbed: number;
  passagesEmbedded: number;
  /** Over the last seconds; 0 when unknown. */
  passagesPerSecond: number;
  /** Seconds left; undefined when unknown. */
  secondsLeft?: number;
  /** Bytes on disk; undefined until measured. */
  bytes?: number;
  embedderId: string;
  /**
   * Set where there is no index yet and this process makes none: another one is about to, or it was only asked to
   * follow.
   */
  missing?: true;
  /** Set where another process writes the index: that process, as it was when this one began to wait. */
  heldBy?: LockHolder;
  error?: ErrorReport;
  /** What a person should know besides, each code once. */
  notices: readonly IndexNotice[];
}

/** State before anything is known of an index. */
export const UNKNOWN_INDEX: IndexState = {
  phase: 'starting',
  coverage: { files: 0, passages: 0, embedded: 0, indexing: true },
  filesTotal: 0,
  filesDone: 0,
  passagesToEmbed: 0,
  passagesEmbedded: 0,
  passagesPerSecond: 0,
  embedderId: '',
  notices: [],
};

/** What a build or update did: the command line's `index --json`. */
export interface IndexReport {
  files: number;
  skipped: SkippedFile[];
  /** As in FileReport. */
  skippedKnown?: false;
  passages: number;
  /** Passages that cost an inference. */
  embedded: number;
  /** Passages whose vector was found by content hash, or that did not change. */
  reused: number;
  seconds: number;
  /** Files whose parser failed and that were read as text blocks. */
  fallbacks: { path: string; reason: string }[];
}

/** What became of each file. */
export interface FileReport {
  /** Files that gave passages, by path. */
  files: { path: string; language: string; passages: number }[];
  /** Files that gave none, by path. */
  skipped: SkippedFile[];
  /**
   * False: `skipped` is not the whole list. What was left out without being read (ignored, excluded, too large) is
   * known only where the folders were walked: not to a window that reads what another one writes, nor before the first
   * update.
   */
  skippedKnown?: false;
  /** Files whose parser failed and that were read as text blocks. */
  fallbacks: IndexReport['fallbacks'];
}

/** How much of the workspace a search sees. */
export interface IndexCoverage {
  files: number;
  passages: number;
  /** Passages that have a vector already. */
  embedded: number;
  /** True while files are still to be read or embedded. */
  indexing: boolean;
}
