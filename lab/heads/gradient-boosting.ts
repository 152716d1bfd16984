import { seededRandom, sigmoid } from '#base';
import { type Model, predictTrees, type Tree } from '#search/lab';

/** A feature's values sorted into bins: what histograms are built over. */
interface BinnedColumn {
  /** Bin of each row. */
  bins: Uint8Array;
  /** Upper bound of each bin but the last, rising. */
  thresholds: number[];
}

/** Bins that a column can have. */
const MOST_BINS = 32;

/** Quantile bins of every column; a column with few values gets a bin for each, a constant one none to split at. */
function binColumns(rows: readonly Float64Array[], columns: number): BinnedColumn[] {
  return Array.from({ length: columns }, (_, column) => binColumn(Float64Array.from(rows, (row) => row[column] ?? 0)));
}

function binColumn(values: Float64Array): BinnedColumn {
  const sorted = Float64Array.from(values).sort();
  const distinct: number[] = [];
  for (let i = 0; i < sorted.length && distinct.length <= MOST_BINS; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i] as number);
  const thresholds: number[] = [];
  const push = (low: number, high: number): void => {
    const middle = Number(((low + high) / 2).toPrecision(6));
    if (middle > (thresholds.at(-1) ?? -Infinity)) thresholds.push(middle);
  };
  if (distinct.length <= MOST_BINS) {
    for (let i = 1; i < distinct.length; i++) push(distinct[i - 1] ?? 0, distinct[i] ?? 0);
  } else {
    for (let bin = 1; bin < MOST_BINS; bin++) {
      const at = Math.floor((bin * sorted.length) / MOST_BINS);
      const high = sorted[at] ?? 0;
      let low = at;
      while (low > 0 && sorted[low] === high) low--;
      push(sorted[low] ?? high, high);
    }
  }
  const bins = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let low = 0;
    let high = thresholds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[i] ?? 0) <= (thresholds[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    bins[i] = low;
  }
  return { bins, thresholds };
}

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

export const DEFAULT_BOOSTING: BoostingOptions = {
  trees: 120,
  depth: 4,
  learningRate: 0.1,
  leafWeight: 4,
  lambda: 4,
  rowShare: 0.6,
  featureShare: 0.3,
  seed: 7,
};

/**
 * Gradient boosting of regression trees on the logistic loss, second order, by histograms (Friedman 2001; Chen and
 * Guestrin 2016, §2.1 and §3.2).
 */
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
      const p = sigmoid(logits[i] ?? 0);
      const weight = data.weights[i] ?? 1;
      gradients[i] = weight * (p - (data.labels[i] ?? 0));
      hessians[i] = Math.max(1e-9, weight * p * (1 - p));
    }
    const sample = new Int32Array(count).map((_, i) => i).filter(() => random() < options.rowShare);
    const features = data.features.map((_, f) => f).filter(() => random() < options.featureShare);
    const tree = growTree(columns, sample, features, gradients, hessians, options);
    trees.push(tree);
    const grown = [tree];
    for (let i = 0; i < count; i++)
      logits[i] = (logits[i] as number) + predictTrees(grown, data.rows[i] as Float64Array, 0);
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
  /** Place in the tree's features. */
  at: number;
  bin: number;
  gain: number;
}

/** Sums of gradients and hessians per feature and bin: for feature `f`, bin `b` at `(f × MOST_BINS + b) × 2`. */
type Histogram = Float64Array;

interface Grower {
  columns: readonly BinnedColumn[];
  gradients: Float64Array;
  hessians: Float64Array;
  options: BoostingOptions;
  tree: Tree;
  /** Indices of the columns that this tree may split by. */
  features: readonly number[];
}

function growTree(
  columns: readonly BinnedColumn[],
  sample: Int32Array,
  features: readonly number[],
  gradients: Float64Array,
  hessians: Float64Array,
  options: BoostingOptions,
): Tree {
  const tree: Tree = { feature: [], threshold: [], left: [], right: [], value: [] };
  const grower: Grower = { columns, gradients, hessians, options, tree, features };
  growNode(grower, sample, options.depth, options.depth > 0 ? histogramOf(grower, sample) : undefined);
  return tree;
}

function growNode(grower: Grower, rows: Int32Array, depth: number, histogram: Histogram | undefined): number {
  const { tree, options, columns, features } = grower;
  const node = tree.feature.length;
  let g = 0;
  let h = 0;
  for (let i = 0; i < rows.length; i++) {
    g += grower.gradients[rows[i] as number] as number;
    h += grower.hessians[rows[i] as number] as number;
  }
  tree.feature.push(-1);
  tree.threshold.push(0);
  tree.left.push(0);
  tree.right.push(0);
  // Rounded so that the weights file stays small; far below what a score can tell.
  tree.value.push(Number(((-g / (h + options.lambda)) * options.learningRate).toPrecision(5)));
  const split = histogram === undefined ? undefined : bestSplit(grower, histogram, g, h);
  const feature = split === undefined ? undefined : features[split.at];
  const column = feature === undefined ? undefined : columns[feature];
  if (split === undefined || feature === undefined || column === undefined || histogram === undefined) return node;
  const left = rows.filter((row) => (column.bins[row] as number) <= split.bin);
  const right = rows.filter((row) => (column.bins[row] as number) > split.bin);
  const [leftHistogram, rightHistogram] =
    depth > 1 ? childHistograms(grower, histogram, left, right) : [undefined, undefined];
  tree.feature[node] = feature;
  tree.threshold[node] = column.thresholds[split.bin] ?? 0;
  tree.left[node] = growNode(grower, left, depth - 1, leftHistogram);
  tree.right[node] = growNode(grower, right, depth - 1, rightHistogram);
  return node;
}

/** Only the smaller child is summed up; the other is what remains of the parent. */
function childHistograms(
  grower: Grower,
  parent: Histogram,
  left: Int32Array,
  right: Int32Array,
): [Histogram, Histogram] {
  const small = histogramOf(grower, left.length <= right.length ? left : right);
  const large = parent.map((value, i) => value - (small[i] as number));
  return left.length <= right.length ? [small, large] : [large, small];
}

function histogramOf({ columns, features, gradients, hessians }: Grower, rows: Int32Array): Histogram {
  const sums = new Float64Array(features.length * MOST_BINS * 2);
  for (let at = 0; at < features.length; at++) {
    const bins = columns[features[at] as number]?.bins;
    if (bins === undefined) continue;
    const base = at * MOST_BINS;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const cell = (base + (bins[row] as number)) * 2;
      sums[cell] = (sums[cell] as number) + (gradients[row] as number);
      sums[cell + 1] = (sums[cell + 1] as number) + (hessians[row] as number);
    }
  }
  return sums;
}

function bestSplit({ columns, features, options }: Grower, sums: Histogram, g: number, h: number): Split | undefined {
  const { lambda, leafWeight } = options;
  const parent = (g * g) / (h + lambda);
  let best: Split | undefined;
  for (let at = 0; at < features.length; at++) {
    const bins = columns[features[at] as number]?.thresholds.length ?? 0;
    let leftG = 0;
    let leftH = 0;
    for (let bin = 0; bin < bins; bin++) {
      const cell = (at * MOST_BINS + bin) * 2;
      leftG += sums[cell] as number;
      leftH += sums[cell + 1] as number;
      if (leftH < leafWeight || h - leftH < leafWeight) continue;
      const gain = (leftG * leftG) / (leftH + lambda) + ((g - leftG) * (g - leftG)) / (h - leftH + lambda) - parent;
      if (gain > (best?.gain ?? 1e-6)) best = { at, bin, gain };
    }
  }
  return best;
}
