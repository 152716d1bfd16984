import { z } from 'zod';
import { mean } from '#base';
import type { Answer, Plan, ResearchEvent, Usage } from '#research/lab';
import type { DatasetQuestion } from './dataset.ts';
import { readLog } from './dataset.ts';
import type { RecordedRun } from './recording.ts';
import { givesAnswer, isUnanswerable, itemsIn, shownText } from './score-answer.ts';
import { bootstrapInterval, markdownTable, quantile, wilsonInterval } from '../statistics.ts';

const VERDICTS = ['right', 'partly', 'wrong', 'refused'] as const;
export type Verdict = (typeof VERDICTS)[number];

const verdictShape = z.object({ id: z.string(), verdict: z.enum(VERDICTS), note: z.string().optional() });

/** Verdicts that a person wrote, by question id. They override the match of short answers. */
export const readVerdicts = (file: string): Map<string, Verdict> =>
  new Map(
    readLog(file, verdictShape, { is: 'verdict', from: 'hoptrail eval score --list' }).map(({ id, verdict }) => [
      id,
      verdict,
    ]),
  );

/** What one recorded run says about itself. */
interface RunFacts {
  answer?: Answer;
  usage: Usage;
  plan?: Plan;
  /** A model made the plan, in one call or by debate. */
  planned: boolean;
  debated: boolean;
  /** Statements that the check marked. */
  marks: number;
  failed: boolean;
}

const MADE_BY_MODEL: readonly string[] = ['fast', 'repaired', 'debate-hard', 'debate-soft'];
const NO_USAGE: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 0 };

export function factsOf(events: readonly ResearchEvent[]): RunFacts {
  const facts: RunFacts = { usage: NO_USAGE, planned: false, debated: false, marks: 0, failed: false };
  for (const event of events) {
    if (event.type === 'answer-end') facts.answer = event.answer;
    if (event.type === 'plan-proposed') facts.plan = event.plan;
    if (event.type === 'debate-turn') facts.debated ||= event.role !== 'fast' || event.round > 1;
    if (event.type === 'run-error') facts.failed = true;
    if (event.type === 'run-end' || event.type === 'run-error' || event.type === 'run-cancelled')
      facts.usage = event.usage;
  }
  facts.planned = facts.plan !== undefined && MADE_BY_MODEL.includes(facts.plan.origin);
  facts.marks = facts.answer?.statements.filter(({ support }) => support === 'unsupported').length ?? 0;
  return facts;
}

/**
 * The verdict by short-answer match. `right`: what is shown gives the gold answer, or a question that the corpus cannot
 * answer is refused. `partly`: some items of a list are shown. `refused`: there is no answer although the corpus has
 * one. A failed run is wrong.
 */
export function verdictOf(question: DatasetQuestion, answer: Answer | undefined): Verdict {
  if (isUnanswerable(question)) return answer?.abstained ? 'right' : 'wrong';
  if (!answer) return 'wrong';
  if (answer.abstained) return 'refused';
  const text = shownText(answer);
  if (givesAnswer(question, text, answer.short)) return 'right';
  return question.items && itemsIn(question.items, text) > 0 ? 'partly' : 'wrong';
}

/** One judged run. */
interface JudgedRun {
  question: DatasetQuestion;
  verdict: Verdict;
  byHand: boolean;
  facts: RunFacts;
}

/** Recorded runs with their verdicts, in the order of the questions; questions without a run are left out. */
export function judgeRuns(
  questions: readonly DatasetQuestion[],
  runs: readonly RecordedRun[],
  byHand: ReadonlyMap<string, Verdict>,
): JudgedRun[] {
  const known = new Map(runs.map((run) => [run.id, run]));
  return questions.flatMap((question) => {
    const run = known.get(question.id);
    if (!run) return [];
    const facts = factsOf(run.events);
    const told = byHand.get(question.id);
    return [{ question, verdict: told ?? verdictOf(question, facts.answer), byHand: told !== undefined, facts }];
  });
}

/** Figures of some judged runs; shares with Wilson's interval, means with a bootstrap one. */
interface ScoreRow {
  name: string;
  n: number;
  byHand: number;
  verdicts: Record<Verdict, number>;
  /** Share of right verdicts. */
  right: { share: number; ci95: [number, number] };
  /** Wrong answers in which no statement was marked. */
  wrongUnmarked: number;
  calls: { median: number; mean: number };
  promptTokens: { mean: number; ci95: [number, number] };
  cachedTokens: number;
  outputTokens: number;
  planned: number;
  debated: number;
  marks: number;
  failed: number;
}

const shareOf = (some: number, all: number): number => (all === 0 ? 0 : some / all);

function rowOf(name: string, runs: readonly JudgedRun[], seed: number): ScoreRow {
  const count = (holds: (run: JudgedRun) => boolean): number => runs.filter(holds).length;
  const verdicts = { right: 0, partly: 0, wrong: 0, refused: 0 };
  for (const { verdict } of runs) verdicts[verdict] += 1;
  const of = (value: (usage: Usage) => number): number[] => runs.map(({ facts }) => value(facts.usage));
  const calls = of((usage) => usage.calls);
  const prompts = of((usage) => usage.inputTokens);
  return {
    name,
    n: runs.length,
    byHand: count(({ byHand }) => byHand),
    verdicts,
    right: { share: shareOf(verdicts.right, runs.length), ci95: wilsonInterval(verdicts.right, runs.length) },
    wrongUnmarked: count(({ verdict, facts }) => verdict === 'wrong' && facts.marks === 0),
    calls: { median: quantile(calls, 0.5), mean: mean(calls) },
    promptTokens: { mean: mean(prompts), ci95: bootstrapInterval(prompts, seed) },
    cachedTokens: mean(of((usage) => usage.cachedTokens ?? 0)),
    outputTokens: mean(of((usage) => usage.outputTokens)),
    planned: shareOf(
      count(({ facts }) => facts.planned),
      runs.length,
    ),
    debated: shareOf(
      count(({ facts }) => facts.debated),
      runs.length,
    ),
    marks: runs.reduce((sum, { facts }) => sum + facts.marks, 0),
    failed: count(({ facts }) => facts.failed),
  };
}

/** One row for each type of question, then all with an answer, then those that the corpus cannot answer. */
export function scoreRows(runs: readonly JudgedRun[], seed: number): ScoreRow[] {
  const answerable = runs.filter(({ question }) => !isUnanswerable(question));
  const unanswerable = runs.filter(({ question }) => isUnanswerable(question));
  const types = [...new Set(answerable.map(({ question }) => question.type))].sort();
  const groups: [string, readonly JudgedRun[]][] = [
    ...types.map((type): [string, readonly JudgedRun[]] => [
      type,
      answerable.filter(({ question }) => question.type === type),
    ]),
    ['all with an answer', answerable],
    ['without an answer', unanswerable],
  ];
  return groups.filter(([, some]) => some.length > 0).map(([name, some]) => rowOf(name, some, seed));
}

export function scoreTable(rows: readonly ScoreRow[]): string {
  const interval = ([low, high]: readonly [number, number], digits: number): string =>
    `[${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  const head = ['', 'n', 'right', 'share', 'partly', 'wrong (unmarked)', 'refused', 'calls, median', 'prompt tokens'];
  return markdownTable(
    [...head, 'cached', 'answered', 'planned', 'debated', 'marks', 'failed'],
    rows.map((row) => [
      row.name,
      `${row.n}`,
      `${row.verdicts.right}`,
      `${row.right.share.toFixed(2)} ${interval(row.right.ci95, 2)}`,
      `${row.verdicts.partly}`,
      `${row.verdicts.wrong} (${row.wrongUnmarked})`,
      `${row.verdicts.refused}`,
      row.calls.median.toFixed(1),
      `${row.promptTokens.mean.toFixed(0)} ${interval(row.promptTokens.ci95, 0)}`,
      row.cachedTokens.toFixed(0),
      row.outputTokens.toFixed(0),
      row.planned.toFixed(2),
      row.debated.toFixed(2),
      `${row.marks}`,
      `${row.failed}`,
    ]),
  );
}
