import { z } from 'zod';
import { errorReport, indexState } from '../domain/index-state.ts';
import type { Port } from '../domain/request.ts';
import { indexConfig, indexRequests } from '../indexer/index-service.ts';
import { retrieverRequests } from '../retrieval/retriever.ts';

/**
 * What a window (or a command) and the daemon of an index say to one another. What can be asked stands beside the
 * ports; a method that is added there is served, and can be called, without a word here.
 */

const portRequests = { index: indexRequests, retriever: retrieverRequests };
type PortRequests = typeof portRequests;

/** What the daemon offers. */
export type Ports = { [P in keyof PortRequests]: Port<PortRequests[P]> };

/** One of the ports' methods, called with its arguments and a signal. */
type Call = (...args: unknown[]) => Promise<unknown>;

/** A method of a port, as it is named on the way. */
export type Method = { [P in keyof PortRequests]: `${P}.${string & keyof PortRequests[P]}` }[keyof PortRequests];

const requests = Object.fromEntries(
  Object.entries(portRequests).flatMap(([port, methods]) =>
    Object.entries(methods).map(([name, request]) => [`${port}.${name}`, request]),
  ),
) as Record<Method, { args: z.ZodTuple; reply: z.ZodType }>;
const methods = Object.keys(requests) as [Method, ...Method[]];

/** Ports whose every call is sent; what comes back is checked. */
export function callingPorts(
  send: (method: Method, args: unknown[], signal: AbortSignal | undefined) => Promise<unknown>,
  unknownReply: (method: Method, problem: string) => Error,
): Ports {
  const ports: Record<string, Record<string, Call>> = {};
  for (const method of methods) {
    const { args, reply } = requests[method];
    const taken = args.def.items.length;
    const [port, name] = method.split('.') as [string, string];
    (ports[port] ??= {})[name] = async (...given) => {
      const answer = reply.safeParse(
        await send(method, given.slice(0, taken), given[taken] as AbortSignal | undefined),
      );
      if (answer.success) return answer.data;
      throw unknownReply(method, z.prettifyError(answer.error));
    };
  }
  return ports as unknown as Ports;
}

/** Calls what a request names, with arguments that were checked. @throws ZodError */
export async function callPort(ports: Ports, method: Method, args: unknown[], signal: AbortSignal): Promise<unknown> {
  const [port, name] = method.split('.') as [keyof Ports, string];
  const target = ports[port] as unknown as Record<string, Call>;
  const request = requests[method];
  const checked = request.args.parse(args);
  // Arguments that were left out do not move the signal forward.
  return target[name]?.(...request.args.def.items.map((_, i) => checked[i]), signal);
}

const nonce = z.string().min(16).max(100);

/** From whom starts a daemon, over their own channel, before the daemon listens. */
export const daemonStart = z.object({
  modelsDir: z.string().min(1),
  wasmDir: z.string().min(1),
  config: indexConfig,
  /** Milliseconds that it stays when nobody uses it. */
  lingerMs: z.number().nonnegative(),
});
export type DaemonStart = z.infer<typeof daemonStart>;

/** What the daemon says to who started it: that it listens, or why it does not. */
export const daemonStarted = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening') }),
  /** Another daemon has the index. */
  z.object({ type: z.literal('taken') }),
  z.object({ type: z.literal('failed'), error: errorReport }),
]);
export type DaemonStarted = z.infer<typeof daemonStarted>;

/** From a client to the daemon, over its socket. The first three come first, once each and in this order. */
export const toDaemon = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nonce }),
  z.object({ type: z.literal('proof'), proof: z.string(), program: z.string() }),
  z.object({
    type: z.literal('enter'),
    /** How the client wants the index opened. */
    config: indexConfig,
    /** True for a client that lost a daemon: it takes the index as it is open now. */
    again: z.boolean(),
  }),
  z.object({ type: z.literal('request'), id: z.number().int(), method: z.enum(methods), args: z.array(z.unknown()) }),
  z.object({ type: z.literal('cancel'), id: z.number().int() }),
]);
export type ToDaemon = z.infer<typeof toDaemon>;

const logLevel = z.enum(['debug', 'info', 'warn', 'error']);
export type LogLevel = z.infer<typeof logLevel>;

/** From the daemon. `challenge` answers `hello`, `ready` answers `enter`. */
export const fromDaemon = z.discriminatedUnion('type', [
  z.object({ type: z.literal('challenge'), nonce, proof: z.string() }),
  z.object({ type: z.literal('ready') }),
  /** It serves nobody any more: whoever wants the index starts another, or asks again. */
  z.object({ type: z.literal('leaving') }),
  z.object({ type: z.literal('refused'), error: errorReport }),
  z.object({ type: z.literal('result'), id: z.number().int(), value: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.number().int(), aborted: z.boolean(), error: errorReport }),
  z.object({ type: z.literal('state'), state: indexState }),
  z.object({ type: z.literal('log'), level: logLevel, text: z.string() }),
]);
export type FromDaemon = z.infer<typeof fromDaemon>;
