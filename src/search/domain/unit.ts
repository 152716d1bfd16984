import { z } from 'zod';

/** Offsets into a text in UTF-16 units, `end` exclusive. */
export const textSpan = z.object({ start: z.number(), end: z.number() });
export type TextSpan = z.infer<typeof textSpan>;

/** New kinds come last: their numbers are stored. */
export const unitKind = z.enum([
  'sentence',
  'item', // of a list
  'row', // of a table
  'field', // a key with its value: front matter, `**Key:** value`, a definition, a line of JSON or YAML
  'statement', // of a program, or a line of an example
  'signature', // what a function or class says of itself before its body
  'constant', // a name that is given a value once
  'default', // a value of an object, a field or a parameter
  'error', // what is thrown
  'comment',
  'import',
]);
/** What a unit is, by the syntax of the file that it stands in. */
export type UnitKind = z.infer<typeof unitKind>;

export const unitContext = textSpan.partial().extend({ text: z.string() });
/**
 * What has to be read before a unit to understand it: the header cells of a row (`Plan | Price`), the items above an
 * item, the signature around a statement.
 */
export type UnitContext = z.infer<typeof unitContext>;

/** Header cells as the context of a row. An empty one keeps its place: `| Level 1` names the second column. */
export const headerText = (cells: readonly string[]): string => cells.join(' | ');

/** The header cells that a row's context tells. */
export const headerCells = (text: string): string[] => ` ${text} `.split(/(?<=\s)\|(?=\s)/u).map((cell) => cell.trim());

export const unit = textSpan.extend({ kind: unitKind, context: unitContext.optional() });
/**
 * The smallest stretch of a text with a meaning of its own. Offsets into the text that it is told of; those of its
 * context are there where the context stands in the same text.
 */
export type Unit = z.infer<typeof unit>;

/** In the order of their numbers in the column. */
const KINDS = unitKind.options;

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
