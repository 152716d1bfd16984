// Loaded by VS Code in the extension host (extensionTestsPath): runs compiled Mocha suites there. Bundled by
// run-suite.ts.
import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import { printTo, ResultReporter } from '../testing/result-reporter.ts';
import { mapStack } from './map-stack.ts';

function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start suites with run-suite.ts`);
  return value;
}

/** VS Code calls this one and ends the host when it settles; what came out is in TEST_RESULT_FILE by then. */
export async function run(): Promise<void> {
  const logFile = environment('TEST_LOG_FILE');
  printTo((...args: unknown[]) => appendFileSync(logFile, `${format(...args)}\n`));
  const grep = process.env['TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    color: false,
    timeout: 180_000,
    reporter: ResultReporter,
    forbidOnly: true,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const file of JSON.parse(environment('TEST_FILES')) as string[]) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    // Before the reporter sees it.
    runner.prependListener('fail', (_test: unknown, error: unknown) => {
      if (error instanceof Error && error.stack !== undefined) error.stack = mapStack(error.stack);
    });
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
