import type { Unit, UnitContext, UnitKind } from '../domain/unit.ts';

/** In the order of their numbers in the column: new kinds come last. */
const KINDS: readonly UnitKind[] = [
  'sentence',
  'item',
  'row',
  'field',
  'statement',
  'signature',
  'constant',
  'default',
  'error',
  'comment',
  'import',
];

/** Ranges of a passage's units as they are stored; what several have above them is written once. */
type Column = {
  /** Words, and where they stand when they stand in the passage. */
  above: ([string] | [string, number, number])[];
  /** Start, end, number of the kind, number of what is above (−1 for nothing). */
  units: [number, number, number, number][];
};

/** '' where the units are not known. */
export function encodeUnits(units: readonly Unit[] | undefined): string {
  if (units === undefined) return '';
  const column: Column = { above: [], units: [] };
  const known = new Map<string, number>();
  for (const { start, end, kind, context } of units) {
    const above = context && aboveOf(context);
    const key = JSON.stringify(above ?? []);
    if (above && !known.has(key)) known.set(key, column.above.push(above) - 1);
    column.units.push([start, end, KINDS.indexOf(kind), above ? (known.get(key) ?? -1) : -1]);
  }
  return JSON.stringify(column);
}

const aboveOf = ({ text, start, end }: UnitContext): Column['above'][number] =>
  start === undefined || end === undefined ? [text] : [text, start, end];

export function decodeUnits(stored: string): Unit[] | undefined {
  if (stored === '') return undefined;
  const { above, units } = JSON.parse(stored) as Column;
  return units.map(([start, end, kind, context]) => {
    const [text, from, to] = above[context] ?? [];
    return {
      start,
      end,
      kind: KINDS[kind] ?? 'sentence',
      ...(text !== undefined && {
        context: from === undefined || to === undefined ? { text } : { text, start: from, end: to },
      }),
    };
  });
}
