import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Engine } from '#hoptrail';
import { addTo, cacheFolder, hashOf, seededRandom, shuffled } from '#base';
import { defaultResearchOptions, type ResearchOptions } from '#research/lab';
import type { RetrieverName } from '#search/lab';
import { collectPassages, loadQuestions, toIndexPassages, type DatasetQuestion } from '../evaluation/dataset.ts';
import { keepRun, recordingFiles, recordReplies, replayedModel } from '../evaluation/recording.ts';
import { type EvaluationRecord, RecordLog } from '../evaluation/records.ts';
import {
  printReport,
  retrieverTable,
  summarise,
  type EvaluationReport,
  type EvaluationTask,
} from '../evaluation/report.ts';
import { runQuestions, type Outcome } from '../evaluation/run-questions.ts';
import { abstainCases, askAbstain } from '../evaluation/runs/abstain-run.ts';
import { type AnswerRun, askAnswer } from '../evaluation/runs/answer-run.ts';
import { askClassify, confusionOf } from '../evaluation/runs/classify-run.ts';
import { askRetrieval, type Setting } from '../evaluation/runs/retrieval-run.ts';
import { isUnanswerable } from '../evaluation/score-answer.ts';
import { askedHash } from './asked-hash.ts';
import { questionsByTree, withTree } from './eval-trees.ts';
import { bar, type EngineOptions, type Output, ProgressLine, UsageError, withEngine, withIndexProcess } from '#cli/lab';

export interface EvalOptions extends EngineOptions {
  data: string;
  corpus?: string;
  workspace?: string;
  /** A folder with the folders or archives that the questions name. */
  trees?: string;
  setting?: Setting;
  /** `all`: each retriever, as one table. */
  retriever: RetrieverName | 'all';
  stop?: 'model' | 'threshold';
  threshold?: number;
  beam?: number;
  maxHops?: number;
  limit?: number;
  seed: number;
  /** File of records; an interrupted run goes on from them. */
  out?: string;
  /** answer: folder in which each run is recorded. */
  runs?: string;
  /** Asks the replies of `runs` in place of a model. */
  replay?: boolean;
  remove: 'none' | 'all' | 'one';
  json?: boolean;
  research: Partial<ResearchOptions>;
}

const RETRIEVERS: readonly RetrieverName[] = ['text', 'vector', 'hybrid', 'beam'];

/** `hoptrail eval TASK --data F`: asks every question of a data file and prints the metrics with 95 % intervals. */
export async function evalCommand(
  task: EvaluationTask,
  given: EvalOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const options = checked(task, given);
  const setting: Setting = options.workspace || options.trees ? 'workspace' : (options.setting ?? 'pooled');
  const named = options.workspace && basename(resolve(options.workspace));
  const questions = loadQuestions(options.data)
    .filter(({ tree }) => named === undefined || tree === undefined || tree === named)
    .filter((question) => TASKS[task].takes(question, setting));
  const sample = sampleOf(questions, options);
  const arms = task === 'retrieval' && options.retriever === 'all' ? RETRIEVERS : [armOf(task, options)];
  const records = new Map<RetrieverName, EvaluationRecord[]>();
  const logs = new Map<RetrieverName, RecordLog>();
  let model: string | null = null;
  const ask = async (engine: Engine, some: readonly DatasetQuestion[], title: string): Promise<void> => {
    record(engine, options);
    model = engine.model?.id ?? null;
    for (const arm of arms) {
      const about = aboutOf(task, setting, arm, model, options);
      const fingerprint = hashOf(JSON.stringify([about, askedHash(options)]), 16);
      const file = options.out && (arms.length > 1 ? `${options.out}.${arm}` : options.out);
      const log = logs.get(arm) ?? new RecordLog(file, fingerprint);
      logs.set(arm, log);
      const cases = task === 'abstain' ? abstainCases(some, options.remove) : some;
      const asked = await askAll(
        `${title}${arms.length > 1 ? ` ${arm}` : ''}`,
        cases,
        askerOf(task, engine, setting, arm, options, signal),
        { log, fingerprint },
        signal,
      );
      for (const one of asked) addTo(records, arm, one);
    }
  };
  await overPlaces(sample, questions, options, signal, ask);
  const reports = arms.map((arm): EvaluationReport => {
    const asked = records.get(arm) ?? [];
    const confusion = task === 'classify' && { confusion: confusionOf(asked) };
    return { ...aboutOf(task, setting, arm, model, options), ...confusion, ...summarise(asked, options.seed) };
  });
  const [first] = reports;
  if (options.json) output.json(reports.length === 1 ? first : reports);
  else if (first) output.out(reports.length === 1 ? printReport(first) : retrieverTable(reports));
}

/** @throws UsageError for options that do not go together */
function checked(task: EvaluationTask, options: EvalOptions): EvalOptions {
  if (options.trees !== undefined && options.workspace !== undefined)
    throw new UsageError('--trees and --workspace exclude each other.');
  if ((options.trees ?? options.workspace) !== undefined && options.setting && options.setting !== 'workspace')
    throw new UsageError('--workspace or --trees and --setting exclude each other.', {
      advice: 'A folder is its own setting.',
    });
  if (options.runs !== undefined && task !== 'answer')
    throw new UsageError('--runs is for eval answer.', { advice: 'The other tasks give no answer to record.' });
  if (options.replay && options.runs === undefined)
    throw new UsageError('--replay needs the recorded runs.', { advice: 'Name them: --runs FOLDER.' });
  const out = options.runs && !options.replay ? recordingFiles(options.runs).records : undefined;
  return { ...options, learn: false, out: options.out ?? out, research: { ...options.research, record: false } };
}

/** Puts the recording, or what it replays, in the place of the engine's model. */
function record(engine: Engine, { runs, replay }: EvalOptions): void {
  if (runs === undefined) return;
  const { replies } = recordingFiles(runs);
  if (replay) return engine.setModel(replayedModel(replies));
  if (!engine.model)
    throw new UsageError('There is no language model to record.', { advice: 'Name one: --base-url URL --model NAME.' });
  mkdirSync(runs, { recursive: true });
  engine.setModel(recordReplies(engine.model, replies));
}

/** Opens each place that the questions are about: one folder, several folders, or an index of their passages. */
async function overPlaces(
  sample: readonly DatasetQuestion[],
  all: readonly DatasetQuestion[],
  options: EvalOptions,
  signal: AbortSignal,
  ask: (engine: Engine, questions: readonly DatasetQuestion[], title: string) => Promise<void>,
): Promise<void> {
  const inFolder = (folder: string, index: string | undefined, some: readonly DatasetQuestion[]): Promise<void> =>
    withEngine(folder, { ...options, index }, signal, async ({ engine, update }) => {
      await update({}, signal);
      await ask(engine, some, basename(folder));
    });
  const { trees, workspace, index } = options;
  if (workspace !== undefined) return inFolder(workspace, index, sample);
  if (trees === undefined)
    return withCorpus(all, options, signal, (engine) => ask(engine, sample, basename(options.data)));
  for (const [name, some] of questionsByTree(sample))
    await withTree(trees, name, (folder) => inFolder(folder, index && join(index, name), some));
}

/** An engine over an index that holds the questions' passages, and those of a corpus file. */
export function withCorpus<T>(
  questions: readonly DatasetQuestion[],
  options: EngineOptions & { corpus?: string },
  signal: AbortSignal,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  return withIndexProcess(options, async (engine) => {
    await importCorpus(engine, questions, options, signal);
    return use(engine);
  });
}

async function importCorpus(
  engine: Engine,
  questions: readonly DatasetQuestion[],
  options: EngineOptions & { corpus?: string },
  signal: AbortSignal,
): Promise<void> {
  const passages = toIndexPassages(collectPassages(questions, options.corpus));
  const fingerprint = hashOf(passages.map((passage) => passage.id + passage.contentHash).join(), 16);
  const embedder = options.embedderFolder
    ? { kind: 'folder' as const, path: options.embedderFolder }
    : { kind: 'bundled' as const };
  await engine.index.open({
    roots: [],
    indexUri: options.index ?? join(cacheFolder(process.env, process.platform), `evaluation-${fingerprint}`),
    embedder,
    excludeGlobs: [],
    useGitignore: false,
    maxFileBytes: 1,
  });
  const progress = new ProgressLine();
  const stop = engine.onIndexState((state) =>
    progress.update(`Indexing the corpus ${bar(state.passagesEmbedded, state.passagesToEmbed)}`),
  );
  try {
    await engine.index.importPassages(passages, signal);
  } finally {
    stop();
    progress.clear();
  }
}

/** Asks what the records lack, under a progress line. */
async function askAll<Q extends { id: string }>(
  title: string,
  questions: readonly Q[],
  ask: (question: Q) => Promise<Outcome>,
  kept: { log: RecordLog; fingerprint: string },
  signal: AbortSignal,
): Promise<EvaluationRecord[]> {
  const line = new ProgressLine();
  const progress = (done: number, total: number): void => line.update(`${title} ${bar(done, total)} ${done}/${total}`);
  try {
    return await runQuestions(questions, ask, { ...kept, now: Date.now, signal, progress });
  } finally {
    line.clear();
  }
}

export const sampleOf = <Q>(asked: readonly Q[], { limit, seed }: { limit?: number; seed: number }): readonly Q[] =>
  limit === undefined ? asked : shuffled(asked, seededRandom(seed)).slice(0, limit);

const armOf = (task: EvaluationTask, { retriever }: EvalOptions): RetrieverName =>
  task === 'retrieval' && retriever !== 'all' ? retriever : 'beam';

function aboutOf(
  task: EvaluationTask,
  setting: Setting,
  retriever: RetrieverName,
  model: string | null,
  options: EvalOptions,
) {
  const { data, seed, limit } = options;
  const config = { seed, limit, ...TASKS[task].config({ ...options, retriever }, model) };
  return { task, data: basename(data), setting, retriever, config };
}

function askerOf(
  task: EvaluationTask,
  engine: Engine,
  setting: Setting,
  name: RetrieverName,
  options: EvalOptions,
  signal: AbortSignal,
): (question: DatasetQuestion & { answerable?: boolean; removed?: string[] }) => Promise<Outcome> {
  const run: AnswerRun = { engine, setting, research: options.research, signal };
  switch (task) {
    case 'retrieval': {
      const chain = { beam: options.beam, maxHops: options.maxHops, stop: options.stop, threshold: options.threshold };
      return (question) => askRetrieval(question, { retriever: engine.retriever, name, setting, chain, signal });
    }
    case 'answer': {
      const { runs, replay } = options;
      const keep: AnswerRun['keep'] =
        runs === undefined || replay ? undefined : (id, events) => keepRun(runs, { id, events: [...events] });
      return (question) => askAnswer(question, { ...run, keep });
    }
    case 'abstain':
      return ({ answerable = true, removed = [], ...question }) =>
        askAbstain({ ...question, answerable, removed }, run);
    case 'classify': {
      const classifier = engine.classifier(options.research.classifier ?? defaultResearchOptions.classifier);
      return (question) => askClassify(question, classifier, signal);
    }
  }
}

interface Task {
  /** Whether the task can score a question. */
  takes(question: DatasetQuestion, setting: Setting): boolean;
  /** What the outcomes follow from, beside the sample. */
  config(options: EvalOptions, model: string | null): Record<string, unknown>;
}

/** Version of the metrics of an answer: records of another version are not mixed in. */
const ANSWER_SCORING = 3;

const TASKS: Record<EvaluationTask, Task> = {
  retrieval: {
    takes: ({ files = [], supporting }, setting) => (setting === 'workspace' ? files : supporting).length > 0,
    config: ({ retriever, beam = 2, maxHops = 6, stop = 'model', threshold }) =>
      retriever === 'beam' ? { beam, maxHops, stop, threshold } : {},
  },
  answer: {
    takes: (question) => isUnanswerable(question) || question.answer !== '',
    config: ({ research }, model) => ({ scoring: ANSWER_SCORING, model, ...defaultResearchOptions, ...research }),
  },
  classify: {
    takes: ({ type }) => type !== 'null',
    config: ({ research: { classifier = defaultResearchOptions.classifier } }, model) => ({ classifier, model }),
  },
  abstain: {
    takes: () => true,
    config: ({ remove, research }, model) => ({ remove, model, ...defaultResearchOptions, ...research }),
  },
};
