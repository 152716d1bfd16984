import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { runHostSuite } from '../../../scripts/vscode-host/run-suite.ts';
import type { SuiteResult } from '../../../scripts/testing/suite-result.ts';

const probe = path.join(repositoryRoot, 'test/fixtures/probe-extension');

async function runProbe(suite: string, limit?: number): Promise<{ result: SuiteResult; printed: string }> {
  let printed = '';
  const result = await runHostSuite(
    {
      name: `probe-${suite}`,
      extension: probe,
      files: [path.join(probe, 'suites', `${suite}.ts`)],
      target: path.join(probe, 'workspace'),
      limit,
    },
    (text) => (printed += text),
  );
  return { result, printed };
}

describe('a suite inside the extension host', function () {
  this.timeout(120_000);

  it('is counted, and its lines are printed', async () => {
    const { result, printed } = await runProbe('passing');
    assert.deepEqual([result.passed, result.failed, result.failures], [2, 0, []]);
    assert.match(printed, /runs commands of the extension under development/);
  });

  it('fails with the messages of its failing tests', async () => {
    const { result } = await runProbe('failing');
    assert.deepEqual([result.passed, result.failed], [1, 1]);
    assert.equal(result.failures[0]?.title, 'one of two does not hold');
    assert.match(result.failures[0]?.message ?? '', /failing\.ts:\d+/, 'the stack names the source, not the bundle');
  });

  it('fails when its extension host is killed, though VS Code ends with 0', async () => {
    const { result } = await runProbe('killed', 60_000);
    assert.equal(result.passed, 0);
    assert.equal(result.failed, 1);
    assert.match(result.failures[0]?.message ?? '', /left no result \(exit code 0\)|did not end within/);
  });

  it('fails when it does not end', async () => {
    const { result } = await runProbe('hanging', 15_000);
    assert.match(result.failures[0]?.message ?? '', /did not end within its time limit/);
  });

  it('fails when it holds no test', async () => {
    const { result } = await runProbe('empty');
    assert.match(result.failures[0]?.message ?? '', /ran no test/);
  });
});
