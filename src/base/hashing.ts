/** What tells contents apart without keeping them: SHA-256. */
import { createHash } from 'node:crypto';

type Content = string | Uint8Array;

/** The first hexadecimal digits of the SHA-256 of a content, or of several one behind the other; all 64 by default. */
export function hashOf(content: Content | readonly Content[], digits = 64): string {
  const hash = createHash('sha256');
  if (typeof content === 'string' || content instanceof Uint8Array) hash.update(content);
  else for (const part of content) hash.update(part);
  return hash.digest('hex').slice(0, digits);
}

/** As {@link hashOf}, of contents that are still being read: each is hashed before the next is asked for. */
export async function hashOfParts(parts: AsyncIterable<Content>, digits = 64): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, digits);
}

/** A number from 0 inclusive to 1 exclusive that depends on the text alone. */
export const hashShare = (text: string): number =>
  createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
