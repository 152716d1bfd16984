/**
 * The suites of an index in object storage against a server that is not ours: `npm run build && node --import tsx
 * lab/bench/object-storage-server.ts [VENV]`. Makes a Python environment in VENV (a temporary one when none is named)
 * with moto[server] from PyPI, starts that on a free port, makes the bucket, and runs mocha with S3_ENDPOINT. The last
 * line names the server's version and what passed; it ends with 1 where something failed. Moto knows no wrong keys, so
 * that the test of a refused key is left out.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../places.ts';
import { storageOptions } from '../../test/doubles/object-store-server.ts';

const SUITES = [
  'test/unit/search/store/lease-table.test.ts',
  'test/unit/search/indexer/followed-index.test.ts',
  'test/unit/search/indexer/index-service.test.ts',
  'test/unit/search/indexer/small-edit.test.ts',
  'test/unit/search/indexer/emptied-roots.test.ts',
  'test/unit/search/indexer/unsaved-texts.test.ts',
  'test/unit/search/indexer/vectors-left-out.test.ts',
  'test/unit/search/indexer/object-storage.test.ts',
  'test/process/kill-index-process.test.ts',
];
const ABOUT_OBJECT_STORAGE = '^(?!.*says what is wrong where it cannot be had).*object storage';
const STARTS_WITHIN = 30_000;

const named = process.argv[2];
const venv = named === undefined ? mkdtempSync(path.join(tmpdir(), 'hoptrail-moto-')) : path.resolve(named);
const python = path.join(venv, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the server takes the bucket. */
async function makeBucket(url: string): Promise<void> {
  const { aws_access_key_id: key } = storageOptions(url);
  const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0`;
  for (const until = performance.now() + STARTS_WITHIN; ; await wait(200)) {
    const made = await fetch(`${url}/bucket`, { method: 'PUT', headers: { authorization } }).catch(() => undefined);
    if (made?.ok) return;
    if (performance.now() > until) throw new Error(`no bucket could be made: ${made?.status ?? 'no answer'}`);
  }
}

let server: ChildProcess | undefined;
try {
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'moto[server]'], { stdio: 'inherit' });
  const version = execFileSync(python, ['-c', 'import moto; print(moto.__version__)'], { encoding: 'utf8' }).trim();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  await makeBucket(url);
  const { stdout } = spawnSync('npx', ['mocha', '--reporter', 'json', '--grep', ABOUT_OBJECT_STORAGE, ...SUITES], {
    cwd: root,
    env: { ...process.env, S3_ENDPOINT: url },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stats, failures } = JSON.parse(stdout.slice(stdout.indexOf('{\n'))) as {
    stats: { passes: number; failures: number; duration: number };
    failures: { fullTitle: string; err: { message?: string } }[];
  };
  for (const { fullTitle, err } of failures) console.log(`${fullTitle}: ${err.message ?? 'failed'}`);
  console.log(
    `${new Date().toISOString().slice(0, 10)}, moto ${version}: ${stats.passes} passed, ${stats.failures} ` +
      `failed in ${Math.round(stats.duration / 1_000)} s`,
  );
  process.exitCode = stats.failures > 0 ? 1 : 0;
} finally {
  server?.kill();
  if (named === undefined) rmSync(venv, { recursive: true, force: true });
}
