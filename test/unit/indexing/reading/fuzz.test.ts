import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runFuzz } from '../../../../bench/fuzz/run-fuzz.ts';
import { fixturesFolder } from './reading-harness.ts';

/** A short run of `bench/fuzz.ts`, which reads a hundred thousand. Its seeds are its own, so that the long run finds other things. */
const FIRST_SEED = 2_000_000;
const INPUTS = 3_000;
const MOST_MEMORY = 700 * 2 ** 20;

describe('files that are damaged, repeated, spliced or made by rules', function () {
  this.timeout(180_000);

  it(`${INPUTS} of them: none hangs, none crashes, every non-blank line of those that are read is in exactly one passage`, async () => {
    const report = await runFuzz(fixturesFolder, FIRST_SEED, INPUTS);
    assert.deepEqual(report.failures, []);
    assert.ok(report.read > INPUTS / 2, `${report.read} of ${INPUTS} were read`);
    for (const extension of ['md', 'yaml', 'csv', 'html', 'rst', 'toml', 'json', 'ipynb', 'pdf', 'docx', 'ts', 'py', 'txt']) assert.ok(report.formats.has(extension), `no ${extension} among them`);
    assert.ok(report.peakBytes < MOST_MEMORY, `${Math.round(report.peakBytes / 2 ** 20)} MB`);
  });
});
