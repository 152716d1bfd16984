import { type Embedder, type FoundChains, type PassageProfiles, searchChains } from '#search/lab';
import { type ExampleGroup, type Guide, RecordingScorer } from './recording-scorer.ts';
import { instead } from '../instead.ts';
import type { QuestionSet, TrainingQuestion } from './question-sets.ts';

type TrainingSetting = 'distractor' | 'pooled';

/** A question's search in one setting with everything that was scored on the way. */
export interface RecordedSearch {
  question: TrainingQuestion;
  setting: TrainingSetting;
  found: FoundChains;
  groups: ExampleGroup[];
}

/** Settings in which a question can be asked. */
export const settingsOf = (question: TrainingQuestion): TrainingSetting[] =>
  question.pool === undefined ? ['pooled'] : ['distractor', 'pooled'];

/** The embedder as it asks the questions of a set. */
export const asking = (embedder: Embedder, { moveQuestion }: QuestionSet): Embedder =>
  moveQuestion === undefined ? embedder : instead(embedder, { moveQuestion });

/**
 * Searches as the product does, led by `guide`, with a fixed number of hops so that chains too short and too long are
 * seen.
 */
export async function recordSearch(
  set: QuestionSet,
  question: TrainingQuestion,
  setting: TrainingSetting,
  guide: Guide,
  hops: number,
  ports: { embedder: Embedder; profiles: PassageProfiles },
): Promise<RecordedSearch> {
  const scorer = new RecordingScorer(ports.profiles, guide, question);
  const filter = setting === 'distractor' ? { ids: [...(question.pool ?? [])] } : undefined;
  const found = await searchChains(
    { index: set.index, ...ports, embedder: asking(ports.embedder, set), scorer, now: () => performance.now() },
    question.question,
    {
      beam: 2,
      maxHops: hops,
      filter,
      stop: 'threshold',
      threshold: -Infinity,
    },
  );
  return { question, setting, found, groups: scorer.groups };
}
