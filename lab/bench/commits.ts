/**
 * What writing a vector costs while the table grows: milliseconds a row and commits, from the first vector to the last,
 * with an embedder that costs nothing. `node --import tsx lab/bench/commits.ts [ROWS…]`; 5,000, 20,000 and 60,000 rows
 * when none are named. Goal: about the same a row at every size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seededRandom } from '#base';
import type { Embedder, Passage } from '#search/lab';
import { instead } from '../instead.ts';
import { rounded } from '../statistics.ts';
import { benchIndex, benchService, FreeEmbedder, passagesTable } from './bench-index.ts';

const sizes = process.argv.slice(2).map(Number);
const random = seededRandom(1);

const passageAt = (row: number): Passage => ({
  id: `p${row}`,
  uri: `file:///bench/note-${Math.floor(row / 50)}.md`,
  path: `note-${Math.floor(row / 50)}.md`,
  startLine: 1 + (row % 50) * 3,
  endLine: 2 + (row % 50) * 3,
  kind: 'section',
  language: 'markdown',
  title: `Part ${row}`,
  text: Array.from({ length: 60 }, () => `w${Math.floor(20_000 ** random())}`).join(' '),
  contentHash: '',
  links: [],
});

async function measure(rows: number): Promise<{ rows: number; msPerRow: number; commits: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hoptrail-commits-'));
  let began: number | undefined;
  const embedder = new FreeEmbedder();
  const embedPassages: Embedder['embedPassages'] = async (texts) => {
    began ??= performance.now();
    return texts.map(() => Float32Array.from({ length: embedder.dimensions }, () => random() - 0.5));
  };
  const service = benchService(async () => instead<Embedder>(embedder, { embedPassages }));
  try {
    await service.open(benchIndex(folder));
    await service.importPassages(Array.from({ length: rows }, (_, row) => passageAt(row)));
    const milliseconds = performance.now() - (began ?? Number.NaN);
    const commits = await (await passagesTable(folder)).version(); // each commit makes one
    return { rows, msPerRow: rounded(milliseconds / rows, 3), commits };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const rows of sizes.length > 0 ? sizes : [5_000, 20_000, 60_000]) console.log(JSON.stringify(await measure(rows)));
