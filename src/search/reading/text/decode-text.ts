import chardet from 'chardet';
import { type FileCause, type ForeignKind, plainly } from '../../domain/file-cause.ts';

/** A decoded text, or `binary` when the bytes are no text in any encoding that we know. */
type Decoded =
  | {
      kind: 'text';
      text: string;
      /** A name as `TextDecoder` has it, or `latin1`. */
      encoding: string;
      /** Nothing says that this is the encoding: it was guessed by the bytes. */
      isGuessed?: true;
    }
  | { kind: 'binary'; why: FileCause };

const SAMPLE_BYTES = 65_536;

/** Beginnings of formats that are never text, whatever the file is called. */
const SIGNATURES: readonly { bytes: readonly number[]; kind: ForeignKind }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: 'png' },
  { bytes: [0xff, 0xd8, 0xff], kind: 'jpeg' },
  { bytes: [0x47, 0x49, 0x46, 0x38], kind: 'gif' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: 'zip' },
  { bytes: [0x1f, 0x8b], kind: 'gzip' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], kind: 'elf' },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], kind: 'pdf' },
  { bytes: [0xca, 0xfe, 0xba, 0xbe], kind: 'java-or-mach-o' },
  { bytes: [0x00, 0x61, 0x73, 0x6d], kind: 'webassembly' },
];

/** So many zero bytes may stand in a text by damage; they are shown as replacement characters. */
const STRAY_ZEROS = 0.01;

/** Colours and movements of a terminal, in a log or a recorded session: `ESC [ 1 ; 33 m`, `ESC ] 0 ; title BEL`. */
const TERMINAL_SEQUENCE =
  /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b\n]{0,300}(?:\u0007|\u001b\\)|[()][0-9A-Z])/g;

/** The text as a terminal shows it; lines stay where they are. */
const asShown = (text: string): string => (text.includes('\u001b') ? text.replace(TERMINAL_SEQUENCE, '') : text);

/**
 * Decodes by byte order mark, then as UTF-16 without one where that gives plausible text, then as UTF-8 where all of it
 * is valid. Then what the file declares counts, then damaged UTF-8, then `preferred` (a setting), then what chardet
 * takes it for, last Windows' western code page, of which Latin-1 is a part. A terminal's control sequences are left
 * out.
 */
export function decodeText(bytes: Uint8Array, preferred?: string): Decoded {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return decodeBytes(bytes.subarray(3), preferred);
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes.subarray(2), 'utf-16le');
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes.subarray(2), 'utf-16be');
  const begins = SIGNATURES.find((signature) => startsWith(bytes, signature.bytes));
  if (begins) return { kind: 'binary', why: { code: 'begins-like', details: { kind: begins.kind } } };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = countZeros(sample);
  if (zeros.all === 0) return decodeBytes(bytes, preferred);
  const guessed = guessUtf16(sample, zeros);
  if (guessed) return decodeUtf16(bytes, guessed);
  return zeros.all > sample.length * STRAY_ZEROS
    ? { kind: 'binary', why: plainly('zero-bytes') }
    : decodeBytes(bytes, preferred);
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, i) => bytes[i] === byte);
}

interface Zeros {
  all: number;
  even: number;
  odd: number;
  pairs: number;
}

function countZeros(sample: Uint8Array): Zeros {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) {
    if (sample[i] !== 0) continue;
    if (i % 2 === 0) even += 1;
    else odd += 1;
  }
  return { all: even + odd, even, odd, pairs: Math.max(1, Math.floor(sample.length / 2)) };
}

/**
 * Western text in UTF-16 has a zero in nearly every pair, always on the same side; other text has one in each blank and
 * line end.
 */
function guessUtf16(sample: Uint8Array, { even, odd, pairs }: Zeros): 'utf-16le' | 'utf-16be' | undefined {
  if (odd / pairs > 0.4 && even / pairs < 0.02) return 'utf-16le';
  if (even / pairs > 0.4 && odd / pairs < 0.02) return 'utf-16be';
  if (odd > even * 10 && readsLikeText(sample, 'utf-16le')) return 'utf-16le';
  if (even > odd * 10 && readsLikeText(sample, 'utf-16be')) return 'utf-16be';
  return undefined;
}

/**
 * Of what stands for text in another script than the Latin one, so much must be letters, and so much blanks and line
 * ends.
 */
const FEWEST_LETTERS = 0.6;
const FEWEST_BLANKS = 0.002;
/** Characters that no text holds, or hardly any: controls, unassigned and private ones, halves of pairs. */
const MOST_IMPOSSIBLE = 0.005;
/**
 * Alphabets have their letters within a few stretches of 256 characters; numbers in a binary file have them all over.
 * Chinese, Japanese and Korean are all over, too.
 */
const MOST_STRETCHES = 12;
const IMPOSSIBLE = /[^\P{C}\t\n\f\r\u200b-\u200f\ufeff]/gu;
const LETTERS = /[\p{L}\p{M}]/gu;
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const BLANKS = /[ \t\n\u3000\u3001\u3002]/g;

function readsLikeText(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  // A pair may be cut in two at the end of the sample.
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(sample.subarray(0, 8_192)).slice(0, -1);
  const count = (what: RegExp): number => text.match(what)?.length ?? 0;
  const letters = count(LETTERS);
  if (
    count(IMPOSSIBLE) > text.length * MOST_IMPOSSIBLE ||
    letters < text.length * FEWEST_LETTERS ||
    count(BLANKS) < text.length * FEWEST_BLANKS
  )
    return false;
  if (count(EAST_ASIAN) > letters * 0.7) return true;
  const stretches = new Set<number>();
  for (let i = 0; i < text.length; i++) stretches.add(text.charCodeAt(i) >> 8);
  return stretches.size <= MOST_STRETCHES;
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Decoded {
  // A text that is cut within a character ends in a replacement character.
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const controls = shareOfControls(text);
  return controls > 0.1
    ? { kind: 'binary', why: plainly('utf16-controls') }
    : { kind: 'text', text: asShown(text), encoding };
}

function decodeBytes(bytes: Uint8Array, preferred: string | undefined): Decoded {
  const { text, encoding, isGuessed } = decodedBytes(bytes, preferred);
  if (shareOfControls(text) > 0.05) return { kind: 'binary', why: plainly('controls') };
  const shown = asShown(text.replaceAll('\0', '\ufffd'));
  return { kind: 'text', text: shown, encoding, ...(isGuessed && { isGuessed }) };
}

type Found = Omit<Extract<Decoded, { kind: 'text' }>, 'kind'>;

function decodedBytes(bytes: Uint8Array, preferred: string | undefined): Found {
  const asUtf8 = utf8(bytes);
  const as = (name: string | undefined): Found | undefined => (name === undefined ? undefined : decodedAs(bytes, name));
  const japanese = startsShift(bytes) ? as('iso-2022-jp') : undefined;
  if (japanese || asUtf8.bad === 0) return japanese ?? asUtf8;
  const declared = as(declaredIn(bytes));
  if (declared || asUtf8.good >= asUtf8.bad) return declared ?? asUtf8;
  return as(preferred) ?? { ...(detected(bytes) ?? western(bytes)), isGuessed: true };
}

/**
 * UTF-8 with its numbers of sound and of damaged sequences beyond ASCII. Other encodings hardly ever have sound ones.
 */
function utf8(bytes: Uint8Array): Found & { good: number; bad: number } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let bad = 0;
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) bad += 1;
    else if (code > 0x7f) good += 1;
  }
  return { text, encoding: 'utf-8', good, bad };
}

/** How ISO-2022-JP begins Japanese characters: escape, dollar, `B` or `@`. */
const startsShift = (bytes: Uint8Array): boolean => /\u001b\$[@B]/.test(latinOf(bytes.subarray(0, SAMPLE_BYTES)));

const DECLARATIONS = [
  /^\s{0,20}<\?xml\s[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})/,
  /<meta\s[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})/i,
  /^@charset "([\w.:-]{2,40})"/,
  // PEP 263, Emacs, Vim: in one of the first two lines.
  /^(?:[^\n]{0,300}\n)?[^\n]{0,100}?\b(?:file)?(?:en)?coding[:=][ \t]{0,9}([\w.-]{2,40})/,
  /\\usepackage\[([\w-]{2,40})\]\{inputenc\}/,
  /^"Content-Type: text\/plain; charset=([\w.-]{2,40})/m,
];

/** The encoding that a file says it has: XML, HTML, CSS, Python and its like, LaTeX, gettext. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = latinOf(bytes.subarray(0, 2_048));
  for (const declaration of DECLARATIONS) {
    const name = declaration.exec(head)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Names that editors and languages use and `TextDecoder` does not know. */
const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:windows|cp|win)[-_]?(125\d|874)$/, 'windows-$1'],
  [/^(?:cp|ms|windows)[-_]?(?:932|31j)$|^shift_?jis$/, 'shift_jis'],
  [/^(?:cp|ms|windows)[-_]?936$/, 'gbk'],
  [/^(?:cp|ms|windows)[-_]?949$/, 'euc-kr'],
  [/^(?:cp|ms|windows)[-_]?950$|^big5[-_]?hkscs$/, 'big5'],
  [/^iso[-_]?8859[-_](\d{1,2})$/, 'iso-8859-$1'],
  [/^latin[-_](\d)$/, 'latin$1'],
  [/^(euc|koi8)_?(jp|kr|r|u)$/, '$1-$2'],
  [/^mac[-_]?roman$/, 'macintosh'],
];

/** Undefined for a name that nobody knows, and for bytes that are no text in that encoding. */
function decodedAs(bytes: Uint8Array, name: string): Found | undefined {
  const small = name.toLowerCase();
  const [pattern, label] = OTHER_NAMES.find(([other]) => other.test(small)) ?? [];
  const encoding = pattern && label ? small.replace(pattern, label) : small;
  if (/^utf-?(?:8|16)/.test(encoding)) return undefined;
  if (/^(?:windows-1252|iso-?8859-?1|latin1|(?:us-)?ascii)$/.test(encoding)) return western(bytes);
  try {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    const text = decoder.decode(bytes);
    const damaged = text.match(/\ufffd/g)?.length ?? 0;
    return damaged > 2 + text.length * MOST_DAMAGED ? undefined : { text, encoding: decoder.encoding };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Of a text's characters, so many may be damaged. */
const MOST_DAMAGED = 0.01;
/** Fewer bytes beyond ASCII tell no encoding; some accents of a western language are likelier. */
const FEWEST_BYTES = 8;
const LEAST_CONFIDENCE = 10;

/** What chardet takes the lines with bytes beyond ASCII for: it has no native code and no weights. */
function detected(bytes: Uint8Array): Found | undefined {
  const lines = latinOf(bytes.subarray(0, SAMPLE_BYTES * 8)).split('\n');
  const foreign = lines
    .filter((line) => /[\x80-\xff]/.test(line))
    .join('\n')
    .slice(0, SAMPLE_BYTES);
  if ((foreign.match(/[\x80-\xff]/g)?.length ?? 0) < FEWEST_BYTES) return undefined;
  for (const { name, confidence } of chardet.analyse(Buffer.from(foreign, 'latin1'))) {
    const found = confidence < LEAST_CONFIDENCE ? undefined : decodedAs(bytes, name);
    if (found && shareOfControls(found.text) < 0.01) return found;
  }
  return undefined;
}

const latinOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/**
 * What Windows' western code page has in the place of Latin-1's controls from 0x80 on. (Node 20 takes one for the
 * other.)
 */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function western(bytes: Uint8Array): Found {
  const latin = latinOf(bytes);
  const text = latin.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
  return { text, encoding: text === latin ? 'latin1' : 'windows-1252' };
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
