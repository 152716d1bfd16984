import type { Passage } from '#search';

/** Consecutive lines of one file, 1-based and inclusive. */
export interface Lines {
  path: string;
  from: number;
  to: number;
}

/** Lines that are shown together, under the title of the best of them. */
export interface Stretch extends Lines {
  title: string;
}

export const linesOf = ({ path, startLine, endLine }: Passage): Lines => ({ path, from: startLine, to: endLine });

export const stretchOf = (passage: Passage): Stretch => ({ ...linesOf(passage), title: passage.title });

export const overlaps = (a: Lines, b: Lines): boolean => a.path === b.path && a.from <= b.to && b.from <= a.to;

/** Stretches that overlap or touch become one, in the place and under the title of the first of them. */
export function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    let own: Stretch = { ...stretch };
    let place = result.length;
    for (let i = result.length - 1; i >= 0; i--) {
      const other = result[i] as Stretch;
      if (other.path !== own.path || other.from > own.to + 1 || own.from > other.to + 1) continue;
      own = { ...other, from: Math.min(own.from, other.from), to: Math.max(own.to, other.to) };
      result.splice(i, 1);
      place = Math.min(place, i);
    }
    result.splice(place, 0, own);
  }
  return result;
}
