/** A feature's values sorted into bins: what histograms are built over. */
export interface BinnedColumn {
  /** Bin of each row. */
  bins: Uint8Array;
  /** Upper bound of each bin but the last, rising. */
  thresholds: number[];
}

/** Bins that a column can have. */
export const MOST_BINS = 32;

/** Quantile bins of every column; a column with few values gets a bin for each, a constant one none to split at. */
export function binColumns(rows: readonly Float64Array[], columns: number): BinnedColumn[] {
  return Array.from({ length: columns }, (_, column) => binColumn(Float64Array.from(rows, (row) => row[column] ?? 0)));
}

function binColumn(values: Float64Array): BinnedColumn {
  const sorted = Float64Array.from(values).sort();
  const distinct: number[] = [];
  for (let i = 0; i < sorted.length && distinct.length <= MOST_BINS; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i] as number);
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
