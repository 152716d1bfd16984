import { renameSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const { Base, Spec } = Mocha.reporters;

/**
 * Mocha's spec reporter that also writes what came out to the file named by TEST_RESULT_FILE, when the run has ended and only then:
 * a run that was killed leaves no file, and so cannot be taken for a good one.
 */
export class ResultReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_RESULT_FILE;
    if (!file) return;
    const failures = [];
    runner.on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: String(error?.stack ?? error) }));
    runner.once('end', () => {
      const { passes, failures: failed, pending, duration } = runner.stats;
      writeFileSync(`${file}.part`, JSON.stringify({ passed: passes, failed, skipped: pending, seconds: (duration ?? 0) / 1000, failures }));
      renameSync(`${file}.part`, file);
    });
  }
}

/** Where Mocha's reporters print: the console, unless a suite in another process needs its lines elsewhere. */
export function printTo(write) {
  Base.consoleLog = write;
}

export default ResultReporter; // Mocha takes a reporter file's default export
