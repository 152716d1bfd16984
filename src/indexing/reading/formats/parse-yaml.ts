import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { wikilinksIn } from '../links/wikilinks.ts';
import type { SourceText } from '../text/source-text.ts';
import { keyBlocks, NAMING_KEYS, type KeyNode } from './key-tree.ts';

interface Open {
  node: KeyNode;
  indent: number;
  items: number;
}

const ENTRY = /^(\s*)((?:-\s+)*)(?:(["']?)([^\s"'#&*!|>{[%@,][^"']*?)\3\s*:(?:\s+(.*))?)?$/;
const BLOCK_SCALAR = /(?:^|\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$/;

/**
 * YAML by its indentation, which is its structure: a mapping's or list's entries become subtrees under their key path. What
 * stands in block scalars is text. A full parser would reject templates and broken files, which are worth finding too.
 */
export function parseYaml(source: SourceText): ParsedFile {
  const links = textLinks(source);
  source.lines.forEach((line, i) => links.push(...wikilinksIn(line, i + 1)));
  return { blocks: keyBlocks(yamlKeyTree(source)), links, rest: { kind: 'data', family: 'code', title: '' } };
}

function yamlKeyTree(source: SourceText): KeyNode[] {
  const documents: KeyNode[] = [];
  let start = 1;
  for (let line = 1; line <= source.lineCount + 1; line++) {
    const ends = line > source.lineCount || /^(?:---|\.\.\.)(?:\s|$)/.test(source.line(line));
    if (!ends) continue;
    if (line > start) documents.push(readDocument(source, start, line - 1, documents.length));
    start = line;
  }
  const filled = documents.filter((document) => document.children.length > 0);
  return filled.length === 1 && filled[0] ? filled[0].children : filled;
}

function readDocument(source: SourceText, startLine: number, endLine: number, index: number): KeyNode {
  const top: KeyNode = { key: documentName(source, startLine, endLine) ?? `document ${index + 1}`, startLine, endLine, children: [] };
  const stack: Open[] = [{ node: top, indent: -1, items: 0 }];
  let lastLine = startLine;
  for (let line = startLine; line <= endLine; line++) {
    const text = source.line(line);
    if (text.trim() === '' || /^\s*#/.test(text) || text.startsWith('---')) continue;
    const entry = ENTRY.exec(text);
    const indent = text.search(/\S/);
    closeDeeper(stack, indent, lastLine);
    lastLine = line;
    if (!entry) continue;
    if (BLOCK_SCALAR.test(entry[5] ?? text)) lastLine = endOfScalar(source, line, endLine, indent + dashes(entry[2]));
    openEntries(stack, entry, line, indent);
    line = lastLine;
  }
  closeDeeper(stack, 0, lastLine);
  return top;
}

const dashes = (text: string | undefined): number => (text ?? '').lastIndexOf('-') + 1;

function openEntries(stack: Open[], entry: RegExpExecArray, line: number, indent: number): void {
  const [, , items = '', , key, value = ''] = entry;
  let column = indent;
  for (let at = items.indexOf('-'); at >= 0; at = items.indexOf('-', at + 1)) {
    const parent = stack.at(-1);
    if (!parent) return;
    const naming = key && NAMING_KEYS.includes(key) && value.length < 80 ? value.replace(/^["']|["']$/g, '') : '';
    open(stack, naming || `[${parent.items}]`, line, indent + at);
    parent.items += 1;
    column = indent + at + (items.slice(at + 1).search(/[^\s]/) < 0 ? items.length - at : items.slice(at + 1).search(/[^\s]/) + 1);
  }
  if (key !== undefined && key.length < 120) open(stack, key, line, column);
}

function open(stack: Open[], key: string, line: number, indent: number): void {
  stack.push({ node: { key, startLine: line, endLine: line, children: [] }, indent, items: 0 });
}

/** Entries at the same or a deeper indentation are over; those of a single line stay with their parent. */
function closeDeeper(stack: Open[], indent: number, lastLine: number): void {
  for (let open = stack.at(-1); open && open.indent >= indent && stack.length > 1; open = stack.at(-1)) {
    stack.pop();
    open.node.endLine = lastLine;
    if (lastLine > open.node.startLine) stack.at(-1)?.node.children.push(open.node);
  }
}

function endOfScalar(source: SourceText, line: number, endLine: number, indent: number): number {
  let last = line;
  for (let next = line + 1; next <= endLine; next++) {
    if (source.isBlank(next)) continue;
    if (source.line(next).search(/\S/) <= indent) break;
    last = next;
  }
  return last;
}

/** `kind` and `metadata.name`, as Kubernetes documents have them. */
function documentName(source: SourceText, startLine: number, endLine: number): string | undefined {
  const text = source.slice(startLine, Math.min(endLine, startLine + 60));
  const kind = /^kind:\s*(\S+)/m.exec(text)?.[1];
  const name = /^(?:metadata:\s*\n(?:\s+.*\n)*?\s+)?name:\s*["']?([^"'\n]+)/m.exec(text)?.[1]?.trim();
  return kind ? [kind, name].filter(Boolean).join(' ') : name;
}
