import type { TextSpan } from '../../domain/unit.ts';
import { isBlank, type SourceText } from '../text/source-text.ts';

/** How bad it is to start a new passage at a line: 0 is best, Infinity forbids it unless nothing else is left. */
export type BreakCost = (line: number) => number;

/**
 * A cheap guess at the tokens of a text (within about a quarter for English prose and code), for deciding how to cut.
 * What is decided is checked against the real tokenizer afterwards.
 */
function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      (code >= 0xc0 && code < 0x2e80)
    ) {
      run += 1;
      continue;
    }
    if (run > 0) {
      tokens += tokensOfRun(run);
      run = 0;
    }
    if (code > 32) tokens += code >= 0xac00 && code <= 0xd7a3 ? 2 : 1;
  }
  return run > 0 ? tokens + tokensOfRun(run) : tokens;
}

function tokensOfRun(length: number): number {
  if (length <= 4) return 1;
  return length <= 9 ? 1.3 : length / 4.2;
}

/** No tokenizer that we know makes more tokens of a text than it has UTF-8 bytes. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text, 'utf8') + 2;
}

/** Estimated tokens of any stretch of lines in constant time, and the cost of breaking before a line. */
export class LineWeights {
  readonly #sums: Float64Array;
  readonly source: SourceText;

  constructor(source: SourceText) {
    this.source = source;
    this.#sums = new Float64Array(source.lineCount + 1);
    for (let line = 1; line <= source.lineCount; line++) {
      this.#sums[line] = (this.#sums[line - 1] ?? 0) + estimateTokens(source.line(line));
    }
  }

  /** Estimated tokens of the lines, both ends included. */
  between(startLine: number, endLine: number): number {
    return (this.#sums[Math.min(endLine, this.source.lineCount)] ?? 0) - (this.#sums[startLine - 1] ?? 0);
  }

  /** First and last non-blank line of a stretch; undefined when all are blank. */
  trim(startLine: number, endLine: number): { startLine: number; endLine: number } | undefined {
    let start = startLine;
    let end = Math.min(endLine, this.source.lineCount);
    while (start <= end && this.source.isBlank(start)) start += 1;
    while (end >= start && this.source.isBlank(end)) end -= 1;
    return start <= end ? { startLine: start, endLine: end } : undefined;
  }

  /** Break before a line by what it looks like: after a blank line and with little indentation is best. */
  layoutCost(line: number): number {
    const text = this.source.line(line);
    if (isBlank(text)) return 50;
    let indentation = 0;
    for (const character of text) {
      if (character === ' ') indentation += 1;
      else if (character === '\t') indentation += 4;
      else break;
    }
    const afterBlank = line > 1 && this.source.isBlank(line - 1);
    const closing = /^\s*(?:[)\]}>]|end\b|else\b|<\/)/.test(text);
    return Math.min(indentation, 40) / 2 + (afterBlank ? 0 : 6) + (closing ? 12 : 0);
  }
}

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

/**
 * First line of the next part: inside the window where this part is reasonably full, cheapest first, near the fair
 * share.
 */
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

/** How far back from the limit a nicer place to break is looked for, as a share of the part. */
const SLACK = 0.3;

/**
 * Cuts a line into consecutive parts, by 0-based columns, for which `fits` holds: at the end of a sentence, else of a
 * word, else anywhere but inside a surrogate pair. The first guess is `charactersPerPart`; parts that do not fit are
 * made smaller.
 */
export function splitLongLine(line: string, charactersPerPart: number, fits: (part: string) => boolean): TextSpan[] {
  const parts: TextSpan[] = [];
  const guess = Math.max(1, Math.floor(charactersPerPart));
  let start = 0;
  let size = guess;
  while (start < line.length) {
    let end = niceEnd(line, start, Math.min(line.length, start + size));
    while (size > 1 && end - start > 1 && !fits(line.slice(start, end))) {
      size = Math.max(1, Math.floor(Math.min(size, end - start) * 0.7));
      end = niceEnd(line, start, Math.min(line.length, start + size));
    }
    parts.push({ start, end });
    // Dense stretches shrink the guess; it grows back where the line is thinner.
    size = Math.min(guess, Math.ceil(size * 1.25) + 1);
    start = end;
  }
  return parts;
}

function niceEnd(line: string, start: number, end: number): number {
  if (end >= line.length) return line.length;
  const earliest = Math.max(start + 1, Math.floor(end - (end - start) * SLACK));
  for (let at = end; at > earliest; at--) if (/[.!?;]/.test(line[at - 1] ?? '') && /\s/.test(line[at] ?? '')) return at;
  for (let at = end; at > earliest; at--) if (/[\s,;}\])>]/.test(line[at - 1] ?? '')) return at;
  const code = line.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
