import { binColumns, type BinnedColumn } from './binning.ts';
import type { Model, Tree } from './model.ts';
import { predictTrees } from './model.ts';
import { seededRandom } from './random.ts';

/** Labelled rows in feature order. */
export interface TrainingRows {
  features: readonly string[];
  rows: readonly Float64Array[];
  /** 0 or 1 (or a share between). */
  labels: ArrayLike<number>;
  weights: ArrayLike<number>;
}

export interface BoostingOptions {
  trees: number;
  depth: number;
  learningRate: number;
  /** Least sum of hessians in a leaf. */
  leafWeight: number;
  /** L2 penalty on leaf values. */
  lambda: number;
  /** Share of rows and of features that each tree sees. */
  rowShare: number;
  featureShare: number;
  seed: number;
}

export const DEFAULT_BOOSTING: BoostingOptions = { trees: 200, depth: 4, learningRate: 0.06, leafWeight: 4, lambda: 4, rowShare: 0.7, featureShare: 0.4, seed: 7 };

/** Gradient boosting of regression trees on the logistic loss, second order, by histograms (Friedman 2001; Chen and Guestrin 2016, §2.1 and §3.2). */
export function trainTrees(data: TrainingRows, options: BoostingOptions): Model {
  const count = data.rows.length;
  const random = seededRandom(options.seed);
  const columns = binColumns(data.rows, data.features.length);
  const bias = priorLogit(data);
  const logits = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const hessians = new Float64Array(count);
  const trees: Tree[] = [];
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-(logits[i] ?? 0)));
      const weight = data.weights[i] ?? 1;
      gradients[i] = weight * (p - (data.labels[i] ?? 0));
      hessians[i] = Math.max(1e-9, weight * p * (1 - p));
    }
    const sample = new Int32Array(count).map((_, i) => i).filter(() => random() < options.rowShare);
    const features = data.features.map((_, f) => f).filter(() => random() < options.featureShare);
    const tree = growTree(columns, sample, features, gradients, hessians, options);
    trees.push(tree);
    for (let i = 0; i < count; i++) logits[i] = (logits[i] ?? 0) + predictTrees([tree], data.rows[i] ?? [], 0);
  }
  return { kind: 'trees', features: [...data.features], trees, bias };
}

function priorLogit({ labels, weights, rows }: TrainingRows): number {
  let positive = 1e-3;
  let total = 2e-3;
  for (let i = 0; i < rows.length; i++) {
    positive += (weights[i] ?? 1) * (labels[i] ?? 0);
    total += weights[i] ?? 1;
  }
  return Math.log(positive / (total - positive));
}

interface Split {
  feature: number;
  bin: number;
  gain: number;
}

function growTree(columns: readonly BinnedColumn[], sample: Int32Array, features: readonly number[], gradients: Float64Array, hessians: Float64Array, options: BoostingOptions): Tree {
  const tree: Tree = { feature: [], threshold: [], left: [], right: [], value: [] };
  const grow = (rows: Int32Array, depth: number): number => {
    const node = tree.feature.length;
    let g = 0;
    let h = 0;
    for (const row of rows) {
      g += gradients[row] ?? 0;
      h += hessians[row] ?? 0;
    }
    tree.feature.push(-1);
    tree.threshold.push(0);
    tree.left.push(0);
    tree.right.push(0);
    // Rounded so that the weights file stays small; far below what a score can tell.
    tree.value.push(Number(((-g / (h + options.lambda)) * options.learningRate).toPrecision(5)));
    const split = depth === 0 ? undefined : bestSplit(columns, rows, features, gradients, hessians, g, h, options);
    if (split === undefined) return node;
    const column = columns[split.feature];
    if (column === undefined) return node;
    tree.feature[node] = split.feature;
    tree.threshold[node] = column.thresholds[split.bin] ?? 0;
    tree.left[node] = grow(rows.filter((row) => (column.bins[row] ?? 0) <= split.bin), depth - 1);
    tree.right[node] = grow(rows.filter((row) => (column.bins[row] ?? 0) > split.bin), depth - 1);
    return node;
  };
  grow(sample, options.depth);
  return tree;
}

function bestSplit(columns: readonly BinnedColumn[], rows: Int32Array, features: readonly number[], gradients: Float64Array, hessians: Float64Array, g: number, h: number, options: BoostingOptions): Split | undefined {
  const { lambda, leafWeight } = options;
  const parent = (g * g) / (h + lambda);
  let best: Split | undefined;
  for (const feature of features) {
    const column = columns[feature];
    if (column === undefined || column.thresholds.length === 0) continue;
    const size = column.thresholds.length + 1;
    const sums = new Float64Array(size * 2);
    const { bins } = column;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const at = (bins[row] as number) * 2;
      sums[at] = (sums[at] as number) + (gradients[row] as number);
      sums[at + 1] = (sums[at + 1] as number) + (hessians[row] as number);
    }
    let leftG = 0;
    let leftH = 0;
    for (let bin = 0; bin < size - 1; bin++) {
      leftG += sums[bin * 2] as number;
      leftH += sums[bin * 2 + 1] as number;
      if (leftH < leafWeight || h - leftH < leafWeight) continue;
      const gain = (leftG * leftG) / (leftH + lambda) + ((g - leftG) * (g - leftG)) / (h - leftH + lambda) - parent;
      if (gain > (best?.gain ?? 1e-6)) best = { feature, bin, gain };
    }
  }
  return best;
}
