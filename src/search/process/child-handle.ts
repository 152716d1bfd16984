import { fork, type ChildProcess } from 'node:child_process';
import type { IndexConfig } from '../indexer/index-service.ts';
import { childEnvironment } from './child-environment.ts';
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

/** An index process, as those who ask it hold it. */
export interface ProcessHandle {
  /** Undefined where it is not ours to end. */
  readonly pid: number | undefined;
  /** Set where it is somebody else's child, which others use as well. */
  readonly shared?: true;
  send(message: ToIndexProcess): void;
  /** Lets go of it: a child of ours ends in order, and is killed after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** One run of the index process, as a child of this one. */
export class ChildHandle implements ProcessHandle {
  private readonly child: ChildProcess;
  private ended = false;

  constructor(options: ChildOptions, listeners: ChildListeners) {
    this.child = fork(options.entry, [], {
      execPath: options.execPath ?? process.execPath,
      execArgv: options.execArgv ?? debuggerArguments(process.env.HOPTRAIL_INSPECT_INDEX),
      // The editor's own executable runs as plain Node; LanceDB would warn about every query otherwise.
      env: {
        ...childEnvironment(process.env, options.purpose?.()),
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
    this.child.stdout?.on('data', listen('info'));
    this.child.stderr?.on('data', listen('warn'));
    this.child.on('message', (raw) => hear(raw, listeners));
    const end = (how: string): void => {
      if (this.ended) return;
      this.ended = true;
      listeners.exit(how, lastWords);
    };
    this.child.on('error', (error) => end(error.message));
    // Close, not exit: its last words have been read by then.
    this.child.on('close', (code, signal) => end(signal ?? `code ${code}`));
    const { modelsDir, wasmDir, socketFolder } = options;
    this.send({ type: 'init', modelsDir, wasmDir, ...(socketFolder !== undefined && { socketFolder }) });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(message: ToIndexProcess): void {
    // A message to a process that is ending is answered by its end.
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  async stop(graceMs: number): Promise<void> {
    if (this.ended) return;
    const gone = new Promise<void>((resolve) => this.child.once('close', () => resolve()));
    this.send({ type: 'exit' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(timer);
  }
}
