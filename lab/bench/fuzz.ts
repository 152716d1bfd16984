/**
 * Reads mutated and made files of every format as the index does, in a process that is watched: none may hang, crash,
 * lose a line or take too much memory. `node --import tsx lab/bench/fuzz.ts [--inputs 100000] [--seed 1] [--write
 * FILE]`; `--seed S --inputs 1 --write FILE` gives the input of a seed to look at. Ends with 1 when an input hung (over
 * 5 s), crashed the process, left a line out, or memory passed 700 MB.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../places.ts';
import { fixturesBelow, inputOf } from './fuzz/inputs.ts';
import { runFuzz, type FuzzFinding } from './fuzz/run-fuzz.ts';

const MEGABYTE = 2 ** 20;
const MOST_MEMORY = 700 * MEGABYTE;
const fixturesFolder = path.join(root, 'test', 'fixtures', 'reading');

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (values.write !== undefined) {
  const input = inputOf(seed, fixturesBelow(fixturesFolder));
  writeFileSync(values.write, input.bytes);
  console.log(`${input.name}, ${input.madeBy}, ${input.bytes.length} bytes`);
}

const line = ({ seed: one, name, madeBy, bytes, milliseconds }: FuzzFinding): string =>
  `  seed ${one}  ${Math.round(milliseconds)} ms  ${bytes} bytes  ${name}  (${madeBy})`;
const failureLine = (finding: FuzzFinding): string =>
  `FAILED ${finding.reading.kind}${line(finding)}  ${'detail' in finding.reading ? finding.reading.detail.slice(0, 300) : ''}`;
const started = performance.now();
const report = await runFuzz(fixturesFolder, seed, Number(values.inputs), {
  onFailure: (finding) => console.error(failureLine(finding)),
  onInput: (done, { failures }) => {
    if (done % 500 === 0)
      console.error(
        `${done} inputs, ${failures.length} failures, ${Math.round((performance.now() - started) / 1_000)} s`,
      );
  },
});

const count = (kind: string): number => report.failures.filter(({ reading }) => reading.kind === kind).length;
console.log(
  `${report.inputs} inputs from seed ${seed} in ${Math.round((performance.now() - started) / 1_000)} s: ` +
    `${report.read} read (${report.fallbacks} of them as text blocks), ${report.leftOut} left out`,
);
console.log(
  `${count('hung')} hung, ${count('crashed')} crashed, ${count('promise-broken')} lost a line; peak memory ` +
    `${Math.round(report.peakBytes / MEGABYTE)} MB after seed ${report.peakSeed}`,
);
console.log('slowest:');
for (const finding of report.slowest) console.log(line(finding));
console.log('formats:');
for (const [extension, { inputs, milliseconds }] of [...report.formats].sort(
  (a, b) => b[1].milliseconds - a[1].milliseconds,
))
  console.log(`  ${extension}  ${inputs} inputs, ${(milliseconds / inputs).toFixed(1)} ms each`);
for (const finding of report.failures) console.log(failureLine(finding));
process.exitCode = report.failures.length > 0 || report.peakBytes > MOST_MEMORY ? 1 : 0;
