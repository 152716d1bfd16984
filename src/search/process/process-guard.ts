import { Socket } from 'node:net';
import path from 'node:path';
import { Worker, workerData } from 'node:worker_threads';

/**
 * A thread that ends its process when the main thread cannot: because the parent died while the main thread works
 * without a pause, because the main thread is stuck, or because its work takes too long or too much memory. It is a
 * file of its own in `dist`, so that the thread loads next to nothing.
 */

/** Argument that makes the program of the index process a reading process. */
export const READING_ROLE = 'reading';

/** Number of the pipe that every reading process is started with. It closes when the parent ends, however that ends. */
export const LIFELINE = 4;

/** What `stdio` of a child must be for its guard; the lifeline comes last. */
export const guardedStdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'] = ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'];

/** Why a guard ended its process; written to the lifeline before. */
export type GuardVerdict = 'memory' | 'time';

interface WorkLimits {
  /** Bytes of memory of the whole process. */
  bytes: number;
  /** A piece of work ends after so many milliseconds, provided that it used most of them … */
  milliseconds: number;
  /** … and after so many in any case. */
  millisecondsWhenBusy: number;
}

interface GuardOptions {
  /** How long the process has to end by itself once its parent is gone; undefined: it outlives its parent. */
  graceMs?: number;
  /** The process ends when its main thread runs nothing for so many milliseconds; undefined: it may. */
  deafMs?: number;
  limits?: WorkLimits;
}

interface GuardData extends GuardOptions {
  role: 'guard';
  /** The number of the piece of work that is done now, 0 for none; and the ticks of the main thread. */
  work: Int32Array;
}

/** What the main thread tells its guard. */
interface Guard {
  /** A piece of work begins, and with it its time. */
  workBegins(): void;
  workEnds(): void;
}

/** How often memory and time are looked at. */
const LOOK_MS = 25;
/** How often the main thread ticks, and its guard looks whether it does. */
const TICK_MS = 1_000;
/** Of the time that has passed, so much must have been worked; otherwise the machine was busy with other things. */
const WORKED_SHARE = 0.8;

/**
 * Starts the guard of this process. `entry`: the built file that runs here; source code that is run through a loader
 * has no guard. A guard that cannot be started is told to `onProblem`; the process then works without.
 */
export function startGuard(entry: string, options: GuardOptions, onProblem: (message: string) => void): Guard {
  const work = new Int32Array(new SharedArrayBuffer(8));
  if (/\.c?js$/.test(entry)) {
    const data: GuardData = { ...options, role: 'guard', work };
    const thread = new Worker(path.join(path.dirname(entry), 'process-guard.cjs'), { workerData: data, execArgv: [] });
    thread.on('error', (error) => onProblem(`the guard of this process does not work: ${error.message}`));
    thread.unref();
    if (options.deafMs !== undefined) setInterval(() => void Atomics.add(work, 1, 1), TICK_MS).unref();
  }
  let begun = 0;
  return {
    workBegins: () => void Atomics.store(work, 0, ++begun),
    workEnds: () => void Atomics.store(work, 0, 0),
  };
}

/** The body of the thread. */
function guard({ graceMs, deafMs, limits, work }: GuardData): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  if (deafMs !== undefined) endWhenDeaf(work, deafMs, end);
  if (graceMs === undefined) return;
  const parent = new Socket({ fd: LIFELINE, readable: true, writable: true });
  parent.on('error', () => undefined); // 'close' follows
  parent.on('close', () => setTimeout(end, graceMs));
  parent.resume();
  if (!limits) return;
  const endBecause = (verdict: GuardVerdict): void => {
    clearInterval(looking);
    parent.write(`${verdict}\n`, end);
    setTimeout(end, 500);
  };
  let current = 0;
  let began = 0;
  let workedBefore = 0;
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() > limits.bytes) return endBecause('memory');
    const now = performance.now();
    const piece = Atomics.load(work, 0);
    if (piece !== current) {
      current = piece;
      began = now;
      workedBefore = workedMs();
    }
    if (piece === 0 || now - began < limits.milliseconds) return;
    const worked = workedMs() - workedBefore;
    if (worked >= limits.milliseconds * WORKED_SHARE || now - began >= limits.millisecondsWhenBusy) endBecause('time');
  }, LOOK_MS);
}

/** Looks are counted, not milliseconds: while the machine sleeps neither thread runs. */
function endWhenDeaf(work: Int32Array, deafMs: number, end: () => void): void {
  let heard = 0;
  let silent = 0;
  setInterval(() => {
    const ticks = Atomics.load(work, 1);
    silent = ticks === heard ? silent + 1 : 0;
    heard = ticks;
    if (silent * TICK_MS >= deafMs) end();
  }, TICK_MS);
}

/** Milliseconds that all threads of this process have worked. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

if ((workerData as Partial<GuardData> | null)?.role === 'guard') guard(workerData as GuardData);
