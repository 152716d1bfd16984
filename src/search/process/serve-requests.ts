import { reportError } from '#base';
import {
  callPort,
  toIndexProcess,
  type FromIndexProcess,
  type Method,
  type Ports,
  type ToIndexProcess,
} from './messages.ts';

interface RequestServer {
  /** Takes one message from the other side; anything that is not one of ours is reported and dropped. */
  receive(message: unknown): void;
}

interface RequestServerOptions {
  /** Makes what answers when the first message has said where things are. */
  start(init: Extract<ToIndexProcess, { type: 'init' }>): Promise<Ports>;
  send(message: FromIndexProcess): void;
  exit(): void;
}

type RequestOrCancel = Extract<ToIndexProcess, { type: 'request' | 'cancel' }>;

/** Answers requests of one client. Each has its own signal, aborted by a cancel message. */
export function answerRequests(
  ports: () => Promise<Ports | undefined>,
  send: (message: FromIndexProcess) => void,
): { take(message: RequestOrCancel): void; cancelAll(): void } {
  const running = new Map<number, AbortController>();
  const answer = async (id: number, method: Method, args: unknown[]): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const asked = await ports();
      if (!asked) throw new Error('a request came before init');
      const value = await callPort(asked, method, args, controller.signal);
      send({ type: 'result', id, value });
    } catch (error) {
      const aborted = controller.signal.aborted || (error instanceof Error && error.name === 'AbortError');
      send({ type: 'failure', id, aborted, error: reportError(error) });
    } finally {
      running.delete(id);
    }
  };
  return {
    take: (message) => {
      if (message.type === 'cancel') running.get(message.id)?.abort();
      else void answer(message.id, message.method, message.args);
    },
    cancelAll: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** Answers what the parent of the index process asks. */
export function createRequestServer(options: RequestServerOptions): RequestServer {
  let ports: Promise<Ports> | undefined;
  const { send } = options;
  const requests = answerRequests(async () => ports, send);

  return {
    receive: (raw) => {
      const parsed = toIndexProcess.safeParse(raw);
      if (!parsed.success) {
        send({ type: 'log', level: 'error', text: `a message of unknown shape was dropped: ${parsed.error.message}` });
        return;
      }
      const message = parsed.data;
      switch (message.type) {
        case 'init':
          ports = options.start(message);
          ports.then(
            () => send({ type: 'ready' }),
            // Whoever asks gets the error; the process stays, so that it is told once and not started over and over.
            (error: unknown) => {
              send({ type: 'log', level: 'error', text: reportError(error).message });
              send({ type: 'ready' });
            },
          );
          return;
        case 'request':
        case 'cancel':
          requests.take(message);
          return;
        case 'exit':
          options.exit();
          return;
      }
    },
  };
}
