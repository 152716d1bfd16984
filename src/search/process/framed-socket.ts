import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** Bytes that say how long the message behind them is. */
const HEADER = 4;
/** A longer message, or more that nobody fetches, ends the connection. */
const MOST_BYTES = 256 * 2 ** 20;

/** The other side has so long to fetch the last message. */
const LAST_MESSAGE_MS = 500;

interface FrameListeners {
  message(message: unknown): void;
  /** Once, whoever closed it. */
  close(): void;
}

/** Messages over a socket: each behind its length, as Node's structured clone. */
export class FramedSocket {
  readonly #socket: Socket;
  readonly #listeners: FrameListeners;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of header and body of the message that is arriving; of the header alone while that is not there. */
  #wanted = HEADER;

  constructor(socket: Socket, listeners: FrameListeners) {
    this.#socket = socket;
    this.#listeners = listeners;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', () => undefined); // 'close' follows
    socket.once('close', () => listeners.close());
  }

  send(message: unknown): void {
    if (this.#socket.destroyed) return;
    const body = serialize(message);
    const header = Buffer.allocUnsafe(HEADER);
    header.writeUInt32BE(body.length);
    this.#socket.cork();
    this.#socket.write(header);
    this.#socket.write(body);
    this.#socket.uncork();
    if (this.#socket.writableLength > MOST_BYTES) this.close();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes once what was sent has been handed to the system. */
  closeSoon(): void {
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), LAST_MESSAGE_MS).unref();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (this.#received >= this.#wanted && !this.#socket.destroyed) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      if (this.#wanted === HEADER) {
        this.#wanted = HEADER + all.readUInt32BE();
        if (this.#wanted > MOST_BYTES) return this.close();
        continue;
      }
      const rest = all.subarray(this.#wanted);
      let message: unknown;
      try {
        message = deserialize(all.subarray(HEADER, this.#wanted));
      } catch {
        return this.close();
      }
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#received = rest.length;
      this.#wanted = HEADER;
      this.#listeners.message(message);
    }
  }
}
