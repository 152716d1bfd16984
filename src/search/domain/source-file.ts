import { z } from 'zod';
import { fileCause } from './file-cause.ts';

const fileUri = z.string().startsWith('file:');

export const sourceFile = z.object({
  /** Absolute `file:` URI, percent-encoded; the file's identity everywhere. */
  uri: fileUri,
  /**
   * Path relative to its root, `/`-separated; in a multi-root workspace prefixed by the root's name. What people see.
   */
  path: z.string(),
  /** `file:` URI of the workspace folder that the file belongs to. */
  rootUri: fileUri,
  /** Size in bytes. */
  size: z.number(),
  /** Last modification, milliseconds since the epoch. */
  mtimeMs: z.number(),
  /**
   * Time of the last change of the entry, and its number on the disk: they tell an edit that keeps size and
   * modification time (unpacked archives, `cp -p`, swapped files). Undefined where the disk does not say.
   */
  stamp: z.string().optional(),
});
/** A file of the workspace as the crawler sees it, before it is read. */
export type SourceFile = z.infer<typeof sourceFile>;

const skipReason = z.enum([
  'ignored', // .gitignore, global excludes, .hoptrailignore
  'excluded', // files.exclude or search.exclude
  'binary',
  'generated', // generated or minified
  'too-large',
  'empty',
  'unreadable', // permission, I/O error
  'vanished', // listed, then gone
  'link-outside', // symbolic link that leaves the root
  'link-cycle',
  'unsupported', // a format that holds no text we can read (encrypted PDF, say)
  'gave-up', // reading it took too long, too much memory, or ended the process that read it
]);
/** Why a file is not in the index. */
export type SkipReason = z.infer<typeof skipReason>;

export const skippedFile = z.object({
  path: z.string(),
  reason: skipReason,
  /** Which rule, which limit, which error. */
  why: fileCause,
});
/** A file or folder that was left out, and why. */
export type SkippedFile = z.infer<typeof skippedFile>;

export const workspaceRoot = z.object({
  /** `file:` URI without a trailing slash. */
  uri: fileUri,
  /** Shown name; paths get it as a prefix when there is more than one root. */
  name: z.string(),
});
/** One folder of the workspace. */
export type WorkspaceRoot = z.infer<typeof workspaceRoot>;
