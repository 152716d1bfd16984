import { createHash } from 'node:crypto';
import type { Answer, CritiqueVerdict } from '../../model/answer.ts';
import type { ResearchEvent } from '../../model/research-event.ts';
import type { StrategyAction } from './action-set.ts';
import { BanditStateError, decodeBandit, encodeBandit, freshBandit, remadeBandit } from './bandit/bandit-state.ts';
import type { Exploration } from './bandit/exploration.ts';
import { AS_SHIPPED, beliefShape, rebelieve, type PriorBelief, type TaughtDecision } from './bandit/prior-belief.ts';
import type { SharedLinUcb } from './bandit/shared-lin-ucb.ts';
import { QUESTION_FEATURES } from './question-features.ts';
import { costOfUsage, onlineQuality, type QualitySigns } from './reward.ts';
import { strategyReport, type StrategyReport } from './strategy-report.ts';
import { KEPT_DECISIONS, strategyStateShape, type Decision, type StrategyStore } from './strategy-store.ts';

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

/** The bandit with its state on disk and the choices that are still open to correction. */
export class StrategyMemory {
  readonly #ports: MemoryPorts;
  #loading: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #bandit: SharedLinUcb;
  #prior: string | undefined;
  #belief: PriorBelief = AS_SHIPPED;
  #decisions: Decision[] = [];
  readonly #signs = new Map<string, RunSigns>();

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
    this.#bandit = this.#start();
  }

  /** The bandit, and how curious it is now. */
  async ready(): Promise<{ bandit: SharedLinUcb; alpha: number }> {
    await (this.#loading ??= this.#load());
    return { bandit: this.#bandit, alpha: this.#ports.exploration(this.#bandit.steps) };
  }

  decided(choice: { runId: string; question: string; strategy: string; beta: number; features: Float64Array }): void {
    this.#decisions.push({ ...choice, question: hashOf(choice.question), time: this.#ports.now(), features: [...choice.features] });
    this.#decisions = this.#decisions.slice(-KEPT_DECISIONS);
    this.#signs.set(choice.runId, {});
  }

  /** The question is asked again with more effort: the last strategy for it did not do. undefined when it was not asked before. */
  async askAgain(question: string): Promise<string | undefined> {
    const hash = hashOf(question);
    const before = this.#decisions.findLast((decision) => decision.question === hash);
    if (!before) return undefined;
    await this.feedback(before.runId, { thinkHarder: true });
    return before.strategy;
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
        if (event.error.code === 'budget-exhausted') this.#learn(event.runId, { ...signs, answer: undefined }, costOfUsage(event.usage));
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
    Object.assign(decision, feedback);
    if (decision.learnt) this.#correct(decision);
  }

  async report(): Promise<StrategyReport> {
    await this.ready();
    return strategyReport(this.#decisions, this.#prior);
  }

  /** Runs that taught, of those still remembered. */
  async taught(): Promise<TaughtDecision[]> {
    await this.ready();
    return this.#decisions.filter((decision): decision is TaughtDecision => decision.learnt !== undefined);
  }

  /** Believes the prior as told from now on, keeping what runs have taught; undefined: as it came. Without a prior nothing changes. */
  async believe(belief: PriorBelief = AS_SHIPPED): Promise<void> {
    await this.ready();
    if (this.#prior === undefined) return;
    const { actions, exploration, prior } = this.#ports;
    const shipped = decodeBandit(prior, actions, exploration);
    const parts = rebelieve(this.#bandit.model.parts(), shipped.model.parts(), this.#belief, belief);
    this.#bandit = remadeBandit(actions, exploration, parts, this.#bandit.steps + (belief.weight - this.#belief.weight) * shipped.steps);
    this.#belief = belief;
    this.#save();
    await this.settled();
  }

  async reset(): Promise<void> {
    await this.ready();
    this.#belief = AS_SHIPPED;
    this.#decisions = [];
    this.#signs.clear();
    this.#bandit = this.#start();
    this.#save();
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
    const quality = qualityOf(decision);
    this.#bandit.correct(Float64Array.from(decision.features), this.#placeOf(decision), { quality: quality - decision.learnt.quality });
    decision.learnt = { ...decision.learnt, quality };
    this.#save();
  }

  #forget(runId: string): void {
    this.#signs.delete(runId);
    this.#decisions = this.#decisions.filter((decision) => decision.runId !== runId);
  }

  #placeOf(decision: Decision): number {
    return this.#ports.actions.findIndex((action) => action.name === decision.strategy);
  }

  #start(): SharedLinUcb {
    const { prior, actions, exploration } = this.#ports;
    if (prior === undefined) return freshBandit(actions, exploration);
    try {
      const bandit = decodeBandit(prior, actions, exploration);
      this.#prior = (prior as { learntFrom?: string }).learntFrom;
      return bandit;
    } catch (error) {
      if (!(error instanceof BanditStateError)) throw error;
      this.#ports.onProblem(error);
      return freshBandit(actions, exploration);
    }
  }

  /** A state that cannot be read is reported and replaced with the next one learnt. */
  async #load(): Promise<void> {
    try {
      const stored = await this.#ports.store.load();
      if (stored === undefined) return;
      const state = strategyStateShape.safeParse(stored);
      if (!state.success) throw new BanditStateError('The stored choices of strategies cannot be read.', { cause: state.error, advice: 'They start anew by themselves.' });
      this.#bandit = decodeBandit(state.data.bandit, this.#ports.actions, this.#ports.exploration);
      this.#belief = beliefShape.safeParse(state.data.belief).data ?? AS_SHIPPED;
      this.#decisions = [...state.data.decisions.filter((decision) => this.#placeOf(decision) >= 0 && decision.features.length === QUESTION_FEATURES.length), ...this.#decisions];
    } catch (error) {
      this.#ports.onProblem(error);
    }
  }

  #save(): void {
    const state = { version: 1, bandit: encodeBandit(this.#bandit, this.#ports.actions, 'this user\'s runs'), decisions: this.#decisions.filter((decision) => decision.learnt), belief: this.#belief };
    this.#saving = this.#saving.then(() => this.#ports.store.save(state)).catch((error: unknown) => this.#ports.onProblem(error));
  }
}

/** P by what is known now: a person's word or deed, else the checks made at the end of the run. */
function qualityOf(decision: Decision): number {
  const { thumb, thinkHarder, edit, checked } = decision;
  return thumb || thinkHarder || edit ? onlineQuality({ answer: undefined, thumb, thinkHarder, edit }) : checked ?? 0;
}

const hashOf = (question: string): string => createHash('sha256').update(question.trim().toLowerCase()).digest('hex').slice(0, 24);
