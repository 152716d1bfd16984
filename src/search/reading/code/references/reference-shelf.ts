import type { Passage } from '../../../domain/passage.ts';
import type { References } from '../../../domain/references.ts';
import { encodeReferences } from '../../../references/reference-column.ts';

type Place = Pick<Passage, 'startLine' | 'endLine' | 'startColumn'>;

/** The references of a file, handed out to its passages: each goes to the one that its line stands in. */
export class ReferenceShelf {
  private readonly definitions: References['definitions'];
  private readonly uses: References['uses'];
  private readonly imports: References['imports'];
  private cut: boolean;

  constructor(references: References | undefined) {
    this.definitions = references?.definitions.toSorted(byLine) ?? [];
    this.uses = references?.uses.toSorted(byLine) ?? [];
    this.imports = references?.imports.toSorted(byLine) ?? [];
    this.cut = references?.cut ?? false;
  }

  /**
   * As they are stored; undefined for none. Of a line that is cut into parts, the first has them all. That not all were
   * read is told with the first passage. Ask in line order.
   */
  take({ startLine, endLine, startColumn = 1 }: Place): string | undefined {
    if (startColumn > 1) return undefined;
    const { cut } = this;
    this.cut = false;
    const references: References = {
      definitions: between(this.definitions, startLine, endLine),
      uses: between(this.uses, startLine, endLine),
      imports: between(this.imports, startLine, endLine),
      ...(cut && { cut }),
    };
    return encodeReferences(references, startLine) || undefined;
  }
}

const byLine = (a: { line: number }, b: { line: number }): number => a.line - b.line;

function between<T extends { line: number }>(sorted: readonly T[], first: number, last: number): T[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.line ?? Infinity) < first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((sorted[end]?.line ?? Infinity) <= last) end++;
  return sorted.slice(low, end);
}
