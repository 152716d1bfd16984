import { fork, type ChildProcess } from 'node:child_process';
import { HoptrailError, type ErrorReport } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';
import { childEnvironment, storageThreads } from './child-environment.ts';
import { fromIndexProcess, type FromIndexProcess, type LogLevel, type ToIndexProcess } from './messages.ts';
import { guardedStdio } from './process-guard.ts';

export interface ChildOptions {
  /** JavaScript file of the index process. */
  entry: string;
  modelsDir: string;
  wasmDir: string;
  execPath?: string;
  execArgv?: string[];
  /** Added to what the process sees of this one's environment. */
  env?: NodeJS.ProcessEnv;
  /**
   * Asked when a process starts: what it will open, as far as that is known. Decides which variables it needs to see.
   */
  purpose?(): IndexConfig | undefined;
  /** Folder of the sockets at which index processes can be met; undefined: none is used or offered. */
  socketFolder?: string;
}

export interface ChildListeners {
  message(message: FromIndexProcess): void;
  log(level: LogLevel, text: string): void;
  /**
   * Once, when the process has ended for whatever reason. `how`: code or signal; `lastWords`: the end of what it wrote.
   */
  exit(how: string, lastWords: string): void;
}

const LAST_WORDS = 4_000;

/** Takes what an index process says; what is none of its messages is reported and dropped. */
export function hear(raw: unknown, listeners: ChildListeners): void {
  const parsed = fromIndexProcess.safeParse(raw);
  if (parsed.success) listeners.message(parsed.data);
  else listeners.log('error', `the index process sent something of unknown shape: ${parsed.error.message}`);
}

/** With a port, the process can be debugged there, on this machine alone (.vscode/launch.json). */
export const debuggerArguments = (port: string | undefined): string[] =>
  port !== undefined && /^\d{4,5}$/.test(port) ? [`--inspect=127.0.0.1:${port}`] : [];

/** An index process, as its clients see it. */
export interface ProcessHandle {
  /** Undefined where another process started it: then this one may not end it. */
  readonly pid: number | undefined;
  /** Set where another process started it and several use it. */
  readonly shared?: true;
  send(message: ToIndexProcess): void;
  /** Lets go of it: a child of ours ends in order, and is killed after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** One run of the index process, as a child of this one. */
export class ChildHandle implements ProcessHandle {
  readonly #child: ChildProcess;
  #ended = false;

  constructor(options: ChildOptions, listeners: ChildListeners) {
    this.#child = fork(options.entry, [], {
      execPath: options.execPath ?? process.execPath,
      execArgv: options.execArgv ?? debuggerArguments(process.env.HOPTRAIL_INSPECT_INDEX),
      // The editor's own executable runs as plain Node; LanceDB would warn about every query otherwise.
      env: {
        ...childEnvironment(process.env, options.purpose?.()),
        ...storageThreads(process.env),
        ELECTRON_RUN_AS_NODE: '1',
        LANCEDB_LOG: 'error',
        ...options.env,
      },
      serialization: 'advanced',
      stdio: guardedStdio,
    });
    let lastWords = '';
    const listen =
      (level: LogLevel) =>
      (chunk: Buffer): void => {
        const text = chunk.toString();
        lastWords = (lastWords + text).slice(-LAST_WORDS);
        listeners.log(level, text.trimEnd());
      };
    this.#child.stdout?.on('data', listen('info'));
    this.#child.stderr?.on('data', listen('warn'));
    this.#child.on('message', (raw) => hear(raw, listeners));
    const end = (how: string): void => {
      if (this.#ended) return;
      this.#ended = true;
      listeners.exit(how, lastWords);
    };
    this.#child.on('error', (error) => end(error.message));
    // Close, not exit: its last words have been read by then.
    this.#child.on('close', (code, signal) => end(signal ?? `code ${code}`));
    const { modelsDir, wasmDir, socketFolder } = options;
    this.send({ type: 'init', modelsDir, wasmDir, ...(socketFolder !== undefined && { socketFolder }) });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: ToIndexProcess): void {
    // A message to a process that is ending is answered by its end.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    const gone = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    this.send({ type: 'exit' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(timer);
  }
}

/** The index process ended while it was asked something. It is started again; what it was doing goes on. */
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
