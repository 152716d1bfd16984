import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What tells a process apart from another one that got the same id later, or that has it in another container. */
export interface ProcessIdentity {
  /** When it began, as the system tells it; undefined where the system does not (Windows). */
  started?: string;
  /** The machine's present run and the space in which ids of processes are given out; undefined where that cannot be told. */
  space?: string;
}

/** macOS tells it by running a program: what it said of a process is believed for so long. */
const BELIEVED_MS = 1_000;

/** True while some process has this id, whichever that is. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it lives, and belongs to somebody else
  }
}

/** When the process with this id began; undefined where that cannot be told, or where there is none. */
export async function startOfProcess(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux': return startOnLinux(pid);
    case 'darwin': return startOnMac(pid);
    default: return undefined;
  }
}

/** Of this process. Asked of the system once. */
export const ownIdentity = once(async (): Promise<ProcessIdentity> => {
  const [started, space] = [await startOfProcess(process.pid), ownSpace()];
  return { ...(started !== undefined && { started }), ...(space !== undefined && { space }) };
});

/** Linux: the boot's id and the namespace of process ids, which two containers of one machine do not share. */
export const ownSpace = once((): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined; // a system that shows neither: then start times and signs of life have to do
  }
});

/** Field 22 of /proc/PID/stat, in ticks since the boot. The name before it stands in brackets and may hold spaces and brackets of its own. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // it has ended meanwhile, or /proc is not there
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

let lastAsked: { pid: number; at: number; start: Promise<string | undefined> } | undefined;

function startOnMac(pid: number): Promise<string | undefined> {
  if (lastAsked?.pid === pid && performance.now() - lastAsked.at < BELIEVED_MS) return lastAsked.start;
  const start = new Promise<string | undefined>((resolve) => {
    // In one language and one time zone: what is written by one process is compared by another.
    execFile('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C', TZ: 'UTC' }, timeout: 2_000 }, (error, out) => resolve(error ? undefined : out.trim() || undefined));
  });
  lastAsked = { pid, at: performance.now(), start };
  return start;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
