import type * as vscode from 'vscode';
import type { Hoptrail } from '#hoptrail';
import { jsonLines, reportError } from '#base';
import type { Learning } from '#learning';
import type { Feedback, ThreadTurn } from '../protocol.ts';
import { feedbackExample, type FeedbackStore } from '../threads/feedback-store.ts';

/** How much was learned, in numbers. */
export interface LearnedSummary {
  /** Examples that runs left; undefined where they cannot be read. */
  examples: number | undefined;
  good: number;
  bad: number;
}

/** What runs and people teach: kept in the editor's storage, and exported and deleted from here. */
export class LearningService {
  readonly #hoptrail: Pick<Hoptrail, 'learning'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #feedback: FeedbackStore;

  /** @param feedback Ratings of answers in this workspace. */
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
  }

  /** A person asks again with more effort: the answer of this run was not good enough. */
  async thinkHarder(runId: string): Promise<void> {
    await this.open().thinkHarder(runId);
  }

  /** What became of an inserted answer. It counts less than a thumb, and more than automatic checks. */
  async edited(runId: string, edit: 'kept' | 'changed' | 'removed'): Promise<void> {
    try {
      await this.open().edited(runId, edit);
    } catch (error) {
      // Saving goes on without it.
      this.#log.warn(`An edited answer teaches nothing: ${reportError(error).message}`);
    }
  }

  async summary(): Promise<LearnedSummary> {
    const [ratings, examples] = await Promise.all([this.#feedback.list(), this.#examples()]);
    const rated = (rating: 'up' | 'down'): number => ratings.filter((one) => one.rating === rating).length;
    return { examples, good: rated('up'), bad: rated('down') };
  }

  /** Every example as JSON lines: oldest first, then the ratings of this workspace. */
  async export(): Promise<string> {
    const ratings = (await this.#feedback.list()).map((rating) => ({ kind: 'judgement', ...rating }));
    return (await this.open().export()) + jsonLines(ratings);
  }

  /** Forgets what was learned from this user, and the ratings of this workspace. */
  async deleteEverything(): Promise<void> {
    const learning = this.open();
    await learning.settled();
    await learning.reset();
    await this.#feedback.clear();
  }

  async #examples(): Promise<number | undefined> {
    try {
      const { decomposition, reading, critique } = (await this.open().report()).experience.records;
      return decomposition + reading + critique;
    } catch (error) {
      this.#log.warn(`Examples cannot be counted: ${reportError(error).message}`);
      return undefined;
    }
  }
}
