import { isBlank, type SourceText } from '../text/source-text.ts';
import { estimateTokens } from './token-estimate.ts';

/** Estimated tokens of any stretch of lines in constant time, and the cost of breaking before a line. */
export class LineWeights {
  private readonly sums: Float64Array;
  readonly source: SourceText;

  constructor(source: SourceText) {
    this.source = source;
    this.sums = new Float64Array(source.lineCount + 1);
    for (let line = 1; line <= source.lineCount; line++) {
      this.sums[line] = (this.sums[line - 1] ?? 0) + estimateTokens(source.line(line));
    }
  }

  /** Estimated tokens of the lines, both ends included. */
  between(startLine: number, endLine: number): number {
    return (this.sums[Math.min(endLine, this.source.lineCount)] ?? 0) - (this.sums[startLine - 1] ?? 0);
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
