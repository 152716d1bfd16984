/**
 * Trains the embedded question classifier and says how well it does.
 *
 * npx tsx lab/heads/train-classifier.ts [--data ../shared/data] [--cache FILE] [--write]
 *
 * Deterministic: the same data give the same file. Prints cross-validated accuracy per source, of folders by folder,
 * transfer to the sets it was not trained on, and accuracy on the questions about the example workspaces, which are
 * never trained on.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openOnnxEmbedder } from '#search/lab';
import {
  type ClassifierModel,
  PREDICTED_TYPES,
  type PredictedType,
  questionFeatures,
  softmaxProbabilities,
  type SoftmaxWeights,
  toClassification,
} from '#research/lab';
import { seededRandom, shuffled } from '#base';
import { modelsDir, PLACES, questionsDir, root } from '../places.ts';
import { wilsonInterval } from '../statistics.ts';
import { type SoftmaxRow, trainSoftmax } from './softmax-regression.ts';
import { CachingEmbedder } from './caching-embedder.ts';
import {
  classifierTrainingQuestions,
  DATASETS,
  folderQuestions,
  foldsOfQuestions,
  workspaceQuestions,
  type QuestionSource,
  type SourcedQuestion,
} from './classifier-data.ts';
import { WIKIPEDIA_SETS } from './question-sets.ts';

/** Forms are few and up to 1, a vector's 384 values are around 0.05: the scale puts them on a par. */
const VECTOR_SCALE = 4;
const TRAINING = { lambda: 0.001, iterations: 500 };
const FOLDS = 10;
const SEED = 11;
/** The sets about the world outweigh our own questions, which are nearest to what will be asked. */
const OWN_WEIGHT = 1.5;
/** There are as many about folders as about the world: see EXPERIMENTS.md, Question types. */
const FOLDERS_WEIGHT = 0.5;

const WEIGHTS: Partial<Record<QuestionSource, number>> = { own: OWN_WEIGHT, folders: FOLDERS_WEIGHT };

interface Prepared extends SourcedQuestion {
  features: number[];
}
interface Prediction extends Prepared {
  predicted: PredictedType;
}

function train(rows: readonly Prepared[]): SoftmaxWeights {
  const softmaxRows: SoftmaxRow[] = rows.map((row) => ({
    features: row.features,
    label: PREDICTED_TYPES.indexOf(row.type),
    weight: WEIGHTS[row.source] ?? 1,
  }));
  return trainSoftmax(softmaxRows, PREDICTED_TYPES.length, TRAINING);
}

function predict(weights: SoftmaxWeights, rows: readonly Prepared[]): Prediction[] {
  return rows.map((row) => ({
    ...row,
    predicted: toClassification(PREDICTED_TYPES, softmaxProbabilities(weights, row.features)).type,
  }));
}

/** Every question predicted by a model that was trained on the other folds, and so on no question about its folder. */
function crossValidate(rows: readonly Prepared[]): Prediction[] {
  const mixed = shuffled(rows, seededRandom(SEED));
  const folds = foldsOfQuestions(mixed, FOLDS);
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const heldOut = mixed.filter((_, i) => folds[i] === fold);
    return predict(train(mixed.filter((_, i) => folds[i] !== fold)), heldOut);
  });
}

function report(title: string, predictions: readonly Prediction[]): void {
  const right = predictions.filter((one) => one.predicted === one.type).length;
  const interval = wilsonInterval(right, predictions.length).map((share) => (100 * share).toFixed(1));
  const share = ((100 * right) / Math.max(1, predictions.length)).toFixed(1);
  console.log(`${title}: ${share} % [${interval.join(', ')}] of ${predictions.length}`);
  for (const type of PREDICTED_TYPES) {
    const ofType = predictions.filter((one) => one.type === type);
    if (ofType.length === 0) continue;
    const counts = PREDICTED_TYPES.map(
      (predicted) => [predicted, ofType.filter((one) => one.predicted === predicted).length] as const,
    ).filter(([, count]) => count > 0);
    console.log(`    ${type}: ${counts.map(([predicted, count]) => `${predicted} ${count}`).join(', ')}`);
  }
}

const rounded = ({ weights, bias }: SoftmaxWeights): SoftmaxWeights => {
  const round = (value: number): number => Number(value.toFixed(4));
  return { weights: weights.map((row) => row.map(round)), bias: bias.map(round) };
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: PLACES.data,
      cache: { type: 'string', default: join(root, '.tmp/classifier-vectors.bin') },
      write: { type: 'boolean', default: false },
      wrong: { type: 'boolean', default: false },
    },
  });
  const embedder = new CachingEmbedder(
    await openOnnxEmbedder({ folder: join(modelsDir, 'Xenova/bge-small-en-v1.5'), id: 'bge-small-en-v1.5/q8/cls' }),
    values.cache,
  );
  const prepare = async (questions: readonly SourcedQuestion[]): Promise<Prepared[]> => {
    const prepared: Prepared[] = [];
    for (const question of questions) {
      const vector = await embedder.embedQuery(question.question);
      prepared.push({ ...question, features: questionFeatures(question.question, vector, VECTOR_SCALE) });
    }
    return prepared;
  };
  const rows = await prepare([
    ...(await classifierTrainingQuestions(values.data, join(modelsDir, 'question-examples.json'))),
    ...folderQuestions(questionsDir),
  ]);
  const aside = await prepare(folderQuestions(join(questionsDir, 'aside')));
  const later = await prepare(folderQuestions(join(questionsDir, 'later')));
  const workspaces = await prepare(workspaceQuestions(join(root, 'examples/questions.jsonl')));
  await embedder.close();
  const from =
    (...sources: QuestionSource[]) =>
    (row: Prepared): boolean =>
      sources.includes(row.source);

  const validated = crossValidate(rows);
  for (const source of [...DATASETS, 'own', 'folders'] as const)
    report(`cross-validated, ${source}`, validated.filter(from(source)));
  const withoutWikipedia = train(rows.filter(from('multihop-rag', 'own')));
  for (const source of WIKIPEDIA_SETS)
    report(
      `transfer, trained without the Wikipedia sets: ${source}`,
      predict(withoutWikipedia, rows.filter(from(source))),
    );
  report(
    'transfer, trained without MultiHop-RAG: multihop-rag',
    predict(train(rows.filter((row) => row.source !== 'multihop-rag')), rows.filter(from('multihop-rag'))),
  );
  const trained = train(rows);
  const about = predict(trained, workspaces);
  report('about the example workspaces, never trained on', about);
  report('about folders that stand aside, never trained on', predict(trained, aside));
  report('about folders, in other words than theirs, never trained on', predict(trained, later));
  if (values.wrong)
    for (const one of [...validated, ...about])
      if (one.predicted !== one.type)
        console.log(`    [${one.source}] ${one.type} taken for ${one.predicted}: ${one.question.slice(0, 220)}`);

  if (values.write) {
    const model: ClassifierModel = {
      version: 2,
      classes: [...PREDICTED_TYPES],
      dimensions: embedder.dimensions,
      vectorScale: VECTOR_SCALE,
      ...rounded(trained),
    };
    const file = join(modelsDir, 'question-classifier.json');
    writeFileSync(file, `${JSON.stringify(model)}\n`);
    console.log(`\nwrote ${file}`);
  }
}

await main();
