import type { FeatureRow } from './candidate-features.ts';

/**
 * Adds to each row how it stands among its rivals in the named features: `.z` (standard score), `.rank` (log of the 1-based rank, ties share the
 * better one) and `.gap` (distance to the best other candidate, positive for the best itself). Absolute scores differ from question to question;
 * places among rivals carry over.
 */
export function addListwise(rows: readonly FeatureRow[], names: readonly string[]): void {
  for (const name of names) {
    const values = rows.map((row) => row[name] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
    const sorted = [...values].sort((a, b) => b - a);
    const [first = 0, second = first] = sorted;
    rows.forEach((row, i) => {
      const value = values[i] ?? 0;
      row[`${name}.z`] = deviation < 1e-9 ? 0 : (value - mean) / deviation;
      row[`${name}.rank`] = Math.log(1 + sorted.indexOf(value));
      row[`${name}.gap`] = value === first ? value - second : value - first;
    });
  }
}
