import type { ExampleGroup } from './example-group.ts';
import { DEFAULT_BOOSTING, trainTrees, type BoostingOptions } from './gradient-boosting.ts';
import type { Model } from './model.ts';
import { predictValues } from './model.ts';
import { seededRandom } from './random.ts';
import { sampleRivals } from './train-chain-scorer.ts';

/** Few and careful trees: a user's own examples are few, and what the heads know already is to be kept. */
const FURTHER: Partial<BoostingOptions> = { trees: 30, featureShare: 0.5, depth: 3, learningRate: 0.05, lambda: 12, leafWeight: 2 };

/**
 * A head that goes on learning: trees fitted to what is left over of these examples are added to the ones it has (Friedman 2001, stage-wise
 * boosting from a given start). Equal input gives an equal head. Without examples it is returned as it is.
 * @throws RangeError for a head that is not made of trees.
 */
export function boostFurther(model: Model, groups: readonly ExampleGroup[], seed: number): Model {
  if (groups.length === 0) return model;
  if (model.kind !== 'trees') throw new RangeError('Only a head made of trees can go on learning.');
  const random = seededRandom(seed);
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const group of groups) {
    const columns = model.features.map((name) => group.features.indexOf(name));
    for (const { at, weight } of sampleRivals(group, random)) {
      rows.push(Float64Array.from(columns, (column) => (column < 0 ? 0 : (group.rows[at]?.[column] ?? 0))));
      labels.push(group.labels[at] ?? 0);
      weights.push(weight * (group.weight ?? 1));
    }
  }
  const start = rows.map((row) => predictValues(model, row));
  const further = trainTrees({ features: model.features, rows, labels, weights, start }, { ...DEFAULT_BOOSTING, ...FURTHER, seed });
  return further.kind === 'trees' ? { ...model, trees: [...model.trees, ...further.trees] } : model;
}
