import type { FileReport, IndexCoverage, IndexReport } from '../domain/index-state.ts';
import { reportError, SerialQueue } from '#base';
import type { Passage } from '../domain/passage.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { IndexConfig, IndexHints, UpdateOptions } from './index-service.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import type { FolderPassageSource } from '../reading/create-passage-source.ts';
import { NotTheWriterError, StorageReadOnlyError, type IndexDamagedError } from '../store/storage-errors.ts';
import { ChangeTrouble, noticesAfterUpdate, withRefusals } from './notices.ts';
import type { IndexServiceDependencies } from './create-index-service.ts';
import { DamageCheck } from './generations.ts';
import { IdleWork } from './idle-work.ts';
import type { IndexBuild } from './index-build.ts';
import type { IndexProgress } from './index-progress.ts';
import { PauseGate } from './pause-gate.ts';
import { SessionBuilds } from './session-builds.ts';
import { SessionWork } from './session-work.ts';
import type { SwitchingIndex } from './switching-index.ts';
import { WriterTurn } from './writer-turn.ts';

export interface SessionPorts extends IndexServiceDependencies {
  index: SwitchingIndex;
  progress: IndexProgress;
}

/** One open configuration: as the writer, as a reader that waits to become it, or as one that only ever follows. */
export class IndexSession {
  readonly config: IndexConfig;
  readonly embedder: Embedder;
  private readonly ports: SessionPorts;
  private readonly builds: SessionBuilds;
  private readonly turn: WriterTurn;
  private readonly source: FolderPassageSource;
  private readonly gate = new PauseGate();
  private readonly updates = new SerialQueue();
  private readonly closing = new AbortController();
  private readonly damage: DamageCheck;
  private readonly work: SessionWork;
  /** True while the links and vectors of changed files wait for their turn. */
  private finishing = false;
  /** Why this window may not write although no other one does. */
  private readOnlyBecause: StorageReadOnlyError | undefined;
  private lastHints: IndexHints | undefined;
  private readonly trouble: ChangeTrouble;
  private readonly idle: IdleWork;
  private background: Promise<void> = Promise.resolve();

  static async open(config: IndexConfig, ports: SessionPorts): Promise<IndexSession> {
    const embedder = await ports.openEmbedder(config.embedder);
    const session = new IndexSession(config, ports, embedder);
    try {
      await session.start();
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  private constructor(config: IndexConfig, ports: SessionPorts, embedder: Embedder) {
    this.config = config;
    this.ports = ports;
    this.embedder = embedder;
    this.source = ports.createSource(config, embedder);
    this.builds = new SessionBuilds({
      config,
      ports,
      embedder,
      source: this.source,
      gate: this.gate,
      checkOwnership: () => this.turn.check(),
    });
    this.turn = new WriterTurn(this.builds.layout.lockFile, ports, {
      onlyFollows: config.follow === true,
      onLost: () => this.lockLost(),
    });
    this.damage = new DamageCheck(ports.log, this.closing.signal);
    this.trouble = new ChangeTrouble(ports.progress);
    this.idle = new IdleWork({
      ports,
      updates: this.updates,
      build: () => (this.gate.paused ? undefined : this.builds.build),
      bytes: () => this.builds.layout.bytes(),
      changesRetried: () => this.finishInBackground(),
      stepDown: () => this.stepDown(),
    });
    this.work = new SessionWork({
      ports,
      builds: this.builds,
      gate: this.gate,
      updates: this.updates,
      damage: this.damage,
      trouble: this.trouble,
      idle: this.idle,
      closing: this.closing.signal,
      stepDown: () => this.stepDown(),
    });
    ports.progress.tell({ embedderId: embedder.id });
  }

  private async start(): Promise<void> {
    let mayWrite: boolean;
    try {
      mayWrite = await this.turn.take(this.config.takeOver);
    } catch (error) {
      // A place that may not be written to can still be read.
      if (!(error instanceof StorageReadOnlyError) || !(await this.builds.follow())) throw error;
      this.readOnlyBecause = error;
      this.ports.progress.tell({
        error: reportError(error),
        notices: [{ code: 'place-read-only', details: { what: error.what } }],
      });
      this.ports.progress.setPhase('read-only');
      return;
    }
    if (mayWrite) await this.becomeWriter();
    else await this.becomeReader();
  }

  private async becomeWriter(): Promise<void> {
    const { progress } = this.ports;
    const { wasDamaged } = await this.builds.openForWriting();
    if (wasDamaged) progress.tell({ notices: [{ code: 'damaged', details: {} }] });
    else if (this.builds.growsBeside) progress.tell({ notices: [{ code: 'growing-beside', details: {} }] });
    else if (this.builds.layout.remote) progress.tell({ notices: [{ code: 'remote-storage', details: {} }] });
    progress.tell({
      bytes: await this.builds.layout.bytes(),
      ...(this.builds.otherRoots && { error: reportError(this.builds.otherRoots) }),
    });
    progress.setPhase(this.builds.otherRoots ? 'failed' : 'ready');
    const { build } = this.builds;
    if (build) this.background = this.damage.look(build, (error) => this.indexDamaged(error, build.store.index));
  }

  private async becomeReader(): Promise<void> {
    const found = await this.builds.follow();
    const { otherRoots } = this.builds;
    this.ports.progress.tell({
      notices: [{ code: this.config.follow ? 'only-followed' : 'other-window', details: {} }],
      ...(found ? { bytes: await this.builds.layout.bytes() } : { missing: true }),
      heldBy: await this.turn.holder(),
      ...(otherRoots && { error: reportError(otherRoots) }),
    });
    this.ports.progress.setPhase('read-only');
    this.turn.wait({ meanwhile: () => this.followOn(), mine: () => this.takeOver() });
  }

  private async followOn(): Promise<void> {
    const before = this.builds.otherRoots;
    const found = await this.builds.follow();
    const now = this.builds.otherRoots;
    if (found && this.ports.progress.state().missing) this.ports.progress.tell({ missing: undefined });
    if (now !== before) this.ports.progress.tell({ error: now && reportError(now) });
  }

  private async takeOver(): Promise<void> {
    this.ports.log('info', 'this window keeps the index up to date from now on');
    this.builds.stopFollowing();
    this.ports.progress.tell({ notices: [], error: undefined, missing: undefined, heldBy: undefined });
    await this.becomeWriter();
    this.updateUnasked('after taking over');
  }

  private updateUnasked(why: string): void {
    this.update({ hints: this.lastHints }).catch((error: unknown) => {
      if (!this.closing.signal.aborted) this.ports.log('error', `the update ${why} failed: ${String(error)}`);
    });
  }

  coverage(): IndexCoverage {
    return this.builds.coverage();
  }

  update(options: UpdateOptions, signal?: AbortSignal): Promise<IndexReport> {
    this.lastHints = options.hints ?? this.lastHints;
    let rebuild = options.rebuild === true;
    return this.workAndReport(
      async (build, combined) => {
        let current = build;
        if (rebuild) {
          await this.builds.beginRebuild();
          rebuild = false;
          current = this.builds.build ?? build;
          this.ports.progress.tell({ notices: [{ code: 'growing-beside', details: {} }] });
        }
        const before = current.inferences;
        await current.readFolders(
          { hints: this.lastHints, emptied: options.emptied, before: await this.builds.filesBefore() },
          combined,
        );
        await current.embed(combined);
        current.assertRootsRead();
        return { build: current, embedded: current.inferences - before };
      },
      signal,
      rebuild,
    );
  }

  importPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<IndexReport> {
    if (!this.builds.build) return Promise.reject(this.notWritable());
    return this.workAndReport(async (build, combined) => {
      const before = build.inferences;
      await build.importPassages(passages, combined);
      await build.embed(combined);
      return { build, embedded: build.inferences - before };
    }, signal);
  }

  /**
   * Brings the build up to date and lets it answer. A window that only reads reports what there is, unless the point is
   * to write anew: that alone takes the place of an index of other folders.
   */
  private workAndReport(
    task: (build: IndexBuild, signal: AbortSignal) => Promise<{ build: IndexBuild; embedded: number }>,
    signal?: AbortSignal,
    mustWrite = false,
  ): Promise<IndexReport> {
    const { clock, progress } = this.ports;
    const started = clock.now();
    return this.work.run(async (combined) => {
      if (!this.builds.build && mustWrite) throw this.notWritable();
      if (!mustWrite) await this.builds.claimRoots();
      if (!this.builds.build) return this.reportSince(started, 0);
      const { build, embedded } = await task(this.builds.build, combined);
      await this.builds.completed();
      progress.tell({
        error: build.changesFailed ? this.trouble.told : undefined,
        notices: noticesAfterUpdate(progress.state().notices, build.refusedVectors),
      });
      progress.comeToRest(this.gate.paused);
      await this.idle.tidy(build);
      return this.reportSince(started, embedded);
    }, signal);
  }

  private notWritable(): Error {
    return this.readOnlyBecause ?? new NotTheWriterError(this.config.follow, this.ports.progress.state().heldBy);
  }

  private async reportSince(started: number, embedded: number): Promise<IndexReport> {
    const { files: _, ...leftOut } = await this.report();
    const { files, passages } = this.coverage();
    return {
      files,
      ...leftOut,
      passages,
      embedded,
      reused: Math.max(0, passages - embedded),
      seconds: (this.ports.clock.now() - started) / 1000,
    };
  }

  report(): Promise<FileReport> {
    return this.builds.report();
  }

  async filesChanged(uris: readonly string[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { build } = this.builds;
    if (!build) return; // the window that writes has its own watcher
    if (this.builds.otherRoots) throw this.builds.otherRoots;
    this.idle.callOff();
    try {
      await build.filesChanged(uris);
    } catch (error) {
      if (error instanceof NotTheWriterError) await this.stepDown();
      else this.trouble.tell(reportError(error));
      // The change is tried again with the next one, and after a while.
      if (this.builds.build && this.updates.idle) {
        this.ports.progress.comeToRest(this.gate.paused);
        if (!this.closing.signal.aborted) this.idle.schedule();
      }
      throw error;
    }
    this.finishInBackground();
  }

  /** Links and vectors of what was just changed. */
  private finishInBackground(): void {
    if (this.finishing) return;
    this.finishing = true;
    const finishing = this.work.run(async (signal) => {
      this.finishing = false; // what changes from now on needs another round
      const { build } = this.builds;
      if (!build || this.builds.otherRoots) return;
      await build.changesSettled();
      await build.refreshLinks(signal);
      await build.embed(signal);
      if (!build.changesFailed) this.trouble.over();
      this.ports.progress.tell({ notices: withRefusals(this.ports.progress.state().notices, build.refusedVectors) });
      this.ports.progress.comeToRest(this.gate.paused);
    });
    finishing.catch((error: unknown) => {
      this.finishing = false;
      if (!this.closing.signal.aborted) this.ports.log('error', `indexing in the background failed: ${String(error)}`);
    });
  }

  pause(): Promise<void> {
    this.gate.pause();
    if (this.builds.build) this.ports.progress.setPhase('paused');
    return Promise.resolve();
  }

  resume(): Promise<void> {
    this.gate.resume();
    const { build } = this.builds;
    if (!build) return Promise.resolve();
    if (this.updates.idle) this.finishInBackground();
    else this.ports.progress.setPhase(build.pendingVectors > 0 ? 'embedding' : 'reading');
    return Promise.resolve();
  }

  /** A query failed twice on this index, or a check found it damaged. */
  async indexDamaged(error: IndexDamagedError, damaged: PassageIndex): Promise<void> {
    const { build } = this.builds;
    if (!build) return void (await this.builds.follow());
    if (damaged !== build.store.index) return;
    if (!this.updates.idle) return this.work.beginAnew(error);
    await this.updates.run(async () => {
      if (damaged !== this.builds.build?.store.index || !(await this.damage.confirms(error, this.builds.build))) return;
      await this.builds.replaceDamaged(error);
      this.ports.progress.tell({ notices: [{ code: 'damaged', details: {} }] });
      this.updateUnasked('after damage');
    });
  }

  /** Somebody else has taken the lock (this machine slept, say): from now on this window reads. */
  private async stepDown(): Promise<void> {
    if (!this.builds.build) return; // something else that was being written has noticed it first
    this.builds.stopWriting();
    await this.turn.giveBack();
    await this.becomeReader();
  }

  /** The lock's own sign of life has found it in other hands: a person may have said that this process is gone. */
  private lockLost(): void {
    this.updates
      .run(async () => this.closing.signal.aborted || this.stepDown())
      .catch((error: unknown) => this.ports.log('error', `giving up the index failed: ${String(error)}`));
  }

  /** Ends all work, gives the lock back. What was written stays; what was not is made up for next time. */
  async close(): Promise<void> {
    this.closing.abort(new DOMException('The index is being closed', 'AbortError'));
    this.idle.callOff();
    await this.turn.stopWaiting();
    await this.background;
    await this.builds.build?.changesSettled();
    await this.updates.settled();
    await this.builds.build?.settled();
    await this.turn.giveBack();
    this.builds.close();
    this.source.close();
    await this.embedder.close();
  }
}
