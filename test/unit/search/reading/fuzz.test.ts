import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runFuzz } from '../../../../lab/bench/fuzz/run-fuzz.ts';
import { fileKindOf } from '../../../../src/search/reading/formats/file-formats.ts';
import { fixturesFolder } from './reading-harness.ts';

/**
 * A short run of `lab/bench/fuzz.ts`, which reads a hundred thousand. Its seeds are its own, so that the long run finds
 * other things.
 */
const FIRST_SEED = 2_000_000;
const SEEDS = 400;
/**
 * Of programs, which take ten times as long to read as other formats (a hostile one costs a fresh runtime), one in so
 * many.
 */
const CODE_SHARE = 10;
const MOST_MEMORY = 700 * 2 ** 20;

describe('files that are damaged, repeated, spliced or made by rules', function () {
  this.timeout(600_000);

  it(`of ${SEEDS} seeds: none hangs, none crashes, every non-blank line of those that are read is in exactly one passage`, async () => {
    const report = await runFuzz(fixturesFolder, FIRST_SEED, SEEDS, {
      takes: ({ seed, name }) => seed % CODE_SHARE === 0 || fileKindOf(name).format.name !== 'code',
    });
    assert.deepEqual(report.failures, []);
    assert.ok(report.read > SEEDS / 2, `${report.read} inputs were read`);
    for (const extension of 'md yaml csv html rst adoc toml json ipynb pdf docx ts py txt'.split(' '))
      assert.ok(report.formats.has(extension), `no ${extension} among them`);
    assert.ok(report.peakBytes < MOST_MEMORY, `${Math.round(report.peakBytes / 2 ** 20)} MB`);
  });
});
