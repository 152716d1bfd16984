/** Seeded randomness, slices of lists, means and vectors. */

/** A seeded source of numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). Equal seeds give equal runs. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

/** A list in its order, so many at a time. */
export function* slicesOf<T>(items: readonly T[], most: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}

export function sum(values: ArrayLike<number>): number {
  let all = 0;
  for (let i = 0; i < values.length; i++) all += values[i] ?? 0;
  return all;
}

/** 0 of nothing. */
export const mean = (values: ArrayLike<number>): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** The probability that a logit stands for. */
export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Scales to length 1, in place; a zero vector stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

/** Mean over tokens of a `tokens × dimensions` block. */
export function meanOfTokens(data: Float32Array, tokens: number, dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions);
  for (let token = 0; token < tokens; token++) {
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] ?? 0) + (data[token * dimensions + i] ?? 0) / tokens;
  }
  return mean;
}

/** Cosine of two normalised vectors; 0 when either is missing. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let product = 0;
  for (let i = 0; i < a.length; i++) product += (a[i] ?? 0) * (b[i] ?? 0);
  return product;
}
