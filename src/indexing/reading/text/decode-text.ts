/** Which encoding a text was read with. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

/** A decoded text, or `binary` when the bytes are no text in any encoding that we know. */
export type Decoded = { kind: 'text'; text: string; encoding: TextEncoding } | { kind: 'binary'; why: string };

const SAMPLE_BYTES = 65_536;

/** Beginnings of formats that are never text, whatever the file is called. */
const SIGNATURES: readonly { bytes: readonly number[]; name: string }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], name: 'a PNG picture' },
  { bytes: [0xff, 0xd8, 0xff], name: 'a JPEG picture' },
  { bytes: [0x47, 0x49, 0x46, 0x38], name: 'a GIF picture' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'a ZIP archive' },
  { bytes: [0x1f, 0x8b], name: 'a gzip archive' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], name: 'an ELF program' },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], name: 'a PDF document' },
  { bytes: [0xca, 0xfe, 0xba, 0xbe], name: 'a Java class or Mach-O program' },
  { bytes: [0x00, 0x61, 0x73, 0x6d], name: 'a WebAssembly module' },
];

/** Decodes by byte order mark, then by the pattern of zero bytes (UTF-16 without a mark), then as UTF-8, last as Latin-1. */
export function decodeText(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return utf8OrLatin1(bytes.subarray(3));
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes.subarray(2), 'utf-16le');
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes.subarray(2), 'utf-16be');
  for (const signature of SIGNATURES) {
    if (startsWith(bytes, signature.bytes)) return { kind: 'binary', why: `begins like ${signature.name}` };
  }
  const zeros = countZeros(bytes.subarray(0, SAMPLE_BYTES));
  if (zeros.even + zeros.odd > 0) {
    const guessed = guessUtf16(zeros);
    return guessed ? decodeUtf16(bytes, guessed) : { kind: 'binary', why: 'holds zero bytes' };
  }
  return utf8OrLatin1(bytes);
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, i) => bytes[i] === byte);
}

function countZeros(sample: Uint8Array): { even: number; odd: number; pairs: number } {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue;
    if (i % 2 === 0) even += 1;
    else odd += 1;
  }
  return { even, odd, pairs: Math.max(1, Math.floor(sample.length / 2)) };
}

/** Western text in UTF-16 has a zero in nearly every pair, always on the same side. */
function guessUtf16(zeros: { even: number; odd: number; pairs: number }): 'utf-16le' | 'utf-16be' | undefined {
  if (zeros.odd / zeros.pairs > 0.4 && zeros.even / zeros.pairs < 0.02) return 'utf-16le';
  if (zeros.even / zeros.pairs > 0.4 && zeros.odd / zeros.pairs < 0.02) return 'utf-16be';
  return undefined;
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Decoded {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const controls = shareOfControls(text);
  return controls > 0.1 ? { kind: 'binary', why: 'looks like UTF-16 but holds mostly control characters' } : { kind: 'text', text, encoding };
}

function utf8OrLatin1(bytes: Uint8Array): Decoded {
  let text: string;
  let encoding: TextEncoding = 'utf-8';
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // A fatal decoder throws on the first invalid sequence; every byte is valid in Latin-1.
    const damaged = mostlyUtf8(bytes);
    text = damaged ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (damaged === undefined) encoding = 'latin1';
  }
  if (shareOfControls(text) > 0.05) return { kind: 'binary', why: 'holds mostly control characters' };
  return { kind: 'text', text, encoding };
}

/** UTF-8 with a few damaged bytes is still UTF-8: when the good multi-byte sequences outnumber the bad bytes by far. */
function mostlyUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let bad = 0;
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) bad += 1;
    else if (code > 0x7f) good += 1;
  }
  return good > bad * 10 ? text : undefined;
}

function shareOfControls(text: string): number {
  const length = Math.min(text.length, SAMPLE_BYTES);
  if (length === 0) return 0;
  let controls = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27) controls += 1;
    else if (code >= 0x80 && code < 0xa0 && code !== 0x85) controls += 0.5;
  }
  return controls / length;
}
