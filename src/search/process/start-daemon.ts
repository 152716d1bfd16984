import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorReport, hashOf, HoptrailError } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';
import { childEnvironment, storageThreads } from './child-environment.ts';
import { privateFolder } from './daemon-place.ts';
import { daemonStarted, type DaemonStart } from './messages.ts';

export interface DaemonOptions {
  /** JavaScript file of the index process. */
  entry: string;
  modelsDir: string;
  wasmDir: string;
  execArgv?: string[];
  /** Added to what the process sees of this one's environment. */
  env?: NodeJS.ProcessEnv;
  /** Milliseconds that a daemon stays when nobody uses it; default 20,000, or HOPTRAIL_LINGER_SECONDS. */
  lingerMs?: number;
}

const LINGER_SECONDS = 20;
const START_MS = 60_000;
const LAST_WORDS = 4_000;
/** Node hands this on to `spawn`; the type of `fork` does not say so. */
const NO_WINDOW = { windowsHide: true };

/** With a port, the process can be debugged there, on this machine alone (.vscode/launch.json). */
export const debuggerArguments = (port: string | undefined): string[] =>
  port !== undefined && /^\d{4,5}$/.test(port) ? [`--inspect=127.0.0.1:${port}`] : [];

/**
 * Starts a daemon for an index, which outlives this process. `taken`: another daemon has the index.
 * @throws IndexProcessUnavailableError, or what kept the daemon from taking the index
 */
export async function startDaemon(options: DaemonOptions, config: IndexConfig): Promise<'listening' | 'taken'> {
  // What native code says goes into a file: a pipe would break when this process ends.
  const said = path.join(await privateFolder(), `${hashOf(config.indexUri, 16)}.log`);
  const log = openSync(said, 'w', 0o600);
  const child = fork(options.entry, [], {
    execArgv: options.execArgv ?? debuggerArguments(process.env.HOPTRAIL_INSPECT_INDEX),
    // The editor's own executable runs as plain Node; LanceDB would warn about every query otherwise.
    env: {
      ...childEnvironment(process.env, config),
      ...storageThreads(process.env),
      ELECTRON_RUN_AS_NODE: '1',
      LANCEDB_LOG: 'error',
      ...options.env,
    },
    serialization: 'advanced',
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
    ...NO_WINDOW,
  });
  closeSync(log);
  const lingerMs = options.lingerMs ?? 1_000 * Number(process.env['HOPTRAIL_LINGER_SECONDS'] ?? LINGER_SECONDS);
  const start: DaemonStart = { modelsDir: options.modelsDir, wasmDir: options.wasmDir, config, lingerMs };
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    return await new Promise<'listening' | 'taken'>((resolve, reject) => {
      const fail = async (how: string): Promise<void> => {
        const lastWords = (await readFile(said, 'utf8').catch(() => '')).slice(-LAST_WORDS);
        const { why, advice } = explainFailedStart(how, lastWords);
        reject(new IndexProcessUnavailableError(why, advice));
      };
      child.once('error', (error) => void fail(error.message));
      child.once('exit', (code, signal) => void fail(signal ?? `code ${code}`));
      child.once('message', (raw) => {
        const answer = daemonStarted.safeParse(raw);
        if (!answer.success) reject(new UnknownReplyError('start', answer.error.message));
        else if (answer.data.type === 'failed') reject(new IndexProcessError(answer.data.error));
        else resolve(answer.data.type);
      });
      child.send(start, () => undefined); // a process that ends at once is told by its exit
    });
  } finally {
    clearTimeout(timer);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** The index process ended, again and again, while it was asked something. */
export class IndexProcessCrashedError extends HoptrailError {
  readonly code = 'index-process-crashed';
  constructor(how: string) {
    super(`The index process ended unexpectedly (${how}).`, {
      advice: 'It is being started again: ask once more in a moment.',
      action: 'retry',
    });
  }
}

/** The index process cannot be started, or keeps ending. */
export class IndexProcessUnavailableError extends HoptrailError {
  readonly code = 'index-process-unavailable';
  constructor(why: string, advice: string) {
    super(`The index process cannot be started: ${why}`, { advice, action: 'show-log' });
  }
}

/** An error that was thrown in the index process, as it came over. */
export class IndexProcessError extends HoptrailError {
  readonly code: string;
  constructor(report: ErrorReport) {
    super(report.message, { advice: report.advice, action: report.action });
    this.code = report.code;
  }
}

/** The index process answered with something of another shape than its request promises. */
export class UnknownReplyError extends HoptrailError {
  readonly code = 'index-process-reply';
  constructor(method: string, problem: string) {
    super(`The index process answered ${method} with something of unknown shape: ${problem}`, {
      advice: 'Reload the window; reinstall the extension if it goes on.',
      action: 'show-log',
    });
  }
}

/** Says in people's words why a process did not start, from how it ended and what it wrote. */
export function explainFailedStart(how: string, output: string): { why: string; advice: string } {
  const reinstall = 'Reinstall the extension for this platform.';
  if (/SIGILL|STATUS_ILLEGAL_INSTRUCTION|illegal instruction|3221225501/i.test(`${how} ${output}`)) {
    return {
      why: 'this processor lacks instructions that the database or the model needs',
      advice: 'A processor from 2013 or later (with AVX2) is needed.',
    };
  }
  const library = missingLibrary(output);
  if (library)
    return {
      why: `this system's libraries are too old (${library})`,
      advice: 'A Linux with glibc 2.28 or later is needed.',
    };
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(output)?.[1];
  if (missing) return { why: `a part of it is missing (${missing})`, advice: reinstall };
  if (/ERR_DLOPEN_FAILED|invalid ELF header|wrong architecture|not a valid Win32 application/i.test(output)) {
    return { why: 'its native parts do not fit this platform', advice: reinstall };
  }
  if (/ENOENT/.test(how)) return { why: `its program is missing (${how})`, advice: reinstall };
  const lastLine = output
    .trim()
    .split('\n')
    .findLast((line) => /error/i.test(line));
  return { why: lastLine ? `${how}: ${lastLine.trim()}` : how, advice: 'Look into the log for what it said.' };
}

/**
 * What a line says of a system library that is too old: "version `GLIBC_2.28' not found …", "libstdc++.so.6: … not
 * found".
 */
function missingLibrary(output: string): string | undefined {
  for (const line of output.split('\n')) {
    const small = line.toLowerCase();
    const version = small.indexOf('version `glibc');
    if (version >= 0) return line.slice(version);
    const name = ['glibc', 'libstdc++'].map((library) => small.indexOf(library)).find((at) => at >= 0);
    const end = small.lastIndexOf('not found');
    if (name !== undefined && end > name) return line.slice(name, end + 'not found'.length);
  }
  return undefined;
}
