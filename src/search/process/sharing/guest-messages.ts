import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { HoptrailError } from '#base';
import { indexConfig, type IndexConfig } from '../../indexer/index-service.ts';

/** The first message of a guest: which index it wants, and how. */
export const guestHello = z.object({ type: z.literal('hello'), config: indexConfig });
export type GuestHello = z.infer<typeof guestHello>;

/**
 * What a guest is answered first; where it is not let in, the connection ends. From then on both speak as a process and
 * its child do.
 */
export const welcome = z.object({ type: z.literal('welcome') });
export type Welcome = z.infer<typeof welcome>;

/** What a guest has asked needs an index process of its own: whoever gets this starts one, and asks that. */
export class NotSharedError extends HoptrailError {
  readonly code = 'index-process-not-shared';
  constructor() {
    super('This needs an index process of its own.');
  }
}

/**
 * Whether one open index serves another's wish. Who only follows does not say how files are read. Taking over a lock
 * is said to a process that is thought to be gone.
 */
export function serves(open: IndexConfig, wanted: IndexConfig): boolean {
  if (wanted.takeOver) return false;
  const same = <K extends keyof IndexConfig>(key: K): boolean => isDeepStrictEqual(open[key], wanted[key]);
  const uris = (config: IndexConfig): string[] => config.roots.map(({ uri }) => uri);
  if (!same('embedder') || !same('storageOptions')) return false;
  if (wanted.follow) return isDeepStrictEqual(uris(open), uris(wanted));
  return same('roots') && same('excludeGlobs') && same('useGitignore') && same('maxFileBytes');
}
