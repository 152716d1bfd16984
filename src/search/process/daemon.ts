import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRemote, type Lease, reportError, timerClock } from '#base';
import { BUNDLED_MODEL, openEmbedder } from '../embedding/open-embedder.ts';
import type { IndexState } from '../domain/index-state.ts';
import { createIndexService, type LocalIndexService } from '../indexer/create-index-service.ts';
import type { EmbedderChoice, IndexConfig } from '../indexer/index-service.ts';
import { createPassageSource } from '../reading/create-passage-source.ts';
import { nodeFileSystem } from '../reading/file-system.ts';
import { createRetriever } from '../retrieval/create-retriever.ts';
import { lazyEncoder, openJointEncoder, type LazyEncoder } from '../retrieval/encoder/joint-encoder.ts';
import { FeatureChainScorer } from '../retrieval/feature-chain-scorer.ts';
import { PassageProfiles } from '../retrieval/features/passage-profile.ts';
import { headsFor, HeadsInUse, shippedHeads } from '../retrieval/heads/heads-in-use.ts';
import { readReaderWeights } from '../retrieval/reader/read-passages.ts';
import { createIndexLayout } from '../store/index-layout.ts';
import { DiskFullError, IndexHeldError, StorageReadOnlyError } from '../store/storage-errors.ts';
import { LeaseFile, type WriterLease } from '../store/writer-lease.ts';
import { DaemonClient } from './daemon-client.ts';
import { type DaemonPlace, lockFilesOf, newPlace, privateFolder, programOf, sweepSockets } from './daemon-place.ts';
import { SharedIndex } from './client-ports.ts';
import { daemonStart, type DaemonStart, type DaemonStarted, type LogLevel, type Ports } from './messages.ts';
import { startGuard } from './process-guard.ts';
import { ReadingProcess } from './reading/reading-process.ts';
import type { TokenCounting } from './reading/reading-messages.ts';

/** How long an orderly end may take before the process is ended the hard way. */
const CLOSING_MS = 5_000;
/** Who starts a daemon has at least so long to come in. */
const FIRST_CLIENT_MS = 10_000;
/** So many windows, command lines and agents are served at once. */
const MOST_CLIENTS = 64;
/** A main thread that does not answer for so long is stuck: it would keep the index from everybody. */
const DEAF_MS = 60_000;
/** Log lines kept for the first client. */
const KEPT_LINES = 50;

/**
 * Serves one index to all windows, commands and agents of a user. `entry` is the file that threads are started from.
 */
export function runDaemon(entry: string): void {
  const tell = (started: DaemonStarted): void => {
    if (process.connected) process.send?.(started, undefined, undefined, () => undefined);
  };
  process.on('SIGINT', () => undefined); // Ctrl-C is meant for the command
  process.once('disconnect', () => process.exit(0)); // who started it is gone before it said what for
  process.once('message', (raw) => {
    process.removeAllListeners('disconnect');
    new Daemon(entry, daemonStart.parse(raw))
      .start()
      .then((is) => {
        tell({ type: is });
        if (is === 'taken') setTimeout(() => process.exit(0), 100);
      })
      .catch((error: unknown) => {
        tell({ type: 'failed', error: reportError(error) });
        setTimeout(() => process.exit(0), 100);
      });
  });
}

/** The lock of an index, as this process holds it. */
interface Held {
  lease: Lease;
  /** Keeps the index to one writer; undefined: its layout does. */
  writerLease?: WriterLease;
}

/** Owner of the lock, the socket, the clients and the index. */
class Daemon {
  readonly #entry: string;
  readonly #start: DaemonStart;
  readonly #clients = new Set<DaemonClient>();
  readonly #kept: { level: LogLevel; text: string }[] = [];
  #place: DaemonPlace | undefined;
  #server: Server | undefined;
  #held: Held | undefined;
  #service: LocalIndexService | undefined;
  #encoder: LazyEncoder | undefined;
  #shared: SharedIndex | undefined;
  #opening: Promise<IndexState> | undefined;
  #phase: IndexState['phase'] = 'starting';
  #linger: NodeJS.Timeout | undefined;
  #ending = false;

  constructor(entry: string, start: DaemonStart) {
    this.#entry = entry;
    this.#start = start;
  }

  async start(): Promise<'listening' | 'taken'> {
    const { config, modelsDir, lingerMs } = this.#start;
    const folder = await privateFolder();
    this.#place = await newPlace(folder, await programOf({ entry: this.#entry, modelsDir }));
    await this.#listen(this.#place.address);
    this.#held = await takeLock(config, this.#place, () => this.#end()).catch(async (error: unknown) => {
      await this.#close();
      throw error;
    });
    if (!this.#held) {
      await this.#close();
      return 'taken';
    }
    // A debugger stops the main thread for as long as it likes.
    if (!process.execArgv.some((argument) => argument.startsWith('--inspect')))
      startGuard(this.#entry, { deafMs: DEAF_MS }, (text) => this.#log('error', text));
    process.on('SIGTERM', () => this.#end());
    process.on('unhandledRejection', (reason) =>
      this.#log(
        'error',
        `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
      ),
    );
    this.#compose();
    this.#open().catch(() => undefined); // told to who asks
    this.#endLater(Math.max(lingerMs, FIRST_CLIENT_MS));
    sweepSockets(folder).catch((error: unknown) => this.#log('warn', `old sockets stay for now: ${String(error)}`));
    return 'listening';
  }

  async #listen(address: string): Promise<void> {
    const server = createServer((socket) => {
      if (this.#ending || this.#clients.size >= MOST_CLIENTS) return void socket.destroy();
      const client: DaemonClient = new DaemonClient(socket, {
        place: this.#place as DaemonPlace,
        isAlone: () => ![...this.#clients].some((other) => other !== client && other.isAdmitted),
        admit: (config, again) => this.#admit(client, config, again),
        end: () => this.#end(),
        gone: () => this.#gone(client),
      });
      this.#clients.add(client);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
    server.on('error', (error) => this.#log('warn', `the socket of the index process: ${error.message}`));
    if (process.platform !== 'win32') await chmod(address, 0o600);
    this.#server = server;
  }

  /** The ports of a client; why it is refused; or undefined where another daemon has to open the index its way. */
  #admit(client: object, wanted: IndexConfig, again: boolean): Ports | Error | undefined {
    const shared = this.#shared;
    if (!shared) return new IndexHeldError(' and is about to close it');
    if (!again && !this.#isOpenAs(wanted)) {
      if (shared.watchers.size > 0) return new IndexHeldError(', a window, with other settings');
      return undefined;
    }
    clearTimeout(this.#linger);
    for (const { level, text } of this.#kept.splice(0)) (client as DaemonClient).send({ type: 'log', level, text });
    return shared.portsOf(client);
  }

  #isOpenAs(wanted: IndexConfig): boolean {
    const { config } = this.#start;
    // Whoever asks while vectors wait for an idle machine, or is to take over, is served by what is there.
    const told = (of: IndexConfig): object => ({ ...of, indexUri: '', whenIdle: undefined, takeOver: undefined });
    const reads = this.#service !== undefined && this.#phase === 'read-only';
    return isDeepStrictEqual(plain(told(config)), plain(told(wanted))) && !(wanted.takeOver && reads);
  }

  #gone(client: DaemonClient): void {
    this.#clients.delete(client);
    this.#shared?.left(client).catch(() => undefined); // the index was closed before
    if (this.#clients.size === 0) this.#endLater(this.#start.lingerMs);
  }

  #endLater(ms: number): void {
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      if (this.#clients.size === 0) this.#end();
    }, ms);
  }

  #open(): Promise<IndexState> {
    const { config } = this.#start;
    const service = this.#service;
    if (!service) return Promise.reject(new Error('the index process has not started'));
    this.#opening ??= service.open(config).catch((error: unknown) => {
      this.#opening = undefined; // the next who asks has it tried again
      throw error;
    });
    return this.#opening;
  }

  #log(level: LogLevel, text: string): void {
    let heard = false;
    for (const client of this.#clients)
      if (client.isAdmitted) {
        client.send({ type: 'log', level, text });
        heard = true;
      }
    if (!heard && this.#kept.length < KEPT_LINES) this.#kept.push({ level, text });
  }

  /** Makes index and retriever. */
  #compose(): void {
    const { modelsDir, wasmDir } = this.#start;
    const entry = this.#entry;
    const log = (level: LogLevel, text: string): void => this.#log(level, text);
    // In a thread of its own unless this is source code run through a loader, which threads do not inherit.
    const workerFile = /\.c?js$/.test(entry) ? path.join(path.dirname(entry), 'model-thread.cjs') : undefined;
    const profiles = new PassageProfiles();
    const shipped = shippedHeads(modelsDir);
    const scorer = new FeatureChainScorer(shipped, profiles);
    const heads = new HeadsInUse(shipped, scorer);
    const index = createIndexService({
      openEmbedder: async (choice) => {
        const embedder = await openEmbedder(choice, { modelsDir, workerFile });
        heads.startWith(headsFor(choice, shipped));
        return embedder;
      },
      createSource: (config, _embedder, unsaved) =>
        createPassageSource(config, {
          files: unsaved.over(nodeFileSystem),
          reader: new ReadingProcess({
            entry,
            wasmDir,
            counting: countingOf(config.embedder, modelsDir),
            encoding: config.encoding,
            shown: (uri) => unsaved.bytesOf(uri),
            log,
          }),
        }),
      clock: timerClock,
      wallClock: () => Date.now(),
      log,
      program: this.#place?.program ?? '',
      ...(this.#held?.writerLease && { writerLease: () => this.#held?.writerLease as WriterLease }),
    });
    const encoder = lazyEncoder(
      () => openJointEncoder(modelsDir, workerFile === undefined ? undefined : { workerFile }),
      (text) => log('error', text),
    );
    const retriever = createRetriever({
      index: index.index,
      embedder: index.embedder,
      profiles,
      now: () => performance.now(),
      scorer,
      encoder: encoder.encoder,
      unread: encoder.unread,
      found: (passageIds) => index.prefer(passageIds),
      reader: readReaderWeights(path.join(modelsDir, 'reader.json')),
    });
    this.#service = index;
    this.#encoder = encoder;
    this.#shared = new SharedIndex(
      { index, retriever },
      () => this.#open(),
      (listener) => index.onState(listener),
    );
    index.onState((state) => {
      this.#phase = state.phase;
      for (const client of this.#clients) if (client.isAdmitted) client.send({ type: 'state', state });
    });
  }

  /**
   * Closes the index and ends. A thread in the middle of an inference cannot be ended in an orderly way, hence the
   * kill.
   */
  #end(): void {
    if (this.#ending) return;
    this.#ending = true;
    clearTimeout(this.#linger);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSING_MS).unref();
    for (const client of this.#clients) client.leave();
    Promise.all([this.#service?.close(), this.#encoder?.close()])
      .then(() => this.#close())
      .then(
        () => process.exit(0),
        () => process.kill(process.pid, 'SIGKILL'),
      );
  }

  /** Nobody finds this daemon any more. */
  async #close(): Promise<void> {
    await this.#held?.lease.release();
    this.#server?.close();
    const address = this.#place?.address;
    if (address !== undefined && process.platform !== 'win32') await rm(address, { force: true });
  }
}

/** Without the fields that are undefined. */
const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));

/**
 * The lock of an index; undefined where another process has it. It names this daemon's place. Where the index cannot be
 * written now (a full disk), the lock lies elsewhere, and the index is only read until it can be.
 */
async function takeLock(config: IndexConfig, place: DaemonPlace, onLost: () => void): Promise<Held | undefined> {
  const [first = '', second = ''] = await lockFilesOf(config);
  const lock = new LeaseFile(first, {}, place);
  try {
    const lease = await lock.acquireUnlessAlive(undefined, onLost);
    if (!lease) return undefined;
    if (isRemote(config.indexUri)) return { lease };
    // The session takes and gives back what this process holds for its whole life.
    const ours: Lease = { isHeld: () => lease.isHeld(), release: () => Promise.resolve() };
    return { lease, writerLease: { tryAcquire: () => Promise.resolve(ours), holder: () => lock.holder() } };
  } catch (error) {
    const cannotWrite = error instanceof StorageReadOnlyError || error instanceof DiskFullError;
    const isThere = (await createIndexLayout(config.indexUri).current()) !== undefined;
    if (!cannotWrite || second === '' || !isThere) throw error;
    const lease = await new LeaseFile(second, {}, place).acquireUnlessAlive(undefined, onLost);
    return lease && { lease, writerLease: new LeaseFile(first, {}, place) };
  }
}

/** What the reading process needs to count tokens as the embedder does. */
function countingOf(choice: EmbedderChoice, modelsDir: string): TokenCounting {
  switch (choice.kind) {
    case 'bundled':
      return { kind: 'model', folder: path.join(modelsDir, BUNDLED_MODEL) };
    case 'folder':
      return { kind: 'model', folder: path.resolve(choice.path) };
    case 'endpoint':
      return { kind: 'careful' };
  }
}
