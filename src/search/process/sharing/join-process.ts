import { connect } from 'node:net';
import type { IndexConfig } from '../../indexer/index-service.ts';
import { type ChildListeners, hear, type ProcessHandle } from '../child-handle.ts';
import { FramedSocket } from './framed-socket.ts';
import { type GuestHello, welcome, type Program, sharedAddress } from './meeting-point.ts';

/** A process that does not answer within this time is too busy to be of use: one of one's own is started. */
const WELCOME_MS = 1_500;

/**
 * The index process of somebody else that writes this index, when there is one that lets us in. Listeners hear nothing
 * before that, and `exit` once it is lost.
 */
export async function joinProcess(
  folder: string,
  program: Program,
  config: IndexConfig,
  listeners: ChildListeners,
): Promise<ProcessHandle | undefined> {
  const address = await sharedAddress(folder, program, config);
  if (address === undefined) return undefined;
  return new Promise((resolve) => {
    let isIn = false;
    let closed: () => void = () => undefined;
    const ended = new Promise<void>((resolveEnd) => (closed = resolveEnd));
    const socket = new FramedSocket(connect(address), {
      message: (raw) => {
        if (isIn) return hear(raw, listeners);
        clearTimeout(timer);
        if (!welcome.safeParse(raw).success) return socket.close();
        isIn = true;
        resolve({
          pid: undefined,
          shared: true,
          send: (message) => socket.send(message),
          stop: () => {
            socket.close();
            return ended;
          },
        });
      },
      close: () => {
        clearTimeout(timer);
        closed();
        if (isIn) listeners.exit('the process that was shared has ended', '');
        else resolve(undefined);
      },
    });
    const timer = setTimeout(() => socket.close(), WELCOME_MS);
    socket.send({ type: 'hello', config } satisfies GuestHello);
  });
}
