import type { z } from 'zod';

/** Values as JSON lines. */
export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/**
 * The values of JSON lines, in their order. Lines that are none of this shape (cut off, damaged, of another version)
 * are counted and left out.
 */
export function readLines<T>(text: string, shape: z.ZodType<T>): { values: T[]; damaged: number } {
  const values: T[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = shape.safeParse(parsed(line));
    if (value.success) values.push(value.data);
    else damaged += 1;
  }
  return { values, damaged };
}

/** undefined for a text that is no JSON: shapes refuse it. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
