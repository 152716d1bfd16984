/**
 * Opening an indexed folder again, as an editor does: `npm run build && node --import tsx lab/bench/opening.ts
 * [FILES]`; 80,000 small files of a git repository by default. Prints seconds until all files are read the first time,
 * until the unchanged folder is searched and checked again, and until a branch that differs in 5,000 files is taken up;
 * memory of this process and of the index process; beside them, what listing all files takes alone. Goal: searched
 * within 5 s.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '#base';
import { startIndexProcess } from '#search';
import { modelsDir, root as packageRoot } from '../places.ts';
import { benchIndex } from './bench-index.ts';

process.env['HOPTRAIL_LINGER_SECONDS'] = '0'; // the index process ends with its last client
const PER_FOLDER = 100;
const BRANCH_WORD = 'brackenspire';
const files = Number(process.argv[2] ?? 80_000);
const switched = Math.min(5_000, files);
const random = seededRandom(1);
const place = mkdtempSync(path.join(tmpdir(), 'hoptrail-opening-'));
const folder = path.join(place, 'files');

const fileAt = (i: number): string => path.join(folder, `part-${Math.floor(i / PER_FOLDER)}`, `note-${i}.md`);
const textOf = (i: number): string =>
  `# Note ${i}\n\n${Array.from({ length: 12 }, () => `w${Math.floor(20_000 ** random())}`).join(' ')}.\n`;
const secondsSince = (began: number): number => Math.round(performance.now() - began) / 1_000;

type RunningProcess = ReturnType<typeof startIndexProcess>;

async function opened(): Promise<RunningProcess> {
  const running = startIndexProcess({
    entry: path.join(packageRoot, 'dist', 'index-process.cjs'),
    modelsDir,
    wasmDir: path.join(packageRoot, 'dist', 'wasm'),
    log: () => undefined,
  });
  await running.index.open({ ...benchIndex(path.join(place, 'index'), folder), useGitignore: true });
  return running;
}

/** Starts an update and waits until every file was read; vectors follow. */
async function allRead({ index }: RunningProcess): Promise<number> {
  const began = performance.now();
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  index.update({}).then(end, end); // the process ends before all vectors are made
  while (!hasEnded && (await index.state()).phase !== 'embedding') await wait(50);
  return secondsSince(began);
}

/** Megabytes of a process and its children, as Linux tells them; NaN elsewhere. */
function megabytesOf(pid: number): number {
  try {
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Math.round(kilobytes / 1_024) + children.reduce((sum, child) => sum + megabytesOf(Number(child)), 0);
  } catch {
    return Number.NaN;
  }
}

function walkSeconds(): number {
  const began = performance.now();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) lstatSync(path.join(entry.parentPath, entry.name));
  return secondsSince(began);
}

const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: folder });
};

try {
  for (let i = 0; i < files; i++) {
    if (i % PER_FOLDER === 0) mkdirSync(path.dirname(fileAt(i)), { recursive: true });
    writeFileSync(fileAt(i), textOf(i));
  }
  const changed = Array.from({ length: switched }, (_, i) => Math.floor((i * files) / switched));
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'files');
  git('checkout', '-q', '-b', 'other');
  for (const i of changed) writeFileSync(fileAt(i), `${textOf(i)}\n${BRANCH_WORD}\n`);
  git('commit', '-q', '-a', '-m', 'changed');
  git('checkout', '-q', 'main');
  const first = await opened();
  const readSeconds = await allRead(first);
  await first.dispose();

  const began = performance.now();
  const again = await opened();
  await again.retriever.search('note of the first branch', { retriever: 'hybrid', limit: 5 });
  const searchableSeconds = secondsSince(began);
  const checkedSeconds = await allRead(again);
  const processMegabytes = megabytesOf(again.pid ?? 0);
  const parentMegabytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
  git('checkout', '-q', 'other');
  const switchedAt = performance.now();
  await again.index.filesChanged(changed.map((i) => pathToFileURL(fileAt(i)).href));
  const branchSeconds = secondsSince(switchedAt);
  const { hits } = await again.retriever.search(BRANCH_WORD, { retriever: 'text', limit: 1 });
  await again.dispose();
  if (hits.length !== 1) throw new Error('the branch’s word is not found');
  const report = {
    files,
    readSeconds,
    searchableSeconds,
    checkedSeconds,
    walkSeconds: walkSeconds(),
    switched,
    branchSeconds,
  };
  console.log(JSON.stringify({ ...report, parentMegabytes, processMegabytes }, undefined, 2));
  if (searchableSeconds > 5) console.log(`Missed: searched after ${searchableSeconds} s, 5 wanted.`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
