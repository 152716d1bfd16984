import { z } from 'zod';

/** Offsets into a text in UTF-16 units, `end` exclusive. */
export const textSpan = z.object({ start: z.number(), end: z.number() });
export type TextSpan = z.infer<typeof textSpan>;

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
