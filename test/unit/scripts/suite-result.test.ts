import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { closingLine, failedSuite, judgeSuite } from '../../../scripts/testing/suite-result.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';

const ended = { code: 0, timedOut: false };

describe('judging a suite by the result it left', () => {
  let folder: string;
  let written = 0;

  before(() => {
    folder = temporaryFolder();
  });

  function resultFile(passed: number, failed: number): string {
    const file = path.join(folder, `${written++}.json`);
    writeFileSync(file, JSON.stringify({ passed, failed, skipped: 0, seconds: 1, failures: [] }));
    return file;
  }

  it('counts what passed and failed', () => {
    const { passed, failed } = judgeSuite('suite', resultFile(3, 1), { code: 1, timedOut: false });
    assert.deepEqual([passed, failed], [3, 1]);
  });
  it('fails a suite that left no result, whatever its exit code', () => {
    const { failed, failures } = judgeSuite('suite', path.join(folder, 'none.json'), ended);
    assert.equal(failed, 1);
    assert.match(failures[0]?.message ?? '', /left no result/);
  });
  it('fails a suite that ran nothing, unless a filter was given', () => {
    assert.equal(judgeSuite('suite', resultFile(0, 0), ended).failed, 1);
    assert.equal(judgeSuite('suite', resultFile(0, 0), ended, true).failed, 0);
  });
  it('fails a suite that hung after its tests', () => {
    const { passed, failed } = judgeSuite('suite', resultFile(3, 0), { code: null, timedOut: true });
    assert.deepEqual([passed, failed], [3, 1]);
  });
  it('fails a suite that exited badly after its tests had passed', () => {
    assert.equal(judgeSuite('suite', resultFile(3, 0), { code: 134, timedOut: false }).failed, 1);
  });
  it('sums up in one line', () => {
    const suite = { passed: 3, failed: 0, skipped: 0, seconds: 1, failures: [] };
    assert.equal(closingLine([suite, failedSuite('other', 'broke')]), '3 passed, 1 failed');
    assert.equal(closingLine([{ ...suite, skipped: 2 }]), '3 passed, 0 failed, 2 skipped');
  });
});

describe('a test that is tried again', () => {
  it('counts once, and each attempt that failed is told', () => {
    const folder = temporaryFolder();
    const reporter = path.join(repositoryRoot, 'scripts', 'testing', 'result-reporter.ts');
    const [suite, result] = [path.join(folder, 'suite.ts'), path.join(folder, 'result.json')];
    writeFileSync(
      suite,
      `let attempt = 0;
         it('comes late', () => {
           if (++attempt === 1) throw new Error('not yet');
         });
         it('never comes', () => {
           throw new Error('no');
         });`,
    );
    const mocha = path.join(repositoryRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
    spawnSync(process.execPath, [mocha, '--retries', '1', '--reporter', reporter, suite], {
      cwd: repositoryRoot,
      env: { ...process.env, TEST_RESULT_FILE: result },
    });
    const { passed, failed, failures, repeated = [] } = judgeSuite('suite', result, { code: 1, timedOut: false });
    assert.deepEqual([passed, failed], [1, 1]);
    assert.match(failures[0]?.message ?? '', /no\n/);
    assert.deepEqual(
      repeated.map(({ title }) => title),
      ['comes late', 'never comes'],
    );
    assert.match(repeated[0]?.message ?? '', /not yet\n/);
  });
});
