import { reportError } from '../../model/error-report.ts';
import type { Learning } from '../../reasoning/open-learning.ts';
import type { LearningFacts } from './learning-report.ts';

export type StoredFacts = Pick<LearningFacts, 'learnt' | 'round' | 'inUse' | 'fineTuning' | 'damaged'>;

const NOTHING_READ: LearningFacts['learnt'] = {
  strategies: { prior: undefined, runs: 0, strategies: [], byType: [] },
  experience: { records: { decomposition: 0, reading: 0, critique: 0 }, runs: 0, consented: 0, bytes: 0, damaged: 0 },
};

/** What is stored of learning, as far as it can be read: what is damaged is named, and keeps nobody from seeing the rest. */
export async function readFacts({ report, rounds }: Pick<Learning, 'report' | 'rounds'>, readTuning: () => Promise<LearningFacts['fineTuning']>): Promise<StoredFacts> {
  const damaged = new Set<string>();
  const readable = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      damaged.add(reportError(error).message);
      return undefined;
    }
  };
  const [learnt = NOTHING_READ, round, inUse, fineTuning, unreadable] = await Promise.all([readable(report), readable(() => rounds.current()), rounds.inUse(), readable(readTuning), rounds.damaged()]);
  for (const problem of unreadable) damaged.add(problem);
  return { learnt, round, inUse, fineTuning, damaged: [...damaged] };
}
