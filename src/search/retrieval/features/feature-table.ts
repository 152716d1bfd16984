import { mean } from '#base';

/** Features of rivals by name: one column per feature, one row per rival. */
export class FeatureTable {
  readonly size: number;
  readonly #columns = new Map<string, Float64Array>();

  constructor(size: number) {
    this.size = size;
  }

  /** The column of a feature, zeros until set. */
  column(name: string): Float64Array {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const column = new Float64Array(this.size);
    this.#columns.set(name, column);
    return column;
  }

  /** Names in the order first set. */
  names(): string[] {
    return [...this.#columns.keys()];
  }

  /** Sets the features of one rival. */
  set(row: number, features: Readonly<Record<string, number>>): void {
    for (const name in features) this.column(name)[row] = features[name] ?? 0;
  }

  /** Sets features that all rivals share. */
  setAll(features: Readonly<Record<string, number>>): void {
    for (const name in features) this.column(name).fill(features[name] ?? 0);
  }

  /** The rows in the order of the names given. @throws Error when the table has no feature of a name */
  rows(names: readonly string[]): Float64Array[] {
    const columns = names.map((name) => {
      const column = this.#columns.get(name);
      if (column === undefined && this.size > 0) throw new Error(`no feature is called ${name}`);
      return column;
    });
    return Array.from({ length: this.size }, (_, row) => Float64Array.from(columns, (column) => column?.[row] ?? 0));
  }

  /**
   * Adds how each rival stands among the others in the named features: `.z` (standard score), `.rank` (log of the
   * 1-based rank, ties share the better one) and `.gap` (distance to the best other, positive for the best itself).
   * Absolute scores differ from question to question; places among rivals carry over.
   */
  addStandings(names: readonly string[]): void {
    for (const name of names) {
      const values = this.column(name);
      const middle = mean(values);
      const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
      const falling = Float64Array.from(values).sort().reverse();
      const first = falling[0] ?? 0;
      const second = falling[1] ?? first;
      const ranks = new Map<number, number>();
      falling.forEach((value, i) => {
        if (!ranks.has(value)) ranks.set(value, Math.log(1 + i));
      });
      const z = this.column(`${name}.z`);
      const rank = this.column(`${name}.rank`);
      const gap = this.column(`${name}.gap`);
      values.forEach((value, i) => {
        z[i] = deviation < 1e-9 ? 0 : (value - middle) / deviation;
        rank[i] = ranks.get(value) ?? 0;
        gap[i] = value === first ? value - second : value - first;
      });
    }
  }
}
