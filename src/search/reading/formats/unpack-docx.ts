import { unzipSync, zipSync } from 'fflate';
import { readingLimits } from '../reading-limits.ts';
import { UnreadableDocumentError } from './file-format.ts';

const MEGABYTE = 2 ** 20;
/** Smaller documents may be packed as well as they like. */
const RATIO_MATTERS_ABOVE = MEGABYTE;

/**
 * A Word document packed anew without compression and without its pictures, for a reader that unpacks whatever it is
 * given. Throws UnreadableDocumentError where the archive has more entries, unpacks to more bytes, has more elements or
 * nests deeper than the limits allow. What is stated in the archive's directory is all that is ever unpacked: an entry
 * that holds more is cut there, and then is no XML any more.
 */
export function unpackDocx(bytes: Uint8Array): Buffer {
  let entries = 0;
  let packed = 0;
  let unpacked = 0;
  unzipSync(bytes, {
    filter: ({ name, size, originalSize }) => {
      entries += 1;
      if (!isText(name)) return false;
      packed += size;
      unpacked += originalSize;
      return false;
    },
  });
  const { docxEntries, docxUnpackedBytes, docxRatio, docxElements, docxNesting } = readingLimits;
  if (entries > docxEntries) throw overLimit(`has ${count(entries)} entries`, count(docxEntries));
  if (unpacked > docxUnpackedBytes)
    throw overLimit(`unpacks to ${Math.round(unpacked / MEGABYTE)} MB`, `${docxUnpackedBytes / MEGABYTE} MB`);
  if (unpacked > RATIO_MATTERS_ABOVE && unpacked > packed * docxRatio)
    throw overLimit(
      `unpacks to ${count(Math.round(unpacked / Math.max(1, packed)))} times its size`,
      `${docxRatio} times`,
    );
  const files = unzipSync(bytes, { filter: ({ name }) => isText(name) });
  let elements = 0;
  for (const [name, content] of Object.entries(files)) {
    const { depth, elements: found } = elementsIn(content);
    elements += found;
    if (depth > docxNesting)
      throw overLimit(`nests its elements ${count(depth)} deep in ${name.slice(0, 100)}`, count(docxNesting));
  }
  if (elements > docxElements) throw overLimit(`has ${count(elements)} elements`, count(docxElements));
  return Buffer.from(zipSync(files, { level: 0 }));
}

const isText = (name: string): boolean => /\.(?:xml|rels)$/i.test(name);
const count = (value: number): string => value.toLocaleString('en-GB');
const overLimit = (what: string, limit: string): UnreadableDocumentError =>
  new UnreadableDocumentError(`the Word document ${what}, the limit is ${limit}`);

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const NO_ELEMENT = new Set([0x21, 0x3f]); // <! and <?

/** How many elements an XML text has and how deep they nest, seen from its angle brackets alone. */
function elementsIn(xml: Uint8Array): { depth: number; elements: number } {
  let elements = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = xml.indexOf(LESS); at >= 0; at = xml.indexOf(LESS, at + 1)) {
    const next = xml[at + 1] ?? 0;
    if (NO_ELEMENT.has(next)) continue;
    if (next === SLASH) depth -= 1;
    else {
      const end = xml.indexOf(GREATER, at);
      elements += 1;
      if (end < 0) break;
      if (xml[end - 1] === SLASH) continue;
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return { depth: deepest, elements };
}
