import type { ParsedFile } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataFile, lineComments } from '../units/data-units.ts';
import type { TextFormat } from './file-format.ts';
import { entryNode, type KeyNode } from './key-tree.ts';

export const toml: TextFormat = { name: 'toml', extensions: { toml: 'toml' }, read: parseToml };

/**
 * TOML and INI-like tables: one subtree per `[table]`, multi-line values under their key. A scan of the lines, because
 * the libraries that read TOML give no positions.
 */
function parseToml(source: SourceText): ParsedFile {
  const nodes: KeyNode[] = [];
  let table: KeyNode | undefined;
  /** A value that goes on below, with what ends it: as many brackets, or quotation marks. */
  let open: { node: KeyNode; depth: number; quotes: string } | undefined;
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line).trim();
    const isText = open !== undefined && open.quotes !== '';
    const header = isText ? undefined : tableName(text);
    const { key, value } = (!isText && assignmentIn(text)) || {};
    if (header !== undefined) {
      if (table) table.endLine = line - 1;
      table = { ...entryNode(keyPath(header), line), isHeader: true, isItem: text.startsWith('[[') };
      table.endLine = source.lineCount;
      nodes.push(table);
      open = undefined;
    } else if (key !== undefined && value !== undefined) {
      const quotes = ['"""', "'''"].find((marks) => value.startsWith(marks)) ?? '';
      const node = { ...entryNode(keyPath(key), line, value), isText: quotes !== '' };
      (table?.children ?? nodes).push(node);
      if (table?.isItem && key === 'name' && !table.key.includes(':')) table.key += `: ${node.value ?? ''}`;
      const depth = /^[[{]/.test(value) ? bracketBalance(value) : 0;
      const goesOn = quotes === '' ? depth > 0 : !value.includes(quotes, quotes.length);
      open = goesOn ? { node, depth, quotes } : undefined;
    } else if (open) {
      open.node.endLine = line;
      open.depth += isText ? 0 : bracketBalance(text);
      if (isText ? text.includes(open.quotes) : open.depth <= 0) open = undefined;
    }
  }
  return dataFile(source, nodes, lineComments(source, nodes, '#'));
}

const keyPath = (header: string): string =>
  header
    .slice(0, 200)
    .split('.')
    .map((part) => part.replace(/["']/g, '').trim())
    .join('.');

/** `[table]`, `[[table]]`, with a comment behind it or none; the text has no blanks around it. */
function tableName(text: string): string | undefined {
  if (!text.startsWith('[')) return undefined;
  const start = text.startsWith('[[') ? 2 : 1;
  const end = text.indexOf(']');
  const name = end < 0 ? '' : text.slice(start, end).trim();
  const behind = text.slice(text[end + 1] === ']' ? end + 2 : end + 1).trimStart();
  return name === '' || name.includes('[') || (behind !== '' && !behind.startsWith('#')) ? undefined : name;
}

function assignmentIn(text: string): { key: string; value: string } | undefined {
  const equals = text.indexOf('=');
  const key = text.slice(0, Math.max(0, equals)).trimEnd();
  return /^[\w."'-]+$/.test(key) ? { key, value: text.slice(equals + 1).trimStart() } : undefined;
}

/** Opening brackets less closing ones, outside strings and comments. */
function bracketBalance(text: string): number {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?|#.*/g, '');
  return bare.replace(/[^[{]/g, '').length - bare.replace(/[^\]}]/g, '').length;
}
