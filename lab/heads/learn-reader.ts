import { FOLDS, log, type CrossValidationPorts } from './cross-validate.ts';
import type { QuestionSet } from './question-sets.ts';
import { readerCase, type ReaderCase } from './reader-cases.ts';
import { crossValidateReader } from './reader-report.ts';
import type { RecordedSearch } from './recorded-search.ts';
import { trainReader, type ReaderModels } from './train-reader.ts';
import { profileOf } from './unit-cases.ts';

interface LearnedReader {
  models: ReaderModels;
  figures: ReturnType<typeof crossValidateReader>;
}

/** Searches whose chains the reader learns to judge. */
interface JudgedSearches {
  searches: readonly RecordedSearch[];
  /** Whether the corpus that was searched holds the answer. */
  answerable: boolean;
  /** The corpus was one that the questions are not about. */
  elsewhere?: boolean;
  /** Default: all. */
  teaches?: ReaderCase['teaches'];
}

/**
 * Learns the reader from gold passages and from chains found by heads that had not seen the question; for knowing when
 * to refuse, from chains found with all gold passages taken away (a gap in what is known) and in a corpus that the
 * question is not about.
 */
export async function learnReader(
  sets: readonly QuestionSet[],
  judged: readonly JudgedSearches[],
  folds: ReadonlyMap<string, number>,
  seed: number,
  ports: CrossValidationPorts,
): Promise<LearnedReader> {
  const cases: ReaderCase[] = [];
  for (const set of sets) {
    for (const question of set.questions) {
      const profile = await profileOf(question.question, set.index, ports.embedder);
      cases.push(
        await readerCase(question, 'gold', profile, await set.index.get(question.gold), undefined, 'all', ports),
      );
    }
  }
  for (const { searches, answerable, elsewhere, teaches = 'all' } of judged) {
    for (const { question, setting, found } of searches) {
      cases.push(
        await readerCase(
          question,
          elsewhere ? 'elsewhere' : setting,
          found.question,
          found.result.chains[0]?.passages ?? [],
          answerable,
          teaches,
          ports,
        ),
      );
    }
  }
  log(`reader: ${cases.length} cases`);
  const foldOf = (example: ReaderCase): number => folds.get(example.question.id) ?? 0;
  const figures = crossValidateReader(cases, foldOf, FOLDS, seed);
  return { models: trainReader(cases, foldOf, FOLDS, seed), figures };
}
