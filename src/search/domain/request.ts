import type { z } from 'zod';

/**
 * One request across a process boundary: schemas by which the receiver checks the arguments, and the sender the reply.
 */
interface Request {
  args: z.ZodTuple;
  reply: z.ZodType;
}

/** The requests of a port, by method. */
export type Requests = Record<string, Request>;

/**
 * A port as its caller and its implementation see it: one method a request. Aborting the signal rejects with AbortError
 * and ends the work, where that can be ended.
 */
export type Port<R extends Requests> = {
  [Method in keyof R]: (
    ...args: [...z.infer<R[Method]['args']>, signal?: AbortSignal]
  ) => Promise<z.infer<R[Method]['reply']>>;
};
