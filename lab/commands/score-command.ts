import { type Output, UsageError } from '#cli/lab';
import { loadQuestions } from '../evaluation/dataset.ts';
import { readRuns } from '../evaluation/recording.ts';
import { judgeRuns, readVerdicts, scoreRows, scoreTable } from '../evaluation/verdicts.ts';

export interface ScoreOptions {
  data: string;
  /** JSON lines `{id, verdict, note?}`, written by hand. */
  verdicts?: string;
  /** Prints what a person needs for a verdict, as JSON lines. */
  list?: boolean;
  seed: number;
  json?: boolean;
}

/** `hoptrail eval score RUNS --data F`: verdicts and costs of recorded runs; asks no model and opens no index. */
export function scoreCommand(folder: string, options: ScoreOptions, output: Output): void {
  const verdicts = options.verdicts === undefined ? new Map() : readVerdicts(options.verdicts);
  const judged = judgeRuns(loadQuestions(options.data), readRuns(folder), verdicts);
  if (judged.length === 0)
    throw new UsageError(`${folder} has no run of a question in ${options.data}.`, {
      advice: 'Name the data file that the runs were recorded with.',
    });
  if (options.list) {
    for (const { question, verdict, facts } of judged)
      output.json({
        id: question.id,
        question: question.question,
        gold: question.answer,
        short: facts.answer?.short ?? '',
        text: facts.answer?.text ?? '',
        missing: facts.answer?.missing ?? [],
        marks: facts.marks,
        verdict,
      });
    return;
  }
  const rows = scoreRows(judged, options.seed);
  if (options.json) output.json(rows);
  else output.out(scoreTable(rows));
}
