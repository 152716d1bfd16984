import type { z } from 'zod';

/** Values as JSON lines. */
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** A line that holds no value of the shape that was asked for: cut off, damaged, of another version. */
export interface DamagedLine {
  /** 1-based. */
  line: number;
  /** What keeps it from being read: it is no JSON, or its value does not fit the shape. */
  problem: SyntaxError | z.ZodError;
  /** No line break stands behind it: whoever wrote it may have been cut off. */
  isOpen: boolean;
}

/**
 * The values of JSON lines, in their order, and the lines that hold none: the caller tells of these whoever should know
 * of them. Blank lines count as neither.
 */
export function readJsonLines<T extends z.ZodType>(
  text: string,
  shape: T,
): { values: z.output<T>[]; damaged: DamagedLine[] } {
  const values: z.output<T>[] = [];
  const damaged: DamagedLine[] = [];
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const json = parsedJson(line);
    const read = json instanceof SyntaxError ? { error: json } : shape.safeParse(json.value);
    if (read.error) damaged.push({ line: i + 1, problem: read.error, isOpen: i === lines.length - 1 });
    else values.push(read.data);
  }
  return { values, damaged };
}

/** The value of a JSON text, or why it has none. */
export function parsedJson(text: string): { value: unknown } | SyntaxError {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}
