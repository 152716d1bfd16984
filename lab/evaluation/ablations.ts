import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '#base';
import {
  defaultResearchOptions,
  type LanguageModel,
  OPERATORS,
  operatorCalled,
  type ResearchOptions,
} from '#research/lab';
import type { DatasetQuestion } from './dataset.ts';
import { RecordLog } from './records.ts';
import { type EvaluationFigures, summarise } from './report.ts';
import { runQuestions } from './run-questions.ts';
import { askAnswer, type AnswerRun } from './runs/answer-run.ts';
import { instead } from '../instead.ts';
import { markdownTable } from '../statistics.ts';

/** One way of asking all questions. */
interface Ablation {
  /** Names the file of records and the row of the table. */
  name: string;
  research: Partial<ResearchOptions>;
  /** Share of the model's window that may be used; default 1. */
  window?: number;
}

/** What ships with a model: a plan in one call. */
const DEFAULT: Partial<ResearchOptions> = { strategy: 'auto', debate: 'fast' };
/** BELLE's planning as published: two rounds, opposition L2, both debaters of the second level. */
const DEBATE: Partial<ResearchOptions> = { strategy: 'auto', debate: 'full' };
const changed = (name: string, research: Partial<ResearchOptions>, base = DEFAULT): Ablation => ({
  name,
  research: { ...base, ...research },
});

/**
 * The default with one part changed at a time, the debate with one part changed (BELLE, arXiv 2505.11811, §4), and
 * every operator that needs a model alone.
 */
export const ABLATIONS: readonly Ablation[] = [
  changed('default', {}),
  changed('plan-off', { debate: 'off' }),
  changed('one-look', { operator: 'single-step' }),
  changed('no-critique', { critique: false }),
  { ...changed('window-halved', {}), window: 0.5 },
  changed('debate', {}, DEBATE),
  changed('no-types', { types: false }, DEBATE),
  changed('no-fast-debater', { fastDebater: false }, DEBATE),
  changed('no-slow-debater', { slowDebater: false }, DEBATE),
  changed('no-level-2', { fastDebater: false, slowDebater: false }, DEBATE),
  ...OPERATORS.filter((name) => name !== 'single-step' && operatorCalled(name).needsModel).map((operator): Ablation =>
    changed(`only-${operator}`, { operator }),
  ),
];

/** Calls and tokens as shipped, without a limit of time: a slow machine must not end a run. */
const UNTIMED = { ...defaultResearchOptions.budget, seconds: 86_400 };

export interface AblationRun extends Omit<AnswerRun, 'research'> {
  /** Holds a file of records for each ablation, and the table. */
  folder: string;
  /** Of the questions and of what is searched; records of others are not mixed in. */
  askedHash: string;
  seed: number;
  now(): number;
  progress?(ablation: string, done: number, total: number): void;
}

/**
 * Asks every question in every way and writes one table. Records that the folder holds are not asked again, so that an
 * interrupted run goes on.
 */
export async function runAblations(
  questions: readonly DatasetQuestion[],
  ablations: readonly Ablation[],
  run: AblationRun,
): Promise<string> {
  mkdirSync(run.folder, { recursive: true });
  const reports: [string, EvaluationFigures][] = [];
  for (const { name, research: parts, window = 1 } of ablations) {
    const research: Partial<ResearchOptions> = { ...parts, budget: UNTIMED, record: false };
    const { engine, setting, signal } = run;
    const { model } = engine;
    const config = { ...defaultResearchOptions, ...research, window, model: model?.id ?? null };
    const fingerprint = hashOf(JSON.stringify([config, run.setting, run.askedHash]), 16);
    const narrow = model && window < 1 ? narrowed(model, window) : undefined;
    if (narrow) engine.setModel(narrow);
    try {
      const records = await runQuestions(
        questions,
        (question) => askAnswer(question, { engine, setting, signal, research }),
        {
          log: new RecordLog(join(run.folder, `${name}.jsonl`), fingerprint),
          fingerprint,
          now: () => run.now(),
          signal,
          progress: (done, total) => run.progress?.(name, done, total),
        },
      );
      reports.push([name, summarise(records, run.seed)]);
    } finally {
      if (narrow) engine.setModel(model);
    }
  }
  const table = ablationTable(reports);
  writeFileSync(join(run.folder, 'ablations.md'), table);
  return table;
}

/** The model with a part of its window. */
function narrowed(model: LanguageModel, window: number): LanguageModel {
  const contextTokens = Math.floor(model.contextTokens * window);
  return instead(model, { contextTokens, learnWindow: undefined });
}

/** F1, calls and tokens per question with their 95 % bootstrap intervals, as one Markdown table. */
function ablationTable(reports: readonly (readonly [name: string, report: EvaluationFigures])[]): string {
  const rows = reports.map(([name, { n, metrics, costs = {}, ci95 }]): string[] => {
    const cell = (key: string, value: number | undefined, digits: number): string => {
      const [low, high] = ci95[key] ?? [];
      if (value === undefined || low === undefined || high === undefined) return '–';
      return `${value.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
    };
    const failed = Math.round((metrics['failed'] ?? 0) * n);
    const title = `${name}${failed > 0 ? `, ${failed} failed` : ''}`;
    const figures = [
      cell('f1', metrics['f1'], 2),
      cell('calls', costs['calls'], 1),
      cell('tokens', costs['tokens'], 0),
    ];
    return [title, `${n}`, ...figures];
  });
  return `${markdownTable(['', 'questions', 'F1', 'calls', 'tokens'], rows)}\n`;
}
