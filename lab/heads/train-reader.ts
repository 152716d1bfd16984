import {
  answerabilityFeatures,
  type BoostingOptions,
  candidateSpans,
  DEFAULT_BOOSTING,
  expectedAnswer,
  FeatureTable,
  type Model,
  type ReaderWeights,
  scoreSpans,
  scoreSupport,
  spanFeatures,
  supportFeatures,
  toGroupRows,
  trainTrees,
} from '#search/lab';
import { saysAnswer, supportLabels, type ReaderCase } from './reader-cases.ts';

export type ReaderModels = Pick<ReaderWeights, 'support' | 'span' | 'answerable'>;

const SMALL: BoostingOptions = {
  ...DEFAULT_BOOSTING,
  trees: 70,
  depth: 3,
  learningRate: 0.1,
  featureShare: 0.5,
  rowShare: 0.7,
};

/** Fold of a case's question. */
export type FoldOf = (example: ReaderCase) => number;

/**
 * The reader's three models. Each later one sees the earlier ones' opinion of questions that those were not trained on
 * (stacking), as it will when new questions come.
 */
export function trainReader(cases: readonly ReaderCase[], foldOf: FoldOf, folds: number, seed: number): ReaderModels {
  const withGold = cases.filter(({ answerable, teaches }) => answerable !== false && teaches === 'all');
  const support = trainSupport(withGold, seed);
  const supportByFold = byFold(folds, (fold) =>
    trainSupport(
      withGold.filter((example) => foldOf(example) !== fold),
      seed,
    ),
  );
  const span = trainSpan(withGold, (example) => supportByFold[foldOf(example)] ?? support, seed);
  const spanByFold = byFold(folds, (fold) =>
    trainSpan(
      withGold.filter((example) => foldOf(example) !== fold),
      (example) => supportByFold[foldOf(example)] ?? support,
      seed,
    ),
  );
  const answerable = trainAnswerable(
    cases,
    (example) => ({ support: supportByFold[foldOf(example)] ?? support, span: spanByFold[foldOf(example)] ?? span }),
    seed,
  );
  return { support, span, answerable };
}

const byFold = <T>(folds: number, train: (fold: number) => T): T[] =>
  Array.from({ length: folds }, (_, fold) => train(fold));

function trainSupport(cases: readonly ReaderCase[], seed: number): Model {
  return fit(
    cases.map((example) => {
      const table = supportFeatures(example.profile, example.passages, example.sentences);
      return { table, labels: supportLabels(example, table.column('coverage')) };
    }),
    seed,
  );
}

function trainSpan(cases: readonly ReaderCase[], supportOf: (example: ReaderCase) => Model, seed: number): Model {
  return fit(
    cases.flatMap((example) => {
      const expected = expectedAnswer(example.profile);
      if (expected.kind === 'yes-no') return [];
      const supported = scoreSupport(example.profile, example.passages, example.sentences, {
        support: supportOf(example),
      });
      const spans = supported.flatMap(candidateSpans);
      const labels = spans.map((span) => Number(saysAnswer(span.key, example.question)));
      if (!labels.includes(1)) return [];
      const support = new Map<object, number>(supported.map((sentence) => [sentence, sentence.support]));
      return [{ table: spanFeatures(example.profile, expected, example.passages, spans, support), labels }];
    }),
    seed,
  );
}

function trainAnswerable(
  cases: readonly ReaderCase[],
  modelsOf: (example: ReaderCase) => Pick<ReaderModels, 'support' | 'span'>,
  seed: number,
): Model {
  const decided = cases.filter(({ answerable, passages }) => answerable !== undefined && passages.length > 0);
  return fit(
    decided.map((example) => ({
      table: single(answerableRow(example, modelsOf(example))),
      labels: [Number(example.answerable)],
    })),
    seed,
  );
}

/** What the answerability model sees of a case. */
function answerableRow(example: ReaderCase, models: Pick<ReaderModels, 'support' | 'span'>): Record<string, number> {
  const supported = scoreSupport(example.profile, example.passages, example.sentences, models);
  const [best] = scoreSpans(example.profile, expectedAnswer(example.profile), example.passages, supported, models);
  return answerabilityFeatures(
    example.profile,
    example.passages,
    supported.map(({ support }) => support),
    best?.score ?? 0,
  );
}

function single(row: Readonly<Record<string, number>>): FeatureTable {
  const table = new FeatureTable(1);
  table.set(0, row);
  return table;
}

function fit(groups: readonly { table: FeatureTable; labels: number[] }[], seed: number): Model {
  const filled = groups
    .filter(({ table }) => table.size > 0)
    .map(({ table, labels }) => ({ ...toGroupRows(table), labels }));
  const rows = filled.flatMap((group) => group.rows);
  return trainTrees(
    {
      features: filled[0]?.features ?? [],
      rows,
      labels: filled.flatMap((group) => group.labels),
      weights: rows.map(() => 1),
    },
    { ...SMALL, seed },
  );
}
