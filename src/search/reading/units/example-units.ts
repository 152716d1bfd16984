import type { TextSpan } from '../../domain/passage-chain.ts';
import type { Unit, UnitContext } from '../../domain/unit.ts';
import { foldContext, joinContexts, stretch, trimmed } from './prose-units.ts';

/** An example of up to so many lines is quoted as one; a longer one line by line. */
export const MOST_EXAMPLE_LINES = 6;

/**
 * Units of an example of code in a text: all of it where it is short, else its lines, each with the line that it is
 * indented below.
 * @param lines Blank ones too.
 * @param context What announces the example.
 */
export function exampleUnits(text: string, lines: readonly TextSpan[], context: UnitContext | undefined): Unit[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return [];
  if (lines.length <= MOST_EXAMPLE_LINES)
    return stretch(text, { start: first.start, end: last.end }, 'statement', context, true);
  const units: Unit[] = [];
  const above: (UnitContext & { indent: number })[] = [];
  for (const line of lines) {
    const inside = trimmed(text, line);
    if (!inside) continue;
    const indent = inside.start - line.start;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const around = above.at(-1);
    const shown = joinContexts([context, around && { text: around.text, start: around.start, end: around.end }]);
    if (/[\p{L}\p{N}]/u.test(text.slice(inside.start, inside.end))) {
      units.push(...stretch(text, inside, 'statement', shown, true));
      above.push({ ...inside, text: foldContext(text.slice(inside.start, inside.end)), indent });
    }
  }
  return units;
}
