import type { DatasetQuestion } from '../../../lab/evaluation/dataset.ts';
import type { Answer } from '../../../src/research/domain/answer.ts';

/** A question of a data set. */
export const datasetQuestion = (more: Partial<DatasetQuestion> = {}): DatasetQuestion => ({
  id: 'q',
  question: 'What?',
  answer: '',
  aliases: [],
  type: 'inference',
  passages: [],
  supporting: [],
  ...more,
});

/** The answer of a run, of quotes where nothing else is said. */
export const answerSaying = (text: string, more: Partial<Answer> = {}): Answer => ({
  text,
  short: '',
  abstained: false,
  statements: [],
  citations: [],
  passages: [],
  chain: { hops: [], score: 0, completeness: 0 },
  subAnswers: [],
  unsupportedCount: 0,
  conflicts: [],
  by: 'extractive',
  coverage: { files: 1, passages: 1, embedded: 1, indexing: false },
  ...more,
});
