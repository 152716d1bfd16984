/**
 * Two versions of LanceDB beside each other, in turns, each in a process of its own: `node --import tsx
 * lab/bench/lancedb.ts --module FOLDER [--beside FOLDER] [--rows N] [--turns N]`. FOLDER is a package as npm installs
 * it (`…/node_modules/@lancedb/lancedb`); beside it stands the repository's own. 20,000 made-up rows of 100 words and
 * 384 dimensions, three turns. Prints ratios of processor time (which other work on the machine changes less than the
 * clock) with their range, bytes on disk, memory and recall.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type * as LanceDb from '@lancedb/lancedb';
import { seededRandom } from '#base';
import { root } from '../places.ts';
import { markdownTable, quantile, worked } from '../statistics.ts';

const { values: options } = parseArgs({
  options: {
    module: { type: 'string' },
    beside: { type: 'string', default: path.join(root, 'node_modules', '@lancedb', 'lancedb') },
    rows: { type: 'string', default: '20000' },
    turns: { type: 'string', default: '3' },
    run: { type: 'string' },
  },
});
const ROWS = Number(options.rows);
const DIMENSIONS = 384;
const WORDS = 100;
const BATCH = 1_000;
const QUERIES = 40;
const EDITS = 50;

/** Milliseconds of processor by what was done; bytes, MB and shares by what was found. */
type Figures = Record<string, number>;

async function work(module: string): Promise<Figures> {
  const lance = createRequire(path.join(module, 'package.json'))(module) as typeof LanceDb;
  const folder = mkdtempSync(path.join(tmpdir(), 'hoptrail-lancedb-'));
  const random = seededRandom(7);
  const figures: Figures = {};
  const measured = async <T>(name: string, done: () => Promise<T>): Promise<T> => {
    const before = worked();
    const result = await done();
    figures[name] = (figures[name] ?? 0) + worked() - before;
    return result;
  };
  const centres = Array.from({ length: 200 }, () => Array.from({ length: DIMENSIONS }, () => random() - 0.5));
  const vector = (): number[] => {
    const made = (centres[Math.floor(random() * centres.length)] ?? []).map((value) => value + (random() - 0.5) * 0.8);
    const length = Math.hypot(...made);
    return made.map((value) => value / length);
  };
  const words = (count: number): string =>
    Array.from({ length: count }, () => `w${Math.floor(20_000 ** random())}`).join(' ');
  const row = (i: number): Record<string, unknown> => ({
    id: `p${i}`,
    path: `note-${Math.floor(i / 50)}.md`,
    text: words(WORDS),
    vector: vector(),
  });
  try {
    const db = await lance.connect(folder);
    const batch = (from: number): Record<string, unknown>[] =>
      Array.from({ length: Math.min(BATCH, ROWS - from) }, (_, i) => row(from + i));
    const first = batch(0);
    const table = await db.createTable('passages', first);
    for (let from = BATCH; from < ROWS; from += BATCH) {
      const rows = batch(from);
      await measured('writing rows', () => table.add(rows));
    }
    await measured('building the full-text index', () =>
      table.createIndex('text', { config: lance.Index.fts({ baseTokenizer: 'icu/split', withPosition: false }) }),
    );
    await measured('building the index of ids', () => table.createIndex('id', { config: lance.Index.btree() }));
    const queries = Array.from({ length: QUERIES }, () => ({ vector: vector(), words: words(6) }));
    const nearest = (query: number[]): LanceDb.VectorQuery =>
      table
        .query()
        .nearestTo(query)
        .distanceType('cosine')
        .nprobes(20)
        .refineFactor(10)
        .limit(10)
        .select(['id', '_distance']);
    const idsOf = async (query: LanceDb.VectorQuery): Promise<string[]> =>
      ((await query.toArray()) as { id: string }[]).map(({ id }) => id);
    const searched = async (when: string): Promise<string[][]> => {
      const found: string[][] = [];
      for (const query of queries) {
        found.push(await measured(`search by vector, ${when}`, () => idsOf(nearest(query.vector))));
        await measured(`search by words, ${when}`, () =>
          table
            .query()
            .fullTextSearch(query.words, { columns: ['text'] })
            .limit(40)
            .select(['id', '_score'])
            .toArray(),
        );
      }
      return found;
    };
    const exact = await searched('no vector index');
    await measured('building the vector index', () =>
      table.createIndex('vector', { config: lance.Index.ivfRq({ distanceType: 'cosine' }) }),
    );
    const found = await searched('vector index');
    const shared = found.flatMap((ids, i) => ids.filter((id) => exact[i]?.includes(id))).length;
    figures['recall@10 of the vector index'] = shared / (QUERIES * 10);
    for (let edit = 0; edit < EDITS; edit++) {
      const rows = [row(Math.floor(random() * ROWS))];
      await measured('an edit of one row', () =>
        table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows),
      );
    }
    await searched(`after ${EDITS} edits`);
    figures['bytes before tidying'] = bytesOf(folder);
    await measured('tidying', () => table.optimize({ cleanupOlderThan: new Date() }));
    figures['bytes after tidying'] = bytesOf(folder);
    await searched('tidied');
    figures['memory at most, MB'] = process.resourceUsage().maxRSS / 1e3;
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

const versionOf = (module: string): string => {
  const { version, engines } = JSON.parse(readFileSync(path.join(module, 'package.json'), 'utf8')) as {
    version: string;
    engines?: { node?: string };
  };
  return `${version} (asks for Node ${engines?.node ?? 'any'})`;
};

/** In a process of its own; one that does not load there says so. */
async function workElsewhere(module: string): Promise<Figures> {
  const child = fork(fileURLToPath(import.meta.url), ['--run', module, '--rows', options.rows], {
    execArgv: process.execArgv,
  });
  const [said] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Figures | number];
  if (typeof said === 'number') throw new Error(`${versionOf(module)} ended with ${said} on Node ${process.version}`);
  return said;
}

if (options.run !== undefined) {
  const figures = await work(options.run);
  process.send?.(figures, () => process.exit(0));
} else {
  if (options.module === undefined) throw new Error('Which package? --module …/node_modules/@lancedb/lancedb');
  const modules = { other: path.resolve(options.module), own: path.resolve(options.beside) };
  const turns: { other: Figures; own: Figures }[] = [];
  for (let turn = 0; turn < Number(options.turns); turn++) {
    const own = turn % 2 === 0 ? await workElsewhere(modules.own) : undefined;
    const other = await workElsewhere(modules.other);
    turns.push({ other, own: own ?? (await workElsewhere(modules.own)) });
    process.stderr.write(`turn ${turn + 1} of ${options.turns}\n`);
  }
  console.log(
    `${new Date().toISOString().slice(0, 16)}, Node ${process.version}, ${ROWS} rows, ${turns.length} turns: ` +
      `${versionOf(modules.other)} ÷ ${versionOf(modules.own)}\n`,
  );
  const rows = Object.keys(turns[0]?.own ?? {}).map((name) => {
    const middle = (which: 'other' | 'own'): number =>
      quantile(
        turns.map((turn) => turn[which][name] ?? Number.NaN),
        0.5,
      );
    const ratios = turns.map((turn) => (turn.other[name] ?? Number.NaN) / (turn.own[name] ?? Number.NaN));
    const shown = (value: number): string =>
      name.startsWith('bytes') ? `${(value / 1e6).toFixed(0)} MB` : value < 10 ? value.toFixed(3) : value.toFixed(0);
    const spread = [quantile(ratios, 0.5), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    return [name, shown(middle('other')), shown(middle('own')), ...spread];
  });
  console.log(markdownTable(['', 'this', 'beside', 'ratio', 'least', 'most'], rows));
}
