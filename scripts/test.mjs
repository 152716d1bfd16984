// Runs every suite and ends with `N passed, N failed`:
//
//   npm test
//   npm test -- --only unit,lint
//   npm test -- --only ui --grep "two windows"
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runNode } from './testing/run-command.mjs';
import { closingLine, failedSuite, judgeSuite } from './testing/suite-result.ts';
import { suites } from './testing/suites.mjs';
import { repositoryRoot } from './vscode-host/locations.ts';
import { runHostSuite } from './vscode-host/run-suite.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, grep: { type: 'string' } } });
const only = options.only?.split(',');
const unknown = only?.filter((name) => !suites.some((suite) => suite.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`);
  process.exit(2);
}
const chosen = suites.filter(({ name }) => only?.includes(name) ?? true);
// All but these look at built files.
if (
  only !== undefined &&
  chosen.some(({ name }) => !['build', 'typecheck', 'lint', 'format', 'tools', 'unit', 'harness'].includes(name))
) {
  chosen.unshift(...suites.filter(({ name }) => name === 'build' && !only.includes(name)));
}

const scratch = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-test-'));
const clean = () => rmSync(scratch, { recursive: true, force: true });
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    clean();
    process.exit(130); // the suites' processes end with this one
  });
}

function testFiles({ tests, suffix = '.test.ts' }) {
  const folder = path.join(repositoryRoot, tests);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => path.join(folder, file));
}

async function runCheck(suite) {
  const exit = await runNode(suite.command, { cwd: repositoryRoot, minutes: suite.limit });
  if (exit.timedOut) return failedSuite(suite.name, 'did not end within its time limit');
  return exit.code === 0
    ? { passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] }
    : failedSuite(suite.name, `failed with exit code ${exit.code}`);
}

async function runMocha(suite, files) {
  const resultFile = path.join(scratch, `${suite.name}.json`);
  const args = [
    'node_modules/mocha/bin/mocha.js',
    '--forbid-only',
    '--timeout',
    String(suite.timeout),
    '--reporter',
    'scripts/testing/result-reporter.ts',
    ...(suite.retries === undefined ? [] : ['--retries', String(suite.retries)]),
    ...(suite.jobs === undefined ? [] : ['--parallel', '--jobs', String(suite.jobs)]),
    ...(options.grep === undefined ? [] : ['--grep', options.grep]),
    ...files,
  ];
  const exit = await runNode(args, {
    cwd: repositoryRoot,
    env: { TEST_RESULT_FILE: resultFile },
    minutes: suite.limit,
  });
  return judgeSuite(suite.name, resultFile, exit, options.grep !== undefined);
}

async function runInHost(suite, files) {
  // A copy: tests edit files.
  const target = path.join(scratch, path.basename(suite.workspace));
  cpSync(path.join(repositoryRoot, suite.workspace), target, { recursive: true });
  return await runHostSuite({
    name: suite.name,
    extension: repositoryRoot,
    files,
    target,
    grep: options.grep,
    limit: suite.limit * 60_000,
  });
}

async function runSuite(suite) {
  if (suite.kind === 'check') return await runCheck(suite);
  const files = testFiles(suite);
  if (files.length === 0) return failedSuite(suite.name, `ran no test: ${suite.tests} holds none`);
  return suite.kind === 'host' ? await runInHost(suite, files) : await runMocha(suite, files);
}

const results = [];
/** Runs one suite and keeps what it came to. */
async function run(suite) {
  console.log(`\n== ${suite.name}`);
  const started = Date.now();
  const result = await runSuite(suite).catch((error) => failedSuite(suite.name, error.stack));
  results.push({ ...result, name: suite.name, seconds: (Date.now() - started) / 1000 });
  return result.failed === 0;
}

const [build, ...others] = chosen;
// Without what is built, the others would only repeat its failure.
if (build !== undefined && ((await run(build)) || build.name !== 'build')) {
  // Checks change nothing, so they run beside each other; tests one suite after the other, for they measure and wait.
  await Promise.all(others.filter(({ kind }) => kind === 'check').map(run));
  for (const suite of others) if (suite.kind !== 'check') await run(suite);
}
clean();

console.log('');
for (const { name, passed, failed, skipped, seconds, failures } of results) {
  console.log(
    `${failed > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(10)} ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds.toFixed(1)} s`,
  );
  for (const { title, message } of failures) console.log(`        ${title}: ${message.split('\n', 1)}`);
}
for (const { name, slowest = [] } of results)
  for (const { title, seconds } of slowest)
    if (seconds >= 10) console.log(`slow    ${name.padEnd(10)} ${seconds.toFixed(1)} s  ${title}`);
for (const { name, failures } of results)
  for (const { title, message } of failures) console.log(`\n${name}: ${title}\n${message}`);
for (const { name, repeated = [] } of results)
  for (const { title, message } of repeated) console.log(`\n${name}, tried again: ${title}\n${message}`);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const onlyChecks = chosen.every(({ kind }) => kind === 'check');
if (passed === 0 && !onlyChecks) console.log('\nno test ran');
console.log(`\n${closingLine(results)}`);
process.exitCode = failed > 0 || (passed === 0 && !onlyChecks) ? 1 : 0;
