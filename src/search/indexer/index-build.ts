import type { FileReport, IndexCoverage } from '../domain/index-state.ts';
import type { Passage } from '../domain/passage.ts';
import { addTo, type HoptrailError, SerialQueue, slicesOf } from '#base';
import type { SourceFile, WorkspaceRoot } from '../domain/source-file.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import type { WalkEvent } from '../reading/crawl/crawler.ts';
import type { LinkResolver } from '../reading/resolve-links.ts';
import { contentHashOf } from '../reading/passage-identity.ts';
import type { IndexStore } from '../store/index-store.ts';
import { tidy } from '../store/lance-connection.ts';
import { needsCompaction, refreshTextIndices, refreshVectorIndex } from '../store/table-upkeep.ts';
import { FileLedger, LeftOutFiles, reportOnFiles } from './file-ledger.ts';
import { ChangeQueue } from './change-queue.ts';
import { EmbeddingRun } from './embedding-run.ts';
import {
  forgetUnread,
  holdsNoFile,
  keepEmptiedRoots,
  type ReadFoldersOptions,
  foldersOfIgnoreFiles,
  gather,
  lyingAtOrBelow,
  mostUsefulFirst,
  outermost,
  sameUri,
  vanished,
} from './walked-files.ts';
import { storedVectors, type VectorDonor } from './vector-reuse.ts';
import type { IndexProgress } from './index-progress.ts';
import { refreshLinks, resolverOver } from './refresh-links.ts';
import { BuildNotes, LeasedWrites } from './leased-writes.ts';
import { PassageWriter } from './passage-writer.ts';
import type { PauseGate } from './pace.ts';
import type { ReadingNotes } from './reading-notes.ts';
import { FILES_PER_BATCH, FileUpdater, isAsRecorded } from './update-files.ts';

interface IndexBuildOptions {
  store: IndexStore;
  embedder: Embedder;
  source: FolderPassageSource;
  roots: readonly WorkspaceRoot[];
  donors: readonly VectorDonor[];
  gate: PauseGate;
  readingNotes: ReadingNotes;
  progress: IndexProgress;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Milliseconds since the epoch. */
  wallClock: () => number;
  /** Which build of this program runs. */
  program: string;
  /** Throws NotTheWriterError when the index is another window's to write by now. */
  checkLease(): Promise<void>;
}

/** Linked files that are brought forward at most: a table of contents names all there are. */
const MOST_LINKED = 200;

/** One build of the index and everything that keeps it in step with the folders. */
export class IndexBuild {
  readonly #options: IndexBuildOptions;
  readonly #ledger: FileLedger;
  readonly #writes: LeasedWrites;
  readonly #embedding: EmbeddingRun;
  readonly #writer: PassageWriter;
  readonly #updater: FileUpdater;
  readonly #changes: ChangeQueue;
  /** Ends the work on changes. */
  readonly #closing = new AbortController();
  /** Long readings of the table and its compaction, which removes old files, keep out of each other's way. */
  readonly #longReads = new SerialQueue();
  #resolver: LinkResolver;
  readonly #leftOut = new LeftOutFiles();
  /** Why nothing is known of some workspace folders since the last walk. */
  #unreadRoots: HoptrailError[] = [];
  /** What was opened since the folders were last read, or while they are: it may have no passages yet. */
  readonly #shown = new Set<string>();
  /** How often an ignore file has changed: what was walked before may be left out by now. */
  #rulesChanged = 0;
  #imported = 0;
  /** `links` is '' or undefined while some links are not resolved against the files that there are. */
  readonly #notes: BuildNotes;

  static async open(options: IndexBuildOptions): Promise<IndexBuild> {
    const ledger = await FileLedger.load(options.store);
    const [pending, embedded, kept] = await Promise.all([
      options.store.passages.pending(),
      options.store.passages.countEmbedded(),
      options.store.kept.count(),
    ]);
    await options.store.passages.chooseVectorWrites(pending.length);
    const resolver = await resolverOver(ledger.indexedPaths());
    const build = new IndexBuild(options, ledger, resolver, embedded + kept > 0 || options.donors.length > 0);
    build.#embedding.add(pending);
    await build.#notes.load(['links', 'words-only', 'program']);
    build.#imported = embedded + pending.length - ledger.counts.passages;
    return build;
  }

  private constructor(options: IndexBuildOptions, ledger: FileLedger, resolver: LinkResolver, vectorsExist: boolean) {
    const { store, embedder, gate, progress, now } = options;
    this.#options = options;
    this.#ledger = ledger;
    this.#resolver = resolver;
    this.#writes = new LeasedWrites(() => options.checkLease());
    this.#notes = new BuildNotes(store.meta, this.#writes);
    this.#embedding = new EmbeddingRun({
      passages: store.passages,
      embedder,
      writes: this.#writes,
      gate,
      now,
      onProgress: (embedded) => {
        this.#writer.vectorsAppeared();
        progress.vectorsMade(embedded);
      },
    });
    this.#writer = new PassageWriter(
      {
        store,
        ledger,
        embedding: this.#embedding,
        writes: this.#writes,
        donors: [storedVectors(store), ...options.donors],
        resolver: () => this.#resolver,
        afterWrite: async () => void (await refreshTextIndices(store.passages.table, false)),
      },
      vectorsExist,
    );
    this.#updater = new FileUpdater({
      source: options.source,
      ledger,
      writer: this.#writer,
      gate,
      notes: options.readingNotes,
      now,
      onProgress: (done, total) => progress.filesRead(done, total),
    });
    this.#changes = new ChangeQueue((uris) => this.#applyChanges(uris));
  }

  get store(): IndexStore {
    return this.#options.store;
  }

  /** Inferences since this build was opened. */
  get inferences(): number {
    return this.#embedding.inferences;
  }

  coverage(): IndexCoverage {
    const { files, passages } = this.#ledger.counts;
    const all = passages + this.#imported;
    return {
      files,
      passages: all,
      embedded: Math.max(0, all - this.#embedding.pending - this.#embedding.refused),
      indexing: false,
    };
  }

  /** What gave passages, and what gave none and why: the crawl's reasons and the readers'. */
  report(): FileReport {
    return reportOnFiles(this.#ledger.all(), {
      leftOut: [...this.#leftOut.all(), ...this.#embedding.leftOut()],
      complete: this.#leftOut.complete,
    });
  }

  /** These passages are asked about: their vectors come first. */
  prefer(passageIds: Iterable<string>): void {
    this.#embedding.prefer(passageIds);
  }

  /** Passages that the embedding model refused. */
  get refusedVectors(): number {
    return this.#embedding.refused;
  }

  /**
   * Text rows of all files as they are now. Words are searchable while it goes on; `embed` follows, then
   * `assertRootsRead`.
   */
  async readFolders({ hints, emptied, before }: ReadFoldersOptions, signal?: AbortSignal): Promise<void> {
    this.#options.progress.setPhase('reading');
    this.#shown.clear();
    const failedBefore = this.#changes.failed;
    const openUris = new Set((hints?.openUris ?? []).filter((uri) => uri.startsWith('file:')).map(sameUri));
    await this.#readFirst(openUris, signal);
    // Once more when the rules have changed meanwhile.
    while (!(await this.#walkAndRead(openUris, { emptied, before }, signal)));
    this.#imported = 0;
    if (this.#unreadRoots.length === 0) this.#changes.forgetFailed(failedBefore);
    await this.#notes.set('program', this.#options.program);
    await this.refreshLinks(signal);
    await this.#writes.run(() => refreshTextIndices(this.store.passages.table, true));
    await this.#inHandFirst([...new Set([...openUris, ...this.#shown])]);
  }

  /** Somebody opens these files now. */
  shown(uris: readonly string[]): Promise<void> {
    const files = uris.filter((uri) => uri.startsWith('file:')).map(sameUri);
    for (const uri of files) this.#shown.add(uri);
    return this.#inHandFirst(files);
  }

  /**
   * Vectors of what somebody has open or has just edited come first, then those of the files that it links to: that is
   * what is asked about next.
   */
  async #inHandFirst(uris: readonly string[]): Promise<void> {
    if (uris.length === 0 || !this.#embedding.hasOrder) return;
    const { passages } = this.store;
    const rows = await passages.rowsOfFiles(uris);
    const linked = new Set(rows.flatMap(({ links }) => links.flatMap((link) => link.path ?? [])));
    const targets = [...this.#ledger.all()].filter(({ path }) => linked.has(path)).slice(0, MOST_LINKED);
    const linkedRows = await passages.rowsOfFiles(targets.map(({ uri }) => uri));
    this.#embedding.bringForward(linkedRows.map(({ id }) => id));
    this.#embedding.prefer(rows.map(({ id }) => id));
  }

  /**
   * Throws UnreadableRootError or EmptiedRootError when the last walk came to know nothing of one of the workspace's
   * folders.
   */
  assertRootsRead(): void {
    const [error] = this.#unreadRoots;
    if (error) throw error;
  }

  /** False when an ignore file changed on the way: then it has ended early, and has removed nothing. */
  async #walkAndRead(
    openUris: ReadonlySet<string>,
    { emptied, before }: ReadFoldersOptions,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { source, roots, wallClock } = this.#options;
    const [rules, began] = [this.#rulesChanged, this.#updater.now()];
    const walked = await gather(source.crawl(signal));
    if (emptied) forgetUnread(walked, roots);
    else await keepEmptiedRoots(walked, { roots, before, records: this.#ledger.all() });
    const { files, leftOut, unseen, unreadRoots } = walked;
    this.#leftOut.walked(leftOut);
    this.#unreadRoots = unreadRoots;
    const known = this.#ledger.uris();
    // Files that turn out to hold nothing are among these; refreshLinks takes the links to them back.
    const keptPaths = [...lyingAtOrBelow(known, unseen)]
      .flatMap((uri) => this.#ledger.get(uri) ?? [])
      .filter((record) => !record.skip)
      .map((record) => record.path);
    const present = [...files.values()];
    this.#resolver = await resolverOver([
      ...present.filter((file) => this.#mayHoldText(file)).map((file) => file.path),
      ...keptPaths,
    ]);
    if (present.some((file) => this.#isNewToLinks(file))) await this.#linksAreGuesses();
    const goOn = (): boolean => rules === this.#rulesChanged;
    const toRead = mostUsefulFirst(
      present.filter((file) => this.#isStale(file)),
      openUris,
      wallClock(),
    );
    await this.#updater.readAndWrite(toRead, { urgent: false, pausable: true, goOn }, signal);
    if (!goOn()) return false;
    // Removed last: a file that moved finds its vectors under its old name.
    await this.#updater.remove(vanished(known, files, unseen), began);
    return true;
  }

  /** What is open in an editor is read before the folders are walked. */
  async #readFirst(openUris: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    const files: SourceFile[] = [];
    for (const uri of openUris) {
      const event = await this.#options.source.stat(uri);
      if (event?.type === 'file' && this.#isStale(event.file)) files.push(event.file);
    }
    if (files.length > 0) await this.#updater.readAndWrite(files, { urgent: true, pausable: true }, signal);
  }

  /** False for a file that was found to hold nothing and has not changed. */
  #mayHoldText(file: SourceFile): boolean {
    return !this.#ledger.get(file.uri)?.skip || this.#isStale(file);
  }

  /** True for a file that had no passages and may get some. */
  #isNewToLinks(file: SourceFile): boolean {
    const record = this.#ledger.get(file.uri);
    return !record || (record.skip !== undefined && this.#isStale(file));
  }

  #isStale(file: SourceFile): boolean {
    const record = this.#ledger.get(file.uri);
    if (!record || record.skip?.reason === 'unreadable' || !isAsRecorded(file, record)) return true;
    // What another version of this program could not read may be read by this one.
    const gaveUp = record.skip?.reason === 'gave-up' || record.fallback !== undefined;
    return gaveUp && this.#notes.get('program') !== this.#options.program;
  }

  /**
   * Files or folders that changed; resolves when their words are searchable. Changes that failed before are tried again
   * with them.
   */
  filesChanged(uris: readonly string[]): Promise<void> {
    return this.#changes.add(uris.filter((uri) => uri.startsWith('file:')).map(sameUri));
  }

  /** True while changes wait for another attempt. */
  get changesFailed(): boolean {
    return this.#changes.failed.length > 0;
  }

  async #applyChanges(uris: readonly string[]): Promise<void> {
    const { source } = this.#options;
    const { signal } = this.#closing;
    const named = new Map<string, SourceFile>();
    const walks = foldersOfIgnoreFiles(uris);
    if (walks.size > 0) this.#rulesChanged += 1;
    const began = this.#updater.now();
    const found: WalkEvent[] = [];
    for (const uri of uris) {
      signal.throwIfAborted();
      const event = await source.stat(uri);
      if (event?.type === 'file') named.set(uri, event.file);
      else if (event) found.push(event);
      else walks.add(uri); // left out as a whole, gone, or a folder: what lies below says which
    }
    for (const folder of outermost(walks)) {
      for await (const event of source.crawl(signal, folder)) found.push(event);
    }
    const walked = await gather(found);
    const { files, leftOut, unseen, unreadRoots } = walked;
    this.#leftOut.lookedAgain(
      [...uris, ...walks].map((uri) => source.shownPath(uri)),
      leftOut,
    );
    // What is named has changed, whatever its time and size say; what is only found on the way is judged by them.
    const changed = [
      ...named.values(),
      ...[...files.values()].filter((file) => !named.has(file.uri) && this.#isStale(file)),
    ];
    for (const [uri, file] of named) files.set(uri, file);
    const known = this.#ledger.atOrBelow([...uris, ...walks]);
    for (const uri of uris) known.add(uri); // or is on its way into the index
    if (vanished(known, files, unseen).some((uri) => this.#ledger.get(uri))) {
      await keepEmptiedRoots(walked, {
        roots: this.#options.roots,
        records: this.#ledger.all(),
        isEmpty: (root) => holdsNoFile(source, root),
      });
    }
    await this.#guessLinksTo(changed);
    await this.#updater.readAndWrite(changed, { urgent: true, pausable: false }, signal);
    await this.#updater.remove(vanished(known, files, unseen), began);
    await this.#inHandFirst(changed.map(({ uri }) => uri));
    const [error] = unreadRoots;
    if (error) throw error;
  }

  /** Links to files that are new here, until refreshLinks makes them what a fresh build would say. */
  async #guessLinksTo(changed: readonly SourceFile[]): Promise<void> {
    for (const file of changed) {
      if (!this.#isNewToLinks(file)) continue;
      this.#resolver.add(file.path);
      await this.#linksAreGuesses();
    }
  }

  /** Resolves when no change is being worked on. */
  changesSettled(): Promise<void> {
    return this.#changes.settled();
  }

  /** As `changesSettled`, as soon as can be: files that are not read yet are left to the next update. */
  async endChanges(reason: Error): Promise<void> {
    this.#closing.abort(reason);
    await this.#changes.settled();
  }

  /**
   * Notes that links have to be resolved again: rows are about to be written whose links may lead to files that
   * turn out to be empty.
   */
  async #linksAreGuesses(): Promise<void> {
    await this.#notes.set('links', '');
  }

  /** Brings links up to date when the set of files has changed since they were resolved. */
  async refreshLinks(signal?: AbortSignal): Promise<void> {
    const paths = this.#ledger.pathSetHash();
    if (paths === this.#notes.get('links')) return;
    const resolver = await resolverOver(this.#ledger.indexedPaths());
    this.#resolver = resolver;
    await this.#options.checkLease();
    await this.#longReads.run(() => refreshLinks(this.store.passages, this.#writes, resolver, signal));
    // Only if nothing came or went meanwhile are they all right now.
    if (this.#ledger.pathSetHash() !== paths) return;
    await this.#notes.set('links', paths);
  }

  /** Vectors for all passages that have none. */
  async embed(signal?: AbortSignal): Promise<void> {
    if (this.#embedding.pending > 0 || this.#embedding.active) {
      this.#options.progress.vectorsToMake(this.#embedding.pending);
      this.#options.progress.setPhase('embedding');
      await this.#embedding.drain(signal);
    }
    // For windows that follow: without it, passages that get no vector would look like an index that is still being
    // built.
    await this.#notes.set('words-only', String(this.#embedding.withoutVector));
    await this.#writes.run(async () =>
      refreshVectorIndex(this.store.passages.table, await this.store.passages.countEmbedded()),
    );
  }

  /**
   * Makes these passages all there is. Content hashes are computed here, because equal ones share a vector and the
   * passages come from elsewhere.
   */
  async importPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<void> {
    this.#options.progress.setPhase('reading');
    const byUri = new Map<string, Passage[]>([...this.#ledger.uris()].map((uri) => [uri, []]));
    for (const passage of new Map(passages.map((each) => [each.id, each])).values())
      addTo(byUri, passage.uri, { ...passage, contentHash: contentHashOf(passage) });
    const changes = [...byUri].map(([uri, of]) => ({ uri, passages: of }));
    // What goes goes last: a passage that moved finds its vector.
    changes.sort((a, b) => Number(b.passages.length > 0) - Number(a.passages.length > 0));
    for (const slice of slicesOf(changes, FILES_PER_BATCH)) {
      signal?.throwIfAborted();
      await this.#writer.write(slice, false);
    }
    this.#leftOut.walked(new Map());
    this.#imported = passages.length;
    await this.#writes.run(() => refreshTextIndices(this.store.passages.table, true));
  }

  /**
   * Compacts when it is worth it. Searches go on, and everything that is to be written waits: LanceDB commits what
   * `optimize` has rewritten at its very end, and gives it all up when a row was updated meanwhile (appends alone would
   * do no harm), so that a compaction beside edits would never end.
   */
  async upkeep(): Promise<void> {
    const { passages, files, meta, kept } = this.store;
    if (!(await needsCompaction(passages.table, this.coverage().passages))) return;
    const now = this.#options.wallClock();
    await this.#longReads.run(() =>
      this.#writes.run(async () => {
        // One table that cannot be tidied does not keep the others from it.
        const failures: Error[] = [];
        const fail = (error: Error): void => void failures.push(error);
        for (const { table } of [passages, files, meta]) await tidy(table, now).catch(fail);
        await kept.trim().catch(fail);
        await passages.chooseVectorWrites(this.#embedding.pending);
        if (failures[0]) throw failures[0];
      }),
    );
  }

  /** Reads every row and checks it. Throws IndexDamagedError. */
  async verify(signal?: AbortSignal): Promise<void> {
    await this.#longReads.run(async () => {
      for await (const rows of this.store.passages.scan(true)) {
        signal?.throwIfAborted();
        if (rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await this.store.index.textSearch('the', { limit: 1 });
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writes.settled();
  }
}
