import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Passage } from '../../model/passage.ts';

/** CRC-32 as a signed 32-bit integer, which is what an Arrow Int32 column holds. */
const signed = (value: number): number => value | 0;

/** Over everything of a passage that is stored, so that a flipped bit, which LanceDB does not notice, is seen. */
export function passageChecksum(passage: Passage, linksJson: string): number {
  const head = [
    passage.id, passage.uri, passage.path, passage.startLine, passage.endLine, passage.startColumn ?? '', passage.endColumn ?? '', passage.page ?? '',
    passage.kind, passage.language, passage.title, passage.contentHash,
  ].join('\u0000');
  return signed(crc32(linksJson, crc32(passage.text, crc32(head))));
}

/** Over a vector and the content hash that it belongs to. */
export function vectorChecksum(vector: Float32Array, contentHash: string): number {
  return signed(crc32(contentHash, crc32(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))));
}

/** Tells which passages a file has, whatever their order: an id follows from the place and the content. '' for none. */
export function idsDigest(ids: readonly string[]): string {
  return ids.length === 0 ? '' : createHash('sha256').update([...ids].sort().join('\n')).digest('hex').slice(0, 32);
}
