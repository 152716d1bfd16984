import { reportError } from '#base';
import { callPort, type FromDaemon, type Method, type Ports, type ToDaemon } from './messages.ts';

type RequestOrCancel = Extract<ToDaemon, { type: 'request' | 'cancel' }>;

/** Answers requests of one client. Each has its own signal, aborted by a cancel message. */
export function answerRequests(
  ports: Ports,
  send: (message: FromDaemon) => void,
): { take(message: RequestOrCancel): void; cancelAll(): void } {
  const running = new Map<number, AbortController>();
  const answer = async (id: number, method: Method, args: unknown[]): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const value = await callPort(ports, method, args, controller.signal);
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
