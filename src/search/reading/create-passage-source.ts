import { homedir } from 'node:os';
import type { SkippedFile, SourceFile } from '../domain/source-file.ts';
import type { ReadFile, ReadingOptions } from './passage-source.ts';
import { CodeParser } from './code/code-parser.ts';
import { Crawler, type WalkEvent } from './crawl/crawler.ts';
import type { GitHome } from './crawl/git-excludes.ts';
import { nodeFileSystem, type FileSystem } from './file-system.ts';
import { readSourceFile } from './read-file.ts';

/**
 * Port: what reads one file. The index process has it done by a process of its own, which can be ended; tests and
 * programs read where they are.
 */
export interface FileReader {
  /** As FolderPassageSource.read. */
  read(
    file: SourceFile,
    maxFileBytes: number,
    signal?: AbortSignal,
    onBegins?: () => void,
  ): Promise<ReadFile | SkippedFile>;
  close(): void;
}

/** What reading in the calling process takes. */
interface ReadingHere {
  /** See ReadingOptions.encoding. */
  encoding?: string;
  /** Tokens of a text as the embedding model counts them, special tokens included. */
  countTokens(text: string): number;
  /**
   * Folder with the grammars and `tree-sitter.wasm`, or the repository's root (then they are found in node_modules).
   */
  wasmDir: string;
  /** Told once about a grammar that does not load. */
  log?(message: string): void;
  /** What parses programs; one for all languages when undefined. */
  code?: CodeParser;
}

/** What reading is given by the composition root: something that reads, or what it takes to read here. */
export type PassageSourceDependencies = ({ reader: FileReader } | ReadingHere) & {
  /** The disk; the real one when undefined. */
  files?: FileSystem;
  /** Where git's own settings lie; the user's home when undefined. */
  gitHome?: GitHome;
};

/** Port: from folders to passages. */
export interface FolderPassageSource {
  /** Walks all roots, or what lies below one folder (`file:` URI) of them. Never throws for one file: it is a skip. */
  crawl(signal?: AbortSignal, below?: string): AsyncIterable<WalkEvent>;
  /** Looks at one path again (after an edit): the file, or why it is left out; undefined when it is gone. */
  stat(uri: string): Promise<WalkEvent | undefined>;
  /**
   * Reads, decodes, parses, cuts. Returns a skip when the content shows it should be left out (binary, generated,
   * vanished).
   * @param onBegins Told when work on the file begins, which may have to wait for others.
   */
  read(file: SourceFile, signal?: AbortSignal, onBegins?: () => void): Promise<ReadFile | SkippedFile>;
  /** A `file:` URI's path as people see it; undefined outside of all roots. */
  shownPath(uri: string): string | undefined;
  /** Frees the parsers. */
  close(): void;
}

/** Makes the reading side: crawl, decode, parse, cut. */
export function createPassageSource(options: ReadingOptions, deps: PassageSourceDependencies): FolderPassageSource {
  const files = deps.files ?? nodeFileSystem;
  const crawler = new Crawler(
    options,
    files,
    deps.gitHome ?? { home: homedir(), configHome: process.env.XDG_CONFIG_HOME || undefined },
  );
  const reader = 'reader' in deps ? deps.reader : readerHere(files, { encoding: options.encoding, ...deps });
  return {
    crawl: (signal, below) => crawler.crawl(signal, below),
    stat: (uri) => crawler.stat(uri),
    shownPath: (uri) => crawler.shownPath(uri),
    read: (file, signal, onBegins) => reader.read(file, options.maxFileBytes, signal, onBegins),
    close: () => reader.close(),
  };
}

/** Reads in the calling process, which a hostile file may hold up. */
export function readerHere(files: FileSystem, deps: ReadingHere): FileReader {
  const code = deps.code ?? new CodeParser(deps.wasmDir, (message) => deps.log?.(message));
  return {
    read: (file, maxFileBytes, signal, onBegins) => {
      onBegins?.();
      const countTokens = (text: string): number => deps.countTokens(text);
      return readSourceFile(file, { files, code, countTokens, maxFileBytes, encoding: deps.encoding }, signal);
    },
    close: () => undefined,
  };
}
