import { fileURLToPath, pathToFileURL } from 'node:url';
import type { IndexCoverage } from '../../model/answer.ts';
import type { FileReport } from '../../model/index-state.ts';
import type { Passage } from '../../model/passage.ts';
import type { SkippedFile, SourceFile } from '../../model/source-file.ts';
import type { Embedder } from '../embedder.ts';
import type { IndexHints } from '../index-service.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { LinkResolver } from '../reading/resolve-links.ts';
import type { IndexStore } from '../store/index-store.ts';
import { refreshTextIndices, refreshVectorIndex } from '../store/table-indices.ts';
import { compact, needsCompaction } from '../store/table-upkeep.ts';
import { ChangeQueue } from './change-queue.ts';
import { EmbeddingRun } from './embedding-run.ts';
import { FileLedger } from './file-ledger.ts';
import { reportOnFiles } from './file-report.ts';
import { importPassages } from './import-passages.ts';
import type { IndexProgress } from './index-progress.ts';
import { resolverOver } from './link-resolution.ts';
import { PassageWriter } from './passage-writer.ts';
import type { PauseGate } from './pause-gate.ts';
import { refreshLinks } from './refresh-links.ts';
import { SerialQueue } from './serial-queue.ts';
import { FileUpdater } from './update-files.ts';
import { mostUsefulFirst } from './usefulness.ts';
import { storedVectors, type VectorDonor } from './vector-reuse.ts';

export interface IndexBuildOptions {
  store: IndexStore;
  embedder: Embedder;
  source: FolderPassageSource;
  donors: readonly VectorDonor[];
  gate: PauseGate;
  progress: IndexProgress;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Milliseconds since the epoch. */
  wallClock: () => number;
  checkOwnership(): Promise<void>;
}

/** One build of the index and everything that keeps it in step with the folders. */
export class IndexBuild {
  private readonly options: IndexBuildOptions;
  private readonly ledger: FileLedger;
  private readonly writes = new SerialQueue();
  private readonly embedding: EmbeddingRun;
  private readonly writer: PassageWriter;
  private readonly updater: FileUpdater;
  private readonly changes: ChangeQueue;
  /** Long readings of the table and its compaction, which removes old files, keep out of each other's way. */
  private readonly longReads = new SerialQueue();
  private resolver: LinkResolver;
  /** What the last crawl left out, by path. */
  private leftOut = new Map<string, SkippedFile>();
  /** False until the folders were walked, or something else took their place. */
  private leftOutKnown = false;
  private imported = 0;
  /** Hash of the paths that all links were resolved against; '' or undefined when some were not. */
  private linksResolvedFor: string | undefined;

  static async open(options: IndexBuildOptions): Promise<IndexBuild> {
    const ledger = await FileLedger.load(options.store);
    const [pending, embedded, kept] = await Promise.all([
      options.store.passages.pending(), options.store.passages.countEmbedded(), options.store.kept.count(),
    ]);
    await options.store.passages.chooseVectorWrites(pending.length);
    const resolver = await resolverOver(ledger.indexedPaths());
    const build = new IndexBuild(options, ledger, resolver, embedded + kept > 0 || options.donors.length > 0);
    build.embedding.add(pending);
    build.linksResolvedFor = await options.store.meta.get('links');
    build.imported = embedded + pending.length - ledger.counts.passages;
    return build;
  }

  private constructor(options: IndexBuildOptions, ledger: FileLedger, resolver: LinkResolver, vectorsExist: boolean) {
    const { store, embedder, gate, progress, now } = options;
    this.options = options;
    this.ledger = ledger;
    this.resolver = resolver;
    this.embedding = new EmbeddingRun({
      passages: store.passages, embedder, writes: this.writes, gate, now,
      onProgress: (embedded) => {
        this.writer.vectorsAppeared();
        progress.vectorsMade(embedded);
      },
    });
    this.writer = new PassageWriter(
      {
        store, ledger, embedding: this.embedding, writes: this.writes,
        donors: [storedVectors(store), ...options.donors],
        resolver: () => this.resolver,
        checkOwnership: () => options.checkOwnership(),
        afterWrite: async () => void (await refreshTextIndices(store.passages.table, false)),
      },
      vectorsExist,
    );
    this.updater = new FileUpdater({
      source: options.source, ledger, writer: this.writer, gate, now, onProgress: (done, total) => progress.filesRead(done, total),
    });
    this.changes = new ChangeQueue((uris) => this.applyChanges(uris));
  }

  get store(): IndexStore {
    return this.options.store;
  }

  /** Inferences since this build was opened. */
  get inferences(): number {
    return this.embedding.inferences;
  }

  get pendingVectors(): number {
    return this.embedding.pending;
  }

  coverage(): IndexCoverage {
    const { files, passages } = this.ledger.counts;
    const all = passages + this.imported;
    return { files, passages: all, embedded: Math.max(0, all - this.embedding.pending), indexing: false };
  }

  /** What gave passages, and what gave none and why: the crawl's reasons and the readers'. */
  report(): FileReport {
    return reportOnFiles(this.ledger.all(), { leftOut: this.leftOut.values(), complete: this.leftOutKnown });
  }

  /** Text rows of all files as they are now. Words are searchable while it goes on; `embed` follows. */
  async readFolders(hints: IndexHints | undefined, signal?: AbortSignal): Promise<void> {
    const { source, progress, wallClock } = this.options;
    progress.setPhase('reading');
    const openUris = new Set((hints?.openUris ?? []).filter((uri) => uri.startsWith('file:')).map(sameUri));
    await this.readFirst(openUris, signal);

    const files: SourceFile[] = [];
    const leftOut = new Map<string, SkippedFile>();
    for await (const event of source.crawl(signal)) {
      if (event.type === 'file') files.push(event.file);
      else leftOut.set(event.skipped.path, event.skipped);
    }
    this.leftOut = leftOut;
    this.leftOutKnown = true;
    const present = new Set(files.map((file) => file.uri));
    // Files that turn out to hold nothing are among these; refreshLinks takes the links to them back.
    this.resolver = await resolverOver(files.filter((file) => this.mayHoldText(file)).map((file) => file.path));
    if (files.some((file) => this.mayHoldText(file) && this.ledger.get(file.uri)?.skip !== undefined) || files.some((file) => !this.ledger.get(file.uri))) await this.linksAreGuesses();
    const toRead = mostUsefulFirst(files.filter((file) => this.isStale(file)), openUris, wallClock());
    await this.updater.readAndWrite(toRead, { urgent: false, pausable: true }, signal);
    // Removed last: a file that moved finds its vectors under its old name.
    await this.updater.remove([...this.ledger.uris()].filter((uri) => !present.has(uri)));
    this.imported = 0;
    await this.refreshLinks(signal);
    await this.writes.run(() => refreshTextIndices(this.store.passages.table, true));
  }

  /** What is open in an editor is read before the folders are walked. */
  private async readFirst(openUris: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    const files: SourceFile[] = [];
    for (const uri of openUris) {
      const event = await this.options.source.stat(uri);
      if (event?.type === 'file' && this.isStale(event.file)) files.push(event.file);
    }
    if (files.length > 0) await this.updater.readAndWrite(files, { urgent: true, pausable: true }, signal);
  }

  /** False for a file that was found to hold nothing and has not changed. */
  private mayHoldText(file: SourceFile): boolean {
    return !this.ledger.get(file.uri)?.skip || this.isStale(file);
  }

  private isStale(file: SourceFile): boolean {
    const record = this.ledger.get(file.uri);
    return !record || record.size !== file.size || record.mtimeMs !== file.mtimeMs || record.path !== file.path || record.rootUri !== file.rootUri;
  }

  /** Files or folders that changed; resolves when their words are searchable. */
  filesChanged(uris: readonly string[]): Promise<void> {
    return this.changes.add(uris.filter((uri) => uri.startsWith('file:')).map(sameUri));
  }

  private async applyChanges(uris: readonly string[]): Promise<void> {
    const { source } = this.options;
    const files = new Map<string, SourceFile>();
    const gone = new Set<string>();
    for (const uri of uris) {
      const event = await source.stat(uri);
      const below = this.ledger.urisAtOrBelow(uri);
      if (event?.type === 'file') {
        files.set(uri, event.file);
        for (const known of below) if (known !== uri) gone.add(known); // was a folder
        continue;
      }
      const found = new Set<string>();
      // Left out as a whole, gone, or a folder: what lies below says which.
      if (event === undefined) {
        for await (const inside of source.crawl(undefined, uri)) {
          if (inside.type !== 'file') continue;
          files.set(inside.file.uri, inside.file);
          found.add(inside.file.uri);
        }
      } else this.leftOut.set(event.skipped.path, event.skipped);
      for (const known of below) if (!found.has(known)) gone.add(known);
    }
    const changed = [...files.values()].filter((file) => this.isStale(file));
    for (const file of changed) {
      this.leftOut.delete(file.path);
      if (this.ledger.get(file.uri) && !this.ledger.get(file.uri)?.skip) continue;
      this.resolver.add(file.path); // a first guess; refreshLinks makes it what a fresh build would say
      await this.linksAreGuesses();
    }
    await this.updater.readAndWrite(changed, { urgent: true, pausable: false });
    await this.updater.remove([...gone].filter((uri) => !files.has(uri)));
  }

  /** Resolves when no change is being worked on. */
  changesSettled(): Promise<void> {
    return this.changes.settled();
  }

  /** Noted before rows are written whose links were resolved against files that may turn out to hold nothing. */
  private async linksAreGuesses(): Promise<void> {
    if (this.linksResolvedFor === '') return;
    await this.writes.run(() => this.store.meta.set('links', ''));
    this.linksResolvedFor = '';
  }

  /** Brings links up to date when the set of files has changed since they were resolved. */
  async refreshLinks(signal?: AbortSignal): Promise<void> {
    const paths = this.ledger.pathSetHash();
    if (paths === this.linksResolvedFor) return;
    const resolver = await resolverOver(this.ledger.indexedPaths());
    this.resolver = resolver;
    await this.options.checkOwnership();
    await this.longReads.run(() => refreshLinks(this.store.passages, this.writes, resolver, signal));
    // Only if nothing came or went meanwhile are they all right now.
    if (this.ledger.pathSetHash() !== paths) return;
    await this.writes.run(() => this.store.meta.set('links', paths));
    this.linksResolvedFor = paths;
  }

  /** Vectors for all passages that have none. */
  async embed(signal?: AbortSignal): Promise<void> {
    if (this.embedding.pending > 0 || this.embedding.active) {
      this.options.progress.vectorsToMake(this.embedding.pending);
      this.options.progress.setPhase('embedding');
      await this.embedding.drain(signal);
    }
    await this.writes.run(async () => refreshVectorIndex(this.store.passages.table, await this.store.passages.countEmbedded()));
  }

  /** Makes these passages all there is. */
  async importPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<void> {
    this.options.progress.setPhase('reading');
    await this.options.checkOwnership();
    const changed = await importPassages({ store: this.store, donors: [storedVectors(this.store), ...this.options.donors], writes: this.writes }, passages, signal);
    for (const uri of this.ledger.uris()) this.ledger.delete(uri);
    this.ledger.addRowsOf(passages.map((passage) => passage.uri));
    this.leftOut.clear();
    this.leftOutKnown = true;
    this.imported = passages.length;
    this.embedding.remove(changed.removed);
    this.embedding.add(changed.pending);
    await this.writes.run(() => refreshTextIndices(this.store.passages.table, true));
  }

  /** Compacts when it is worth it. Nothing is written meanwhile; searches go on. */
  async upkeep(): Promise<void> {
    const { table } = this.store.passages;
    if (!(await needsCompaction(table))) return;
    await this.longReads.run(() =>
      this.writes.run(async () => {
        await compact(table, this.options.wallClock());
        await this.store.files.optimize(this.options.wallClock());
        await this.store.meta.optimize(this.options.wallClock());
        await this.store.kept.trim();
        await this.store.passages.chooseVectorWrites(this.embedding.pending);
      }),
    );
  }

  /** Reads every row and checks it. Throws IndexDamagedError. */
  async verify(signal?: AbortSignal): Promise<void> {
    await this.longReads.run(async () => {
      for await (const rows of this.store.passages.scan(true)) {
        signal?.throwIfAborted();
        if (rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await this.store.index.textSearch('the', { limit: 1 });
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.writes.settled();
  }
}

/** A `file:` URI as the crawler writes it: editors encode some characters differently, and folders may end in a slash. */
function sameUri(uri: string): string {
  return pathToFileURL(fileURLToPath(uri)).href.replace(/\/+$/, '');
}
