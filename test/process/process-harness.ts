import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../scripts/vscode-host/locations.ts';
import type { IndexConfig } from '../../src/search/indexer/index-service.ts';
import { createIndexLayout } from '../../src/search/store/index-layout.ts';
import { openStore } from '../../src/search/store/index-store.ts';
import {
  startIndexProcess,
  type IndexProcessOptions,
  type RunningIndexProcess,
} from '../../src/search/process/index-process-client.ts';
import { until } from '../doubles/waiting.ts';
import { temporaryFolder, writeFiles } from '../doubles/temporary-folder.ts';

export const builtEntry = path.join(repositoryRoot, 'dist', 'index-process.cjs');

/** Real index processes, as they are shipped, over a folder of files. */
export class ProcessHarness {
  readonly base: string;
  readonly logged: string[] = [];
  readonly #processes: RunningIndexProcess[] = [];
  /** Daemons that were seen. */
  readonly #pids = new Set<number>();

  static async create(files: Record<string, string>): Promise<ProcessHarness> {
    if (!existsSync(builtEntry)) throw new Error(`${builtEntry} is missing: run "npm run build" first`);
    const harness = new ProcessHarness(temporaryFolder());
    await harness.write(files);
    return harness;
  }

  private constructor(base: string) {
    this.base = base;
  }

  get workspace(): string {
    return path.join(this.base, 'workspace');
  }

  async write(files: Record<string, string>): Promise<void> {
    writeFiles(this.workspace, files);
  }

  #place(index: string): string {
    return index.startsWith('s3://') ? index : path.join(this.base, index);
  }

  uri(name: string): string {
    return pathToFileURL(path.join(this.workspace, name)).href;
  }

  /** `index`: a name beside the files, or an address in object storage. */
  config(index = 'index'): IndexConfig {
    return {
      roots: [{ uri: pathToFileURL(this.workspace).href, name: 'workspace' }],
      indexUri: this.#place(index),
      embedder: { kind: 'bundled' },
      excludeGlobs: [],
      useGitignore: false,
      maxFileBytes: 1 << 20,
    };
  }

  start(changes: Partial<IndexProcessOptions> = {}): RunningIndexProcess {
    const started = startIndexProcess({
      entry: builtEntry,
      modelsDir: path.join(repositoryRoot, 'models'),
      wasmDir: path.join(repositoryRoot, 'dist', 'wasm'),
      log: (level, text) => this.logged.push(`${level} ${text}`),
      lingerMs: 200,
      ...changes,
    });
    started.onState(() => started.pid !== undefined && this.#pids.add(started.pid));
    this.#processes.push(started);
    return started;
  }

  /** What the index holds, in an order of its own; vectors are compared as far as two runs of one model agree. */
  async dump(index = 'index'): Promise<{ passages: unknown[]; vectors: Map<string, Float32Array | undefined> }> {
    const layout = createIndexLayout(this.#place(index));
    const name = await layout.current();
    if (name === undefined) throw new Error('there is no index');
    const store = await openStore(await layout.open(name, { following: true }), {
      dimensions: 384,
      writable: false,
      now: () => Date.now(),
    });
    if (!store) throw new Error('the index holds no tables');
    const passages: { id: string }[] = [];
    const vectors = new Map<string, Float32Array | undefined>();
    for await (const rows of store.passages.scan(true)) {
      for (const passage of rows) {
        const { vector, ...rest } = passage;
        passages.push(rest);
        vectors.set(passage.id, vector);
      }
    }
    store.close();
    return { passages: passages.sort((a, b) => (a.id < b.id ? -1 : 1)), vectors };
  }

  /** Runs a program that sends a process id to its parent, kills it (-9) then, and gives that id. */
  async killedParentOf(program: string): Promise<number> {
    const parent = path.join(this.base, 'parent.mjs');
    writeFileSync(parent, program);
    const child = fork(parent, [], { execArgv: ['--import', 'tsx'], stdio: 'ignore', cwd: repositoryRoot });
    const [pid] = (await once(child, 'message')) as [number];
    assert.ok(processLives(pid));
    child.kill('SIGKILL');
    return pid;
  }

  async close(): Promise<void> {
    for (const { pid } of this.#processes) if (pid !== undefined) this.#pids.add(pid);
    await Promise.all(this.#processes.map((started) => started.dispose()));
    await until(() => ![...this.#pids].some(processLives), 'the daemons have ended', 30);
  }

  /** Ends the daemon of an index, in order, and waits until it is gone. */
  async end(running: RunningIndexProcess): Promise<void> {
    const { pid } = running;
    await running.dispose();
    if (pid === undefined) return;
    if (processLives(pid)) process.kill(pid, 'SIGTERM');
    await until(() => !processLives(pid), 'it has ended', 10);
  }
}

export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
