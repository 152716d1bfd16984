import type { Passage } from '../domain/passage.ts';
import type { SkippedFile, SourceFile, WorkspaceRoot } from '../domain/source-file.ts';

/** What to read, and what to leave out. All of it is data: no setting may name a command or an address. */
export interface ReadingOptions {
  roots: readonly WorkspaceRoot[];
  /** Glob patterns of VS Code's files.exclude and search.exclude that are switched on. */
  excludeGlobs: readonly string[];
  /** Honour .gitignore files and git's global excludes. Default true. */
  useGitignore: boolean;
  /** Files larger than this are skipped as `too-large`. Default 5 MiB of text; 50 MiB for PDF and DOCX. */
  maxFileBytes: number;
}

export type CrawlEvent = { type: 'file'; file: SourceFile } | { type: 'skipped'; skipped: SkippedFile };

/** A file cut into passages. Links are as written; `resolveLinks` fills `path` once all paths are known. */
export interface ReadFile {
  file: SourceFile;
  /** sha256 (hex) of the file's bytes. */
  hash: string;
  language: string;
  passages: Passage[];
  /** Number of non-blank lines; every one is covered by a passage. */
  nonBlankLines: number;
  /** Set when a parser failed and text blocks were made instead. */
  fallback?: string;
}

/** Port: from folders to passages. Implemented in reading/. */
export interface PassageSource {
  /** Walks all roots; most useful first is the caller's business. Never throws for one file: it becomes a skip. */
  crawl(signal?: AbortSignal): AsyncIterable<CrawlEvent>;
  /** Looks at one path again (after an edit): the file, or why it is left out; undefined when it is gone. */
  stat(uri: string): Promise<CrawlEvent | undefined>;
  /**
   * Reads, decodes, parses, cuts. Returns a skip when the content shows it should be left out (binary, generated,
   * vanished).
   * @param onBegins Told when work on the file begins, which may have to wait for others.
   */
  read(file: SourceFile, signal?: AbortSignal, onBegins?: () => void): Promise<ReadFile | SkippedFile>;
}
