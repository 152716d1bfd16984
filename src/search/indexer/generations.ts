import type { IndexCoverage } from '../domain/index-state.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import { createIndexLayout, generationCount, generationPrefix, type IndexLayout } from '../store/index-layout.ts';
import { noteRoots, rootsConflict, openStore, openVectors, type IndexStore } from '../store/index-store.ts';
import { connectLance } from '../store/lance-connection.ts';
import { IndexDamagedError, type OtherRootsError } from '../store/storage-errors.ts';
import type { Lease } from '#base';
import { IndexBuild } from './index-build.ts';
import type { IndexConfig } from './index-service.ts';
import type { PauseGate } from './pace.ts';
import { ReadingNotes } from './reading-notes.ts';
import type { ReadGeneration, SessionPorts } from './session-state.ts';
import { refusingIndex } from './switching-index.ts';
import { EarlierBuild } from './vector-reuse.ts';

/** Which generations to use. */
interface GenerationChoice {
  /** Written to. */
  writing: string;
  /** Answers until `writing` is complete; undefined when `writing` answers itself. */
  answering?: string;
  /** Of no use any more. */
  leftovers: string[];
}

export interface GenerationsOptions {
  config: IndexConfig;
  ports: SessionPorts;
  embedder: Embedder;
  source: FolderPassageSource;
  gate: PauseGate;
  /** Of what answers now. */
  coverage(): IndexCoverage;
  /** Throws NotTheWriterError when the lease is somebody else's by now. */
  checkLease(lease: Lease): Promise<void>;
}

/** Opens generations of one index; what becomes of them is not decided here. */
export class Generations {
  readonly layout: IndexLayout;
  readonly #options: GenerationsOptions;
  readonly #prefix: string;
  /** What was being read when a process ended that should not have. */
  readonly #readingNotes: ReadingNotes;

  constructor(options: GenerationsOptions) {
    const { config, embedder, ports } = options;
    this.#options = options;
    this.#prefix = generationPrefix(embedder.id);
    this.layout = createIndexLayout(config.indexUri, config.storageOptions);
    this.#readingNotes = new ReadingNotes(this.layout.notesFile, ports.program ?? '', (said) =>
      ports.log('warn', said),
    );
  }

  #log(level: 'info' | 'warn', text: string): void {
    this.#options.ports.log(level, text);
  }

  /** What this process writes or wrote knows its coverage; that of another is counted. */
  async #openTables(name: string, how: { writable: boolean; following: boolean }): Promise<IndexStore | undefined> {
    const { embedder, ports, coverage } = this.#options;
    return (ports.openStore ?? openStore)(await this.layout.open(name, { following: how.following }), {
      dimensions: embedder.dimensions,
      writable: how.writable,
      now: () => ports.wallClock(),
      ...(!how.following && { coverage: () => Promise.resolve(coverage()) }),
    });
  }

  /** Names of generations for this schema and embedder, in the order in which they were begun. */
  #suitable(names: readonly string[]): string[] {
    return names
      .filter((name) => name.startsWith(this.#prefix))
      .sort((a, b) => generationCount(a) - generationCount(b));
  }

  /**
   * Which to write, and which answers meanwhile: one for another schema or embedder does while the one for these grows
   * beside it. What is of no use any more is removed.
   */
  async choose(): Promise<GenerationChoice> {
    for (const uri of this.#readingNotes.load())
      this.#log('warn', `the process before this one ended while it read ${uri}, which is read last now`);
    const [current, names] = await Promise.all([this.layout.current(), this.layout.list()]);
    const answers = current !== undefined && names.includes(current) ? current : undefined;
    // A later generation of the same kind beside the one that answers is a rebuild that was cut short: it is begun
    // again when asked for.
    const writing = answers?.startsWith(this.#prefix) ? answers : (this.#suitable(names).at(-1) ?? `${this.#prefix}1`);
    const answering = answers === writing ? undefined : answers;
    const leftovers = names.filter((name) => name !== writing && name !== answering);
    await this.#remove(leftovers);
    return { writing, answering, leftovers };
  }

  /** One that cannot be removed (its files are open, on Windows say) is left for the next time. */
  async #remove(names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.layout
        .remove(name)
        .catch((error: unknown) => this.#log('warn', `the earlier generation ${name} stays for now: ${String(error)}`));
  }

  /** Name of the next one for this schema and embedder. */
  async next(): Promise<string> {
    const last = this.#suitable(await this.layout.list()).at(-1);
    return `${this.#prefix}${(last === undefined ? 0 : generationCount(last)) + 1}`;
  }

  /**
   * One to write. `conflict` is set where it holds passages of other folders. @throws IndexDamagedError when it cannot
   * be used
   */
  async openForWriting(
    name: string,
    lease: Lease,
    donors: readonly EarlierBuild[],
  ): Promise<{ build: IndexBuild; conflict?: OtherRootsError }> {
    const { config, embedder, source, gate, ports } = this.#options;
    const store = await this.#openTables(name, { writable: true, following: false });
    if (!store) throw new IndexDamagedError(`the generation ${name} could not be opened`);
    try {
      let conflict: OtherRootsError | undefined;
      if ((await store.passages.count()) === 0) await noteRoots(store, config.roots);
      else conflict = await rootsConflict(store, config.roots);
      const build = await IndexBuild.open({
        store,
        embedder,
        source,
        gate,
        roots: config.roots,
        readingNotes: this.#readingNotes,
        donors,
        progress: ports.progress,
        now: () => ports.clock.now(),
        wallClock: () => ports.wallClock(),
        program: ports.program ?? '',
        checkLease: () => this.#options.checkLease(lease),
      });
      return { build, conflict };
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** An earlier one that answers for the one that is written; undefined when it cannot be read. */
  async openEarlier(name: string): Promise<ReadGeneration | undefined> {
    try {
      const store = await this.#openTables(name, { writable: false, following: false });
      if (!store) return undefined;
      await store.index.textSearch('a', { limit: 1 });
      return await this.#toRead(store, async () => ({ ...(await store.counted()), indexing: true }));
    } catch (error) {
      this.#log('warn', `the earlier generation ${name} does not answer: ${String(error)}`);
      return undefined;
    }
  }

  /**
   * What answers there, or its successor when that has changed; undefined when there is nothing yet.
   * @param current What was read until now
   */
  async follow(current?: ReadGeneration): Promise<ReadGeneration | undefined> {
    try {
      return await this.#followCurrent(current);
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error;
      // It may have been removed under the question, after its successor had taken its place.
      return this.#followCurrent(current);
    }
  }

  async #followCurrent(current: ReadGeneration | undefined): Promise<ReadGeneration | undefined> {
    const name = await this.layout.current();
    if (name === undefined) return undefined;
    if (current?.store.generation.name === name) return { ...current, coverage: await current.store.index.coverage() };
    const store = await this.#openTables(name, { writable: false, following: true });
    return store && this.#toRead(store, () => store.index.coverage());
  }

  async #toRead(store: IndexStore, coverage: () => Promise<IndexCoverage>): Promise<ReadGeneration> {
    try {
      const conflict = await rootsConflict(store, this.#options.config.roots);
      const index = conflict ? refusingIndex(conflict) : store.index;
      return {
        store,
        coverage: await coverage(),
        conflict,
        answers: { index, vectorsComparable: this.#sameModel(store) },
      };
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** What a generation's vectors can be taken over from. */
  donorsIn(read: ReadGeneration | undefined): EarlierBuild[] {
    return read && this.#sameModel(read.store) ? [this.donor(read.store)] : [];
  }

  donor(store: EarlierBuild['store']): EarlierBuild {
    return new EarlierBuild(store, (error) =>
      this.#log('warn', `vectors of the earlier generation are not used: ${String(error)}`),
    );
  }

  #sameModel({ generation }: IndexStore): boolean {
    return generation.name.split('-')[1] === this.#prefix.split('-')[1];
  }

  /**
   * Sets a damaged one aside. Its vectors that pass their checksums need not be made again, as far as it can be read.
   */
  async setAside(name: string): Promise<EarlierBuild | undefined> {
    const { embedder, ports } = this.#options;
    const place = await this.layout.setAside(name);
    if (place === undefined) return undefined;
    this.#log('info', `the damaged index lies in ${place}`);
    try {
      const connection = await connectLance(place, { following: false });
      const generation = { name: 'damaged', connection, tablePrefix: '' };
      const vectors = await openVectors(generation, embedder.dimensions, () => ports.wallClock());
      return vectors && this.donor(vectors);
    } catch (error) {
      this.#log('info', `nothing of the damaged index can be used: ${String(error)}`);
      return undefined;
    }
  }

  /** This one answers from now on: all others are removed once `use` has put it to use here. */
  async makeCurrent({ generation }: IndexStore, use: () => void): Promise<void> {
    // Nothing is written where nothing changes: a full disk keeps nobody from opening what is there.
    if ((await this.layout.current()) !== generation.name) await this.layout.setCurrent(generation.name);
    use();
    await this.#remove((await this.layout.list()).filter((name) => name !== generation.name));
  }
}
