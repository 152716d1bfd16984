import type { FileReport, IndexCoverage, IndexReport } from '../domain/index-state.ts';
import { isRemote, reportError } from '#base';
import type { Passage } from '../domain/passage.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { IndexConfig, IndexHints, UpdateOptions } from './index-service.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import {
  DiskFullError,
  IndexDamagedError,
  IndexHeldError,
  NotTheWriterError,
  OtherEmbedderError,
  StorageReadOnlyError,
} from '../store/storage-errors.ts';
import { noticesAfterUpdate, refusals } from './notices.ts';
import { reportOfUpdate, reportOnFiles } from './file-ledger.ts';
import { SessionWork } from './session-work.ts';
import type { IndexBuild } from './index-build.ts';
import { PauseGate } from './pace.ts';
import { QuietMachine } from './quiet-machine.ts';
import { SessionMachine } from './session-machine.ts';
import { type SessionPorts, readIn } from './session-state.ts';
import { type UnsavedText, UnsavedTexts } from './unsaved-texts.ts';

/** Between two looks of a reader at what the writer does: each is some fifteen requests to an object store. */
const FOLLOW_MS = 15_000;

/** One open configuration: as the writer, or as a reader of what another machine writes or of a full disk. */
export class IndexSession {
  readonly config: IndexConfig;
  readonly embedder: Embedder;
  readonly #ports: SessionPorts;
  readonly #machine: SessionMachine;
  readonly #source: FolderPassageSource;
  readonly #unsaved: UnsavedTexts;
  readonly #gate: PauseGate;
  readonly #closing = new AbortController();
  readonly #work: SessionWork;
  /** True while the links and vectors of changed files wait for their turn. */
  #finishing = false;
  #callOffLook: () => void = () => undefined;
  #lastHints: IndexHints | undefined;
  #background: Promise<unknown> = Promise.resolve();

  static async open(config: IndexConfig, ports: SessionPorts): Promise<IndexSession> {
    const session = new IndexSession(config, ports, await ports.openEmbedder(config.embedder));
    try {
      if (!(await session.#triesToWrite())) await session.#becomeReader();
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  private constructor(config: IndexConfig, ports: SessionPorts, embedder: Embedder) {
    this.config = config;
    this.#ports = ports;
    this.embedder = embedder;
    this.#unsaved = new UnsavedTexts(ports.wallClock);
    this.#source = ports.createSource(config, embedder, this.#unsaved);
    this.#gate = new PauseGate(config.whenIdle && untilQuiet(ports));
    this.#machine = new SessionMachine({
      config,
      ports,
      embedder,
      source: this.#source,
      gate: this.#gate,
      onLost: () => this.#leaseLost(),
    });
    this.#work = new SessionWork({
      ports,
      machine: this.#machine,
      closing: this.#closing.signal,
      paused: () => this.#gate.paused,
      becomeReader: () => this.#becomeReader().catch((error: unknown) => this.#cannotRead(error)),
      changesRetried: () => this.#finishInBackground(),
    });
    ports.progress.tell({ embedderId: embedder.id });
  }

  /**
   * Becomes the writer, where nobody else is. A disk that is full or read-only can still be read.
   * @throws IndexHeldError where another process of this machine writes
   */
  async #triesToWrite(): Promise<boolean> {
    try {
      if (!(await this.#machine.takeLease())) {
        if (this.#machine.generations.layout.hasReaders) return false;
        throw new IndexHeldError('', await this.#machine.holder());
      }
      await this.#becomeWriter();
      return true;
    } catch (error) {
      if (!(error instanceof StorageReadOnlyError || error instanceof DiskFullError)) throw error;
      await this.#machine.becomeReader(error);
      return false;
    }
  }

  async #becomeWriter(): Promise<void> {
    const { progress } = this.#ports;
    const wasDamaged = await this.#machine.becomeWriter();
    const { build, conflict, growsBeside, generations } = this.#machine;
    const code = wasDamaged ? 'damaged' : 'growing-beside';
    progress.tell({
      notices: wasDamaged || growsBeside ? [{ code, details: {} }] : [],
      bytes: await generations.layout.bytes(),
      error: conflict && reportError(conflict),
      missing: undefined,
      heldBy: undefined,
    });
    progress.setPhase(conflict ? 'failed' : 'ready');
    if (build) this.#beside(this.#check(build));
    this.#beside(this.#warm());
  }

  /** Work that nobody waits for but `close`. Never rejects. */
  #beside(work: Promise<unknown>): void {
    this.#background = Promise.all([this.#background, work]);
  }

  /** Reads a generation that was just opened from end to end. Never rejects. */
  async #check(build: IndexBuild): Promise<void> {
    const { signal } = this.#closing;
    try {
      await build.verify(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof IndexDamagedError) await this.#replaceUnasked(error, build);
      else this.#ports.log('warn', `the index could not be checked: ${String(error)}`);
    }
  }

  #replaceUnasked(error: IndexDamagedError, build: IndexBuild): Promise<void> {
    return this.indexDamaged(error, build.store.index).catch((failure: unknown) =>
      this.#ports.log('error', `the damaged index could not be replaced: ${String(failure)}`),
    );
  }

  /** Loads what the first search needs, where there is something to find; nothing is fetched from elsewhere unasked. */
  async #warm(): Promise<void> {
    if (this.#machine.conflict || this.coverage().passages === 0 || isRemote(this.config.indexUri)) return;
    const { signal } = this.#closing;
    await this.#ports.index.warm(this.embedder.dimensions, signal).catch((error: unknown) => {
      if (!signal.aborted) this.#ports.log('info', `loading the index before it is asked failed: ${String(error)}`);
    });
  }

  /** @throws what keeps the index from being read, or why nothing can be written where nothing is there yet */
  async #becomeReader(): Promise<void> {
    const { progress } = this.#ports;
    const machine = this.#machine;
    if (machine.state.is !== 'reader') await machine.becomeReader();
    const { because } = machine.state;
    progress.tell({ notices: because ? [] : [{ code: 'other-machine', details: {} }] });
    if (because instanceof StorageReadOnlyError) progress.notice('place-read-only', { what: because.what });
    try {
      const found = await machine.follow();
      if (!found && because) throw because;
      this.#beside(this.#warm());
      const error = machine.conflict ?? because ?? this.#otherEmbedder();
      progress.tell({
        ...(found ? { bytes: await machine.generations.layout.bytes() } : { missing: true }),
        heldBy: because ? undefined : await machine.holder(),
        error: error && reportError(error),
      });
    } finally {
      progress.setPhase('read-only');
      this.#lookLater();
    }
  }

  #otherEmbedder(): Error | undefined {
    const answers = this.#ports.index.current;
    return answers && !answers.vectorsComparable ? new OtherEmbedderError(this.embedder.id) : undefined;
  }

  /** A reader of what another machine writes looks again and again. */
  #lookLater(): void {
    this.#callOffLook();
    if (this.#closing.signal.aborted || !this.#machine.generations.layout.hasReaders) return;
    this.#callOffLook = this.#ports.clock.later(this.#ports.followMs ?? FOLLOW_MS, () => {
      this.#beside(this.#followOn().catch((error: unknown) => this.#cannotRead(error)));
    });
  }

  async #followOn(): Promise<void> {
    if (this.#machine.state.is !== 'reader') return;
    try {
      const found = await this.#machine.follow();
      const error = this.#machine.conflict ?? this.#otherEmbedder();
      this.#ports.progress.tell({ ...(found && { missing: undefined }), error: error && reportError(error) });
    } finally {
      this.#lookLater();
    }
  }

  /** Told until it goes well again, and logged once. */
  #cannotRead(error: unknown): void {
    const { log, progress } = this.#ports;
    const report = reportError(error);
    if (progress.state().error?.message !== report.message) log('error', `reading the index failed: ${String(error)}`);
    progress.tell({ error: report });
  }

  #updateUnasked(why: string): void {
    this.update({ hints: this.#lastHints }).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#ports.log('error', `the update ${why} failed: ${String(error)}`);
    });
  }

  coverage(): IndexCoverage {
    return this.#machine.coverage();
  }

  update(options: UpdateOptions, signal?: AbortSignal): Promise<IndexReport> {
    this.#lastHints = options.hints ?? this.#lastHints;
    // Said at once: whoever asks for the state next is not told that an index is ready that is about to be made.
    const { progress } = this.#ports;
    if (this.#machine.build && progress.currentPhase === 'ready') progress.setPhase('reading');
    let rebuild = options.rebuild === true;
    return this.#workAndReport(
      async (build, combined) => {
        let current = build;
        if (rebuild) {
          await this.#machine.beginRebuild();
          rebuild = false;
          current = this.#machine.build ?? build;
          progress.tell({ notices: [{ code: 'growing-beside', details: {} }] });
        }
        const before = current.inferences;
        const how = { hints: this.#lastHints, emptied: options.emptied, before: await this.#machine.filesBefore() };
        await current.readFolders(how, combined);
        await current.embed(combined);
        current.assertRootsRead();
        return { build: current, embedded: current.inferences - before };
      },
      signal,
      rebuild,
    );
  }

  importPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<IndexReport> {
    if (!this.#machine.build) return Promise.reject(this.#notWritable());
    return this.#workAndReport(async (build, combined) => {
      const before = build.inferences;
      await build.importPassages(passages, combined);
      await build.embed(combined);
      return { build, embedded: build.inferences - before };
    }, signal);
  }

  /**
   * Brings the build up to date and lets it answer. Who only reads reports what there is, unless the point is to write
   * anew: that alone takes the place of an index of other folders.
   */
  #workAndReport(
    task: (build: IndexBuild, signal: AbortSignal) => Promise<{ build: IndexBuild; embedded: number }>,
    signal?: AbortSignal,
    mustWrite = false,
  ): Promise<IndexReport> {
    const { clock, progress } = this.#ports;
    const started = clock.now();
    return this.#work.run(async (combined) => {
      if (this.#machine.state.is === 'reader') await this.#triesToWrite(); // whoever held it may be gone
      if (!this.#machine.build && mustWrite) throw this.#notWritable();
      if (!mustWrite) await this.#machine.claimRoots();
      let inferences = 0;
      if (this.#machine.build) {
        const { build, embedded } = await task(this.#machine.build, combined);
        inferences = embedded;
        await this.#machine.complete();
        progress.tell({
          error: build.changesFailed ? this.#work.trouble : undefined,
          notices: noticesAfterUpdate(progress.state().notices, build.refusedVectors),
        });
        progress.comeToRest();
        await this.#work.tidy(build);
      }
      return reportOfUpdate(await this.report(), this.coverage(), inferences, (clock.now() - started) / 1000);
    }, signal);
  }

  #notWritable(): Error {
    return this.#machine.state.because ?? new NotTheWriterError(this.#ports.progress.state().heldBy);
  }

  /** Of what is written, or else of what is read: that knows only of the files that gave passages. */
  async report(): Promise<FileReport> {
    const { build, state } = this.#machine;
    if (build) return build.report();
    const records = (await readIn(state)?.store.files.all()) ?? [];
    return reportOnFiles(records, { leftOut: [], complete: false });
  }

  async filesChanged(uris: readonly string[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { build, conflict } = this.#machine;
    if (!build) return; // the machine that writes has its own watcher
    if (conflict) throw conflict;
    this.#work.callOffIdle();
    try {
      await build.filesChanged(uris);
    } catch (error) {
      if (error instanceof NotTheWriterError) await this.#work.recover(error);
      else if (!this.#closing.signal.aborted) this.#work.tellTrouble(error);
      if (error instanceof IndexDamagedError) void this.#replaceUnasked(error, build);
      // The change is tried again with the next one, and after a while.
      if (this.#machine.build && this.#work.idle) {
        this.#ports.progress.comeToRest();
        this.#work.scheduleIdle();
      }
      throw error;
    }
    this.#finishInBackground();
  }

  /** What is left out of the index is not kept here either; see {@link IndexService.unsaved}. */
  async unsavedChanged(texts: readonly UnsavedText[], signal?: AbortSignal): Promise<void> {
    const changed: string[] = [];
    for (const shown of texts) {
      if (!this.#unsaved.set(shown)) continue;
      changed.push(shown.uri);
      const seen = await this.#source.stat(shown.uri);
      const leftOut = seen?.type === 'skipped' && ['ignored', 'excluded'].includes(seen.skipped.reason);
      if (!seen || leftOut) this.#unsaved.set({ uri: shown.uri, text: null });
    }
    if (changed.length > 0 && this.#machine.state.is === 'writer') await this.filesChanged(changed, signal);
  }

  /** Links and vectors of what was just changed. */
  #finishInBackground(): void {
    if (this.#finishing) return;
    this.#finishing = true;
    let changed: IndexBuild | undefined;
    const finishing = this.#work.run(async (signal) => {
      this.#finishing = false; // what changes from now on needs another round
      const { build, conflict } = this.#machine;
      if (!build || conflict) return;
      // It was damaged, and what took its place holds nothing yet.
      if (build !== (changed ??= build)) return this.#updateUnasked('after damage');
      // It was cut short: the earlier generation, which answers until this one is complete, takes no changes.
      if (this.#machine.growsBeside) return this.#updateUnasked('of the index that is being made');
      await build.changesSettled();
      await build.refreshLinks(signal);
      await build.embed(signal);
      if (!build.changesFailed) this.#work.troubleIsOver();
      this.#ports.progress.notice('passages-refused', refusals(build.refusedVectors));
      this.#ports.progress.comeToRest();
    });
    finishing.catch((error: unknown) => {
      this.#finishing = false;
      if (!this.#closing.signal.aborted)
        this.#ports.log('error', `indexing in the background failed: ${String(error)}`);
    });
  }

  /** See IndexBuild; where another process writes, nothing comes of it. */
  prefer(passageIds: Iterable<string>): void {
    this.#machine.build?.prefer(passageIds);
  }

  /** As `prefer`, for what these files hold and link to. */
  async shown(uris: readonly string[]): Promise<void> {
    await this.#machine.build?.shown(uris);
  }

  pause(): Promise<void> {
    this.#gate.pause();
    this.#ports.progress.setPaused(true);
    return Promise.resolve();
  }

  resume(): Promise<void> {
    this.#gate.resume();
    this.#ports.progress.setPaused(false);
    if (this.#machine.build && this.#work.idle) this.#finishInBackground();
    return Promise.resolve();
  }

  /** A query failed twice on this index, a change failed, or a check found it damaged. */
  async indexDamaged(error: IndexDamagedError, damaged: PassageIndex): Promise<void> {
    const { build } = this.#machine;
    if (!build) return void (await this.#machine.follow());
    if (damaged !== build.store.index) return;
    if (!this.#work.idle) return this.#work.beginAnew(error);
    await this.#work.alone(async () => {
      if (damaged === this.#machine.build?.store.index && (await this.#work.recover(error)))
        this.#updateUnasked('after damage');
    });
  }

  /** The lease's own sign of life has found it in other hands: a person may have said that this process is gone. */
  #leaseLost(): void {
    this.#work
      .alone(async () => {
        if (!this.#closing.signal.aborted) await this.#work.recover(new NotTheWriterError());
      })
      .catch((error: unknown) => this.#ports.log('error', `giving up the index failed: ${String(error)}`));
  }

  /** Ends all work, gives the lease back. What was written stays; what was not is made up for next time. */
  async close(): Promise<void> {
    const reason = new DOMException('The index is being closed', 'AbortError');
    this.#closing.abort(reason);
    this.#work.callOffIdle();
    this.#callOffLook();
    await this.#background;
    await this.#machine.build?.endChanges(reason);
    await this.#work.settled();
    await this.#machine.build?.settled();
    await this.#machine.close();
    this.#source.close();
    await this.embedder.close();
  }
}

/** Says in the state what is waited for. */
function untilQuiet({
  progress,
  quiet = new QuietMachine(),
}: SessionPorts): ConstructorParameters<typeof PauseGate>[0] {
  return (unless, signal) => quiet.untilQuiet(unless, (why) => progress.notice('waits', why && { why }), signal);
}
