import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NoteStrategy, operators, type ResearchEvent, type RunRecord, type SelectStrategy } from '#research';
import { ExperienceStore, type ExperienceSummary } from './experience/experience-store.ts';
import { openOfflineLearning, type OfflineLearning } from './rounds/offline-learning.ts';
import { fileOnDisk } from '#base';
import type { Provenance } from './experience/experience-record.ts';
import { RunCollector } from './experience/run-collector.ts';
import { forgetFineTuning } from './fine-tuning/fine-tuned-model.ts';
import { StrategySelector } from './strategy/strategy-selector.ts';
import type { StrategyFeedback } from './strategy/strategy-memory.ts';
import type { StrategyReport } from './strategy/strategy-report.ts';
import { strategiesOnDisk } from './strategy/strategy-store.ts';

interface LearningOptions {
  /** Folder in which what is learnt is kept, on this machine. */
  folder: string;
  /** Folder with bandit-prior.json. */
  modelsDir: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of files that cannot be read or written: runs go on without learning. */
  onProblem(error: unknown): void;
}

/** Both kinds of learning from runs: which strategy pays (AQA's bandit), and what good runs did (RISE's records). */
export interface Learning {
  select: SelectStrategy;
  /** To be told of what a person fixed: it teaches like what is chosen. */
  note: NoteStrategy;
  observe(event: ResearchEvent): void;
  /** `provenance`: the models that read the texts of this run. */
  onNode(record: RunRecord, provenance?: Provenance): void;
  /** A person's word about a run, whenever it comes; undefined takes an earlier one back. */
  feedback(runId: string, thumb: 'up' | 'down' | undefined): Promise<void>;
  /** To be called when a person asks the run's question again with more effort: its answer was not good enough. */
  thinkHarder(runId: string): Promise<void>;
  /** Tells whether an answer that a person inserted into a document was kept, changed or removed. */
  edited(runId: string, edit: NonNullable<StrategyFeedback['edit']>): Promise<void>;
  /** All passages of a run that do not belong, in a person's view: no reading that rests on one of them teaches. */
  rejectPassages(runId: string, passageIds: readonly string[]): void;
  /** F1 of a run's answer against the one that is known, 0..1. Returns whether the run teaches by that. */
  knownAnswer(runId: string, f1: number): boolean;
  /** Folder in which all of it lies, and the examples in it. */
  readonly folder: string;
  readonly experience: ExperienceStore;
  /** Rounds that train what is local from these records. */
  readonly rounds: OfflineLearning;
  report(): Promise<{ strategies: StrategyReport; experience: ExperienceSummary }>;
  /** Every record as JSON lines. */
  export(): Promise<string>;
  /** Deletes these records, and what a round has made examples of among them; returns how many were there. */
  forget(ids: readonly string[]): Promise<number>;
  /**
   * Forgets everything that was learnt from this user. @throws FineTuningError while examples are at a service,
   * RoundUnderWayError while a round runs
   */
  reset(): Promise<void>;
  /** Resolves when everything is stored. */
  settled(): Promise<void>;
}

export function openLearning({ folder, modelsDir, now, onProblem }: LearningOptions): Learning {
  const selector = new StrategySelector({
    store: strategiesOnDisk(folder, onProblem),
    prior: readPrior(modelsDir, onProblem),
    operator: (name) => operators.get(name),
    now,
    onProblem,
  });
  const store = new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl')));
  const rounds = openOfflineLearning({ folder, experience: store, strategies: selector, modelsDir, now, onProblem });
  const collector = new RunCollector(store, { onProblem });
  return {
    folder,
    experience: store,
    rounds,
    select: selector.select,
    note: selector.note,
    observe: (event) => selector.observe(event),
    onNode: (record, provenance) => collector.onNode(record, provenance),
    feedback: async (runId, thumb) => {
      collector.feedback(runId, { thumb });
      await selector.feedback(runId, { thumb });
    },
    thinkHarder: (runId) => selector.feedback(runId, { thinkHarder: true }),
    edited: (runId, edit) => selector.feedback(runId, { edit }),
    rejectPassages: (runId, passageIds) => collector.feedback(runId, { rejectedPassageIds: passageIds }),
    knownAnswer: (runId, goldF1) => collector.feedback(runId, { goldF1 }) > 0,
    report: async () => ({ strategies: await selector.report(), experience: await store.summary() }),
    export: () => store.export(),
    forget: async (ids) => {
      const gone = await store.list({ ids, kind: 'decomposition' });
      if (gone.length > 0) await rounds.forgetExamples(new Set(gone.map(({ runQuestion }) => runQuestion)));
      return store.delete({ ids });
    },
    reset: () =>
      rounds.reset(undefined, async () => {
        await forgetFineTuning(folder);
        await selector.reset();
        collector.forget();
        await collector.settled();
        await store.delete({});
      }),
    settled: async () => {
      await Promise.all([selector.settled(), collector.settled()]);
    },
  };
}

/** What the choice of strategies starts from; undefined, and the problem told, when it cannot be read. */
function readPrior(modelsDir: string, onProblem: (error: unknown) => void): unknown {
  try {
    return JSON.parse(readFileSync(join(modelsDir, 'bandit-prior.json'), 'utf8'));
  } catch (error) {
    onProblem(error); // it starts knowing nothing
    return undefined;
  }
}
