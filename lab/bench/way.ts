/**
 * The way of a question, and of a changed file, as a list of the source files that do something for it: those with a
 * function that runs for it, and does not run when the index is only opened. Counted by V8 in the built product, with a
 * folder of two notes and no language model.
 *
 *     npm run build && node --import tsx lab/bench/way.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { remembered } from '#base';
import { root } from '../places.ts';

const cli = path.join(root, 'dist/cli.cjs');

const coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({
          functionName: z.string(),
          ranges: z.array(z.object({ startOffset: z.number(), count: z.number() })),
        }),
      ),
    }),
  ),
});

/** A bundle with the way back to its sources. */
class Bundle {
  readonly #starts: number[] = [0];
  readonly #map: SourceMap;
  readonly #folder: string;

  constructor(file: string) {
    const text = readFileSync(file, 'utf8');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    this.#map = new SourceMap(
      JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
    );
    this.#folder = path.dirname(file);
  }

  /** The source file of a place; undefined for what is not the project's own. */
  sourceAt(offset: number): string | undefined {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const entry = this.#map.findEntry(low, offset - (this.#starts[low] ?? 0));
    if (!('originalSource' in entry)) return undefined;
    const source = path.relative(root, path.resolve(this.#folder, entry.originalSource));
    return /^(?:src|lab|webview)\//.test(source) ? source : undefined;
  }
}

const bundles = new Map<string, Bundle>();

/** Each of them writes its own coverage as it ends; a process that is killed before writes none. */
const PROCESSES = ['cli.cjs', 'index-process.cjs'];
/** The index process outlives the command: it ends, and writes, a moment later. */
const ENDING_MS = 30_000;

const isTold = (folder: string): boolean => {
  const all = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return PROCESSES.every((process) => all.some((text) => text.includes(`/dist/${process}"`) && text.endsWith('}')));
};

/**
 * Functions that ran, as `source file` → their places, over all processes of a command of the product.
 * @throws Error when a process left no coverage: what it did would be missing
 */
function ran(args: readonly string[]): Map<string, Set<string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'way-coverage-'));
  try {
    execFileSync(process.execPath, [cli, ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: folder, HOPTRAIL_LINGER_SECONDS: '0' },
      stdio: 'ignore',
    });
    for (const until = Date.now() + ENDING_MS; !isTold(folder) && Date.now() < until;)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const found = new Map<string, Set<string>>();
    const told = new Set<string>();
    for (const name of readdirSync(folder)) {
      const report = coverage.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
      for (const { url, functions } of report.result) {
        if (!url.startsWith('file:') || !url.includes('/dist/')) continue;
        const file = fileURLToPath(url);
        told.add(path.basename(file));
        const bundle = remembered(bundles, file, () => new Bundle(file));
        for (const { functionName, ranges } of functions) {
          const [whole] = ranges;
          if (functionName === '' || whole === undefined || whole.count === 0) continue;
          const source = bundle.sourceAt(whole.startOffset);
          if (source === undefined) continue;
          remembered(found, source, () => new Set<string>()).add(`${functionName}@${whole.startOffset}`);
        }
      }
    }
    const silent = PROCESSES.find((name) => !told.has(name));
    if (silent !== undefined)
      throw new Error(
        `hoptrail ${args[0]}: ${silent} left no coverage, so its files cannot be counted. Run this again.`,
      );
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the source files with a function that ran in the first and not in the second, by folder. */
function printWay(title: string, doing: Map<string, Set<string>>, idle: Map<string, Set<string>>): void {
  const files = [...doing]
    .filter(([source, places]) => [...places].some((place) => idle.get(source)?.has(place) !== true))
    .map(([source]) => source)
    .sort();
  const rooms = new Set(files.map((file) => path.dirname(file)));
  console.log(`\n${title}: ${files.length} files in ${rooms.size} folders`);
  for (const room of rooms) {
    const inside = files.filter((file) => path.dirname(file) === room).map((file) => path.basename(file, '.ts'));
    console.log(`  ${room}  ${inside.length}  ${inside.join(', ')}`);
  }
}

const work = mkdtempSync(path.join(tmpdir(), 'way-'));
try {
  const notes = path.join(work, 'notes');
  const index = ['--index', path.join(work, 'index')];
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'ship.md'), '# The ship\n\nThe owner of the ship is Kim Aster. See [Kim](kim.md).\n');
  writeFileSync(path.join(notes, 'kim.md'), '# Kim Aster\n\nKim Aster was born in Oslo.\n');
  ran(['index', notes, ...index]);
  const idle = ran(['index', notes, ...index]);
  printWay('a question', ran(['ask', notes, 'Where was the owner of the ship born?', ...index]), idle);
  writeFileSync(path.join(notes, 'kim.md'), '# Kim Aster\n\nKim Aster was born in Bergen.\n');
  printWay('a changed file (without the process that reads it)', ran(['index', notes, ...index]), idle);
} finally {
  rmSync(work, { recursive: true, force: true });
}
