/** Square symmetric matrices as full row-major arrays: `m[i * n + j]`. */
export type SymmetricMatrix = Float64Array;

export function identity(n: number): SymmetricMatrix {
  const m = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) m[i * n + i] = 1;
  return m;
}

/** m ← m + scale · v vᵀ, both halves written from one product, so that the matrix stays exactly symmetric. */
export function addOuter(m: SymmetricMatrix, v: Float64Array, scale: number): void {
  const n = v.length;
  for (let i = 0; i < n; i += 1) {
    const vi = (v[i] as number) * scale;
    if (vi === 0) continue;
    for (let j = i; j < n; j += 1) {
      const added = (m[i * n + j] as number) + vi * (v[j] as number);
      m[i * n + j] = added;
      m[j * n + i] = added;
    }
  }
}

export function multiply(m: SymmetricMatrix, v: Float64Array): Float64Array {
  const n = v.length;
  const product = new Float64Array(n);
  for (let j = 0; j < n; j += 1) {
    const vj = v[j] as number; // rows are columns; most features of a strategy are zero
    if (vj !== 0) for (let i = 0; i < n; i += 1) product[i] = (product[i] as number) + vj * (m[j * n + i] as number);
  }
  return product;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Inverse of a positive definite matrix by Cholesky factors. @throws RangeError when it is not positive definite. */
export function invert(m: SymmetricMatrix, n: number): SymmetricMatrix {
  const inverseFactor = invertLower(cholesky(m, n), n);
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = i; j < n; j += 1) {
      let sum = 0;
      for (let k = j; k < n; k += 1) sum += (inverseFactor[k * n + i] as number) * (inverseFactor[k * n + j] as number);
      inverse[i * n + j] = sum;
      inverse[j * n + i] = sum;
    }
  }
  return inverse;
}

function cholesky(m: SymmetricMatrix, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = m[i * n + j] as number;
      for (let k = 0; k < j; k += 1) sum -= (lower[i * n + k] as number) * (lower[j * n + k] as number);
      if (i !== j) lower[i * n + j] = sum / (lower[j * n + j] as number);
      else if (sum > 0) lower[i * n + i] = Math.sqrt(sum);
      else throw new RangeError(`The matrix is not positive definite at row ${i}.`);
    }
  }
  return lower;
}

function invertLower(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j += 1) {
    inverse[j * n + j] = 1 / (lower[j * n + j] as number);
    for (let i = j + 1; i < n; i += 1) {
      let sum = 0;
      for (let k = j; k < i; k += 1) sum -= (lower[i * n + k] as number) * (inverse[k * n + j] as number);
      inverse[i * n + j] = sum / (lower[i * n + i] as number);
    }
  }
  return inverse;
}
