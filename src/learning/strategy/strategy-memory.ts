import { HoptrailError, jsonLines } from '#base';
import type { Answer, CritiqueVerdict, ResearchEvent } from '#research';
import { costOfUsage, onlineQuality, qualityOf, type QualitySigns, type TaughtDecision } from './decision.ts';
import { planCalled } from './plans.ts';
import { type MeasuredOutcome, readPrior } from './prior.ts';
import { type ModelClass, QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from './question-features.ts';
import { strategyReport, type StrategyReport } from './strategy-report.ts';
import { appended, readEntries, type StrategyEntry, type StrategyStore } from './strategy-store.ts';

/** Lines of what was learnt that cannot be read. */
class StrategyLinesError extends HoptrailError {
  readonly code = 'strategy-lines';
}

export type StrategyFeedback = Pick<QualitySigns, 'thumb' | 'thinkHarder' | 'edit'>;

export interface MemoryPorts {
  store: StrategyStore;
  /** models/bandit-prior.json, parsed; undefined: nothing was measured. */
  prior?: unknown;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of what cannot be read or written: choices go on without it. */
  onProblem(error: unknown): void;
}

/** A run whose plan is known, or will be by the strategy that it is told to have. */
interface OpenRun {
  class: ModelClass;
  features: number[];
  /** Name of its plan by the name of the strategy that is selected; undefined: it teaches nothing. */
  plan(strategy: string): string | undefined;
}

/**
 * What runs have taught about plans: the outcomes that ship, and a list that all windows of a user add to. What one
 * window has reset is forgotten by all.
 */
export class StrategyMemory {
  readonly #ports: MemoryPorts;
  readonly #prior: { learntFrom: string; outcomes: readonly MeasuredOutcome[] } | undefined;
  readonly #loading: Promise<void>;
  #saving: Promise<void> = Promise.resolve();
  /** The list as it was last read or written, and what has yet to be added to it. */
  #text = '';
  #unwritten: StrategyEntry[] = [];
  #known = new Known();
  /** Runs that go on, by id. */
  readonly #open = new Map<
    string,
    OpenRun & {
      time: number;
      strategy?: string | undefined;
      answer?: Answer;
      critique?: CritiqueVerdict;
      word: StrategyFeedback;
    }
  >();

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
    try {
      this.#prior = ports.prior === undefined ? undefined : readPrior(ports.prior);
    } catch (error) {
      ports.onProblem(error);
    }
    this.#loading = this.#load();
  }

  /** What is known of plans with models of this class: measured outcomes, and those of this user's runs. */
  async outcomesOf(size: ModelClass): Promise<MeasuredOutcome[]> {
    await this.#loading;
    const own = [...this.#known.taught.values()].map(({ learnt, ...run }) => ({ ...run, outcome: learnt }));
    return [...(this.#prior?.outcomes ?? []), ...own].filter((outcome) => outcome.class === size);
  }

  /** A run begins: how it ends is learnt under the name of its plan. */
  begun(runId: string, run: OpenRun): void {
    this.#open.set(runId, { ...run, time: this.#ports.now(), word: {} });
  }

  observe(event: ResearchEvent): void {
    const run = this.#open.get(event.runId);
    if (!run) return;
    switch (event.type) {
      case 'strategy-selected':
        run.strategy = run.plan(event.strategy);
        break;
      case 'critique-ready':
        if (event.of === 'answer') run.critique = event.verdict;
        break;
      case 'answer-end':
        run.answer = event.answer;
        break;
      case 'run-end':
        this.#learn(event.runId, costOfUsage(event.usage));
        break;
      case 'run-error': // other errors are the model's or the network's, not the plan's
        delete run.answer;
        if (event.error.code === 'budget-exhausted') this.#learn(event.runId, costOfUsage(event.usage));
        else this.#open.delete(event.runId);
        break;
      case 'run-cancelled':
        this.#open.delete(event.runId);
        break;
      default:
        break;
    }
  }

  async feedback(runId: string, feedback: StrategyFeedback): Promise<void> {
    await this.#loading;
    const open = this.#open.get(runId);
    if (open) Object.assign(open.word, feedback); // it is written down with the run
    if (!this.#known.taught.has(runId)) return;
    const { thumb, ...rest } = feedback;
    this.#add({ kind: 'word', runId, ...rest, ...('thumb' in feedback && { thumb: thumb ?? null }) });
  }

  async report(): Promise<StrategyReport> {
    await this.#loading;
    return strategyReport([...this.#known.taught.values()], this.#prior?.learntFrom);
  }

  /** Forgets everything, in all windows: the list holds nothing but the time of it. */
  async reset(): Promise<void> {
    await this.#loading;
    this.#inTurn(async () => {
      const text = jsonLines([{ kind: 'reset', time: this.#ports.now() } satisfies StrategyEntry]);
      await this.#ports.store.change(() => ({ text, result: undefined }));
      this.#unwritten = [];
      this.#become(text);
    });
    await this.settled();
  }

  /** Resolves when everything is stored. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  #learn(runId: string, cost: number): void {
    const run = this.#open.get(runId);
    this.#open.delete(runId);
    if (run?.strategy === undefined) return;
    const { time, strategy, class: size, features, answer, critique, word } = run;
    const checked = onlineQuality({ answer, ...(critique && { critique }) });
    const learnt = { quality: qualityOf({ checked, ...word }), cost };
    const entry = { runId, time, strategy, class: size, features, learnt, checked, ...word };
    this.#add({ kind: 'outcome', of: QUESTION_FEATURES_VERSION, ...entry });
  }

  async #load(): Promise<void> {
    try {
      const damaged = this.#become(await this.#ports.store.read());
      if (damaged > 0)
        this.#ports.onProblem(
          new StrategyLinesError(`Of what was learnt about strategies, ${damaged} lines cannot be read.`, {
            advice: 'They are left out, and stay where they are.',
          }),
        );
    } catch (error) {
      this.#ports.onProblem(error);
    }
  }

  /** Knows what the list says, and what has yet to be added to it. Returns how many lines are damaged. */
  #become(text: string): number {
    const { values, damaged } = readEntries(text);
    this.#text = text;
    this.#known = new Known();
    for (const entry of values) this.#known.apply(entry);
    const { since } = this.#known;
    this.#unwritten = this.#unwritten.filter((entry) => entry.kind !== 'outcome' || entry.time > since);
    for (const entry of this.#unwritten) this.#known.apply(entry);
    for (const [runId, { time }] of this.#open) if (time <= since) this.#open.delete(runId);
    return damaged.length;
  }

  /** Adds to the list, and takes up what other windows have added to it. */
  #add(entry: StrategyEntry): void {
    this.#known.apply(entry);
    this.#unwritten.push(entry);
    this.#inTurn(async () => {
      let written = 0;
      this.#text = await this.#ports.store.change((now) => {
        if (now !== this.#text) this.#become(now);
        written = this.#unwritten.length;
        const text = appended(now, this.#unwritten);
        return { text, result: text };
      });
      this.#unwritten.splice(0, written);
    });
  }

  /** One change of the list after another. A failure is told, and the next goes on. */
  #inTurn(work: () => Promise<void>): void {
    this.#saving = this.#saving.then(work).catch((error: unknown) => this.#ports.onProblem(error));
  }
}

/** What a list of entries comes to. */
class Known {
  readonly taught = new Map<string, TaughtDecision>();
  /** When everything before was forgotten; 0: never. */
  since = 0;

  apply(entry: StrategyEntry): void {
    switch (entry.kind) {
      case 'outcome': {
        const { kind: _, of, ...decision } = entry;
        const isUsable = of === QUESTION_FEATURES_VERSION && decision.features.length === QUESTION_FEATURES.length;
        if (isUsable && planCalled(decision.strategy) && decision.time > this.since)
          this.taught.set(decision.runId, decision);
        break;
      }
      case 'word': {
        const { kind: _, runId, thumb, ...word } = entry;
        const decision = this.taught.get(runId);
        if (!decision) break;
        const { thumb: before, ...rest } = decision;
        const now = thumb === undefined ? before : (thumb ?? undefined);
        const changed = { ...rest, ...word, ...(now && { thumb: now }) };
        // What was learnt becomes what would have been learnt had the word come in time.
        this.taught.set(runId, { ...changed, learnt: { ...changed.learnt, quality: qualityOf(changed) } });
        break;
      }
      case 'reset':
        this.since = Math.max(this.since, entry.time);
        this.taught.clear();
        break;
      case 'foreign':
        break;
    }
  }
}
