import { basename, join, resolve } from 'node:path';
import type { Engine } from '#hoptrail';
import { collectPassages, loadQuestions, toIndexPassages, type DatasetQuestion } from '../evaluation/dataset.ts';
import { hashOf, reportError, seededRandom, shuffled } from '#base';
import { isUnanswerable } from '../evaluation/score-answer.ts';
import { type EvaluationRecord, RecordLog } from '../evaluation/records.ts';
import { summarise, type EvaluationReport, type EvaluationTask } from '../evaluation/report.ts';
import { runQuestions, type Outcome, type RunOptions } from '../evaluation/run-questions.ts';
import { abstainCases, askAbstain } from '../evaluation/runs/abstain-run.ts';
import { askAnswer } from '../evaluation/runs/answer-run.ts';
import { askClassify, confusionOf } from '../evaluation/runs/classify-run.ts';
import { askRetrieval, type Setting } from '../evaluation/runs/retrieval-run.ts';
import type { RetrieverName } from '#search/lab';
import { defaultResearchOptions, type ResearchOptions } from '#research/lab';
import { teachByGold, type GoldTeacher } from '../evaluation/gold-teacher.ts';
import { askedHash } from './asked-hash.ts';
import { questionsByTree, withTree } from './eval-trees.ts';
import {
  bar,
  type EngineOptions,
  evaluationIndexUri,
  type Output,
  ProgressLine,
  UsageError,
  withEngine,
  withIndexProcess,
} from '#cli/lab';

export interface EvalOptions extends EngineOptions {
  data: string;
  corpus?: string;
  workspace?: string;
  /** retrieval: a folder with the trees that the questions name. */
  trees?: string;
  setting?: Setting;
  retriever: RetrieverName;
  stop?: 'model' | 'threshold';
  threshold?: number;
  beam?: number;
  maxHops?: number;
  limit?: number;
  seed: number;
  out?: string;
  remove: 'none' | 'all' | 'one';
  json?: boolean;
  /** answer: a folder in which runs whose answer is right leave what they teach. */
  teach?: string;
  research: Partial<ResearchOptions>;
}

/** `hoptrail eval TASK --data F`: asks every question of a data file and prints the metrics with their intervals. */
export async function evalCommand(
  task: EvaluationTask,
  given: EvalOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (given.teach !== undefined && task !== 'answer')
    throw new UsageError('--teach is for eval answer.', {
      advice: 'The other tasks give no answers that could be right.',
    });
  const teacher =
    given.teach === undefined
      ? undefined
      : teachByGold(given.teach, (error) => output.err(`warn: ${reportError(error).message}`));
  const options = {
    ...given,
    learn: false,
    ...(teacher && { onNode: teacher.onNode }),
    research: { ...given.research, record: teacher !== undefined },
  };
  const folder = options.workspace && basename(resolve(options.workspace));
  const questions = loadQuestions(options.data).filter(
    (question) => folder === undefined || question.workspace === undefined || question.workspace === folder,
  );
  if (options.trees !== undefined && (task !== 'retrieval' || options.workspace !== undefined))
    throw new UsageError('--trees is for eval retrieval, and takes the place of --workspace.');
  const setting: Setting = options.workspace || options.trees ? 'workspace' : (options.setting ?? 'pooled');
  if (options.workspace && options.setting && options.setting !== 'workspace')
    throw new UsageError('--workspace and --setting exclude each other.', {
      advice: 'A workspace is its own setting.',
    });
  const evaluate = (engine: Engine): Promise<void> =>
    evaluateTask(engine, task, questions, setting, { ...options, teacher }, output, signal);
  if (options.trees !== undefined) {
    await evaluateTrees(options.trees, questions, { ...options, teacher }, output, signal);
    return;
  }
  if (options.workspace) {
    await withEngine(options.workspace, options, signal, async ({ engine, update }) => {
      await update({}, signal);
      await evaluate(engine);
    });
    return;
  }
  await withCorpus(questions, options, signal, evaluate);
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
    indexUri: options.index ?? evaluationIndexUri(fingerprint),
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

/** What is scored of an answer: records that were made under an older one lack some of it and are not mixed in. */
const ANSWER_SCORING = 2;

/** Each tree has an index of its own, which lies in a folder below `--index` where that is given. */
async function evaluateTrees(
  trees: string,
  all: readonly DatasetQuestion[],
  options: TaughtOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const sample = sampleOf(
    all.filter((question) => TASKS.retrieval.takes(question, 'workspace')),
    options,
  );
  const about = aboutOf('retrieval', 'workspace', undefined, options);
  const kept = recordsOf(about, options);
  const records: EvaluationRecord[] = [];
  for (const [name, questions] of questionsByTree(sample)) {
    const index = options.index === undefined ? {} : { index: join(options.index, name) };
    const asked = await withTree(trees, name, (folder) =>
      withEngine(folder, { ...options, ...index }, signal, async ({ engine, update }) => {
        await update({}, signal);
        return askAll(name, questions, askerOf('retrieval', engine, 'workspace', options, signal), kept, signal);
      }),
    );
    records.push(...asked);
  }
  tell({ ...about, ...summarise(records, options.seed) }, options, output);
}

/** Asks what the records lack, under a progress line. */
async function askAll<Q extends { id: string }>(
  title: string,
  questions: readonly Q[],
  ask: (question: Q) => Promise<Outcome>,
  kept: Pick<RunOptions, 'log' | 'fingerprint'>,
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

function tell(report: EvaluationReport, { json }: EvalOptions, output: Output): void {
  if (json) output.json(report);
  else output.out(printReport(report));
}

export const sampleOf = <Q>(asked: readonly Q[], { limit, seed }: { limit?: number; seed: number }): readonly Q[] =>
  limit === undefined ? asked : shuffled(asked, seededRandom(seed)).slice(0, limit);

function aboutOf(task: EvaluationTask, setting: Setting, engine: Engine | undefined, options: EvalOptions) {
  return {
    task,
    data: basename(options.data),
    setting,
    retriever: task === 'retrieval' ? options.retriever : 'beam',
    config: {
      seed: options.seed,
      limit: options.limit,
      ...TASKS[task].config(options, engine?.model?.id ?? null),
    },
  };
}

function recordsOf(about: unknown, options: EvalOptions): { fingerprint: string; log: RecordLog } {
  const fingerprint = hashOf(JSON.stringify([about, askedHash(options)]), 16);
  return { fingerprint, log: new RecordLog(options.out, fingerprint) };
}

type TaughtOptions = EvalOptions & { teacher: GoldTeacher | undefined };

async function evaluateTask(
  engine: Engine,
  task: EvaluationTask,
  all: readonly DatasetQuestion[],
  setting: Setting,
  options: TaughtOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const sample = sampleOf(
    all.filter((question) => TASKS[task].takes(question, setting)),
    options,
  );
  const about = aboutOf(task, setting, engine, options);
  const kept = recordsOf(about, options);
  const run = { engine, setting, research: options.research, signal };
  const records =
    task === 'abstain'
      ? await askAll(task, abstainCases(sample, options.remove), (one) => askAbstain(one, run), kept, signal)
      : await askAll(task, sample, askerOf(task, engine, setting, options, signal), kept, signal);
  const confusion = task === 'classify' && { confusion: confusionOf(records) };
  tell({ ...about, ...confusion, ...summarise(records, options.seed) }, options, output);
}

function askerOf(
  task: Exclude<EvaluationTask, 'abstain'>,
  engine: Engine,
  setting: Setting,
  options: TaughtOptions,
  signal: AbortSignal,
): (question: DatasetQuestion) => Promise<Outcome> {
  switch (task) {
    case 'retrieval': {
      const chain = { beam: options.beam, maxHops: options.maxHops, stop: options.stop, threshold: options.threshold };
      return (question) =>
        askRetrieval(question, { retriever: engine.retriever, name: options.retriever, setting, chain, signal });
    }
    case 'answer':
      return async (question) => {
        const outcome = await askAnswer(question, { engine, setting, research: options.research, signal });
        await options.teacher?.judge(outcome.metrics['f1'] ?? 0);
        return outcome;
      };
    case 'classify': {
      const classifier = engine.classifier(options.research.classifier ?? defaultResearchOptions.classifier);
      return (question) => askClassify(question, classifier, signal);
    }
  }
}

interface Task {
  /** Whether it can score a question. */
  takes(question: DatasetQuestion, setting: Setting): boolean;
  /** What its outcomes follow from, beside the sample; the order of these names is part of what tells records apart. */
  config(options: EvalOptions, model: string | null): Record<string, unknown>;
}

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

function printReport(report: EvaluationReport): string {
  const lines = [
    `${report.task} on ${report.data}, ${report.setting}${report.task === 'retrieval' ? `, ${report.retriever}` : ''}: ${report.n} questions`,
  ];
  const row = (name: string, value: number, shown: (value: number) => string): string => {
    const [low, high] = report.ci95[name] ?? [value, value];
    return `  ${name.padEnd(16)} ${shown(value)}   95 % ${shown(low)} to ${shown(high)}`;
  };
  for (const [name, value] of Object.entries(report.metrics)) lines.push(row(name, value, percent));
  const cost = (value: number): string => value.toFixed(1).padStart(7);
  for (const [name, value] of Object.entries(report.costs ?? {})) lines.push(`${row(name, value, cost)} per question`);
  lines.push(`  time             ${report.ms.p50} ms median, ${report.ms.p95} ms p95`);
  for (const [gold, row] of Object.entries(report.confusion ?? {}))
    lines.push(
      `  ${gold.padEnd(12)} → ${Object.entries(row)
        .map(([type, count]) => `${type} ${count}`)
        .join(', ')}`,
    );
  return lines.join('\n');
}

const percent = (value: number): string => `${(100 * value).toFixed(1).padStart(5)} %`;
