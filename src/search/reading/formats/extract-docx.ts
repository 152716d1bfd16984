import { stemOf } from '#base';
import mammoth from 'mammoth';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { unzipSync, zipSync } from 'fflate';
import { type Excess, plainly } from '../../domain/file-cause.ts';
import type { PlacedLink } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { SourceText } from '../text/source-text.ts';
import { readingLimits } from '../reading-limits.ts';
import { documentHeading, sectionsOf, type Heading } from './sections.ts';
import { UnreadableDocumentError, type DocumentFormat, type ExtractedDocument } from './file-format.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const HEADING = /^h([1-6])$/;

export const docx: DocumentFormat = { name: 'docx', extensions: { docx: 'docx' }, extract: extractDocx };

/** Text of a Word document: paragraphs, list items and table rows as lines, sections under their headings. */
async function extractDocx(bytes: Uint8Array, path: string): Promise<ExtractedDocument> {
  const html = await htmlOf(bytes);
  const lines: string[] = [];
  const headings: Heading[] = [];
  /** First lines of tables. */
  const tables = new Set<number>();
  const links: PlacedLink[] = [];
  let before = '';
  const add = (element: Element, line: string): void => {
    const { tagName } = element;
    if (line === '') return;
    if (lines.length > 0 && (tagName !== before || (tagName !== 'tr' && tagName !== 'li'))) lines.push('');
    const number = lines.push(line);
    const depth = HEADING.exec(tagName)?.[1];
    if (depth) headings.push({ startLine: number, endLine: number, depth: Number(depth), text: line });
    if (tagName === 'tr' && before !== 'tr') tables.add(number);
    for (const link of hyperlinks(element, number)) links.push(link);
    before = tagName;
  };
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      const lists = node.childNodes.filter(({ nodeName }) => nodeName === 'ul' || nodeName === 'ol');
      if (node.tagName === 'p' || HEADING.test(node.tagName)) add(node, textOf(node.childNodes));
      else if (node.tagName === 'tr')
        add(node, node.childNodes.flatMap((cell) => ('childNodes' in cell ? textOf(cell.childNodes) : [])).join(' | '));
      else if (node.tagName === 'li') {
        add(node, `- ${textOf(node.childNodes.filter((child) => !lists.includes(child)))}`);
        visit(lists);
      } else visit(node.childNodes);
    }
  };
  visit(parseFragment(html).childNodes);
  const source = new SourceText(lines.join('\n'));
  if (source.nonBlankLines() === 0) throw new UnreadableDocumentError(plainly('document-without-text'));
  const documentTitle = documentHeading(headings) ?? stemOf(path);
  const sections = sectionsOf(source, { headings, documentTitle, isTable: ({ startLine }) => tables.has(startLine) });
  for (const heading of headings) links.push({ kind: 'define', target: heading.text, line: heading.startLine });
  return { source, parsed: { ...sections, links: [...links, ...textLinks(source)] } };
}

async function htmlOf(bytes: Uint8Array): Promise<string> {
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
    const styleMap = ['comment-reference => sup']; // else comments are left out
    return (await mammoth.convertToHtml({ buffer: unpackDocx(bytes) }, { convertImage, styleMap })).value;
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new UnreadableDocumentError({ code: 'word-damaged', details: { said } }, error);
  }
}

/** Nodes and all that is in them, in document order. */
const allIn = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => ('childNodes' in node ? [node, ...allIn(node.childNodes)] : [node]));

/** The text of some nodes, blanks folded. */
function textOf(nodes: readonly Node[]): string {
  const parts = allIn(nodes).map((node) => ('value' in node ? node.value : node.nodeName === 'br' ? ' ' : ''));
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function hyperlinks(element: Element, line: number): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const inner of allIn([element])) {
    const isLink = 'tagName' in inner && inner.tagName === 'a';
    const target = isLink ? inner.attrs.find(({ name }) => name === 'href')?.value : undefined;
    if (target && !target.startsWith('#'))
      links.push({ kind: /^[a-z]+:/i.test(target) ? 'url' : 'markdown', target, line });
  }
  return links;
}

const MEGABYTE = 2 ** 20;
/** Smaller documents may be packed as well as they like. */
const RATIO_MATTERS_ABOVE = MEGABYTE;

/**
 * A Word document packed anew without compression and without its pictures, for a reader that unpacks whatever it is
 * given. Throws UnreadableDocumentError where the archive has more entries, unpacks to more bytes, has more elements or
 * nests deeper than the limits allow. What is stated in the archive's directory is all that is ever unpacked: an entry
 * that holds more is cut there, and then is no XML any more.
 */
function unpackDocx(bytes: Uint8Array): Buffer {
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
  if (entries > docxEntries) throw overLimit({ code: 'entries', details: { entries, most: docxEntries } });
  if (unpacked > docxUnpackedBytes)
    throw overLimit({
      code: 'unpacked',
      details: { megabytes: Math.round(unpacked / MEGABYTE), most: docxUnpackedBytes / MEGABYTE },
    });
  if (unpacked > RATIO_MATTERS_ABOVE && unpacked > packed * docxRatio)
    throw overLimit({
      code: 'ratio',
      details: { times: Math.round(unpacked / Math.max(1, packed)), most: docxRatio },
    });
  const files = unzipSync(bytes, { filter: ({ name }) => isText(name) });
  let elements = 0;
  for (const [name, content] of Object.entries(files)) {
    const { depth, elements: found } = elementsIn(content);
    elements += found;
    if (depth > docxNesting)
      throw overLimit({ code: 'nesting', details: { depth, part: name.slice(0, 100), most: docxNesting } });
  }
  if (elements > docxElements) throw overLimit({ code: 'elements', details: { elements, most: docxElements } });
  return Buffer.from(zipSync(files, { level: 0 }));
}

const isText = (name: string): boolean => /\.(?:xml|rels)$/i.test(name);
const overLimit = (excess: Excess): UnreadableDocumentError =>
  new UnreadableDocumentError({ code: 'over-limit', details: { document: 'word', excess } });

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
