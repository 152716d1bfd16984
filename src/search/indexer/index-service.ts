import type { FileReport, IndexReport, IndexState } from '../domain/index-state.ts';
import type { Passage } from '../domain/passage.ts';
import type { WorkspaceRoot } from '../domain/source-file.ts';

/** Which embedding model to use. */
export type EmbedderChoice =
  | { kind: 'bundled' }
  | { kind: 'folder'; path: string } // an ONNX model in transformers.js layout
  | { kind: 'endpoint'; baseUrl: string; model: string; apiKey?: string };

/** How to open an index. */
export interface IndexConfig {
  roots: readonly WorkspaceRoot[];
  /** Folder path, `s3://…`, `gs://…`, `az://…` or `db://…`. */
  indexUri: string;
  /** Options for remote storage (region, keys), never from a workspace's settings. */
  storageOptions?: Record<string, string>;
  embedder: EmbedderChoice;
  excludeGlobs: readonly string[];
  useGitignore: boolean;
  maxFileBytes: number;
  /**
   * Only follows what another process writes: never takes the writer's lock, changes nothing, and answers from
   * whichever build is current. Where that was made with another embedding model, a search by meaning rejects with
   * OtherEmbedderError. The settings of reading (excludes, gitignore, size) are the writer's.
   */
  follow?: true;
  /**
   * Take the writer's lock when the index is opened, whoever holds it: a person says that its owner is gone. One that
   * lives after all notices at its next sign of life or write, and only reads from then on.
   */
  takeOver?: true;
}

/** Files to read first. */
export interface IndexHints {
  openUris: readonly string[];
}

/** How to bring an index up to date. */
export interface UpdateOptions {
  /** Write everything anew, beside what answers meanwhile. */
  rebuild?: boolean;
  /**
   * Folders that are empty or gone are meant to be: what the index knows of them goes. Without it that is kept, and the
   * update rejects.
   */
  emptied?: boolean;
  hints?: IndexHints;
}

/** Port: the writing side, as the engine sees it. Lives in the index process. */
export interface IndexService {
  /** Opens (or makes) the index and takes the writer's lock if it is free. */
  open(config: IndexConfig): Promise<IndexState>;
  /**
   * Brings the index up to date with the folders; resolves when text and vectors are done. Safe to call again at any
   * time. Where another process writes, it only reports what there is, and a rebuild rejects with NotTheWriterError.
   */
  update(options: UpdateOptions, signal?: AbortSignal): Promise<IndexReport>;
  /** Files or folders that changed, appeared or vanished; resolves when they are searchable by words. */
  filesChanged(uris: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Makes these passages the whole content of the index (no files behind them): for evaluation sets. */
  importPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<IndexReport>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  state(): Promise<IndexState>;
  /** What became of each file, as of the last update; where another process writes, as the index has it. */
  report(): Promise<FileReport>;
  passagesOf(path: string): Promise<Passage[]>;
  close(): Promise<void>;
}
