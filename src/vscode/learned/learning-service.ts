import * as vscode from 'vscode';
import type { Engine, Hoptrail } from '#hoptrail';
import { HoptrailError, jsonLines, OneAtATime, reportError } from '#base';
import { type Learning, type LearningRound, storedRound } from '#learning';
import type { Feedback, LearningReport, ThreadTurn } from '../protocol.ts';
import { currentSettings } from '../configuration.ts';
import { modelProviders } from '../model/model-providers.ts';
import { feedbackExample, type FeedbackStore } from '../threads/feedback-store.ts';
import { type LearningFacts, learningReport, readFacts } from './learning-report.ts';

/**
 * What runs and people teach: kept in the editor's storage, for all workspaces of this user, and shown, exported and
 * deleted from here.
 */
export class LearningService implements vscode.Disposable {
  readonly #hoptrail: Pick<Hoptrail, 'learning'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #feedback: FeedbackStore;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #turns = new OneAtATime(
    () =>
      new LearningBusyError(vscode.l10n.t('A round of learning is running in this window.'), {
        advice: vscode.l10n.t('Wait for its end, or cancel it in its notification.'),
      }),
  );
  /** Fine-tuning has a turn of its own, because a job at a service takes hours. */
  readonly #tunings = new OneAtATime(
    () =>
      new LearningBusyError(vscode.l10n.t('A round of fine-tuning is looked after in this window.'), {
        advice: vscode.l10n.t('Wait for its end, or cancel it in its notification.'),
      }),
  );
  #tuning: { stop(): void; ended: Promise<void> } | undefined;

  /** A judgement was given, a round has ended, something of it was undone, or everything was deleted. */
  readonly onDidChange = this.#changed.event;

  /** `feedback`: judgements on answers in this workspace. */
  constructor(hoptrail: Pick<Hoptrail, 'learning'>, log: vscode.LogOutputChannel, feedback: FeedbackStore) {
    this.#hoptrail = hoptrail;
    this.#log = log;
    this.#feedback = feedback;
  }

  /** One for the window; nothing is read before it is needed. */
  open(): Learning {
    return this.#hoptrail.learning();
  }

  /** A person's word about an answer and its passages. */
  async judge(turn: ThreadTurn, feedback: Feedback): Promise<void> {
    await this.#feedback.add(feedbackExample(turn, feedback, Date.now()));
    const learning = this.open();
    await learning.feedback(turn.runId, feedback.rating);
    learning.rejectPassages(turn.runId, feedback.rejectedPassageIds);
    await learning.settled();
    this.#changed.fire();
  }

  /** To be called when a person asks again with more effort: the answer of this run was not good enough. */
  async thinkHarder(runId: string): Promise<void> {
    await this.open().thinkHarder(runId);
    this.#changed.fire();
  }

  /**
   * Tells what became of an answer that the person inserted into a document. It counts less than a thumb, and more than
   * the automatic checks.
   */
  async edited(runId: string, edit: 'kept' | 'changed' | 'removed'): Promise<void> {
    try {
      await this.open().edited(runId, edit);
      this.#changed.fire();
    } catch (error) {
      // Saving goes on without it.
      this.#log.warn(`What became of an answer teaches nothing: ${reportError(error).message}`);
    }
  }

  /** What was learnt, as far as it can be read: what is damaged keeps nobody from seeing the rest. */
  async report(): Promise<LearningReport> {
    const { research } = currentSettings();
    const facts = await readFacts(
      this.open(),
      () => this.#fineTuning(),
      () => this.#feedback.list(),
    );
    return learningReport({
      enabled: research.record !== false,
      strategy: (research.strategy ?? 'auto').replace(/^fixed:/, ''),
      ...facts,
    });
  }

  /** Every example as JSON lines: oldest first, then the judgements of this workspace. */
  async export(): Promise<string> {
    const judgements = (await this.#feedback.list()).map((judgement) => ({ kind: 'judgement', ...judgement }));
    return (await this.open().export()) + jsonLines(judgements);
  }

  /**
   * Runs a round, or undoes one: what is in use changes, wholly or in part even where it fails. @throws
   * LearningBusyError while another runs
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work).finally(() => this.#changed.fire());
  }

  /**
   * Looks after a round of fine-tuning, or goes back from its model; the signal tells it to let go. @throws
   * LearningBusyError while another is looked after
   */
  async tune<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const free = !this.#tunings.busy;
    const turn = this.#tunings.run(() => work(controller.signal)).finally(() => this.tuned());
    if (free)
      this.#tuning = {
        stop: () => controller.abort(),
        ended: turn.then(
          () => undefined,
          () => undefined,
        ),
      };
    return turn;
  }

  /** Resolves when nobody in this window looks after a round any more. */
  async stopTuning(): Promise<void> {
    this.#tuning?.stop();
    await this.#tuning?.ended;
  }

  /** The last round of fine-tuning; undefined when there was none. @throws FineTuningError when it cannot be read */
  async fineTuningRound(): Promise<LearningRound | undefined> {
    return storedRound(this.open().folder);
  }

  /** A round of fine-tuning has changed. */
  tuned(): void {
    this.#changed.fire();
  }

  /** Trainers whose last winner can be undone, whatever the last round came to. */
  async undoable(): Promise<string[]> {
    return (await this.open().rounds.inUse()).filter((one) => one.undoable).map((one) => one.trainer);
  }

  /**
   * Forgets what was learnt from this user, and the judgements of this workspace. @throws LearningBusyError while a
   * round runs
   */
  async deleteEverything(engine: Engine | undefined): Promise<void> {
    await this.change(async () => {
      const learning = this.open();
      await learning.settled();
      await learning.reset();
      await this.#feedback.clear();
      await engine?.unlearn(); // what an open index uses of it
    });
  }

  async #fineTuning(): Promise<LearningFacts['fineTuning']> {
    const round = await this.fineTuningRound();
    const { model } = currentSettings();
    const { name } = model;
    const used = modelProviders.get(model.provider)?.standsFor?.(model, { learningFolder: this.open().folder }) ?? name;
    return round && { round, ...(used !== name && { inUse: used }) };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** What was learnt cannot be changed: a round of learning, or another change of it, is under way in this window. */
class LearningBusyError extends HoptrailError {
  readonly code = 'learning-busy';
}
