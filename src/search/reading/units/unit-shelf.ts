import type { Passage } from '../../domain/passage.ts';
import type { Unit, UnitContext } from '../../domain/unit.ts';
import type { ParsedFile } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { textUnits } from './prose-units.ts';

/** The units of a file, handed out to its passages. */
export class UnitShelf {
  private readonly units: readonly Unit[];
  private readonly source: SourceText;
  /** Units before this one end before the passage asked for last, which comes before those asked for next. */
  private next = 0;

  constructor(source: SourceText, parsed: ParsedFile) {
    this.source = source;
    this.units = parsed.units ?? textUnits(source.text, parsed.rest.family);
  }

  /** Units of a passage by offsets into its text. One that goes on beyond it is cut at its end. Ask in line order. */
  of(passage: Pick<Passage, 'startLine' | 'startColumn' | 'text'>): Unit[] {
    const start = this.source.offsetOf(passage.startLine) + (passage.startColumn ?? 1) - 1;
    const end = start + passage.text.length;
    while ((this.units[this.next]?.end ?? Infinity) <= start) this.next += 1;
    const found: Unit[] = [];
    for (let i = this.next; i < this.units.length; i++) {
      const unit = this.units[i];
      if (!unit || unit.start >= end) break;
      if (unit.end <= start) continue;
      const inside = { start: Math.max(unit.start, start) - start, end: Math.min(unit.end, end) - start };
      if (!/[\p{L}\p{N}]/u.test(passage.text.slice(inside.start, inside.end))) continue;
      const context = unit.context && shifted(unit.context, start, end);
      found.push({ ...inside, kind: unit.kind, ...(context && { context }) });
    }
    return found;
  }
}

/** A context that stands elsewhere keeps its words alone. */
function shifted(context: UnitContext, start: number, end: number): UnitContext {
  return context.start !== undefined && context.end !== undefined && context.start >= start && context.end <= end
    ? { text: context.text, start: context.start - start, end: context.end - start }
    : { text: context.text };
}
