import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '#base';
import { defaultResearchOptions, OPERATORS, operatorCalled, type ResearchOptions } from '#research/lab';
import type { DatasetQuestion } from './dataset.ts';
import { RecordLog } from './records.ts';
import { type EvaluationFigures, summarise } from './report.ts';
import { runQuestions } from './run-questions.ts';
import { askAnswer, type AnswerRun } from './runs/answer-run.ts';
import { markdownTable } from '../statistics.ts';

/** One way of asking all questions. */
interface Ablation {
  /** Name of its file of records, and what the table calls it. */
  name: string;
  research: Partial<ResearchOptions>;
  /** To be asked by an engine that learns, and begins as it is installed; the others by one without learning. */
  learns?: true;
}

/** BELLE as in the paper: a full debate of two rounds with opposition L2, both debaters, and the critique of RISE. */
const FULL: Partial<ResearchOptions> = { strategy: 'fixed:belle', debate: 'full' };
const without = (name: string, research: Partial<ResearchOptions>): Ablation => ({
  name,
  research: { ...FULL, ...research },
});

/**
 * What is taken away or changed, one thing at a time (BELLE, arXiv 2505.11811, §4; RISE's critique, He et al. 2025),
 * then the plans that no debate makes, what ships (a bandit chooses the plan, and learns from one question to the
 * next), and every operator that needs a model alone.
 */
export const ABLATIONS: readonly Ablation[] = [
  without('full', {}),
  without('no-types', { types: false }),
  ...(['L0', 'L1', 'L3'] as const).map((strength) => without(`strength-${strength}`, { strength })),
  ...([1, 3] as const).map((rounds) => without(`rounds-${rounds}`, { rounds })),
  without('no-fast-debater', { fastDebater: false }),
  without('no-slow-debater', { slowDebater: false }),
  without('judge-hard-only', { judge: 'hard' }),
  without('judge-soft-only', { judge: 'soft' }),
  without('no-critique', { critique: false }),
  { name: 'planned-in-one-call', research: { strategy: 'auto', debate: 'fast' } },
  { name: 'usual-plan', research: { strategy: 'auto', debate: 'off' } },
  { name: 'auto', research: { strategy: 'auto', debate: 'off' }, learns: true },
  ...OPERATORS.filter((name) => operatorCalled(name).needsModel).map((operator): Ablation => ({
    name: `only-${operator}`,
    research: { strategy: 'auto', operator },
  })),
];

/** Calls and tokens as they are shipped; the time of a slow machine ends no run. */
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
 * Asks every question in every way, and writes one table of all. What a folder holds already is not asked again: an
 * interrupted run goes on.
 */
export async function runAblations(
  questions: readonly DatasetQuestion[],
  ablations: readonly Ablation[],
  run: AblationRun,
): Promise<string> {
  mkdirSync(run.folder, { recursive: true });
  const reports: [string, EvaluationFigures][] = [];
  for (const { name, research: changed, learns = false } of ablations) {
    const research: Partial<ResearchOptions> = { ...changed, budget: UNTIMED, record: learns };
    const { engine, setting, signal } = run;
    const config = { ...defaultResearchOptions, ...research, model: engine.model?.id ?? null };
    const fingerprint = hashOf(JSON.stringify([config, run.setting, run.askedHash]), 16);
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
  }
  const table = ablationTable(reports);
  writeFileSync(join(run.folder, 'ablations.md'), table);
  return table;
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
