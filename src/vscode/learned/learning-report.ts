import { describeStrategy, type GateVerdict, type Learning, type LearningRound, type StrategyRecord } from '#learning';
import type { LearningReport, RoundScores, StrategyFigures } from '../protocol.ts';
import type { FeedbackExample } from '../threads/feedback-store.ts';
import { reportError, sum } from '#base';

export interface LearningFacts {
  enabled: boolean;
  strategy: string;
  learnt: Awaited<ReturnType<Learning['report']>>;
  judgements: readonly FeedbackExample[];
  /** The last round; undefined when there was none. */
  round: Awaited<ReturnType<Learning['rounds']['current']>>;
  inUse: Awaited<ReturnType<Learning['rounds']['inUse']>>;
  /** The last round of fine-tuning, and the fine-tuned model that answers now; undefined when there was no round. */
  fineTuning: { round: LearningRound; inUse?: string } | undefined;
  /** What cannot be read, in words. */
  damaged: readonly string[];
}

/** What the learning page shows, from what is stored. */
export function learningReport({
  enabled,
  strategy,
  learnt: { strategies, experience },
  judgements,
  round,
  inUse,
  fineTuning,
  damaged,
}: LearningFacts): LearningReport {
  const rated = (rating: 'up' | 'down'): number => judgements.filter((judgement) => judgement.rating === rating).length;
  return {
    enabled,
    strategy,
    prior: strategies.prior ?? null,
    runs: strategies.runs,
    byType: strategies.byType.map(({ type, runs, best }) => ({ type, runs, best: figuresOf(best) })),
    strategies: strategies.strategies.map(figuresOf),
    examples: {
      ...experience.records,
      runs: experience.runs,
      consented: experience.consented,
      bytes: experience.bytes,
      damaged: experience.damaged,
    },
    round: (round?.results ?? []).map(({ trainer, phase, examples, verdict }) => ({
      trainer,
      phase,
      examples,
      ...(verdict && { scores: scoresOf(verdict) }),
    })),
    inUse: inUse.filter((one) => one.learnt).map((one) => one.trainer),
    ...(fineTuning && { fineTuning: tuningOf(fineTuning) }),
    ...(damaged.length > 0 && { damaged: [...damaged] }),
    judgements: {
      up: rated('up'),
      down: rated('down'),
      rejectedPassages: sum(judgements.map(({ rejected }) => rejected.length)),
    },
  };
}

function tuningOf({
  round: { phase, baseModel, estimate, verdict, problem },
  inUse,
}: NonNullable<LearningFacts['fineTuning']>): NonNullable<LearningReport['fineTuning']> {
  return {
    phase,
    baseModel,
    host: estimate.host,
    examples: estimate.examples,
    ...(inUse !== undefined && { inUse }),
    ...(problem && { problem }),
    ...(verdict && { scores: scoresOf(verdict) }),
  };
}

const scoresOf = (verdict: GateVerdict): RoundScores => ({
  questions: verdict.questions,
  before: verdict.before,
  after: verdict.after,
  low: verdict.ci95[0],
  high: verdict.ci95[1],
});

function figuresOf({ strategy, runs, quality, cost }: StrategyRecord): StrategyFigures {
  return { name: strategy, words: describeStrategy(strategy), runs, quality, cost };
}

type StoredFacts = Omit<LearningFacts, 'enabled' | 'strategy'>;

const NOTHING_READ: LearningFacts['learnt'] = {
  strategies: { prior: undefined, runs: 0, strategies: [], byType: [] },
  experience: { records: { decomposition: 0, reading: 0, critique: 0 }, runs: 0, consented: 0, bytes: 0, damaged: 0 },
};

/**
 * What is stored of learning, as far as it can be read: what is damaged is named, and keeps nobody from seeing the
 * rest.
 */
export async function readFacts(
  { report, rounds }: Pick<Learning, 'report' | 'rounds'>,
  readTuning: () => Promise<LearningFacts['fineTuning']>,
  readJudgements: () => Promise<LearningFacts['judgements']>,
): Promise<StoredFacts> {
  const damaged = new Set<string>();
  const readable = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      damaged.add(reportError(error).message);
      return undefined;
    }
  };
  const [learnt = NOTHING_READ, round, inUse, fineTuning, judgements = [], unreadable] = await Promise.all([
    readable(report),
    readable(() => rounds.current()),
    rounds.inUse(),
    readable(readTuning),
    readable(readJudgements),
    rounds.damaged(),
  ]);
  for (const problem of unreadable) damaged.add(problem);
  return { learnt, round, inUse, fineTuning, judgements, damaged: [...damaged] };
}
