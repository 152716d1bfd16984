import { createHash } from 'node:crypto';
import type { Answer, CritiqueVerdict, ResearchEvent } from '#research';
import type { StrategyAction } from './action-set.ts';
import {
  BanditStateError,
  decodeBandit,
  decodeParts,
  encodeBandit,
  freshBandit,
  remadeBandit,
  type BanditState,
  type DecodedBandit,
} from './bandit/bandit-state.ts';
import type { Exploration } from './bandit/policy.ts';
import { AS_SHIPPED, beliefShape, rebelieve, type PriorBelief, type TaughtDecision } from './bandit/prior-belief.ts';
import type { RidgeParts } from './bandit/ridge-model.ts';
import type { SharedLinUcb } from './bandit/shared-lin-ucb.ts';
import { QUESTION_FEATURES } from './question-features.ts';
import { costOfUsage, onlineQuality, type QualitySigns } from './reward.ts';
import { strategyReport, type StrategyReport } from './strategy-report.ts';
import {
  KEPT_DECISIONS,
  strategyStateShape,
  type Decision,
  type StrategyState,
  type StrategyStore,
} from './strategy-store.ts';

export type StrategyFeedback = Pick<QualitySigns, 'thumb' | 'thinkHarder' | 'edit'>;

export interface MemoryPorts {
  store: StrategyStore;
  prior?: unknown;
  actions: readonly StrategyAction[];
  exploration: Exploration;
  now(): number;
  onProblem(error: unknown): void;
}

interface RunSigns {
  answer?: Answer;
  critique?: CritiqueVerdict;
}

/**
 * The bandit with its state on disk and the choices that are still open to correction. Several windows keep one file:
 * before each save, what others have learnt since is taken up, and what one of them has reset is forgotten here too.
 * Making a model of parts takes as long as some hundred choices: that is done while the first question is still on its
 * way, and after runs, so that no choice waits for it.
 */
export class StrategyMemory {
  readonly #ports: MemoryPorts;
  readonly #loading: Promise<void>;
  #saving: Promise<void> = Promise.resolve();
  #bandit: SharedLinUcb;
  #prior: string | undefined;
  #belief: PriorBelief = AS_SHIPPED;
  #since = 0;
  /** Tells one prior from another; '': none. */
  #priorId = '';
  #priorProblem = false;
  /** Runs that this memory has seen, in this window or on disk. */
  readonly #seen = new Set<string>();
  #decisions: Decision[] = [];
  readonly #signs = new Map<string, RunSigns>();
  /** By question, the last run that a person wanted more effort for. */
  readonly #wanting = new Map<string, string>();

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
    this.#bandit = freshBandit(ports.actions, ports.exploration);
    this.#loading = this.#load();
  }

  /** The bandit, and how curious it is now. */
  async ready(): Promise<{ bandit: SharedLinUcb; alpha: number }> {
    await this.#loading;
    return { bandit: this.#bandit, alpha: this.#ports.exploration(this.#bandit.steps) };
  }

  decided(choice: { runId: string; question: string; strategy: string; beta: number; features: Float64Array }): void {
    this.#decisions.push({
      ...choice,
      question: hashOf(choice.question),
      time: this.#ports.now(),
      features: [...choice.features],
    });
    this.#decisions = this.#decisions.slice(-KEPT_DECISIONS);
    this.#seen.add(choice.runId);
    this.#signs.set(choice.runId, {});
  }

  /**
   * The strategy of the run that a person wanted more effort for on this question; undefined when nobody has said so.
   */
  wanting(question: string): string | undefined {
    const runId = this.#wanting.get(hashOf(question));
    return this.#decisions.find((decision) => decision.runId === runId)?.strategy;
  }

  observe(event: ResearchEvent): void {
    const signs = this.#signs.get(event.runId);
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
        else this.#forget(event.runId);
        break;
      case 'run-cancelled':
        this.#forget(event.runId);
        break;
      default:
        break;
    }
  }

  async feedback(runId: string, feedback: StrategyFeedback): Promise<void> {
    await this.ready();
    const decision = this.#decisions.find((candidate) => candidate.runId === runId);
    if (!decision) return;
    if (feedback.thinkHarder) this.#wanting.set(decision.question, runId);
    Object.assign(decision, feedback);
    if (decision.learnt) this.#correct(decision);
  }

  async report(): Promise<StrategyReport> {
    await this.ready();
    return strategyReport(this.#decisions, this.#prior);
  }

  /** False when it started knowing nothing. */
  get hasPrior(): boolean {
    return this.#prior !== undefined;
  }

  /** Runs that taught, of those still remembered. */
  async taught(): Promise<TaughtDecision[]> {
    await this.ready();
    return this.#decisions.filter((decision): decision is TaughtDecision => decision.learnt !== undefined);
  }

  /**
   * Believes the prior as told from now on, keeping what runs have taught; undefined: as it came. Without a prior
   * nothing changes.
   */
  async believe(belief: PriorBelief = AS_SHIPPED): Promise<void> {
    await this.ready();
    this.#change(async () => {
      await this.#takeUp();
      this.#rebelieve(belief);
      await this.#write();
    });
    await this.settled();
  }

  async reset(): Promise<void> {
    await this.ready();
    this.#change(async () => {
      this.#forgetBefore(this.#ports.now());
      this.#belief = AS_SHIPPED;
      this.#bandit = this.#start();
      await this.#write();
    });
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.#saving;
  }

  #learn(runId: string, signs: RunSigns, cost: number): void {
    this.#signs.delete(runId);
    const decision = this.#decisions.find((candidate) => candidate.runId === runId);
    if (!decision) return;
    decision.critique = signs.critique;
    decision.checked = onlineQuality({ answer: signs.answer, critique: signs.critique });
    decision.learnt = { quality: qualityOf(decision), cost };
    this.#bandit.learn(Float64Array.from(decision.features), this.#placeOf(decision), decision.learnt);
    this.#save();
  }

  /** What was learnt becomes what would have been learnt had the word come in time. */
  #correct(decision: Decision): void {
    if (!decision.learnt) return;
    this.#revalue(decision, decision.learnt);
    this.#save();
  }

  #revalue(decision: Decision, learnt: NonNullable<Decision['learnt']>): void {
    const quality = qualityOf(decision);
    this.#bandit.correct(Float64Array.from(decision.features), this.#placeOf(decision), {
      quality: quality - learnt.quality,
    });
    decision.learnt = { ...learnt, quality };
  }

  #forget(runId: string): void {
    this.#signs.delete(runId);
    this.#decisions = this.#decisions.filter((decision) => decision.runId !== runId);
  }

  #placeOf(decision: Decision): number {
    return this.#ports.actions.findIndex((action) => action.name === decision.strategy);
  }

  /** The prior under the belief; a bandit that knows nothing where there is none that can be used. */
  #start(): SharedLinUcb {
    const shipped = this.#shipped();
    if (!shipped) return freshBandit(this.#ports.actions, this.#ports.exploration);
    try {
      return this.#remade(
        rebelieve(shipped.parts, shipped.parts, AS_SHIPPED, this.#belief),
        shipped.steps * this.#belief.weight,
      );
    } catch (error) {
      this.#withoutPrior(error);
      return this.#start();
    }
  }

  /** undefined: there is none, or it is not for this version; that is told once. */
  #shipped(): DecodedBandit | undefined {
    const { prior, actions } = this.#ports;
    if (prior === undefined || this.#priorProblem) return undefined;
    try {
      const decoded = decodeParts(prior, actions);
      this.#prior = decoded.learntFrom;
      this.#priorId = createHash('sha256')
        .update((prior as BanditState).parameters)
        .digest('hex')
        .slice(0, 16); // decoded: it has this form
      return decoded;
    } catch (error) {
      this.#withoutPrior(error);
      return undefined;
    }
  }

  #withoutPrior(error: unknown): void {
    if (!(error instanceof BanditStateError)) throw error;
    this.#priorProblem = true;
    this.#prior = undefined;
    this.#priorId = '';
    this.#ports.onProblem(error);
  }

  #rebelieve(belief: PriorBelief): void {
    if (
      belief.weight === this.#belief.weight &&
      belief.quality === this.#belief.quality &&
      belief.cost === this.#belief.cost
    )
      return;
    const shipped = this.#shipped();
    if (!shipped) return;
    const parts = rebelieve(this.#bandit.model.parts(), shipped.parts, this.#belief, belief);
    this.#bandit = this.#remade(parts, this.#bandit.steps + (belief.weight - this.#belief.weight) * shipped.steps);
    this.#belief = belief;
  }

  #remade(parts: RidgeParts, steps: number): SharedLinUcb {
    return remadeBandit(this.#ports.actions, this.#ports.exploration, parts, Math.max(0, steps));
  }

  async #load(): Promise<void> {
    this.#shipped(); // tells at once whether there is a prior
    try {
      const state = await this.#stored();
      if (state) this.#takeOver(state);
      else this.#bandit = this.#start();
    } catch (error) {
      this.#bandit = this.#start();
      this.#ports.onProblem(error); // replaced with the next state that is saved
    }
  }

  #takeOver(state: StrategyState): void {
    this.#since = state.since;
    this.#belief = beliefShape.safeParse(state.belief).data ?? AS_SHIPPED;
    const known = this.#usable(state);
    const sameStart = state.prior === this.#priorId;
    this.#bandit = sameStart ? decodeBandit(state.bandit, this.#ports.actions, this.#ports.exploration) : this.#start();
    if (!sameStart) for (const decision of known) this.#teach(decision);
    for (const decision of known) this.#seen.add(decision.runId);
    this.#decisions = [...known, ...this.#decisions];
  }

  /** undefined: nothing is stored. @throws BanditStateError for what cannot be read, and what the store throws */
  async #stored(): Promise<StrategyState | undefined> {
    const stored = await this.#ports.store.load();
    if (stored === undefined) return undefined;
    const state = strategyStateShape.safeParse(stored);
    if (!state.success)
      throw new BanditStateError('The stored choices of strategies cannot be read.', {
        cause: state.error,
        advice: 'They start anew by themselves.',
      });
    return state.data;
  }

  #usable({ decisions }: StrategyState): Decision[] {
    return decisions.filter(
      (decision) => this.#placeOf(decision) >= 0 && decision.features.length === QUESTION_FEATURES.length,
    );
  }

  #teach(decision: Decision): void {
    if (decision.learnt)
      this.#bandit.learn(Float64Array.from(decision.features), this.#placeOf(decision), decision.learnt);
  }

  #forgetBefore(since: number): void {
    this.#since = since;
    this.#decisions = this.#decisions.filter((decision) => decision.time > since);
    for (const runId of this.#signs.keys())
      if (!this.#decisions.some((decision) => decision.runId === runId)) this.#signs.delete(runId);
  }

  /** What other windows have learnt, believed and forgotten since this one looked. */
  async #takeUp(): Promise<void> {
    const state = await this.#stored().catch(() => undefined); // damaged: about to be replaced
    if (!state || state.prior !== this.#priorId) return;
    if (state.since > this.#since) {
      this.#forgetBefore(state.since);
      this.#bandit = this.#start();
      for (const decision of this.#decisions) this.#teach(decision);
    }
    this.#rebelieve(beliefShape.safeParse(state.belief).data ?? AS_SHIPPED);
    for (const theirs of this.#usable(state)) this.#takeUpWord(theirs);
    const others = this.#usable(state).filter(
      (decision) => !this.#seen.has(decision.runId) && decision.time > this.#since,
    );
    for (const decision of others) {
      this.#teach(decision);
      this.#seen.add(decision.runId);
    }
    this.#decisions = [...others, ...this.#decisions].sort((a, b) => a.time - b.time).slice(-KEPT_DECISIONS);
  }

  /** A person's word about a run, given in another window. */
  #takeUpWord(theirs: Decision): void {
    const ours = this.#decisions.find((decision) => decision.runId === theirs.runId);
    if (!ours?.learnt || hasWord(ours) || !hasWord(theirs)) return;
    Object.assign(ours, { thumb: theirs.thumb, thinkHarder: theirs.thinkHarder, edit: theirs.edit });
    this.#revalue(ours, ours.learnt);
  }

  #write(): Promise<void> {
    const bandit = encodeBandit(this.#bandit, this.#ports.actions, "this user's runs");
    return this.#ports.store.save({
      version: 1,
      bandit,
      decisions: this.#decisions.filter((decision) => decision.learnt),
      belief: this.#belief,
      prior: this.#priorId,
      since: this.#since,
    });
  }

  #save(): void {
    this.#change(async () => {
      await this.#takeUp();
      await this.#write();
      this.#bandit.model.refresh();
    });
  }

  /**
   * One change of what is stored after another, in all windows: what is read, changed and replaced is lost to none. A
   * failure is told, and the next goes on.
   */
  #change(work: () => Promise<void>): void {
    const { store, onProblem } = this.#ports;
    this.#saving = this.#saving
      .then(() => (store.alone ? store.alone(work) : work()))
      .catch((error: unknown) => onProblem(error));
  }
}

const hasWord = ({ thumb, thinkHarder, edit }: Decision): boolean =>
  thumb !== undefined || thinkHarder === true || edit !== undefined;

/** P by what is known now: a person's word or deed, else the checks made at the end of the run. */
function qualityOf(decision: Decision): number {
  const { thumb, thinkHarder, edit, checked } = decision;
  return thumb || thinkHarder || edit ? onlineQuality({ answer: undefined, thumb, thinkHarder, edit }) : (checked ?? 0);
}

const hashOf = (question: string): string =>
  createHash('sha256').update(question.trim().toLowerCase()).digest('hex').slice(0, 24);
