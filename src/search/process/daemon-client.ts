import type { Socket } from 'node:net';
import { reportError } from '#base';
import type { IndexConfig } from '../indexer/index-service.ts';
import { IndexHeldError } from '../store/storage-errors.ts';
import { type DaemonPlace, isProof, newNonce, proofOf } from './daemon-place.ts';
import { FramedSocket } from './framed-socket.ts';
import { type FromDaemon, type Ports, toDaemon } from './messages.ts';
import { answerRequests } from './serve-requests.ts';

/** A client has so long after it connects to prove who it is; then it is disconnected. */
const HELLO_MS = 2_000;

interface ClientOptions {
  place: DaemonPlace;
  /** Whether no other client is served. */
  isAlone(): boolean;
  /** Ports for a client that has proved who it is; why it is refused; undefined: the daemon has to make room. */
  admit(config: IndexConfig, again: boolean): Ports | Error | undefined;
  /** Ends the daemon in order. */
  end(): void;
  gone(): void;
}

/** One connection to the daemon: hello, proof and entry, and then requests. */
export class DaemonClient {
  readonly #options: ClientOptions;
  readonly #socket: FramedSocket;
  readonly #nonce = newNonce();
  readonly #hello: NodeJS.Timeout;
  #step: 'hello' | 'proof' | 'enter' | 'served' = 'hello';
  #requests: ReturnType<typeof answerRequests> | undefined;

  constructor(socket: Socket, options: ClientOptions) {
    this.#options = options;
    this.#socket = new FramedSocket(socket, {
      message: (message) => this.#receive(message),
      close: () => {
        clearTimeout(this.#hello);
        this.#requests?.cancelAll();
        options.gone();
      },
    });
    this.#hello = setTimeout(() => this.#socket.close(), HELLO_MS);
  }

  get isAdmitted(): boolean {
    return this.#requests !== undefined;
  }

  send(message: FromDaemon): void {
    this.#socket.send(message);
  }

  /** Tells that the daemon ends; what is still asked is asked of another one. */
  leave(): void {
    this.send({ type: 'leaving' });
    this.#socket.closeSoon();
  }

  #receive(raw: unknown): void {
    const parsed = toDaemon.safeParse(raw);
    if (!parsed.success) return this.#socket.close();
    const message = parsed.data;
    const { secret, program } = this.#options.place;
    const isExpected =
      this.#step === 'served' ? message.type === 'request' || message.type === 'cancel' : message.type === this.#step;
    if (!isExpected) return this.#socket.close();
    switch (message.type) {
      case 'hello':
        this.#step = 'proof';
        return this.send({ type: 'challenge', nonce: this.#nonce, proof: proofOf(secret, 'daemon', message.nonce) });
      case 'proof':
        if (!isProof(message.proof, proofOf(secret, 'client', this.#nonce))) return this.#socket.close();
        this.#step = 'enter';
        return message.program === program ? undefined : this.#makeRoom();
      case 'enter':
        return this.#admit(message.config, message.again);
      case 'request':
      case 'cancel':
        return this.#requests?.take(message);
    }
  }

  /** Another version of the program: it gets the index when nobody else uses it. */
  #makeRoom(): void {
    if (this.#options.isAlone()) return this.#options.end();
    this.send({ type: 'refused', error: reportError(new IndexHeldError(', another version of Hoptrail')) });
    this.#socket.closeSoon();
  }

  #admit(config: IndexConfig, again: boolean): void {
    clearTimeout(this.#hello);
    const ports = this.#options.admit(config, again);
    if (ports === undefined) return this.#options.end();
    if (ports instanceof Error) {
      this.send({ type: 'refused', error: reportError(ports) });
      return this.#socket.closeSoon();
    }
    this.#step = 'served';
    this.#requests = answerRequests(ports, (message) => this.send(message));
    this.send({ type: 'ready' });
  }
}
