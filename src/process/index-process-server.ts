import { reportError } from '../model/error-report.ts';
import type { IndexService } from '../indexing/index-service.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { CallTarget, FromIndexProcess, ToIndexProcess } from './messages.ts';

/** What the process serves. */
export interface ServedPorts {
  index: IndexService;
  retriever: Retriever;
}

type Call = Extract<ToIndexProcess, { type: 'call' }>;
type AnyMethod = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/** Answers calls of the parent; each has its own AbortSignal, which a cancel message fires. */
export class IndexProcessServer {
  readonly #ports: ServedPorts;
  readonly #send: (message: FromIndexProcess) => void;
  readonly #running = new Map<number, AbortController>();
  /** Settles when the last `open` has: what is called after it works on what it opened. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(ports: ServedPorts, send: (message: FromIndexProcess) => void) {
    this.#ports = ports;
    this.#send = send;
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort();
  }

  /** Cancels everything that runs, when the parent is gone. */
  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async call({ id, target, method, args }: Call): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const port: unknown = this.#ports[target satisfies CallTarget];
      const run = (port as Record<string, AnyMethod>)[method]; // the method's name was checked against METHODS
      if (!run) throw new Error(`${target} has no method ${method}`);
      if (method !== 'open') {
        await this.#opening;
        controller.signal.throwIfAborted();
      }
      const running = run.call(port, ...args, controller.signal); // every port's method takes its signal last
      if (method === 'open') this.#opening = running.catch(() => undefined); // whoever called open is told
      const value = await running;
      this.#send({ type: 'result', id, value });
    } catch (error) {
      const aborted = controller.signal.aborted || (error instanceof Error && error.name === 'AbortError');
      this.#send({ type: 'failed', id, aborted, error: reportError(error) });
    } finally {
      this.#running.delete(id);
    }
  }
}
