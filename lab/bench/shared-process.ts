/**
 * What it costs a second command line, window or agent to use the index process that already keeps an index, beside
 * one that starts its own: `npm run build && node --import tsx lab/bench/shared-process.ts [DIR]`. A server (`mcp`)
 * keeps the index meanwhile. Then ten clients at once ask five questions each. Prints seconds and MB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { modelsDir, root } from '../places.ts';
import { quantile } from '../statistics.ts';
import { startIndexProcess, socketFolder } from '#search';
import { benchIndex } from './bench-index.ts';
const program = path.join(root, 'dist', 'cli.cjs');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'examples', 'notes'));
const scratch = mkdtempSync(path.join(tmpdir(), 'hoptrail-bench-'));
const index = path.join(scratch, 'index');
const QUESTION = 'Who supplies the batteries of the masts?';
const COMMANDS = ['search', 'ask'];
const TURNS = 7;
const CLIENTS = 10;
const EACH = 5;

const environment = { ...process.env, XDG_DATA_HOME: path.join(scratch, 'data') };
const cli = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args, ...(args.length > 1 ? ['--index', index] : [])], {
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`it ended with ${code}`))));
  });
const timed = async (...args: string[]): Promise<number> => {
  const started = performance.now();
  await ended(cli(...args));
  return (performance.now() - started) / 1_000;
};
/** Seconds of each command, asked in turns, in words. */
async function timesAt(when: string, commands: readonly string[]): Promise<Record<string, string>> {
  const times = commands.map(() => [] as number[]);
  for (let i = 0; i < TURNS; i++)
    for (const [at, command] of commands.entries()) times[at]?.push(await timed(command, folder, QUESTION));
  return Object.fromEntries(
    commands.map((command, at) => {
      const of = times[at] ?? [];
      return [command, `${median(of).toFixed(2)} s (${Math.max(...of).toFixed(2)}) ${when}`];
    }),
  );
}
const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Memory of a process and all below it, in MB, what several share counted in parts. */
function megabytes(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(own) / 1_024 + children.reduce((sum, child) => sum + megabytes(Number(child)), 0);
}

const pidOf = ({ pid }: ChildProcess): number => pid ?? 0;

try {
  await timed('index', folder);
  const cold = await timesAt('alone', COMMANDS);

  const keeper = cli('mcp', folder);
  await wait(4_000);
  const warm = await timesAt('beside a process that runs', COMMANDS);
  for (const command of COMMANDS)
    console.log(`${command} from the command line, median (worst) of ${TURNS}: ${cold[command]}, ${warm[command]}`);
  const bare: number[] = [];
  for (let i = 0; i < TURNS; i++) bare.push(await timed('--version'));
  console.log(`of which Node and the program take ${median(bare).toFixed(2)} s to start`);

  const before = megabytes(pidOf(keeper));
  const second = cli('mcp', folder);
  await wait(4_000);
  console.log(
    `a first server takes ${before.toFixed(0)} MB, a second one ` +
      `${(megabytes(pidOf(second)) + megabytes(pidOf(keeper)) - before).toFixed(0)} MB more`,
  );
  second.stdin?.end();
  await ended(second);

  // As the server opens it, or it would not be shared.
  const config = {
    ...benchIndex(index, folder),
    roots: [{ uri: pathToFileURL(folder).href, name: path.basename(folder) }],
    useGitignore: true,
  };
  const sockets = socketFolder();
  const clients = Array.from({ length: CLIENTS }, () =>
    startIndexProcess({
      entry: path.join(root, 'dist', 'index-process.cjs'),
      modelsDir,
      wasmDir: path.join(root, 'dist', 'wasm'),
      log: () => undefined,
      ...(sockets !== undefined && { socketFolder: sockets }),
    }),
  );
  await Promise.all(clients.map((client) => client.index.open(config)));
  const started = performance.now();
  const seconds = await Promise.all(
    clients.flatMap((client, i) =>
      Array.from({ length: EACH }, async (_, j) => {
        await client.retriever.search(`${QUESTION} ${i} ${j}`, { retriever: 'beam', limit: 10 });
        return (performance.now() - started) / 1_000;
      }),
    ),
  );
  const ownProcesses = clients.filter(({ pid }) => pid !== undefined).length;
  console.log(
    `${seconds.length} questions of ${CLIENTS} clients at once (${ownProcesses} with a process of their own): ` +
      `first answered after ${Math.min(...seconds).toFixed(2)} s, all after ${Math.max(...seconds).toFixed(2)} ` +
      `s; the server took ${megabytes(pidOf(keeper)).toFixed(0)} MB`,
  );
  const firstOfEach = clients.map((_, i) => Math.min(...seconds.slice(i * EACH, (i + 1) * EACH)));
  console.log(`each client had its first answer after ${Math.max(...firstOfEach).toFixed(2)} s at the latest`);
  await Promise.all(clients.map((client) => client.dispose()));
  keeper.stdin?.end();
  await ended(keeper);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
