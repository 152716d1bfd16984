import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type LabelledQuestion, PREDICTED_TYPES, type PredictedType, readQuestionExamples } from '#research/lab';
import { loadQuestions } from '../evaluation/dataset.ts';
import { folderSets } from './folder-sets.ts';
import { WIKIPEDIA_SETS } from './question-sets.ts';

/**
 * Where a labelled question comes from; `own`: written for Hoptrail, about code and notes; `folders`: what people ask
 * of a folder (lab/questions).
 */
export type QuestionSource = (typeof DATASETS)[number] | 'own' | 'folders' | 'workspaces';

export interface SourcedQuestion extends LabelledQuestion {
  source: QuestionSource;
  /** The folder that it asks about, where that has others: they share its words. */
  folder?: string;
}

export const DATASETS = ['multihop-rag', ...WIKIPEDIA_SETS] as const;

/**
 * Labelled questions of all sets and our own; questions of type null are left out: nothing in their words tells them
 * apart.
 */
export async function classifierTrainingQuestions(
  dataDirectory: string,
  examplesFile: string,
): Promise<SourcedQuestion[]> {
  const own = (await readQuestionExamples(examplesFile)).map((question) => ({ ...question, source: 'own' as const }));
  return [...DATASETS.flatMap((source) => labelled(join(dataDirectory, `${source}.jsonl`), source)), ...own];
}

/** Questions about the example workspaces: never trained on. */
export function workspaceQuestions(file: string): SourcedQuestion[] {
  return existsSync(file) ? labelled(file, 'workspaces') : [];
}

/** What the types of lab/questions are here: whatever one place answers is a lookup. */
const OF_FOLDERS: Readonly<Record<string, PredictedType>> = {
  lookup: 'lookup',
  how: 'lookup',
  why: 'lookup',
  list: 'lookup',
  yesno: 'lookup',
  bridge: 'inference',
  comparison: 'comparison',
};

/** Questions about folders by their types; those that nothing answers are left out. */
export const folderQuestions = (folder: string): SourcedQuestion[] =>
  folderSets([folder]).flatMap(({ name, questions }) =>
    questions.flatMap(({ question, type }) => {
      const predicted = OF_FOLDERS[type];
      return predicted ? [{ question, type: predicted, source: 'folders' as const, folder: name }] : [];
    }),
  );

function labelled(file: string, source: QuestionSource): SourcedQuestion[] {
  return loadQuestions(file).flatMap(({ question, type }) => (isPredicted(type) ? [{ question, type, source }] : []));
}

const isPredicted = (type: string): type is PredictedType => (PREDICTED_TYPES as readonly string[]).includes(type);

/** A fold for each question, by its place; those about one folder are in the same, by the folder's place. */
export function foldsOfQuestions(questions: readonly SourcedQuestion[], folds: number): number[] {
  const folders = [...new Set(questions.flatMap(({ folder }) => folder ?? []))];
  return questions.map(({ folder }, i) => (folder === undefined ? i : folders.indexOf(folder)) % folds);
}
