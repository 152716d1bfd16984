import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOnDisk } from '#base';
import {
  type DecompositionExample,
  type NoteStrategy,
  operators,
  type ResearchEvent,
  type RunRecord,
  type SelectStrategy,
} from '#research';
import { exampleChooser, type ExampleReaders } from './experience/decomposition-examples.ts';
import type { Provenance } from './experience/experience-record.ts';
import { ExperienceStore, type ExperienceSummary } from './experience/experience-store.ts';
import { RunCollector } from './experience/run-collector.ts';
import { forgetFineTuning } from './fine-tuning/fine-tuned-model.ts';
import type { StrategyFeedback } from './strategy/strategy-memory.ts';
import type { StrategyReport } from './strategy/strategy-report.ts';
import { StrategySelector } from './strategy/strategy-selector.ts';
import { type StrategyStore, strategiesOnDisk } from './strategy/strategy-store.ts';

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

/** Both kinds of learning from runs: which plan pays (AQA's bandit), and what good runs did (RISE's records). */
export interface Learning {
  select: SelectStrategy;
  /** To be told of what a person fixed: it teaches like what is chosen. */
  note: NoteStrategy;
  observe(event: ResearchEvent): void;
  /** `provenance`: the models that read the texts of this run. */
  onNode(record: RunRecord, provenance?: Provenance): void;
  /** Decompositions of earlier questions like this one that these readers have read already; the nearest comes last. */
  examples(question: string, readers: ExampleReaders, signal?: AbortSignal): Promise<DecompositionExample[]>;
  /** A person's word about a run, whenever it comes; undefined takes an earlier one back. */
  feedback(runId: string, thumb: 'up' | 'down' | undefined): Promise<void>;
  /** To be called when a person asks the run's question again with more effort: its answer was not good enough. */
  thinkHarder(runId: string): Promise<void>;
  /** Tells whether an answer that a person inserted into a document was kept, changed or removed. */
  edited(runId: string, edit: NonNullable<StrategyFeedback['edit']>): Promise<void>;
  /** All passages of a run that do not belong, in a person's view: no reading that rests on one of them teaches. */
  rejectPassages(runId: string, passageIds: readonly string[]): void;
  /** Folder in which all of it lies, and the records in it. */
  readonly folder: string;
  readonly experience: ExperienceStore;
  report(): Promise<{ strategies: StrategyReport; experience: ExperienceSummary }>;
  /** Every record as JSON lines. */
  export(): Promise<string>;
  /** Deletes these records; returns how many were there. */
  forget(ids: readonly string[]): Promise<number>;
  /** Forgets everything that was learnt from this user. @throws FineTuningError while examples are at a service */
  reset(): Promise<void>;
  /** Resolves when everything is stored. */
  settled(): Promise<void>;
}

export function openLearning({ folder, modelsDir, now, onProblem }: LearningOptions): Learning {
  const selector = openSelector({ modelsDir, now, onProblem }, strategiesOnDisk(folder));
  const store = new ExperienceStore(fileOnDisk(join(folder, 'experience.jsonl')));
  const collector = new RunCollector(store, { onProblem });
  const choose = exampleChooser();
  return {
    folder,
    experience: store,
    select: selector.select,
    note: selector.note,
    observe: (event) => selector.observe(event),
    onNode: (record, provenance) => collector.onNode(record, provenance),
    examples: async (question, readers, signal) =>
      choose(await store.lessons('decomposition'), question, readers, signal),
    feedback: async (runId, thumb) => {
      collector.feedback(runId, { thumb });
      await selector.feedback(runId, { thumb });
    },
    thinkHarder: (runId) => selector.feedback(runId, { thinkHarder: true }),
    edited: (runId, edit) => selector.feedback(runId, { edit }),
    rejectPassages: (runId, passageIds) => collector.feedback(runId, { rejectedPassageIds: passageIds }),
    report: async () => ({ strategies: await selector.report(), experience: await store.summary() }),
    export: () => store.export(),
    forget: async (ids) => {
      await removeFormer(folder);
      return store.delete({ ids });
    },
    reset: async () => {
      await forgetFineTuning(folder);
      await selector.reset();
      collector.forget();
      await collector.settled();
      await store.delete({});
      await removeFormer(folder);
    },
    settled: async () => {
      await Promise.all([selector.settled(), collector.settled()]);
    },
  };
}

/** The choice of a fresh installation: by the outcomes that ship alone. No run teaches it anything. */
export function shippedStrategies(options: Omit<LearningOptions, 'folder'>): SelectStrategy {
  const { select } = openSelector(options, {
    read: async () => Promise.resolve(''),
    change: async (change) => Promise.resolve(change('').result),
  });
  return (input) => select({ ...input, options: { ...input.options, record: false } });
}

const openSelector = (
  { modelsDir, now, onProblem }: Omit<LearningOptions, 'folder'>,
  store: StrategyStore,
): StrategySelector =>
  new StrategySelector({
    store,
    prior: readShipped(modelsDir, onProblem),
    operator: (name) => operators.get(name),
    now,
    onProblem,
  });

/** Measured outcomes; undefined, and the problem told, where they cannot be read. */
function readShipped(modelsDir: string, onProblem: (error: unknown) => void): unknown {
  try {
    return JSON.parse(readFileSync(join(modelsDir, 'bandit-prior.json'), 'utf8'));
  } catch (error) {
    onProblem(error);
    return undefined;
  }
}

/** What earlier versions learnt in rounds, and what they kept of strategies: copies of texts that nothing reads now. */
const FORMER = [
  'learnt-chain-scorer.json',
  'learnt-question-classifier.json',
  'learnt-strategy-prior.json',
  'learnt-example-pool.json',
  'made-questions.json',
  'offline-round.json',
  'round.lock',
  'strategies.json',
  'strategies-before.json',
];

async function removeFormer(folder: string): Promise<void> {
  for (const name of FORMER) await rm(join(folder, name), { force: true });
}
