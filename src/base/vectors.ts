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
