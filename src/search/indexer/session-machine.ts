import type { IndexCoverage, LeaseHolder } from '../domain/index-state.ts';
import { noteRoots } from '../store/index-store.ts';
import { IndexDamagedError, NotTheWriterError, type OtherRootsError } from '../store/storage-errors.ts';
import type { HoptrailError, Lease } from '#base';
import type { WriterLease } from '../store/writer-lease.ts';
import { filesPerRoot } from './walked-files.ts';
import { Generations, type GenerationsOptions } from './generations.ts';
import type { IndexBuild } from './index-build.ts';
import { answersIn, coverageIn, type SessionState, storesIn, transitions } from './session-state.ts';
import { NOTHING, refusingIndex } from './switching-index.ts';

export interface SessionMachineOptions extends Omit<GenerationsOptions, 'coverage' | 'checkLease'> {
  /** Called when another process has taken the lease from this one. */
  onLost(): void;
}

/**
 * Which state a session is in, and how it comes to the next. What answers follows from the state, and what no later
 * state uses is closed, both in one place.
 */
export class SessionMachine {
  readonly generations: Generations;
  readonly #options: SessionMachineOptions;
  readonly #writerLease: WriterLease;
  #now: SessionState = { is: 'opening', donors: [], coverage: NOTHING };

  constructor(options: SessionMachineOptions) {
    this.#options = options;
    this.generations = new Generations({
      ...options,
      coverage: () => this.coverage(),
      checkLease: (lease) => this.#check(lease),
    });
    const { config, ports } = options;
    this.#writerLease =
      ports.writerLease?.(config) ??
      this.generations.layout.lease({ ...ports.lease, ...(config.takeOver && { byForce: true }) });
  }

  get state(): SessionState {
    return this.#now;
  }

  /** What is written to; undefined while this process only reads. */
  get build(): IndexBuild | undefined {
    return this.#now.build;
  }

  /** True while an earlier generation answers for the one that is written. */
  get growsBeside(): boolean {
    return this.#now.build !== undefined && this.#now.before !== undefined;
  }

  /** Why what lies there is of no use for these folders; undefined when it is. */
  get conflict(): OtherRootsError | undefined {
    const { is, error, answering } = this.#now;
    return is === 'reader' ? answering?.conflict : error;
  }

  coverage(): IndexCoverage {
    return coverageIn(this.#now, ['reading', 'embedding'].includes(this.#options.ports.progress.currentPhase));
  }

  /**
   * From one state to the next. False where something else has come between: then nothing changes, and what was opened
   * for the next state is closed again. @throws for what the table of transitions does not have
   */
  go(from: SessionState, next: SessionState): boolean {
    const goes = this.#now === from;
    if (goes) {
      if (!transitions[from.is].includes(next.is)) throw new Error(`a session cannot go from ${from.is} to ${next.is}`);
      this.#now = next;
      const { index } = this.#options.ports;
      if (index.current !== answersIn(next)) index.switchTo(answersIn(next));
    }
    const inUse = storesIn(this.#now);
    for (const store of storesIn(goes ? from : next)) if (!inUse.has(store)) store.close();
    return goes;
  }

  /** As `go`. @throws NotTheWriterError where something else has come between */
  #advance(from: SessionState, next: SessionState): void {
    if (!this.go(from, next)) throw new NotTheWriterError();
  }

  /** Throws NotTheWriterError when the lease is not, or no longer, ours. */
  async #check(lease: Lease | undefined): Promise<void> {
    if (!(await lease?.isHeld())) throw new NotTheWriterError(await this.holder());
  }

  /** The process that has the lease; undefined when nobody has, or this one. */
  async holder(): Promise<LeaseHolder | undefined> {
    return (await this.#now.lease?.isHeld()) ? undefined : this.#writerLease.holder();
  }

  /** Takes the lease if nobody else has it; false where it was not had. @throws what keeps it from being written */
  async takeLease(): Promise<boolean> {
    const from = this.#now;
    const lease = await this.#writerLease.tryAcquire(this.#options.onLost);
    if (!lease) return false;
    const { answering } = from;
    if (this.go(from, { is: 'opening', lease, answering, donors: [], coverage: this.coverage() })) return true;
    await lease.release();
    throw new NotTheWriterError();
  }

  /** Opens what is there for writing. True: it was damaged, was set aside and begun anew. */
  async becomeWriter(): Promise<boolean> {
    const { writing, answering: earlier } = await this.generations.choose();
    const before = earlier === undefined ? undefined : await this.generations.openEarlier(earlier);
    const from = this.#now;
    if (from.is !== 'opening') throw new NotTheWriterError();
    const answering = before ? undefined : from.answering;
    const opening: SessionState = { ...from, before, answering, donors: this.generations.donorsIn(before) };
    this.#advance(from, opening);
    try {
      await this.#openForWriting(writing, opening, before?.conflict);
      return false;
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error;
      await this.replaceDamaged(error, { name: writing, conflict: before?.conflict });
      return true;
    }
  }

  async #openForWriting(name: string, from: SessionState, earlier?: OtherRootsError): Promise<void> {
    const { lease, before, donors } = from;
    if (!lease) throw new NotTheWriterError();
    const { build, conflict } = await this.generations.openForWriting(name, lease, donors);
    const error = earlier ?? conflict;
    const answers = { index: error ? refusingIndex(error) : build.store.index, vectorsComparable: true };
    const is = error ? 'conflict' : 'writer';
    const use = (): void => this.#advance(from, { is, lease, before, donors, build, answers, error });
    if (before) use();
    else await this.generations.makeCurrent(build.store, use);
  }

  /** Notes that what is written is of these folders from now on. @throws OtherRootsError when it is of others */
  async claimRoots(): Promise<void> {
    if (this.conflict) throw this.conflict;
    if (this.build) await noteRoots(this.build.store, this.#options.config.roots);
  }

  /**
   * How many files the generation that is to be replaced holds of each root; undefined where none is, or where that
   * cannot be told.
   */
  async filesBefore(): Promise<Map<string, number> | undefined> {
    const { before } = this.#now;
    try {
      return before && filesPerRoot(await before.store.files.all());
    } catch (error) {
      this.#options.ports.log('warn', `the list of files of the earlier generation cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Begins a new generation beside the one that answers; vectors are taken over from that. */
  async beginRebuild(): Promise<void> {
    const from = this.#now;
    const { lease, build, answers } = from;
    if (!lease || !build || !answers) return;
    await this.#check(lease);
    await build.changesSettled();
    await build.settled();
    // What answers goes on refusing, if it does, until the new one takes its place.
    const before = from.before ?? { store: build.store, coverage: build.coverage(), answers };
    const donors = [this.generations.donor(build.store)];
    const opened = await this.generations.openForWriting(await this.generations.next(), lease, donors);
    const { index } = opened.build.store;
    const next = { lease, before, donors, build: opened.build, answers: { index, vectorsComparable: true } };
    this.#advance(from, { is: 'writer', ...next });
  }

  /** The written generation is complete: it answers from now on, and nothing is taken over any more. */
  async complete(): Promise<void> {
    const from = this.#now;
    if (!from.build) return;
    for (const donor of from.donors) donor.retire();
    const use = (): void => this.#advance(from, { ...from, before: undefined, donors: [] });
    if (!from.before) return use();
    await this.#check(from.lease);
    await this.generations.makeCurrent(from.build.store, use);
  }

  /** Sets a damaged generation aside and begins a new one in its place. */
  async replaceDamaged(
    error: IndexDamagedError,
    { name = this.build?.store.generation.name, conflict = this.conflict } = {},
  ): Promise<void> {
    const from = this.#now;
    const { lease, before, donors } = from;
    if (!lease) return;
    this.#options.ports.log('error', error.message);
    const next = await this.generations.next();
    const opening: SessionState = { is: 'opening', lease, before, donors, coverage: before?.coverage ?? NOTHING };
    this.#advance(from, opening);
    const salvaged = name === undefined ? undefined : await this.generations.setAside(name);
    const withVectors = salvaged ? { ...opening, donors: [salvaged] } : opening;
    this.#advance(opening, withVectors);
    await this.#openForWriting(next, withVectors, conflict);
  }

  /** Gives the lease up, if there is one, and reads only. @param because Why nothing can be written there */
  async becomeReader(because?: HoptrailError): Promise<void> {
    const from = this.#now;
    this.#advance(from, { is: 'reader', answering: from.answering, because, donors: [] });
    await from.lease?.release();
  }

  /** Reads what answers there, or its successor. False while there is nothing, or where this process writes. */
  async follow(): Promise<boolean> {
    const from = this.#now;
    if (from.is !== 'reader') return false;
    const answering = await this.generations.follow(from.answering);
    if (answering) this.go(from, { ...from, answering });
    return answering !== undefined;
  }

  async close(): Promise<void> {
    await this.#now.lease?.release();
    if (this.#now.is !== 'closed') this.#advance(this.#now, { is: 'closed', donors: [] });
  }
}
