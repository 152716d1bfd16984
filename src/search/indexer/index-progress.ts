import { sum, type TimerClock } from '#base';
import type { IndexCoverage, IndexPhase, IndexState } from '../domain/index-state.ts';
import type { IndexNotice, NoticeCode } from '../domain/notices.ts';
import { withNotice } from './notices.ts';

/** Events per second over the last seconds. */
class RateMeter {
  readonly #now: () => number;
  readonly #windowMs: number;
  #marks: { at: number; count: number }[] = [];

  constructor(now: () => number, windowMs = 15_000) {
    this.#now = now;
    this.#windowMs = windowMs;
  }

  add(count: number): void {
    this.#marks.push({ at: this.#now(), count });
  }

  /** Call when work begins, so that the time before it does not count. */
  start(): void {
    this.#marks = [{ at: this.#now(), count: 0 }];
  }

  /** 0 when nothing can be said yet. */
  perSecond(): number {
    const now = this.#now();
    while (this.#marks.length > 2 && now - (this.#marks[0]?.at ?? now) > this.#windowMs) this.#marks.shift();
    const first = this.#marks[0];
    if (!first || now - first.at < 200) return 0;
    const counted = sum(this.#marks.slice(1).map(({ count }) => count));
    return counted / ((now - first.at) / 1000);
  }
}

/** What is told of the index besides how far the work on it is. */
type Facts = Pick<IndexState, 'bytes' | 'embedderId' | 'missing' | 'heldBy' | 'error' | 'notices'>;

const NO_FACTS: Facts = { embedderId: '', notices: [] };

type WorkPhase = Exclude<IndexPhase, 'paused'>;
/** Where nothing is worked on that could wait; what failed is told as that. */
const NEVER_PAUSED: ReadonlySet<WorkPhase> = new Set(['starting', 'read-only', 'failed']);

/** Least time between two announcements. */
const INTERVAL_MS = 250;

/** The state of the index as it is told to others: at most four times a second, and always when the phase changes. */
export class IndexProgress {
  readonly #clock: TimerClock;
  readonly #coverage: () => IndexCoverage;
  readonly #listeners = new Set<(state: IndexState) => void>();
  readonly #rate: RateMeter;
  /** What is worked on, paused or not. */
  #phase: WorkPhase = 'starting';
  #paused = false;
  #files = { done: 0, total: 0 };
  #vectors = { done: 0, total: 0 };
  #announced = -Infinity;
  #callOff: (() => void) | undefined;
  #facts: Facts = NO_FACTS;

  constructor(clock: TimerClock, coverage: () => IndexCoverage) {
    this.#clock = clock;
    this.#coverage = coverage;
    this.#rate = new RateMeter(() => clock.now());
  }

  onChange(listener: (state: IndexState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  setPhase(phase: WorkPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    if (phase === 'embedding') this.#rate.start();
    this.#announce(true);
  }

  /**
   * Nothing is worked on any more; an error that is still told means that something is missing. Told in any case: a
   * file that is gone takes no phase, and what the index holds is another.
   */
  comeToRest(): void {
    this.#phase = this.#facts.error ? 'failed' : 'ready';
    this.#announce(true);
  }

  /** A person has paused the work, or lets it go on: paused is what is told then, whatever comes to be worked on. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    if (!paused && this.#phase === 'embedding') this.#rate.start();
    this.#announce(true);
  }

  /** What is worked on, or would be if it were not paused. */
  get currentPhase(): WorkPhase {
    return this.#phase;
  }

  /** Things that people should know; undefined takes one back. */
  tell(facts: Partial<Facts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#announce('error' in facts || 'notices' in facts);
  }

  /** Tells one thing besides, in place of what was said of the same before; without details it is no longer so. */
  notice<Code extends NoticeCode>(code: Code, details: IndexNotice<Code>['details'] | undefined): void {
    const { notices } = this.#facts;
    if (details || notices.some((told) => told.code === code))
      this.tell({ notices: withNotice(notices, code, details) });
  }

  filesRead(done: number, total: number): void {
    this.#files = { done, total };
    this.#announce();
  }

  /** Sets how many passages wait for vectors now; the count of done ones starts at 0. */
  vectorsToMake(total: number): void {
    this.#vectors = { done: 0, total };
    this.#announce();
  }

  vectorsMade(count: number): void {
    this.#vectors.done += count;
    this.#vectors.total = Math.max(this.#vectors.total, this.#vectors.done);
    this.#rate.add(count);
    this.#announce();
  }

  state(): IndexState {
    const phase = this.#paused && !NEVER_PAUSED.has(this.#phase) ? 'paused' : this.#phase;
    const perSecond = phase === 'embedding' ? this.#rate.perSecond() : 0;
    const left = this.#vectors.total - this.#vectors.done;
    return {
      phase,
      coverage: this.#coverage(),
      filesTotal: this.#files.total,
      filesDone: this.#files.done,
      passagesToEmbed: this.#vectors.total,
      passagesEmbedded: this.#vectors.done,
      passagesPerSecond: perSecond,
      ...(perSecond > 0 ? { secondsLeft: left / perSecond } : {}),
      ...this.#facts,
    };
  }

  /** As before anything was opened; listeners stay. */
  reset(): void {
    this.#files = { done: 0, total: 0 };
    this.#vectors = { done: 0, total: 0 };
    this.#facts = NO_FACTS;
    this.#paused = false;
    this.setPhase('starting');
  }

  #announce(atOnce = false): void {
    if (this.#listeners.size === 0) return;
    const wait = this.#announced + INTERVAL_MS - this.#clock.now();
    if (atOnce || wait <= 0) {
      this.#callOff?.();
      this.#callOff = undefined;
      this.#announced = this.#clock.now();
      const state = this.state();
      for (const listener of this.#listeners) listener(state);
    } else
      this.#callOff ??= this.#clock.later(wait, () => {
        this.#callOff = undefined;
        this.#announce(true);
      });
  }
}
