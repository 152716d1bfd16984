import type { LineRange } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';

/** What a format knows of its lines that blank ones do not tell. */
interface LineRules {
  /** A line that parts runs and is in none; a blank one where nothing is said. */
  isBlank?(line: number): boolean;
  /** A line that begins a run, whatever stands above it. */
  begins?(line: number): boolean;
  /** A line that belongs to the run above it, blank lines between them or not. */
  goesOn?(line: number): boolean;
}

/** Runs of lines that belong together: those between blank lines, unless a format knows better. */
export function lineRuns(source: SourceText, range: LineRange, rules: LineRules = {}): LineRange[] {
  const { isBlank = (line: number): boolean => source.isBlank(line), begins, goesOn } = rules;
  const runs: LineRange[] = [];
  for (let line = range.startLine; line <= range.endLine; line++) {
    if (isBlank(line)) continue;
    const last = runs.at(-1);
    if (last && (last.endLine === line - 1 || goesOn?.(line)) && !begins?.(line)) last.endLine = line;
    else runs.push({ startLine: line, endLine: line });
  }
  return runs;
}
