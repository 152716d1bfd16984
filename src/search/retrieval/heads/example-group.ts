import type { FeatureTable } from '../features/feature-table.ts';

/** Which of a scorer's models an example teaches. */
export type HeadName = 'first' | 'next' | 'complete';

/** Rivals that one model scored together: the candidates of a hop, or one chain. */
export interface ExampleGroup {
  head: HeadName;
  /** The question: cross-validation never splits it. */
  question: string;
  /** Where the question comes from; sets are balanced against each other. */
  set: string;
  /** Weight of the group's rows among all; 1 where unset. */
  weight?: number;
  /** Whether the candidates are program text, one flag per row. */
  code: boolean[];
  features: readonly string[];
  rows: Float64Array[];
  /** 1 for a right candidate (or a complete chain). */
  labels: number[];
}

/** Rows as the features made them, in one fixed order. */
export function toGroupRows(table: FeatureTable): { features: string[]; rows: Float64Array[] } {
  const features = table.names().sort();
  return { features, rows: table.rows(features) };
}
