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

export type LearningService = ReturnType<typeof learningService>;

/**
 * What runs and people teach: kept in the editor's storage, and exported and deleted from here.
 * @param judgements Ratings of answers in this workspace.
 */
export function learningService(
  hoptrail: Pick<Hoptrail, 'learning'>,
  log: vscode.LogOutputChannel,
  judgements: FeedbackStore,
) {
  /** One for the window; nothing is read before it is needed. */
  const open = (): Learning => hoptrail.learning();

  async function examples(): Promise<number | undefined> {
    try {
      const { decomposition, reading, critique } = (await open().report()).experience.records;
      return decomposition + reading + critique;
    } catch (error) {
      log.warn(`Examples cannot be counted: ${reportError(error).message}`);
      return undefined;
    }
  }

  return {
    open,
    /** A person's word about an answer and its passages. */
    async judge(turn: ThreadTurn, feedback: Feedback): Promise<void> {
      await judgements.add(feedbackExample(turn, feedback, Date.now()));
      const learning = open();
      await learning.feedback(turn.runId, feedback.rating);
      learning.rejectPassages(turn.runId, feedback.rejectedPassageIds);
      await learning.settled();
    },
    /** A person asks again with more effort: the answer of this run was not good enough. */
    thinkHarder: async (runId: string): Promise<void> => open().thinkHarder(runId),
    /** What became of an inserted answer. It counts less than a thumb, and more than automatic checks. */
    async edited(runId: string, edit: 'kept' | 'changed' | 'removed'): Promise<void> {
      try {
        await open().edited(runId, edit);
      } catch (error) {
        // Saving goes on without it.
        log.warn(`An edited answer teaches nothing: ${reportError(error).message}`);
      }
    },
    async summary(): Promise<LearnedSummary> {
      const [ratings, count] = await Promise.all([judgements.list(), examples()]);
      const rated = (rating: 'up' | 'down'): number => ratings.filter((one) => one.rating === rating).length;
      return { examples: count, good: rated('up'), bad: rated('down') };
    },
    /** Every example as JSON lines: oldest first, then the ratings of this workspace. */
    async export(): Promise<string> {
      const ratings = (await judgements.list()).map((rating) => ({ kind: 'judgement', ...rating }));
      return (await open().export()) + jsonLines(ratings);
    },
    /** Forgets what was learned from this user, and the ratings of this workspace. */
    async deleteEverything(): Promise<void> {
      const learning = open();
      await learning.settled();
      await learning.reset();
      await judgements.clear();
    },
  };
}
