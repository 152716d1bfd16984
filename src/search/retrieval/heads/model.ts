import { z } from 'zod';

const numbers = z.array(z.number());

/** One regression tree as parallel arrays; a node with `feature` −1 is a leaf. Rows with `x ≤ threshold` go left. */
const treeShape = z.object({
  feature: z.array(z.int()),
  threshold: numbers,
  left: z.array(z.int()),
  right: z.array(z.int()),
  value: numbers,
});

export const modelShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('linear'), features: z.array(z.string()), weights: numbers, bias: z.number() }),
  z.object({ kind: z.literal('trees'), features: z.array(z.string()), trees: z.array(treeShape), bias: z.number() }),
]);

export type Tree = z.infer<typeof treeShape>;
/** A trained scorer from named features to a logit. */
export type Model = z.infer<typeof modelShape>;

/** The model's logit for one row. @throws Error when the row has no feature of a name that the model looks at */
export function predict(model: Model, row: Readonly<Record<string, number>>): number {
  const values = model.features.map((name) => {
    const value = row[name];
    if (value === undefined) throw new Error(`no feature is called ${name}`);
    return value;
  });
  return predictValues(model, values);
}

/** The model's logit for every row of a table. */
export function predictTable(model: Model, table: { rows(names: readonly string[]): Float64Array[] }): number[] {
  return table.rows(model.features).map((values) => predictValues(model, values));
}

/** The model's logit for values in the order of its features. */
function predictValues(model: Model, values: ArrayLike<number>): number {
  switch (model.kind) {
    case 'linear':
      return model.weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), model.bias);
    case 'trees':
      return predictTrees(model.trees, values, model.bias);
  }
}

/** Sum of the trees' leaves for one row of values in the model's feature order. */
export function predictTrees(trees: readonly Tree[], values: ArrayLike<number>, bias: number): number {
  let sum = bias;
  for (const tree of trees) {
    let node = 0;
    for (;;) {
      const feature = tree.feature[node] ?? -1;
      if (feature < 0) break;
      node = (values[feature] ?? 0) <= (tree.threshold[node] ?? 0) ? (tree.left[node] ?? 0) : (tree.right[node] ?? 0);
    }
    sum += tree.value[node] ?? 0;
  }
  return sum;
}
