/**
 * Opening a folder again that was indexed before and has not changed: `node --import tsx lab/bench/opening.ts [FILES]`,
 * 80,000 small files when none are named. A process makes and indexes them (hashed vectors), another opens the index
 * again: seconds until it can be searched, until nothing is left to do, files read meanwhile, memory. Then 5,000 files
 * change, as when a branch is switched. Beside it stands what listing the folders and asking for each file's size and
 * time takes alone. Goals: no file read, searched within 5 s.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchIndex, benchService, FreeEmbedder } from './bench-index.ts';
import { seededRandom } from '#base';

const PER_FOLDER = 100;
const SWITCHED = 5_000;
const [role = '80000', scratch = ''] = process.argv.slice(2);
const folder = path.join(scratch, 'files');
const random = seededRandom(1);

const fileAt = (root: string, i: number): string =>
  path.join(root, `part-${Math.floor(i / PER_FOLDER)}`, `note-${i}.md`);
const textOf = (i: number, edit: number): string =>
  `# Note ${i}\n\n${Array.from({ length: 12 }, () => `w${Math.floor(20_000 ** random())}`).join(' ')} ${edit}.\n`;

interface Opened {
  searchableSeconds: number;
  readySeconds: number;
  read: number;
  megabytes: number;
  megabytesAtMost: number;
}

/** Opens the index and brings it up to date, in a process of its own. */
async function open(): Promise<Opened> {
  let read = 0;
  const began = performance.now();
  const service = benchService(async () => new FreeEmbedder(), {
    onRead: (file) => {
      read += 1;
      return file;
    },
  });
  const seconds = (): number => Math.round(performance.now() - began) / 1_000;
  await service.open(benchIndex(path.join(scratch, 'index'), folder));
  await service.index.textSearch('note', { limit: 5 });
  const searchableSeconds = seconds();
  await service.update({});
  const readySeconds = seconds();
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  await service.close();
  return {
    searchableSeconds,
    readySeconds,
    read,
    megabytes,
    megabytesAtMost: Math.round(process.resourceUsage().maxRSS / 1e3),
  };
}

/** The same in another process. */
async function openedElsewhere(place: string): Promise<Opened> {
  const child = fork(fileURLToPath(import.meta.url), ['open', place], { execArgv: process.execArgv });
  const [opened] = (await once(child, 'message')) as [Opened];
  await once(child, 'exit');
  return opened;
}

/** Seconds to list all folders and to ask for the size and time of each file. */
function walkSeconds(root: string): number {
  const began = performance.now();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) lstatSync(path.join(entry.parentPath, entry.name));
  return Math.round(performance.now() - began) / 1_000;
}

if (role === 'open') {
  const opened = await open();
  process.send?.(opened, () => process.exit(0));
} else {
  const files = Number(role);
  const place = mkdtempSync(path.join(tmpdir(), 'hoptrail-opening-'));
  const root = path.join(place, 'files');
  try {
    for (let i = 0; i < files; i++) {
      if (i % PER_FOLDER === 0) mkdirSync(path.dirname(fileAt(root, i)), { recursive: true });
      writeFileSync(fileAt(root, i), textOf(i, 0));
    }
    const first = await openedElsewhere(place);
    const again = await openedElsewhere(place);
    const walk = walkSeconds(root);
    const switched = Math.min(SWITCHED, files);
    for (let i = 0; i < switched; i++) writeFileSync(fileAt(root, Math.floor((i * files) / switched)), textOf(i, 1));
    const afterSwitch = await openedElsewhere(place);
    console.log(
      JSON.stringify(
        { date: new Date().toISOString().slice(0, 16), files, first, again, walkSeconds: walk, afterSwitch },
        undefined,
        2,
      ),
    );
    if (again.read > 0) console.log(`Missed: ${again.read} files were read again.`);
    if (again.searchableSeconds > 5)
      console.log(`Missed: it could be searched after ${again.searchableSeconds} s, 5 wanted.`);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
