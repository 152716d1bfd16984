import type { PassageFilter } from '#search/lab';
import type { DatasetQuestion } from '../dataset.ts';
import type { Outcome } from '../run-questions.ts';
import { runResearch, type AnswerRun } from './answer-run.ts';

/** A question asked with all, or with some of its evidence taken away: the right thing to do is to refuse. */
interface AbstainCase extends DatasetQuestion {
  answerable: boolean;
  removed: string[];
}

/**
 * By `null` questions of the data itself, or by removal: each question once as it is and once without its gold passages
 * (`all`), or without the last of them (`one`).
 */
export function abstainCases(questions: readonly DatasetQuestion[], remove: 'none' | 'all' | 'one'): AbstainCase[] {
  if (remove === 'none')
    return questions.map((question) => ({ ...question, answerable: question.type !== 'null', removed: [] }));
  return questions
    .filter((question) => question.type !== 'null' && question.supporting.length > 0)
    .flatMap((question) => [
      { ...question, id: `${question.id}/kept`, answerable: true, removed: [] },
      {
        ...question,
        id: `${question.id}/removed`,
        answerable: false,
        removed: remove === 'all' ? question.supporting : question.supporting.slice(-1),
      },
    ]);
}

export async function askAbstain(question: AbstainCase, run: AnswerRun): Promise<Outcome> {
  const { answer, usage, error } = await runResearch(question.question, filterOf(question, run), run);
  const refused = answer?.abstained ?? false;
  const metrics: Record<string, number> = question.answerable
    ? { answerableKept: refused || error ? 0 : 1 }
    : { nullRefused: refused ? 1 : 0 };
  return {
    metrics,
    tokens: usage.inputTokens + usage.outputTokens,
    detail: {
      question: question.question,
      answerable: question.answerable,
      refused,
      short: answer?.short,
      reason: answer?.abstainReason,
      error,
    },
  };
}

function filterOf(question: AbstainCase, run: AnswerRun): PassageFilter | undefined {
  if (run.setting === 'distractor')
    return { ids: question.passages.map((passage) => passage.id).filter((id) => !question.removed.includes(id)) };
  return question.removed.length > 0 ? { excludeIds: question.removed } : undefined;
}
