import path from 'node:path';
import { formOf, nameForm } from '#search/lab';
import { loadQuestions, type DatasetQuestion } from '../evaluation/dataset.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

/**
 * The steps that MuSiQue's questions were put together from, each a question of its own that one passage answers. The
 * sets hold no question of a single hop, so that heads learnt from them alone would never let a chain end at its first
 * passage.
 */
export function singleSteps(dataDir: string, whole: QuestionSet): QuestionSet {
  const questions = loadQuestions(path.join(dataDir, `${whole.name}.jsonl`)).flatMap((question) =>
    stepsOf(question, `${whole.name}-steps`),
  );
  return { name: `${whole.name}-steps`, index: whole.index, questions };
}

function stepsOf(question: DatasetQuestion, set: string): TrainingQuestion[] {
  const gold = question.passages.filter((passage) => question.supporting.includes(passage.id));
  return (question.decomposition ?? []).flatMap((step, i): TrainingQuestion[] => {
    // Steps do not name their passages: only those count whose answer stands in one gold passage alone.
    const holding = gold.filter((passage) =>
      formOf(`${passage.title}\n${passage.text}`).includes(` ${nameForm(step.answer)} `),
    );
    const [only] = holding;
    if (only === undefined || holding.length > 1) return [];
    const text = step.question.replace(
      /#(\d+)/g,
      (whole, n: string) => question.decomposition?.[Number(n) - 1]?.answer ?? whole,
    );
    const [subject, relation] = text
      .split('>>')
      .map((part, at, all) => (at === 0 ? part.trimEnd() : at === all.length - 1 ? part.trimStart() : part.trim()));
    return [
      {
        id: `${question.id}/${i + 1}`,
        partOf: question.id,
        set,
        answer: step.answer,
        gold: [only.id],
        question: relation === undefined ? text : `What is the ${relation} of ${subject ?? ''}?`,
        pool: i % 2 === 0 ? question.passages.map((passage) => passage.id) : undefined,
      },
    ];
  });
}
