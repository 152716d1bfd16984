import { existsSync, readFileSync } from 'node:fs';

/** What one suite came to. */
export interface SuiteResult {
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  failures: { title: string; message: string }[];
  /** Attempts that failed, of tests that were tried again, whatever came of it. */
  repeated?: { title: string; message: string }[];
  /** Tests that took longest, the slowest first. */
  slowest?: { title: string; seconds: number }[];
}

/** How the process of a suite ended. `code` is null when a signal ended it. */
export interface SuiteExit {
  code: number | null;
  timedOut: boolean;
}

/** A suite, or a check without tests of its own, that failed as a whole. */
export function failedSuite(title: string, message: string, seconds = 0): SuiteResult {
  return { passed: 0, failed: 1, skipped: 0, seconds, failures: [{ title, message }] };
}

function readResult(file: string): SuiteResult | undefined {
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof value !== 'object' || value === null) return undefined;
  const { passed, failed, skipped, seconds, failures, repeated = [], slowest } = value as Partial<SuiteResult>;
  if (
    typeof passed !== 'number' ||
    typeof failed !== 'number' ||
    typeof skipped !== 'number' ||
    !Array.isArray(failures)
  )
    return undefined;
  return {
    passed,
    failed,
    skipped,
    seconds: seconds ?? 0,
    failures,
    repeated,
    ...(Array.isArray(slowest) && { slowest }),
  };
}

/**
 * Judges a finished suite by the file it left. The exit code alone is never believed: a killed extension host ends with
 * 0.
 * @param allowNone true when a filter may leave nothing to run
 */
export function judgeSuite(name: string, resultFile: string, exit: SuiteExit, allowNone = false): SuiteResult {
  const result = readResult(resultFile);
  if (exit.timedOut) return withFailure(result, name, 'did not end within its time limit');
  if (result === undefined)
    return failedSuite(name, `left no result (exit code ${exit.code}): it was killed or could not start`);
  if (result.passed + result.failed === 0 && !allowNone) return withFailure(result, name, 'ran no test');
  if (exit.code !== 0 && result.failed === 0)
    return withFailure(result, name, `exited with code ${exit.code} after its tests had passed`);
  return result;
}

function withFailure(result: SuiteResult | undefined, title: string, message: string): SuiteResult {
  if (result === undefined) return failedSuite(title, message);
  return { ...result, failed: result.failed + 1, failures: [...result.failures, { title, message }] };
}

/** The closing line over all suites. */
export function closingLine(results: SuiteResult[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
