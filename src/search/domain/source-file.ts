/** A file of the workspace as the crawler sees it, before it is read. */
export interface SourceFile {
  /** Absolute `file:` URI, percent-encoded; the file's identity everywhere. */
  uri: string;
  /**
   * Path relative to its root, `/`-separated; in a multi-root workspace prefixed by the root's name. What people see.
   */
  path: string;
  /** `file:` URI of the workspace folder that the file belongs to. */
  rootUri: string;
  /** Size in bytes. */
  size: number;
  /** Last modification, milliseconds since the epoch. */
  mtimeMs: number;
}

/** Why a file is not in the index. */
export type SkipReason =
  | 'ignored' // .gitignore, global excludes, .hoptrailignore
  | 'excluded' // files.exclude or search.exclude
  | 'binary'
  | 'generated' // generated or minified
  | 'too-large'
  | 'empty'
  | 'unreadable' // permission, I/O error
  | 'vanished' // listed, then gone
  | 'link-outside' // symbolic link that leaves the root
  | 'link-cycle'
  | 'unsupported' // a format that holds no text we can read (encrypted PDF, say)
  | 'gave-up'; // reading it took too long, too much memory, or ended the process that read it

/** A file or folder that was left out, and why. */
export interface SkippedFile {
  path: string;
  reason: SkipReason;
  /** One sentence for people: which rule, which limit, which error. */
  detail: string;
}

/** One folder of the workspace. */
export interface WorkspaceRoot {
  /** `file:` URI without a trailing slash. */
  uri: string;
  /** Shown name; paths get it as a prefix when there is more than one root. */
  name: string;
}
