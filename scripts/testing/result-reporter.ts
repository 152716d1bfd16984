import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { SuiteResult } from './suite-result.ts';

const { Base, Spec } = Mocha.reporters;
/** Tests of a suite that are named with their time. */
const SLOWEST = 8;

/**
 * Mocha's spec reporter that also writes what came out to the file named by TEST_RESULT_FILE, when the run has ended
 * and only then: a run that was killed leaves no file, and so cannot be taken for a good one.
 */
export class ResultReporter extends Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['TEST_RESULT_FILE'];
    if (file === undefined) return;
    const failures: [Mocha.Runnable, unknown][] = [];
    const repeated: [Mocha.Runnable, unknown][] = [];
    const times: { title: string; seconds: number }[] = [];
    runner.on('test end', (test) => {
      times.push({ title: test.fullTitle(), seconds: (test.duration ?? 0) / 1000 });
    });
    runner.on('fail', (test, error: unknown) => failures.push([test, error]));
    runner.on('retry', (test, error: unknown) => repeated.push([test, error]));
    runner.once('end', () => {
      const {
        passes,
        failures: failed,
        pending,
        duration = 0,
      } = runner.stats ?? { passes: 0, failures: 0, pending: 0 };
      const slowest = times.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
      const result: SuiteResult = {
        passed: passes,
        failed,
        skipped: pending,
        seconds: duration / 1000,
        failures: failures.map(told),
        repeated: repeated.map(told),
        slowest,
      };
      writeFileSync(`${file}.part`, JSON.stringify(result));
      renameSync(`${file}.part`, file);
    });
  }
}

const told = ([test, error]: [Mocha.Runnable, unknown]): { title: string; message: string } => ({
  title: test.fullTitle(),
  message: messageOf(error),
});

/** Errors of tests that ran in a worker are plain objects. */
function messageOf(error: unknown): string {
  const { stack, message } = Object(error) as Partial<Error>;
  return stack ?? message ?? String(error);
}

/** Sends what Mocha's reporters print elsewhere than to the console: in the extension host nobody sees that. */
export function printTo(write: (...args: unknown[]) => void): void {
  Base.consoleLog = write;
}

export default ResultReporter; // Mocha takes a reporter file's default export
