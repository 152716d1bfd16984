import { hashOf, jsonLines } from '#base';
import type { Answer, CritiqueVerdict, ResearchEvent } from '#research';
import type { QuestionType } from '#search';
import { BanditStateError, type DecodedBandit, decodeParts, fittedBandit, freshBandit } from './bandit/bandit-state.ts';
import type { Exploration } from './bandit/policy.ts';
import { AS_SHIPPED, rebelieve, type PriorBelief } from './bandit/prior-belief.ts';
import type { SharedLinUcb } from './bandit/shared-lin-ucb.ts';
import {
  type Decision,
  type TaughtDecision,
  costOfUsage,
  onlineQuality,
  placeOf,
  type QualitySigns,
} from './decision.ts';
import { parseGraphName } from './graph.ts';
import { type PlanAction, PLANS_VERSION, setGraphAction } from './plan-actions.ts';
import { QUESTION_FEATURES, QUESTION_FEATURES_VERSION } from './question-features.ts';
import { likeliestType, strategyReport, type StrategyReport } from './strategy-report.ts';
import { appended, readEntries, type StrategyEntry, type StrategyStore } from './strategy-store.ts';

/** Runs by which a round judges how far the prior is to be believed. */
const JUDGED = 200;

/**
 * Outcomes, of the prior and of this user together, from which on a strategy counts as measured: nothing else is tried
 * out for the sake of knowing more.
 */
export const LEAST_MEASURED = 10;

export type StrategyFeedback = Pick<QualitySigns, 'thumb' | 'thinkHarder' | 'edit'>;

interface MemoryPorts {
  store: StrategyStore;
  prior?: unknown;
  /** What is always chosen among. Graphs that a person had run come behind, see {@link StrategyMemory.ready}. */
  actions: readonly PlanAction[];
  exploration: Exploration;
  now(): number;
  onProblem(error: unknown): void;
}

/** What a choice needs to know. */
interface Readiness {
  bandit: SharedLinUcb;
  /** How curious it is now. */
  alpha: number;
  /** What the bandit knows of, in its order: the ports' actions, and behind them the graphs that a person had run. */
  actions: readonly PlanAction[];
  /** Whether it may be tried out for the sake of knowing more: see {@link LEAST_MEASURED}. */
  isMeasured(strategy: string): boolean;
  /** Whether it may be chosen at all: a graph that a person had run may be once it is measured. */
  isOffered(strategy: string): boolean;
}

interface RunSigns {
  answer?: Answer;
  critique?: CritiqueVerdict;
}

/**
 * The bandit, and the list of outcomes that it is fitted to. Several windows add to one list, and what one of them has
 * reset is forgotten by all. Fitting takes as long as some hundred choices: that is done while the first question is
 * still on its way, and after runs, so that no choice waits for it.
 */
export class StrategyMemory {
  readonly #ports: MemoryPorts;
  readonly #loading: Promise<void>;
  #saving: Promise<void> = Promise.resolve();
  #bandit: SharedLinUcb;
  #actions: readonly PlanAction[];
  /** undefined: there is none, or it is not for this version, which is told. */
  #prior: DecodedBandit | undefined;
  /** The list as it was last read or written, and what has yet to be added to it. */
  #text = '';
  #unwritten: StrategyEntry[] = [];
  #known: Known = nothingKnown();
  /** Runs that go on, by id. */
  readonly #open = new Map<string, { decision: Decision; signs: RunSigns }>();
  /** By question, the last run that a person wanted more effort for. */
  readonly #wanting = new Map<string, string>();

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
    this.#actions = ports.actions;
    this.#bandit = freshBandit(ports.actions, ports.exploration);
    this.#loading = this.#load();
  }

  async ready(): Promise<Readiness> {
    await this.#loading;
    const own = new Map<string, number>();
    for (const { strategy } of this.#known.taught.values()) own.set(strategy, (own.get(strategy) ?? 0) + 1);
    const isMeasured = (strategy: string): boolean =>
      (this.#prior?.measured[strategy] ?? 0) + (own.get(strategy) ?? 0) >= LEAST_MEASURED;
    return {
      bandit: this.#bandit,
      alpha: this.#ports.exploration(this.#bandit.steps),
      actions: this.#actions,
      isMeasured,
      isOffered: (strategy) => this.#isOwn(strategy) || isMeasured(strategy),
    };
  }

  decided(choice: { runId: string; question: string; strategy: string; beta: number; features: Float64Array }): void {
    const decision = {
      ...choice,
      question: keyOf(choice.question),
      time: this.#ports.now(),
      features: [...choice.features],
    };
    this.#open.set(choice.runId, { decision, signs: {} });
  }

  /**
   * The strategy of the run that a person wanted more effort for on this question; undefined when nobody has said so.
   */
  wanting(question: string): string | undefined {
    const runId = this.#wanting.get(keyOf(question));
    return runId === undefined ? undefined : this.#decision(runId)?.strategy;
  }

  observe(event: ResearchEvent): void {
    const signs = this.#open.get(event.runId)?.signs;
    if (!signs) return;
    switch (event.type) {
      case 'critique-ready':
        if (event.of === 'answer') signs.critique = event.verdict;
        break;
      case 'answer-end':
        signs.answer = event.answer;
        break;
      case 'run-end':
        this.#learn(event.runId, signs, costOfUsage(event.usage));
        break;
      case 'run-error': // other errors are the model's or the network's, not the strategy's
        if (event.error.code === 'budget-exhausted')
          this.#learn(event.runId, { ...signs, answer: undefined }, costOfUsage(event.usage));
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
    await this.ready();
    const decision = this.#decision(runId);
    if (!decision) return;
    if (feedback.thinkHarder) this.#wanting.set(decision.question, runId);
    const before = decision.learnt;
    Object.assign(decision, feedback);
    if (!before) return; // it is written down with the run
    // What was learnt becomes what would have been learnt had the word come in time.
    const quality = qualityOf(decision);
    const place = placeOf(decision, this.#actions);
    if (place >= 0)
      this.#bandit.correct(Float64Array.from(decision.features), place, { quality: quality - before.quality });
    decision.learnt = { ...before, quality };
    const { thumb, ...rest } = feedback;
    this.#add({ kind: 'word', runId, ...rest, ...('thumb' in feedback && { thumb: thumb ?? null }) });
  }

  async report(): Promise<StrategyReport> {
    await this.ready();
    return strategyReport(this.#decisions(), this.#prior?.learntFrom);
  }

  /** False when it started knowing nothing. */
  get hasPrior(): boolean {
    return this.#prior !== undefined;
  }

  /** The last runs that taught something about what is always chosen among. */
  async taught(): Promise<TaughtDecision[]> {
    await this.ready();
    return this.#decisions()
      .filter(({ strategy }) => this.#isOwn(strategy))
      .slice(-JUDGED);
  }

  /**
   * Believes the prior as told from now on, keeping what runs have taught; undefined: as it came. Without a prior
   * nothing changes.
   */
  async believe(belief: PriorBelief = AS_SHIPPED): Promise<void> {
    await this.ready();
    if (this.#prior) {
      this.#known.belief = belief;
      this.#bandit = this.#fit();
      this.#add({ kind: 'belief', belief });
    }
    await this.settled();
  }

  /** Forgets everything, in all windows: the list holds nothing but the time of it. */
  async reset(): Promise<void> {
    await this.ready();
    this.#inTurn(async () => {
      const { store, now } = this.#ports;
      const entry: StrategyEntry = { kind: 'reset', time: now() };
      await store.change(() => ({ text: jsonLines([entry]), result: undefined }));
      await store.forgetEarlier?.();
      this.#unwritten = [];
      this.#become(jsonLines([entry]));
    });
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.#saving;
  }

  #learn(runId: string, signs: RunSigns, cost: number): void {
    const decision = this.#open.get(runId)?.decision;
    this.#open.delete(runId);
    if (!decision) return;
    decision.critique = signs.critique;
    decision.checked = onlineQuality({ answer: signs.answer, critique: signs.critique });
    const taught = { ...decision, learnt: { quality: qualityOf(decision), cost } };
    this.#known.taught.set(runId, taught);
    const place = placeOf(taught, this.#actions);
    if (place >= 0) this.#bandit.learn(Float64Array.from(taught.features), place, taught.learnt);
    else if (setGraphAction(taught.strategy)) this.#bandit = this.#fit(); // first outcome of a graph: an action more
    this.#add({ kind: 'outcome', of: QUESTION_FEATURES_VERSION, plans: PLANS_VERSION, ...taught });
  }

  #decision(runId: string): Decision | undefined {
    return this.#known.taught.get(runId) ?? this.#open.get(runId)?.decision;
  }

  /** Runs that taught, oldest first. */
  #decisions(): TaughtDecision[] {
    return [...this.#known.taught.values()].sort((a, b) => a.time - b.time);
  }

  /** Whether it is one of those that are always chosen among. */
  #isOwn(strategy: string): boolean {
    return this.#ports.actions.some((action) => action.name === strategy);
  }

  async #load(): Promise<void> {
    const { prior, actions, store, onProblem } = this.#ports;
    try {
      this.#prior = prior === undefined ? undefined : decodeParts(prior, actions);
    } catch (error) {
      this.#withoutPrior(error);
    }
    try {
      this.#become(await store.read());
      const { damaged, foreign } = this.#known;
      if (damaged + foreign > 0)
        onProblem(
          new BanditStateError(
            `Of what was learnt about strategies, ${damaged} lines cannot be read, and ${foreign} are of ` +
              `another version of Hoptrail.`,
            { advice: 'They are left out, and stay where they are.' },
          ),
        );
    } catch (error) {
      this.#become('');
      onProblem(error);
    }
  }

  /** Knows what the list says, and what has yet to be added to it. */
  #become(text: string): void {
    this.#text = text;
    const { values: entries, damaged } = readEntries(text);
    const usable = ({ strategy, features }: Decision): boolean =>
      (this.#isOwn(strategy) || parseGraphName(strategy) !== undefined) && features.length === QUESTION_FEATURES.length;
    this.#known = knownFrom([...entries, ...this.#unwritten], usable);
    this.#known.damaged = damaged.length;
    const { since } = this.#known;
    this.#unwritten = this.#unwritten.filter((entry) => entry.kind !== 'outcome' || entry.time > since);
    for (const [runId, { decision }] of this.#open) if (decision.time <= since) this.#open.delete(runId);
    this.#bandit = this.#fit();
  }

  #fit(): SharedLinUcb {
    const { exploration } = this.#ports;
    const { belief } = this.#known;
    const decisions = this.#decisions();
    const others = new Set(decisions.map(({ strategy }) => strategy).filter((strategy) => !this.#isOwn(strategy)));
    const actions = [...this.#ports.actions, ...[...others].flatMap((strategy) => setGraphAction(strategy) ?? [])];
    this.#actions = actions;
    const taught = decisions
      .map((decision) => ({
        features: Float64Array.from(decision.features),
        action: placeOf(decision, actions),
        outcome: decision.learnt,
      }))
      .filter(({ action }) => action >= 0);
    const prior = this.#prior;
    if (!prior) return fittedBandit(actions, exploration, undefined, taught);
    try {
      const parts = rebelieve(prior.parts, prior.parts, AS_SHIPPED, belief);
      return fittedBandit(actions, exploration, { parts, steps: prior.steps * belief.weight }, taught);
    } catch (error) {
      this.#withoutPrior(error);
      return fittedBandit(actions, exploration, undefined, taught);
    }
  }

  #withoutPrior(error: unknown): void {
    if (!(error instanceof BanditStateError)) throw error;
    this.#prior = undefined;
    this.#ports.onProblem(error);
  }

  /** Adds to the list, and takes up what other windows have added to it. */
  #add(entry: StrategyEntry): void {
    this.#unwritten.push(entry);
    this.#inTurn(async () => {
      let written = 0;
      const text = await this.#ports.store.change((now) => {
        if (now !== this.#text) this.#become(now);
        written = this.#unwritten.length;
        const next = appended(now, this.#unwritten);
        return { text: next, result: next };
      });
      this.#unwritten.splice(0, written);
      this.#text = text;
      this.#bandit.model.refresh();
    });
  }

  /** One change of the list after another. A failure is told, and the next goes on. */
  #inTurn(work: () => Promise<void>): void {
    this.#saving = this.#saving.then(work).catch((error: unknown) => this.#ports.onProblem(error));
  }
}

/** What a list of entries comes to. */
interface Known {
  taught: Map<string, TaughtDecision>;
  belief: PriorBelief;
  /** When everything before was forgotten, milliseconds since the epoch; 0: never. */
  since: number;
  damaged: number;
  /** Outcomes by features or of strategies that this version does not have. */
  foreign: number;
}

const nothingKnown = (): Known => ({ taught: new Map(), belief: AS_SHIPPED, since: 0, damaged: 0, foreign: 0 });

function knownFrom(entries: readonly StrategyEntry[], usable: (decision: Decision) => boolean): Known {
  const known = nothingKnown();
  for (const entry of entries) {
    switch (entry.kind) {
      case 'outcome': {
        const { kind: _kind, of, plans, ...decision } = entry;
        if (of !== QUESTION_FEATURES_VERSION || !usable(decision)) known.foreign += 1;
        else if (decision.time > known.since)
          known.taught.set(decision.runId, plans < PLANS_VERSION ? asNamedNow(decision) : decision);
        break;
      }
      case 'word': {
        const { kind: _kind, runId, thumb, ...word } = entry;
        const decision = known.taught.get(runId);
        if (!decision) break;
        Object.assign(decision, word, thumb !== undefined && { thumb: thumb ?? undefined });
        decision.learnt = { ...decision.learnt, quality: qualityOf(decision) };
        break;
      }
      case 'belief':
        known.belief = entry.belief;
        break;
      case 'reset':
        known.belief = AS_SHIPPED;
        known.since = Math.max(known.since, entry.time);
        known.taught.clear();
    }
  }
  return known;
}

const SEVERAL_STEPS: ReadonlySet<QuestionType> = new Set(['inference', 'comparison', 'temporal']);

/**
 * An outcome of the first version of the plans. The usual one of questions of several steps was step by step (another
 * one only where a person had forbidden that operator, which no outcome tells), and one look a plan beside it.
 */
function asNamedNow(decision: TaughtDecision): TaughtDecision {
  if (decision.strategy === 'one-retrieval') return { ...decision, strategy: 'usual' };
  const wasSteps = decision.strategy === 'usual' && SEVERAL_STEPS.has(likeliestType(decision));
  return wasSteps ? { ...decision, strategy: 'ircot' } : decision;
}

/** P by what is known now: a person's word or deed, else the checks made at the end of the run. */
function qualityOf(decision: Decision): number {
  const { thumb, thinkHarder, edit, checked } = decision;
  return thumb || thinkHarder || edit ? onlineQuality({ answer: undefined, thumb, thinkHarder, edit }) : (checked ?? 0);
}

const keyOf = (question: string): string => hashOf(question.trim().toLowerCase(), 24);
