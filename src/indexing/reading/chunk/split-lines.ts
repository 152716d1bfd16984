import type { BreakCost } from './block.ts';
import type { LineWeights } from './line-weights.ts';

/** A stretch of whole lines. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

/**
 * Cuts a stretch that is too long into parts of about equal size at the cheapest places to break.
 * A single line that alone is too long comes back as a part of its own.
 */
export function splitLines(weights: LineWeights, range: LineRange, budget: number, breakCost: BreakCost): LineRange[] {
  const parts: LineRange[] = [];
  let rest = weights.trim(range.startLine, range.endLine);
  while (rest) {
    const total = weights.between(rest.startLine, rest.endLine);
    if (total <= budget || rest.startLine === rest.endLine) {
      parts.push(rest);
      break;
    }
    const next = bestBreak(weights, rest, total, budget, breakCost);
    const part = weights.trim(rest.startLine, next - 1);
    if (part) parts.push(part);
    rest = weights.trim(next, rest.endLine);
  }
  return parts;
}

/** First line of the next part: inside the window where this part is reasonably full, cheapest first, near the fair share. */
function bestBreak(weights: LineWeights, rest: LineRange, total: number, budget: number, breakCost: BreakCost): number {
  const share = total / Math.ceil(total / budget);
  let best = 0;
  let bestScore = Infinity;
  let line = rest.startLine + 1;
  for (; line <= rest.endLine; line++) {
    const filled = weights.between(rest.startLine, line - 1);
    if (filled > budget) break;
    if (filled < share * 0.35) continue;
    const score = breakCost(line) + (Math.abs(filled - share) / share) * 8;
    if (score < bestScore) {
      bestScore = score;
      best = line;
    }
  }
  // Nothing in the window: as many lines as fit, one at least.
  return best > 0 ? best : Math.max(rest.startLine + 1, line - 1);
}
