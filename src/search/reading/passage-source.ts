import type { FileCause } from '../domain/file-cause.ts';
import type { Passage } from '../domain/passage.ts';
import type { SourceFile, WorkspaceRoot } from '../domain/source-file.ts';

/** What to read, and what to leave out. All of it is data: no setting may name a command or an address. */
export interface ReadingOptions {
  roots: readonly WorkspaceRoot[];
  /** Glob patterns of VS Code's files.exclude and search.exclude that are switched on. */
  excludeGlobs: readonly string[];
  /** Honour .gitignore files and git's global excludes. Default true. */
  useGitignore: boolean;
  /** Encoding of files that declare none and are no UTF-8 (`files.encoding` of VS Code); guessed when undefined. */
  encoding?: string;
  /** Files larger than this are skipped as `too-large`. Default 5 MiB of text; 50 MiB for PDF and DOCX. */
  maxFileBytes: number;
}

/** A file cut into passages. Links are as written; `resolveLinks` fills `path` once all paths are known. */
export interface ReadFile {
  file: SourceFile;
  /** sha256 (hex) of the file's bytes. */
  hash: string;
  language: string;
  passages: Passage[];
  /** Number of non-blank lines; every one is covered by a passage. */
  nonBlankLines: number;
  /** What is to be said of how it was read: a parser failed, its encoding was guessed, its text is no language. */
  fallback?: FileCause;
}
