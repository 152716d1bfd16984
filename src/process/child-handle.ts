import { fork, type ChildProcess } from 'node:child_process';
import { fromIndexProcess, type FromIndexProcess, type LogLevel, type ToIndexProcess } from './messages.ts';

export interface ChildOptions {
  /** JavaScript file of the index process. */
  entry: string;
  modelsDir: string;
  wasmDir: string;
  execPath?: string;
  execArgv?: string[];
  env?: NodeJS.ProcessEnv;
}

export interface ChildListeners {
  message(message: FromIndexProcess): void;
  log(level: LogLevel, message: string): void;
  /** Once, when the process has ended for whatever reason. `lastWords`: the end of its stderr. */
  exit(code: number | null, signal: NodeJS.Signals | null, lastWords: string): void;
}

const LAST_WORDS = 4000;

/** One run of the index process. */
export class ChildHandle {
  readonly #child: ChildProcess;
  #ended = false;

  constructor(options: ChildOptions, listeners: ChildListeners) {
    const execArgv = options.execArgv ?? [];
    this.#child = fork(options.entry, [], {
      execPath: options.execPath ?? process.execPath,
      execArgv,
      // the editor's own executable runs as node; LanceDB warns about every query otherwise
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LANCEDB_LOG: 'error', ...options.env },
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let lastWords = '';
    this.#child.stdout?.on('data', (chunk: Buffer) => listeners.log('info', chunk.toString().trimEnd()));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS);
      listeners.log('warn', chunk.toString().trimEnd());
    });
    this.#child.on('message', (raw) => {
      const parsed = fromIndexProcess.safeParse(raw);
      if (parsed.success) listeners.message(parsed.data);
      else listeners.log('error', `The index process sent something else than a message: ${parsed.error.message}`);
    });
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (this.#ended) return;
      this.#ended = true;
      listeners.exit(code, signal, lastWords);
    };
    this.#child.on('error', (error) => { lastWords += error.message; end(null, null); });
    this.#child.on('close', end); // close, not exit: its last words are read by then
    this.send({ type: 'start', modelsDir: options.modelsDir, wasmDir: options.wasmDir, execArgv });
  }

  get ended(): boolean {
    return this.#ended;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: ToIndexProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined); // a message into a dying process is answered by its exit
  }

  /** Lets it end by itself, and kills it after `graceMs`. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    if (this.#ended) return;
    const gone = new Promise<void>((resolve) => { this.#child.once('close', () => resolve()); });
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(timer);
  }
}
