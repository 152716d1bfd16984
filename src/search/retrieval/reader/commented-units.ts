import type { Unit, UnitKind } from '../../domain/unit.ts';

/** What a comment above it explains, where it is one line. */
const EXPLAINED: ReadonlySet<UnitKind> = new Set(['field', 'constant', 'default', 'statement', 'error', 'signature']);
/** Longer comments are a text of their own: a licence, an introduction. */
const LONGEST_COMMENT = 400;
/** A longer line is quoted on its own. */
const LONGEST_LINE = 200;

/**
 * Units in which a comment that stands directly above a line of code and that line are one: what a setting means stands
 * in the comment, what it is in the line, and neither answers alone.
 */
export function withComments(text: string, units: readonly Unit[]): Unit[] {
  const joined: Unit[] = [];
  for (const unit of units) {
    const above = joined.at(-1);
    if (above && explains(text, above, unit)) {
      // The comment's context is the line itself; that of the line says where both stand.
      joined[joined.length - 1] = { ...unit, start: above.start };
    } else joined.push(unit);
  }
  return joined;
}

function explains(text: string, comment: Unit, line: Unit): boolean {
  if (comment.kind !== 'comment' || !EXPLAINED.has(line.kind)) return false;
  if (comment.end - comment.start > LONGEST_COMMENT || line.end - line.start > LONGEST_LINE) return false;
  const between = text.slice(comment.end, line.start);
  const isNext = between.trim() === '' && between.split('\n').length === 2;
  const said = text.slice(line.start, line.end).trim();
  return isNext && !said.includes('\n') && !/[{([]$/u.test(said);
}
