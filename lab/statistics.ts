/** What figures are told with: quantiles, intervals, tests. */
import { mean, seededRandom } from '#base';

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
