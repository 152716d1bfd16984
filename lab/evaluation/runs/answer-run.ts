import type { Engine } from '#hoptrail';
import type { Answer, ResearchEvent, ResearchOptions, Usage } from '#research/lab';
import { setF1 } from '../answer-metrics.ts';
import type { ErrorReport } from '#base';
import type { PassageFilter } from '#search/lab';
import type { DatasetQuestion } from '../dataset.ts';
import type { Outcome } from '../run-questions.ts';
import { isUnanswerable, scoreAnswer } from '../score-answer.ts';
import { candidateFilter, type Setting } from './retrieval-run.ts';

export interface AnswerRun {
  engine: Engine;
  setting: Setting;
  research: Partial<ResearchOptions>;
  signal: AbortSignal;
  /** Gets every event of a finished run. */
  keep?(id: string, events: readonly ResearchEvent[]): void;
}

interface RunResult {
  answer?: Answer;
  usage: Usage;
  error?: ErrorReport;
  notices: string[];
  plan: string[];
  events: ResearchEvent[];
}

/** One run to its end. A failed run is an outcome, not a crash of the evaluation; a cancelled one ends it. */
export async function runResearch(
  question: string,
  scope: PassageFilter | undefined,
  run: AnswerRun,
): Promise<RunResult> {
  const result: RunResult = {
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 0, seconds: 0 },
    notices: [],
    plan: [],
    events: [],
  };
  for await (const event of run.engine.research({ text: question, history: [], scope }, run.research, run.signal)) {
    result.events.push(event);
    if (event.type === 'answer-end') result.answer = event.answer;
    if (event.type === 'notice') result.notices.push(event.code);
    if (event.type === 'plan-proposed') result.plan = event.plan.steps.map((step) => step.operator);
    if (event.type === 'run-error') result.error = event.error;
    if (event.type === 'run-end' || event.type === 'run-error' || event.type === 'run-cancelled')
      result.usage = event.usage;
  }
  run.signal.throwIfAborted();
  return result;
}

export async function askAnswer(question: DatasetQuestion, run: AnswerRun): Promise<Outcome> {
  const scope = candidateFilter(question, run.setting);
  const { answer, usage, error, notices, plan, events } = await runResearch(question.question, scope, run);
  run.keep?.(question.id, events);
  const cited = new Set(answer?.citations.map((citation) => citation.passageId));
  const citedFiles = new Set(answer?.passages.filter(({ id }) => cited.has(id)).map(({ path }) => path));
  const supporting =
    run.setting === 'workspace'
      ? setF1(citedFiles, new Set(question.files))
      : setF1(cited, new Set(question.supporting));
  const tokens = usage.inputTokens + usage.outputTokens;
  return {
    metrics: {
      ...scoreAnswer(question, answer),
      ...(!isUnanswerable(question) && { supportingF1: supporting }),
      failed: error ? 1 : 0,
      calls: usage.calls,
      tokens,
      seconds: usage.seconds,
    },
    tokens,
    detail: {
      question: question.question,
      gold: question.answer,
      short: answer?.short ?? '',
      reason: answer?.abstainReason,
      text: answer?.text,
      missing: answer?.missing,
      quoted: answer?.citations.map(({ passageId, startLine, endLine }) => ({
        path: answer.passages.find(({ id }) => id === passageId)?.path,
        startLine,
        endLine,
      })),
      plan,
      subQuestions: answer?.subAnswers.map((sub) => sub.question),
      notices,
      error,
    },
  };
}
