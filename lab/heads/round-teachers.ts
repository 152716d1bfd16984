import {
  decide,
  type Embedder,
  type FoundChains,
  type LabelledTrail,
  type PassageProfiles,
  type ReaderWeights,
  readPassages,
} from '#search/lab';
import { scoreSearch } from './chain-metrics.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

/**
 * Who says what a right trail is, from nobody to who knows: `alone` (the product's own word: chain complete and
 * evidence enough; no person), `thumbs` (a person who likes answers whose trail was right, and nothing else), `gold`
 * (the right passages are told), and in its place `files` where only the right files are known: of each, the passage
 * that is nearest to the question.
 */
export type Teacher = 'alone' | 'thumbs' | 'gold' | 'files';

export const teachersOf = ({ questions }: Pick<QuestionSet, 'questions'>): Teacher[] => [
  'alone',
  'thumbs',
  questions[0]?.goldIs === 'files' ? 'files' : 'gold',
];

/** A question with the chains that the heads before the round found for it. */
export interface Asked {
  question: TrainingQuestion;
  found: FoundChains;
}

export interface TeacherPorts {
  index: QuestionSet['index'];
  embedder: Embedder;
  profiles: PassageProfiles;
  reader: ReaderWeights;
}

/** What the product asks of evidence and chain before a run without a person's word counts as having ended well. */
const ENOUGH = 0.6;

export const scored = ({ question, found }: Asked): Record<string, number> =>
  scoreSearch({ question, setting: 'pooled', found, groups: [] });
export const isRight = (asked: Asked): boolean => scored(asked)['chainEM'] === 1;

/** The trails that a teacher gives for these questions. */
export async function trailsBy(
  teacher: Teacher,
  studies: readonly Asked[],
  ports: TeacherPorts,
): Promise<LabelledTrail[]> {
  const trails: LabelledTrail[] = [];
  for (const asked of studies) {
    const passageIds = await trailBy(teacher, asked, ports);
    if (passageIds.length > 0) trails.push({ id: asked.question.id, question: asked.question.question, passageIds });
  }
  return trails;
}

/** Empty: the teacher says nothing of this question. */
async function trailBy(teacher: Teacher, asked: Asked, ports: TeacherPorts): Promise<readonly string[]> {
  if (teacher === 'gold') return asked.question.gold;
  if (teacher === 'files') return nearestOfFiles(asked.question, ports);
  const passageIds = decide(asked.found.result.chains)[0]?.passages.map((passage) => passage.id) ?? [];
  if (passageIds.length === 0) return [];
  const endedWell =
    teacher === 'thumbs'
      ? isRight(asked)
      : (await readPassages(ports, ports.reader, asked.question.question, passageIds, [])).answerability >= ENOUGH;
  return endedWell ? passageIds : [];
}

/** Of each right file its passage nearest to the question; files that are not in the index are left out. */
async function nearestOfFiles(
  { question, gold }: TrainingQuestion,
  { index, embedder }: TeacherPorts,
): Promise<string[]> {
  const vector = await embedder.embedQuery(question);
  const nearest = await Promise.all(
    gold.map((file) => index.vectorSearch(vector, { limit: 1, filter: { paths: [file] } })),
  );
  return nearest.flatMap(([best]) => best?.passage.id ?? []);
}
