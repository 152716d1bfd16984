import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { readingLimits } from '#search/lab';
import { bundleReader } from './reader-bundle.ts';

export interface ReadingRequest {
  id: number;
  /** Path whose extension says the format. */
  name: string;
  bytes: Uint8Array;
}

/** What became of one input. `hung` and `crashed` are what must not happen. */
export type Reading =
  | { kind: 'read'; passages: number; titles: string[]; fallback: string | undefined; milliseconds: number }
  | { kind: 'left-out'; reason: string; detail: string; milliseconds: number }
  | { kind: 'promise-broken'; detail: string; milliseconds: number }
  | { kind: 'hung' }
  | { kind: 'crashed'; detail: string };

interface Answer {
  id: number;
  reading: Reading;
  peakBytes: number;
  /** What the process holds now. */
  bytes: number;
}

/** Said when a file is read, and what came of it is about to be checked. */
export interface ReadStage {
  id: number;
  isRead: true;
}

const START_MILLISECONDS = 60_000;
/**
 * A busy machine gives a process less time than passes: only what it really worked counts, up to so many times the
 * deadline.
 */
const MOST_PATIENCE = 8;
/** What the fuzzer itself checks of a reading may take longer, in milliseconds: it is not what is measured. */
const CHECK_MILLISECONDS = 60_000;
/** Linux counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Milliseconds that a process has worked so far; undefined where the system does not say it in a file. */
function workedMilliseconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return undefined; // not Linux, or the process has just ended
  }
}

/**
 * Reads inputs in a process that is killed when it works too long over one; the next input gets a fresh process. As in
 * the product, one that keeps much memory between two inputs makes room for a fresh one.
 */
export class WatchedReader {
  /** Most memory that any of the processes held, in bytes. */
  peakBytes = 0;
  #child: ChildProcess | undefined;
  /** File of the process's program, made with the first. */
  #bundle: string | undefined;
  #said = '';
  #requests = 0;
  readonly #deadline: number;

  constructor(deadlineMilliseconds: number) {
    this.#deadline = deadlineMilliseconds;
  }

  async read(name: string, bytes: Uint8Array): Promise<Reading> {
    const child = this.#child ?? (await this.#start());
    const id = this.#requests++;
    const answer = await new Promise<Answer | 'late' | 'died'>((resolve) => {
      const begun = workedMilliseconds(child.pid ?? 0);
      let waits = 1;
      let timer = setInterval(() => {
        const worked = workedMilliseconds(child.pid ?? 0);
        if (begun === undefined || worked === undefined || worked - begun >= this.#deadline || waits >= MOST_PATIENCE)
          settle('late');
        waits += 1;
      }, this.#deadline);
      const onMessage = (message: unknown): void => {
        const said = message as Answer | ReadStage;
        if (said.id !== id) return;
        if ('reading' in said) return settle(said);
        clearInterval(timer);
        timer = setInterval(() => settle('late'), CHECK_MILLISECONDS);
      };
      const onExit = (): void => settle('died');
      const settle = (outcome: Answer | 'late' | 'died'): void => {
        clearInterval(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(outcome);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ id, name, bytes } satisfies ReadingRequest);
    });
    if (answer === 'late' || answer === 'died') {
      this.#child = undefined;
      child.kill('SIGKILL');
      return answer === 'late' ? { kind: 'hung' } : { kind: 'crashed', detail: this.#said.slice(-500) };
    }
    this.peakBytes = Math.max(this.peakBytes, answer.peakBytes);
    if (answer.bytes > readingLimits.readingProcessKeepsBytes) this.#endProcess();
    return answer.reading;
  }

  close(): void {
    this.#endProcess();
    if (this.#bundle !== undefined) rmSync(this.#bundle, { force: true });
    this.#bundle = undefined;
  }

  /** The next read starts another, whose peak of memory begins anew. */
  #endProcess(): void {
    this.#child?.removeAllListeners('exit');
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #start(): Promise<ChildProcess> {
    this.#said = '';
    this.#bundle ??= await bundleReader();
    const child = fork(this.#bundle, [], {
      execArgv: [`--max-old-space-size=${readingLimits.readingHeapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (data: Buffer) => {
      this.#said = (this.#said + data.toString()).slice(-4_000);
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(new Error(`the reading process did not start within ${START_MILLISECONDS / 1_000} s: ${this.#said}`)),
        START_MILLISECONDS,
      );
      child.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      child.once('exit', (status) => {
        clearTimeout(timer);
        reject(new Error(`the reading process ended with ${status}: ${this.#said}`));
      });
    });
    this.#child = child;
    return child;
  }
}
