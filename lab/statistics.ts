/** What figures are told with: quantiles, intervals, tests, tables. */
import { addTo, mean, remembered, seededRandom } from '#base';

export const rounded = (value: number, digits = 0): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** Value at a quantile (0..1) by linear interpolation; 0 for no values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const position = q * (sorted.length - 1);
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** The middle of some times and what one in twenty passes. */
export const timesOf = (times: readonly number[], digits = 0): { p50: number; p95: number } => ({
  p50: rounded(quantile(times, 0.5), digits),
  p95: rounded(quantile(times, 0.95), digits),
});

/** 95 % percentile-bootstrap interval of the mean (Efron & Tibshirani 1993, §13.3). */
export function bootstrapInterval(values: readonly number[], seed: number, rounds = 2000): [number, number] {
  const random = seededRandom(seed);
  const means = Array.from({ length: rounds }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] as number)),
  );
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

/** 95 % interval of a share (Wilson 1927). */
export function wilsonInterval(some: number, all: number): [number, number] {
  if (all === 0) return [0, 1];
  const z2 = 1.96 ** 2;
  const share = some / all;
  const middle = share + z2 / (2 * all);
  const half = Math.sqrt(z2 * ((share * (1 - share)) / all + z2 / (4 * all ** 2)));
  return [Math.max(0, (middle - half) / (1 + z2 / all)), Math.min(1, (middle + half) / (1 + z2 / all))];
}

/** A mean with its 95 % interval. */
export interface Figure {
  mean: number;
  ci95: [number, number];
}

export const figureOf = (values: readonly number[], seed: number, rounds?: number): Figure => ({
  mean: mean(values),
  ci95: bootstrapInterval(values, seed, rounds),
});

/** The same to so many places. */
export const roundedFigure = ({ mean: value, ci95: [low, high] }: Figure, digits: number): Figure => ({
  mean: rounded(value, digits),
  ci95: [rounded(low, digits), rounded(high, digits)],
});

/** Figures by row and column. */
export type Figures = Record<string, Record<string, Figure>>;

/** Figures, to three places, of values that were told one by one. */
export function figuresOf(
  told: Iterable<readonly [row: string, column: string, value: number]>,
  seed: number,
): Figures {
  const rows = new Map<string, Map<string, number[]>>();
  for (const [row, column, value] of told)
    addTo(
      remembered(rows, row, () => new Map<string, number[]>()),
      column,
      value,
    );
  const figures = (columns: Map<string, number[]>): Record<string, Figure> =>
    Object.fromEntries([...columns].map(([name, values]) => [name, roundedFigure(figureOf(values, seed), 3)]));
  return Object.fromEntries([...rows].map(([row, columns]) => [row, figures(columns)]));
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

/** A Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A difference with its sign, to three places. */
export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
