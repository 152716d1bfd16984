import type { FileReport, IndexCoverage } from '../domain/index-state.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { IndexConfig } from './index-service.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import { createIndexLayout, generationPrefix, type IndexLayout } from '../store/index-layout.ts';
import { openStore, openVectors, type IndexStore, type VectorTables } from '../store/index-store.ts';
import { connectLance } from '../store/lance-connection.ts';
import { noteRoots, refusingIndex, rootsConflict } from '../store/index-roots.ts';
import { IndexDamagedError, OtherEmbedderError, type OtherRootsError } from '../store/storage-errors.ts';
import { chooseGeneration, nextGeneration } from './generations.ts';
import { filesPerRoot } from './emptied-roots.ts';
import { reportOnFiles } from './file-ledger.ts';
import { FollowedFiles } from './followed-files.ts';
import { IndexBuild } from './index-build.ts';
import type { SessionPorts } from './index-session.ts';
import type { PauseGate } from './pause-gate.ts';
import { ReadingNotes } from './reading-notes.ts';
import { EarlierBuild } from './vector-reuse.ts';

export interface SessionBuildsOptions {
  config: IndexConfig;
  ports: SessionPorts;
  embedder: Embedder;
  source: FolderPassageSource;
  gate: PauseGate;
  checkOwnership(): Promise<void>;
}

const NOTHING: IndexCoverage = { files: 0, passages: 0, embedded: 0, indexing: false };

/** The builds of one index: the one that is written, the one that answers meanwhile, and how they change places. */
export class SessionBuilds {
  readonly layout: IndexLayout;
  private readonly options: SessionBuildsOptions;
  private writing: IndexBuild | undefined;
  /** An earlier build that answers until the written one is complete, or what a reading window reads. */
  private answering: IndexStore | undefined;
  private answeringCoverage: IndexCoverage = NOTHING;
  /** Builds whose vectors may be taken over. */
  private donors: EarlierBuild[] = [];
  /** Set while what lies there was made for other folders: it does not answer, and only a rebuild takes its place. */
  private conflict: OtherRootsError | undefined;
  /** What was being read when a process ended that should not have. */
  private readonly readingNotes: ReadingNotes;
  private readonly followedFiles = new FollowedFiles(() => this.answering);

  constructor(options: SessionBuildsOptions) {
    this.options = options;
    this.layout = createIndexLayout(options.config.indexUri, options.config.storageOptions);
    this.readingNotes = new ReadingNotes(this.layout.lockFile, (message) => options.ports.log('warn', message));
  }

  private get openTables(): typeof openStore {
    return this.options.ports.openStore ?? openStore;
  }

  /** What is written to; undefined while this window only reads. */
  get build(): IndexBuild | undefined {
    return this.writing;
  }

  /** True while an earlier build answers for the one that is written. */
  get growsBeside(): boolean {
    return this.writing !== undefined && this.answering !== undefined;
  }

  /** Why what lies there is of no use for these folders; undefined when it is. */
  get otherRoots(): OtherRootsError | undefined {
    return this.conflict;
  }

  /** Notes that what is written is of these folders from now on. @throws OtherRootsError when it is of others */
  async claimRoots(): Promise<void> {
    if (this.conflict) throw this.conflict;
    if (this.writing) await noteRoots(this.writing.store, this.options.config.roots);
  }

  /** Opens what is there for writing. A damaged build is set aside and begun anew; then true is returned. */
  async openForWriting(): Promise<{ wasDamaged: boolean }> {
    this.conflict = undefined;
    for (const uri of this.readingNotes.load())
      this.options.ports.log('warn', `the process before this one ended while it read ${uri}, which is read last now`);
    const choice = await chooseGeneration(this.layout, this.options.embedder.id);
    for (const name of choice.leftovers) await this.layout.remove(name);
    if (choice.answering) await this.answerFrom(choice.answering);
    try {
      await this.openBuild(choice.writing);
      return { wasDamaged: false };
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error;
      await this.replaceDamaged(error, choice.writing);
      return { wasDamaged: true };
    }
  }

  private async openBuild(name: string): Promise<void> {
    const { embedder, source, gate, ports } = this.options;
    const generation = await this.layout.open(name, { following: false });
    const store = await this.openTables(generation, {
      dimensions: embedder.dimensions,
      writable: true,
      now: () => ports.wallClock(),
      coverage: () => Promise.resolve(this.coverage()),
    });
    if (!store) throw new IndexDamagedError(`the build ${name} could not be opened`);
    if ((await store.passages.count()) === 0) await noteRoots(store, this.options.config.roots);
    else this.conflict ??= await rootsConflict(store, this.options.config.roots);
    this.writing = await IndexBuild.open({
      store,
      embedder,
      source,
      gate,
      roots: this.options.config.roots,
      readingNotes: this.readingNotes,
      donors: this.donors,
      progress: ports.progress,
      now: () => ports.clock.now(),
      wallClock: () => ports.wallClock(),
      checkOwnership: () => this.options.checkOwnership(),
    });
    if (!this.answering) await this.switchToBuild();
  }

  /** An earlier build answers; one that cannot be read is passed over. */
  private async answerFrom(name: string): Promise<void> {
    const { ports, embedder } = this.options;
    try {
      const generation = await this.layout.open(name, { following: false });
      const store = await this.openTables(generation, {
        dimensions: embedder.dimensions,
        writable: false,
        now: () => ports.wallClock(),
        coverage: () => Promise.resolve(this.coverage()),
      });
      if (!store) return;
      await store.index.textSearch('a', { limit: 1 });
      this.conflict = await rootsConflict(store, this.options.config.roots);
      this.answeringCoverage = {
        files: await store.files.count(),
        passages: await store.passages.count(),
        embedded: await store.passages.countEmbedded(),
        indexing: true,
      };
      this.answering = store;
      ports.index.switchTo({ index: this.answersOf(store), vectorsComparable: this.sameModel(name) });
      if (this.sameModel(name)) this.donors = [this.earlierBuild(store)];
    } catch (error) {
      ports.log('warn', `the earlier build ${name} does not answer: ${String(error)}`);
    }
  }

  /**
   * How many files the build that is to be replaced holds of each root; undefined where none is, or where that cannot
   * be told.
   */
  async filesBefore(): Promise<Map<string, number> | undefined> {
    if (!this.writing || !this.answering) return undefined;
    try {
      return filesPerRoot(await this.answering.files.all());
    } catch (error) {
      this.options.ports.log('warn', `the list of files of the earlier build cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  private answersOf(store: IndexStore): PassageIndex {
    return this.conflict ? refusingIndex(this.conflict) : store.index;
  }

  private sameModel(generation: string): boolean {
    return generation.split('-')[1] === generationPrefix(this.options.embedder.id).split('-')[1];
  }

  private earlierBuild(store: VectorTables): EarlierBuild {
    return new EarlierBuild(store, (error) =>
      this.options.ports.log('warn', `vectors of the earlier build are not used: ${String(error)}`),
    );
  }

  /** The written build answers from now on; all others are removed. */
  private async switchToBuild(): Promise<void> {
    if (!this.writing) return;
    const { store } = this.writing;
    await this.layout.setCurrent(store.generation.name);
    this.options.ports.index.switchTo({ index: this.answersOf(store), vectorsComparable: true });
    const { answering } = this;
    this.answering = undefined;
    if (answering && !this.donors.some((donor) => donor.store === answering)) answering.close();
    for (const name of await this.layout.list()) if (name !== store.generation.name) await this.layout.remove(name);
  }

  /** To be called when the written build is complete: it answers from now on, and nothing is taken over any more. */
  async completed(): Promise<void> {
    for (const donor of this.donors) donor.retire();
    if (this.growsBeside) {
      await this.options.checkOwnership();
      await this.switchToBuild();
    }
    for (const { store } of this.donors) store.close();
    this.donors = [];
  }

  /** Begins a new build beside the one that answers; vectors are taken over from that. */
  async beginRebuild(): Promise<void> {
    const { writing } = this;
    if (!writing) return;
    await this.options.checkOwnership();
    await writing.changesSettled();
    await writing.settled();
    const { answering, donors, conflict } = this;
    const coverage = writing.coverage();
    if (!answering) this.answeringCoverage = coverage;
    this.answering ??= writing.store;
    this.donors = [this.earlierBuild(writing.store)];
    this.conflict = undefined; // what answers goes on refusing until the new build takes its place
    try {
      await this.openBuild(await nextGeneration(this.layout, this.options.embedder.id));
    } catch (error) {
      this.writing = writing;
      this.answering = answering;
      this.donors = donors;
      this.conflict = conflict;
      throw error;
    }
  }

  /** Sets a damaged build aside and begins a new one in its place. */
  async replaceDamaged(error: IndexDamagedError, name = this.writing?.store.generation.name): Promise<void> {
    const { ports, embedder } = this.options;
    ports.log('error', error.message);
    const next = await nextGeneration(this.layout, embedder.id);
    this.writing?.store.close();
    this.writing = undefined;
    const aside = name === undefined ? undefined : await this.layout.setAside(name);
    if (aside !== undefined) {
      ports.log('info', `the damaged index lies in ${aside}`);
      await this.salvageVectors(aside);
    }
    await this.openBuild(next);
  }

  /** Vectors of a damaged build that pass their checksums need not be made again, as far as it can be read. */
  private async salvageVectors(place: string): Promise<void> {
    const { embedder, ports } = this.options;
    try {
      const connection = await connectLance(place, { following: false });
      const vectors = await openVectors({ name: 'damaged', connection, tablePrefix: '' }, embedder.dimensions, () =>
        ports.wallClock(),
      );
      if (vectors) this.donors = [this.earlierBuild(vectors)];
    } catch (error) {
      ports.log('info', `nothing of the damaged index can be used: ${String(error)}`);
    }
  }

  /** Reads what another window writes, or its successor when that has changed. False when there is nothing yet. */
  async follow(): Promise<boolean> {
    try {
      return await this.followCurrent();
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error;
      // It may have been removed under the question, after its successor had taken its place.
      return this.followCurrent();
    }
  }

  private async followCurrent(): Promise<boolean> {
    const { config, embedder, ports } = this.options;
    const name = await this.layout.current();
    if (name === undefined) return false;
    if (this.answering?.generation.name !== name) {
      const generation = await this.layout.open(name, { following: true });
      const store = await this.openTables(generation, {
        dimensions: embedder.dimensions,
        writable: false,
        now: () => ports.wallClock(),
      });
      if (!store) return false;
      this.conflict = await rootsConflict(store, config.roots);
      const before = this.answering;
      this.answering = store;
      ports.index.switchTo({
        index: this.answersOf(store),
        vectorsComparable: this.sameModel(name),
        ...(config.follow ? { refusal: () => new OtherEmbedderError(embedder.id) } : {}),
      });
      before?.close();
    }
    this.answeringCoverage = (await this.answering?.index.coverage()) ?? NOTHING;
    return true;
  }

  /** Gives up writing: the table is somebody else's now. */
  stopWriting(): void {
    this.writing?.store.close();
    this.writing = undefined;
  }

  /** Gives up reading, before becoming the writer. */
  stopFollowing(): void {
    this.options.ports.index.switchTo(undefined);
    this.answering?.close();
    this.answering = undefined;
  }

  /** Of what answers. */
  coverage(): IndexCoverage {
    const indexing = ['reading', 'embedding'].includes(this.options.ports.progress.currentPhase);
    if (!this.writing || this.answering)
      return { ...this.answeringCoverage, indexing: indexing || this.answeringCoverage.indexing };
    return { ...this.writing.coverage(), indexing };
  }

  /** Of what is written, or else of what is followed: that knows only of the files that were read. */
  async report(): Promise<FileReport> {
    return this.writing?.report() ?? reportOnFiles(await this.followedFiles.all(), { leftOut: [], complete: false });
  }

  close(): void {
    for (const store of new Set([this.writing?.store, this.answering, ...this.donors.map((donor) => donor.store)]))
      store?.close();
  }
}
