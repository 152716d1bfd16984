/** Seeded randomness, statistics and vectors. */

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

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Value at a quantile (0..1) by linear interpolation; 0 for no values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const position = q * (sorted.length - 1);
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** 95 % percentile-bootstrap interval of the mean (Efron & Tibshirani 1993, §13.3). */
export function bootstrapInterval(values: readonly number[], seed: number, rounds = 2000): [number, number] {
  const random = seededRandom(seed);
  const means = Array.from({ length: rounds }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] as number)),
  );
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/** Two-sided p of a paired sign-flip permutation test on the mean difference (Fisher's randomisation test). */
export function pairedPermutationTest(differences: readonly number[], seed: number, rounds = 10000): number {
  const random = seededRandom(seed);
  const observed = Math.abs(mean(differences));
  let asExtreme = 0;
  for (let i = 0; i < rounds; i += 1) {
    if (Math.abs(mean(differences.map((value) => (random() < 0.5 ? value : -value)))) >= observed - 1e-12)
      asExtreme += 1;
  }
  return (asExtreme + 1) / (rounds + 1);
}

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
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
