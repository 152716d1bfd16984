import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { SerialQueue } from '#base';
import type { IndexPhase, IndexState } from '../../domain/index-state.ts';
import { type FromIndexProcess, type LogLevel, toIndexProcess, type Ports } from '../messages.ts';
import { answerRequests } from '../serve-requests.ts';
import type { IndexConfig, IndexService } from '../../indexer/index-service.ts';
import { createIndexLayout } from '../../store/index-layout.ts';
import { FramedSocket } from './framed-socket.ts';
import { guestHello, serves, type Welcome, type Program, sharedAddress } from './meeting-point.ts';
import { guestPorts, type GuestPorts, type HostedIndex, FairTurns, ShownTexts, takingTurns } from './guest-ports.ts';

/** So many windows, command lines and agents are served at once; each further one starts a process of its own. */
const MOST_GUESTS = 64;
/** A guest has so long after it connects to say which index it wants; then it is disconnected. */
const HELLO_MS = 2_000;
/**
 * Who writes is read from the index at most once in so many milliseconds. Guests that only follow are told with each
 * change of the state, of which there are several a second while an index is made, and in an object storage each
 * reading is a request.
 */
const HOLDER_MS = 10_000;
/** What the index is in while this process writes it. */
const WRITING = new Set<IndexPhase>(['ready', 'reading', 'embedding', 'paused']);

interface SharingOptions {
  folder: string;
  program: Program;
  log(level: LogLevel, text: string): void;
}

/**
 * Lets other processes of this user use the index process that writes an index, in place of one of their own with its
 * model and its caches. It can be met as long as it writes, and by those who want the same index opened alike. A guest
 * that loses it (its parent ended, the lease was taken) goes on with a process of its own.
 */
export class SharedProcess {
  readonly #options: SharingOptions;
  readonly #turns = new SerialQueue();
  readonly #guests = new Set<Guest>();
  #hosted: HostedIndex | undefined;
  #server: Server | undefined;
  /** Whether it can be met, or was to be: where that does not work it is not tried again and again. */
  #isOffered = false;

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** What guests are served from now on: undefined before an index is open, and while it is closed or replaced. */
  async offer(hosted: HostedIndex | undefined, state?: IndexState): Promise<void> {
    this.#hosted = hosted;
    if (!hosted) {
      this.#isOffered = false;
      await this.#turns.run(() => this.#stop());
    } else if (state) this.stateChanged(state);
  }

  /** Told of every change of state: guests hear of it, and come and go with the right to write. */
  stateChanged(state: IndexState): void {
    const writes = WRITING.has(state.phase);
    if (this.#hosted && writes !== this.#isOffered) {
      this.#isOffered = writes;
      void this.#turns.run(() => (writes ? this.#listen() : this.#stop()));
    }
    for (const guest of this.#guests) guest.tell(state);
  }

  async #listen(): Promise<void> {
    const hosted = this.#hosted;
    if (this.#server || !hosted) return;
    const address = await sharedAddress(this.#options.folder, this.#options.program, hosted.config);
    if (address === undefined) return;
    const server = createServer((socket) => this.#receive(socket));
    try {
      await rm(address, { force: true }); // of a writer that was killed: there is one at a time
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(address, resolve);
      });
      server.on('error', (error) => this.#options.log('warn', `sharing this index process: ${error.message}`));
      await chmod(address, 0o600);
      this.#server = server;
    } catch (error) {
      server.close();
      this.#options.log('info', `this index process is not shared: ${String(error)}`);
    }
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const guest of this.#guests) guest.end();
    if (server?.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #receive(socket: Socket): void {
    const hosted = this.#hosted;
    if (!hosted || this.#guests.size >= MOST_GUESTS) return void socket.destroy();
    const guest = new Guest(socket, hosted, () => this.#guests.delete(guest));
    this.#guests.add(guest);
  }
}

/** One connection. */
class Guest {
  readonly #socket: FramedSocket;
  readonly #requests: ReturnType<typeof answerRequests>;
  readonly #hosted: HostedIndex;
  readonly #hello: NodeJS.Timeout;
  #admitted: GuestPorts | undefined;

  constructor(socket: Socket, hosted: HostedIndex, gone: () => void) {
    this.#hosted = hosted;
    this.#socket = new FramedSocket(socket, {
      message: (message) => this.#receive(message),
      close: () => {
        clearTimeout(this.#hello);
        this.#requests.cancelAll();
        this.#admitted?.left().catch(() => undefined); // the index was closed before
        gone();
      },
    });
    this.#requests = answerRequests(
      async () => this.#admitted?.ports,
      (message) => this.#send(message),
    );
    this.#hello = setTimeout(() => this.end(), HELLO_MS);
  }

  tell(state: IndexState): void {
    void this.#admitted?.seen(state).then((seen) => this.#send({ type: 'state', state: seen }));
  }

  end(): void {
    this.#socket.close();
  }

  #send(message: FromIndexProcess | Welcome): void {
    this.#socket.send(message);
  }

  #receive(message: unknown): void {
    if (!this.#admitted) return this.#admit(message);
    const parsed = toIndexProcess.safeParse(message);
    if (parsed.success && (parsed.data.type === 'request' || parsed.data.type === 'cancel'))
      this.#requests.take(parsed.data);
    else this.end();
  }

  #admit(message: unknown): void {
    clearTimeout(this.#hello);
    const hello = guestHello.safeParse(message);
    if (!hello.success || !serves(this.#hosted.config, hello.data.config)) return this.end();
    this.#admitted = guestPorts(this.#hosted, hello.data.config);
    this.#send({ type: 'welcome' });
    this.#send({ type: 'ready' });
  }
}

/** The same answer for so many milliseconds, unless it is a failure. */
export function askedAgainAfter<T>(ms: number, ask: () => Promise<T>, now = () => performance.now()): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (last && now() - last.at < ms) return last.answer;
    const asked = { answer: ask(), at: now() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
}

/** The ports of the process's own parent, which decides what is open: guests are served exactly that. */
export function sharingPorts(ports: Ports, sharing: SharedProcess): Ports {
  const { index } = ports;
  const turns = new FairTurns();
  const texts = new ShownTexts();
  const watchers = new Set<object>();
  let open: IndexConfig | undefined;
  const offering: IndexService = {
    ...index,
    unsaved: (shown, signal) => index.unsaved(texts.with(offering, shown), signal),
    update: (options, signal) => {
      if (options.watched) watchers.add(offering);
      return index.update(options, signal);
    },
    open: async (config, signal) => {
      if (!isDeepStrictEqual(open, config)) {
        texts.clear();
        watchers.clear();
        await sharing.offer(undefined);
      }
      const state = await index.open(config, signal);
      open = config;
      const lease = createIndexLayout(config.indexUri, config.storageOptions).lease();
      const holder = askedAgainAfter(HOLDER_MS, () => lease.holder());
      await sharing.offer({ config, ports, turns, texts, watchers, holder }, state);
      return state;
    },
    close: async (signal) => {
      open = undefined;
      texts.clear();
      watchers.clear();
      await sharing.offer(undefined);
      await index.close(signal);
    },
  };
  return { ...ports, index: offering, retriever: takingTurns(ports.retriever, turns, offering) };
}
