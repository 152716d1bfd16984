import { connect } from 'node:net';
import { type ErrorReport, lazy, systemClock } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';
import { IndexHeldError } from '../store/storage-errors.ts';
import { LeaseFile } from '../store/writer-lease.ts';
import {
  type DaemonPlace,
  findDaemon,
  type FoundDaemon,
  isProof,
  lockFilesOf,
  newNonce,
  programOf,
  proofOf,
} from './daemon-place.ts';
import { FramedSocket } from './framed-socket.ts';
import { fromDaemon, type FromDaemon, type ToDaemon } from './messages.ts';
import { type DaemonOptions, IndexProcessError, startDaemon } from './start-daemon.ts';

/** A daemon that is busy answers a hello within this time, or is asked again. */
const HELLO_MS = 5_000;
/**
 * How long a daemon that does not answer, is leaving, or is of another version is waited for; and the lock of a process
 * that may be gone, which counts as abandoned after 30 s without a sign of life.
 */
const PATIENCE_MS = 35_000;
const LOOK_AGAIN_MS = 50;
/** Between two starts, where another process has the lock. */
const START_AGAIN_MS = 1_000;

interface DaemonListeners {
  message(message: FromDaemon): void;
  /** Once, when the connection has ended. `leaving`: the daemon had said so; else it was lost. */
  ended(leaving: boolean): void;
}

/** A connection to the daemon of an index. */
export interface DaemonLink {
  readonly pid: number;
  send(message: ToDaemon): void;
  close(): void;
}

/** How a client enters. */
interface Entry {
  config: IndexConfig;
  /** It lost a daemon before, and takes the index as it is open now. */
  again: boolean;
}

/**
 * Joins the daemon of an index, or starts it. Listeners hear nothing before that.
 * @throws IndexHeldError, IndexProcessUnavailableError, IndexProcessError with what keeps the index from being opened
 */
export async function joinDaemon(
  options: DaemonOptions,
  entry: Entry,
  listeners: DaemonListeners,
  signal: AbortSignal,
): Promise<DaemonLink> {
  const program = lazy(() => programOf(options));
  const locks = await lockFilesOf(entry.config);
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const found = await findDaemon(locks);
    if (found?.place) {
      const link = await connectTo(found, found.place, await program(), entry, listeners);
      if (link && 'code' in link) throw new IndexProcessError(link);
      if (link) return link;
    }
    let wait = LOOK_AGAIN_MS;
    if (!found?.lives) {
      if ((await startDaemon(options, entry.config)) === 'listening') continue;
      wait = START_AGAIN_MS;
    }
    if (performance.now() > patienceEnds)
      throw await heldError(locks, found?.place ? ', and does not answer' : ', which cannot be shared');
    await systemClock.sleep(wait, signal);
  }
}

async function heldError(locks: readonly string[], why: string): Promise<Error> {
  for (const lock of locks) {
    const holder = await new LeaseFile(lock).holder();
    if (holder) return new IndexHeldError(why, holder);
  }
  return new IndexHeldError(why);
}

/** A link; why it is refused; undefined where nobody answers, or the daemon is leaving. */
function connectTo(
  { pid }: FoundDaemon,
  { address, secret }: DaemonPlace,
  program: string,
  entry: Entry,
  listeners: DaemonListeners,
): Promise<DaemonLink | ErrorReport | undefined> {
  return new Promise((resolve) => {
    const nonce = newNonce();
    let isIn = false;
    let leaving = false;
    const socket = new FramedSocket(connect(address), {
      message: (raw) => {
        const parsed = fromDaemon.safeParse(raw);
        if (!parsed.success) return isIn ? undefined : socket.close();
        const message = parsed.data;
        if (message.type === 'leaving') {
          leaving = true;
          return socket.close();
        }
        if (isIn) return listeners.message(message);
        switch (message.type) {
          case 'challenge':
            // Whoever listens there without the secret learns nothing, not even what is asked for.
            if (!isProof(message.proof, proofOf(secret, 'daemon', nonce))) return socket.close();
            send({ type: 'proof', proof: proofOf(secret, 'client', message.nonce), program });
            return send({ type: 'enter', ...entry });
          case 'ready':
            isIn = true;
            clearTimeout(timer);
            return resolve({ pid, send, close: () => socket.close() });
          case 'refused':
            resolve(message.error);
            return socket.close();
          default:
            if (message.type !== 'log' && message.type !== 'state') socket.close();
        }
      },
      close: () => {
        clearTimeout(timer);
        if (isIn) listeners.ended(leaving);
        else resolve(undefined);
      },
    });
    const send = (message: ToDaemon): void => socket.send(message);
    const timer = setTimeout(() => socket.close(), HELLO_MS);
    send({ type: 'hello', nonce });
  });
}
