import { fork, type ChildProcess } from 'node:child_process';
import type { ReadFile } from '../../reading/passage-source.ts';
import type { FileReader } from '../../reading/create-passage-source.ts';
import { isDocument } from '../../reading/formats/file-formats.ts';
import { readingLimits } from '../../reading/reading-limits.ts';
import { HoptrailError } from '#base';
import { type Breakdown, plainly, breakdownInWords } from '../../domain/file-cause.ts';
import type { SkippedFile, SourceFile } from '../../domain/source-file.ts';
import { childEnvironment } from '../child-environment.ts';
import { guardedStdio, type GuardVerdict, LIFELINE, READING_ROLE } from '../process-guard.ts';
import {
  fromReadingProcess,
  type FromReadingProcess,
  type TokenCounting,
  type ToReadingProcess,
} from './reading-messages.ts';

export interface ReadingProcessOptions {
  /** JavaScript file of the index process, which is the reading process's as well. */
  entry: string;
  wasmDir: string;
  counting: TokenCounting;
  /** See ReadingOptions.encoding. */
  encoding?: string;
  /** What an editor shows of a file (`file:` URI) and has not saved; undefined: what lies on disk is read. */
  shown?(uri: string): Uint8Array | undefined;
  log(level: 'info' | 'warn' | 'error', text: string): void;
}

/** The reading process does not start, whatever file it is given. */
class ReadingProcessUnavailableError extends HoptrailError {
  readonly code = 'reading-process-unavailable';
  /** @param lastWords The end of what it wrote. */
  constructor(how: string, lastWords: string) {
    super(`The process that reads files cannot be started (${how}). ${lastWords}`.trim(), {
      advice: 'Look into the log for what it said; reinstall the extension for this platform.',
      action: 'show-log',
    });
  }
}

/** One file on its way. */
interface Job {
  id: number;
  file: SourceFile;
  maxFileBytes: number;
  /** Why its parser is not tried (any more): it is read as text blocks. */
  parserBroke?: Breakdown;
  /**
   * True when a process ended over this file that had read other files before: the process may have been at its limits
   * already, so that this file gets a fresh one.
   */
  triedTwice: boolean;
  /** How often a signal from outside ended the process that read it. */
  endedOutside: number;
  /** True when nobody waits for it any more. */
  abandoned: boolean;
  /** Tells whoever asked that work on it begins; more than once when a process ended over it. */
  begins(): void;
  settle(outcome: ReadFile | SkippedFile | Error): void;
}

/** One run of the process. */
interface Run {
  child: ChildProcess;
  /** In the order in which they are read; the first is being read. */
  sent: Job[];
  /** Why the first must not go on, if time passes. */
  callOff?: () => void;
  started: boolean;
  filesRead: number;
  /** True when it takes much memory: it reads what it was sent, and ends. */
  retiring: boolean;
  verdict?: GuardVerdict;
  /** What ended it, if a signal did. */
  signal?: NodeJS.Signals;
  lastWords: string;
}

/** So many files are sent ahead, so that the process never waits for the next. */
const SENT_AHEAD = 3;
const MOST_FAILED_STARTS = 3;
/** Signals that no fault of a program sends: they come from a person, or from a system that is short of memory. */
const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);
/** After so many of them over one file it waits for the next update. */
const MOST_OUTSIDE = 3;
const LAST_WORDS = 600;

/**
 * Has files read by a process of its own, which starts with the first file. A file that holds it up too long, takes too
 * much memory or ends it costs that process; another takes its place, reads the file as text blocks, or leaves it out
 * when even that goes wrong or when it is a PDF or DOCX. Files that come after it wait so long, and are not affected.
 */
export class ReadingProcess implements FileReader {
  readonly #options: ReadingProcessOptions;
  readonly #queue: Job[] = [];
  #run: Run | undefined;
  #nextId = 1;
  #failedStarts = 0;
  #closed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ReadingProcessOptions) {
    this.#options = options;
  }

  /** Of the process that reads now; undefined while none does. */
  get pid(): number | undefined {
    return this.#run?.child.pid;
  }

  /**
   * Rejects with AbortError when aborted or closed, and with ReadingProcessUnavailableError; whatever is wrong with the
   * file is a result.
   */
  read(
    file: SourceFile,
    maxFileBytes: number,
    signal?: AbortSignal,
    onBegins?: () => void,
  ): Promise<ReadFile | SkippedFile> {
    signal?.throwIfAborted();
    if (this.#closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        job.abandoned = true;
        const waiting = this.#queue.indexOf(job);
        if (waiting >= 0) this.#queue.splice(waiting, 1); // what is read already is read to its end, for nobody
        job.settle(signal?.reason as Error);
      };
      const job: Job = {
        id: this.#nextId++,
        file,
        maxFileBytes,
        triedTwice: false,
        endedOutside: 0,
        abandoned: false,
        begins: () => onBegins?.(),
        settle: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
      this.#goOn();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    const run = this.#run;
    for (const job of [...(run?.sent ?? []), ...this.#queue.splice(0)]) job.settle(closedError());
    if (run) this.#end(run);
  }

  /** Sends what waits, and starts or ends the process as it is needed. */
  #goOn(): void {
    clearTimeout(this.#idle);
    if (this.#run?.retiring && this.#run.sent.length === 0) this.#end(this.#run);
    if (this.#queue.length > 0) this.#run ??= this.#start();
    const run = this.#run;
    if (!run) return;
    while (!run.retiring && run.sent.length < SENT_AHEAD) {
      const job = this.#queue.shift();
      if (!job) break;
      run.sent.push(job);
      this.#send(run, {
        type: 'read',
        id: job.id,
        file: job.file,
        maxFileBytes: job.maxFileBytes,
        encoding: this.#options.encoding,
        parserBroke: job.parserBroke,
        shown: this.#options.shown?.(job.file.uri),
      });
      if (run.sent.length === 1) this.#firstIsRead(run);
    }
    if (run.sent.length === 0)
      this.#idle = setTimeout(() => this.#end(run), readingLimits.readingIdleMilliseconds).unref();
  }

  #start(): Run {
    const { entry, log } = this.#options;
    const child = fork(entry, [READING_ROLE], {
      execArgv: [`--max-old-space-size=${readingLimits.readingHeapMegabytes}`],
      env: { ...childEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      stdio: guardedStdio,
    });
    const run: Run = { child, sent: [], started: false, filesRead: 0, retiring: false, lastWords: '' };
    const listen = (chunk: Buffer): void => {
      run.lastWords = (run.lastWords + chunk.toString()).slice(-LAST_WORDS);
      log('info', chunk.toString().trimEnd());
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.stdio[LIFELINE]?.on('data', (chunk: Buffer) => {
      run.verdict = chunk.toString().startsWith('memory') ? 'memory' : 'time';
    });
    child.stdio[LIFELINE]?.on('error', () => undefined); // the process ended, which 'close' tells
    child.on('message', (raw) => {
      const parsed = fromReadingProcess.safeParse(raw);
      if (!parsed.success)
        return log('error', `the reading process sent something of unknown shape: ${parsed.error.message}`);
      this.#take(run, parsed.data);
    });
    child.on('error', (error) => this.#ended(run, error.message));
    // Close, not exit: its last words have been read by then.
    child.on('close', (code, signal) => {
      run.signal = signal ?? undefined;
      this.#ended(run, signal ?? `code ${code}`);
    });
    this.#send(run, { type: 'init', wasmDir: this.#options.wasmDir, counting: this.#options.counting });
    return run;
  }

  #send({ child }: Run, message: ToReadingProcess): void {
    // A message to a process that is ending is answered by its end.
    if (child.connected) child.send(message, () => undefined);
  }

  #take(run: Run, message: FromReadingProcess): void {
    const [first] = run.sent;
    switch (message.type) {
      case 'up':
        run.started = true;
        first?.begins();
        this.#failedStarts = 0;
        return;
      case 'log':
        return this.#options.log(message.level, message.text);
      case 'done':
        if (first?.id !== message.id) return;
        run.filesRead += 1;
        run.retiring ||= message.bytes > readingLimits.readingProcessKeepsBytes;
        this.#firstIsDone(run);
        first.settle(message.result);
        return this.#goOn();
      case 'failed':
        if (first?.id !== message.id) return;
        this.#firstIsDone(run);
        this.#broke(run, first, { code: 'failed', details: { said: message.message } });
        return this.#goOn();
    }
  }

  #firstIsDone(run: Run): void {
    run.callOff?.();
    run.sent.shift();
    if (run.sent.length > 0) this.#firstIsRead(run);
  }

  /**
   * The process's own guard ends what works too long. What takes longer still hangs at the disk (a drive behind a
   * network), which is no fault of the file: it is tried again with the next update.
   */
  #firstIsRead(run: Run): void {
    const [first] = run.sent;
    if (!first) return;
    run.callOff?.();
    if (run.started) first.begins();
    const timer = setTimeout(() => {
      // When this process itself was held up, the answer may lie there unread: it is read before anything is ended.
      const look = setTimeout(() => {
        run.sent.shift();
        this.#end(run);
        first.settle({
          path: first.file.path,
          reason: 'unreadable',
          why: { code: 'slow-disk', details: { seconds: readingLimits.diskMilliseconds / 1000 } },
        });
        this.#goOn();
      }, 50);
      run.callOff = () => clearTimeout(look);
    }, readingLimits.diskMilliseconds);
    run.callOff = () => clearTimeout(timer);
  }

  /** Ends a process; what it was sent and has not answered is read by the next, if anybody still waits for it. */
  #end(run: Run): void {
    run.callOff?.();
    run.child.removeAllListeners('message').removeAllListeners('close');
    run.child.kill('SIGKILL');
    if (this.#run === run) this.#run = undefined;
    if (!this.#closed) this.#queue.unshift(...run.sent.splice(0).filter(({ abandoned }) => !abandoned));
  }

  /** A process has ended by itself. */
  #ended(run: Run, how: string): void {
    if (this.#run !== run) return;
    const [first] = run.sent;
    const { verdict, started, lastWords } = run;
    const outOfHeap = lastWords.includes('heap out of memory') || lastWords.includes('Allocation failed');
    if (first && started) run.sent.shift();
    this.#end(run);
    if (started) {
      const isOutside = verdict === undefined && !outOfHeap && OUTSIDE_SIGNALS.has(run.signal ?? '');
      if (first && isOutside) this.#endedOutside(first);
      else if (first)
        this.#broke(
          run,
          first,
          verdict === 'time'
            ? tooLong()
            : verdict === 'memory' || outOfHeap
              ? tooMuch()
              : { code: 'ended-process', details: { how } },
        );
    } else if (++this.#failedStarts >= MOST_FAILED_STARTS) {
      this.#failedStarts = 0;
      const error = new ReadingProcessUnavailableError(how, lastWords);
      this.#options.log('error', error.message);
      for (const job of this.#queue.splice(0)) job.settle(error);
    }
    this.#goOn();
  }

  /** A person or the system ended the process, which says nothing of the file: it is read again, now or next time. */
  #endedOutside(job: Job): void {
    if (job.abandoned) return;
    job.endedOutside += 1;
    if (job.endedOutside < MOST_OUTSIDE) this.#queue.unshift(job);
    else job.settle({ path: job.file.path, reason: 'unreadable', why: plainly('ended-outside') });
  }

  /** A file's parser broke a limit, or failed. */
  #broke(run: Run, job: Job, broke: Breakdown): void {
    if (job.abandoned) return;
    const { file } = job;
    this.#options.log('warn', `${file.path}: reading it ${breakdownInWords(broke)}`);
    // What another file left behind (memory, a parser in a bad state) is gone in a fresh process.
    const mayBeOthersFault = run.filesRead > 0 && !job.triedTwice;
    if (mayBeOthersFault) {
      job.triedTwice = true;
      this.#queue.unshift(job);
    } else if (job.parserBroke === undefined && !isDocument(file.path)) {
      job.parserBroke = broke;
      this.#queue.unshift(job);
    } else {
      job.settle({
        path: file.path,
        reason: 'gave-up',
        why:
          job.parserBroke === undefined
            ? { code: 'extraction', details: { broke } }
            : { code: 'reading', details: { parser: job.parserBroke, asText: broke } },
      });
    }
  }
}

const tooLong = (): Breakdown => ({
  code: 'took-longer',
  details: { seconds: readingLimits.parseMilliseconds / 1000 },
});
const tooMuch = (): Breakdown => ({
  code: 'needed-more',
  details: { megabytes: Math.round(readingLimits.readingProcessBytes / 2 ** 20) },
});
const closedError = (): Error => new DOMException('The reading process is being closed', 'AbortError');
