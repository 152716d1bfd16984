import { z } from 'zod';
import type { ErrorReport } from '#base';
import type { IndexNotice } from './notices.ts';
import { fileCause } from './file-cause.ts';
import { skippedFile } from './source-file.ts';

const indexPhase = z.enum([
  'starting',
  'reading', // crawling, parsing, writing text rows
  'embedding', // text is searchable, vectors follow
  'ready',
  'paused',
  'read-only', // another window writes; this one reads
  'failed',
]);
/** What the index is doing now. */
export type IndexPhase = z.infer<typeof indexPhase>;

const leaseHolder = z.object({
  /** Path of the lock file, or address of the table that stands for it. */
  file: z.string(),
  /** Undefined where the file does not say it. */
  pid: z.number().optional(),
  host: z.string().optional(),
  /** When the lease was taken, in milliseconds since the epoch; undefined where the file does not say it. */
  since: z.number().optional(),
  /** When the process gave its last sign of life, in milliseconds since the epoch. */
  lastBeat: z.number(),
});
/** Which process writes the index, as the file or the table of the lease tells. */
export type LeaseHolder = z.infer<typeof leaseHolder>;

/** A sentence on who holds the lease: its file, its owner, since when, and when that gave its last sign of life. */
export function describeHolder({ file, pid, host, since, lastBeat }: LeaseHolder, now = Date.now()): string {
  const owner = pid === undefined ? 'by a process that has not said who it is' : `by process ${pid} on ${host}`;
  const from = since === undefined ? '' : ` since ${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    `The lock ${file} is held ${owner}${from}; its last sign of life came ` +
    `${Math.max(0, Math.round((now - lastBeat) / 1000))} s ago.`
  );
}

export const indexCoverage = z.object({
  files: z.number(),
  passages: z.number(),
  /** Passages that have a vector already. */
  embedded: z.number(),
  /** True while files are still to be read or embedded. */
  indexing: z.boolean(),
});
/** How much of the workspace a search sees. */
export type IndexCoverage = z.infer<typeof indexCoverage>;

const hasCode = (value: unknown): boolean => typeof (value as { code?: unknown } | null)?.code === 'string';
/** An error as it crosses the process boundary. */
export const errorReport = z.custom<ErrorReport>(hasCode);
/** What it may be, and its words: notices.ts, which the panel loads. */
const notice = z.custom<IndexNotice>(hasCode);

export const indexState = z.object({
  phase: indexPhase,
  coverage: indexCoverage,
  filesTotal: z.number(),
  filesDone: z.number(),
  passagesToEmbed: z.number(),
  passagesEmbedded: z.number(),
  /** Over the last seconds; 0 when unknown. */
  passagesPerSecond: z.number(),
  /** Seconds left; undefined when unknown. */
  secondsLeft: z.number().optional(),
  /** Bytes on disk; undefined until measured. */
  bytes: z.number().optional(),
  embedderId: z.string(),
  /**
   * Set where there is no index yet and this process makes none: another one is about to, or it was only asked to
   * follow.
   */
  missing: z.literal(true).optional(),
  /** Set where another process writes the index: that process, as it was when this one began to wait. */
  heldBy: leaseHolder.optional(),
  error: errorReport.optional(),
  /** What a person should know besides, each code once. */
  notices: z.array(notice),
});
/** Progress of the index, sent a few times a second at most. */
export type IndexState = z.infer<typeof indexState>;

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

/** What every report says of the files that gave nothing, or less than they hold. */
const leftOut = {
  skipped: z.array(skippedFile),
  /**
   * False: `skipped` is not the whole list. What was left out without being read (ignored, excluded, too large) is
   * known only where the folders were walked: not to a window that reads what another one writes, nor before the first
   * update.
   */
  skippedKnown: z.literal(false).optional(),
  /** Files whose parser failed and that were read as text blocks. */
  fallbacks: z.array(z.object({ path: z.string(), why: fileCause })),
};

export const indexReport = z.object({
  files: z.number(),
  ...leftOut,
  passages: z.number(),
  /** Passages that cost an inference. */
  embedded: z.number(),
  /** Passages whose vector was found by content hash, or that did not change. */
  reused: z.number(),
  seconds: z.number(),
});
/** What a build or update did: the command line's `index --json`. */
export type IndexReport = z.infer<typeof indexReport>;

export const fileReport = z.object({
  /** Files that gave passages, by path; `skipped` are those that gave none. */
  files: z.array(z.object({ path: z.string(), language: z.string(), passages: z.number() })),
  ...leftOut,
});
/** What became of each file. */
export type FileReport = z.infer<typeof fileReport>;
