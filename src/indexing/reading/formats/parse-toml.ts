import type { ParsedFile } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { keyBlocks, type KeyNode } from './key-tree.ts';

const TABLE = /^\s*(\[\[?)\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/;
/** A value that is still open after so many lines was never closed. */
const LONGEST_VALUE = 500;
const ASSIGNMENT = /^\s*([\w."'-]+)\s*=\s*(.*)$/;

/** TOML and INI-like tables: one subtree per `[table]`, multi-line values under their key. Comments above a table belong to it. */
export function parseToml(source: SourceText): ParsedFile {
  const tables: KeyNode[] = [];
  let comment = 0;
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line);
    const open = tables.at(-1);
    if (/^\s*#/.test(text)) {
      comment ||= line;
      continue;
    }
    const header = TABLE.exec(text)?.[2];
    const above = comment > 0 ? comment : line;
    comment = 0;
    if (header) {
      if (open) open.endLine = above - 1;
      tables.push({ key: keyPath(header), startLine: above, endLine: source.lineCount, children: [] });
      continue;
    }
    const assignment = ASSIGNMENT.exec(text);
    if (!assignment) continue;
    if (open && assignment[1] === 'name' && /\[\[/.test(source.line(open.startLine)) && !open.key.includes(':')) open.key += `: ${(assignment[2] ?? '').replace(/["']/g, '').trim()}`;
    const endLine = endOfValue(source, line, assignment[2] ?? '');
    if (endLine > line) (open?.children ?? tables).push({ key: assignment[1] ?? '', startLine: line, endLine, children: [] });
    line = endLine;
  }
  return { blocks: keyBlocks(tables), links: textLinks(source), rest: { kind: 'data', family: 'code', title: '' } };
}

const keyPath = (header: string): string => header.split('.').map((part) => part.replace(/["']/g, '').trim()).join('.');

function endOfValue(source: SourceText, line: number, value: string): number {
  const quotes = /^(?:"""|''')/.exec(value)?.[0];
  if (quotes) {
    if (value.indexOf(quotes, 3) >= 0) return line;
    for (let next = line + 1; next <= source.lineCount; next++) if (source.line(next).includes(quotes)) return next;
    return source.lineCount;
  }
  if (!/^[[{]/.test(value)) return line;
  let depth = 0;
  for (let next = line; next <= Math.min(source.lineCount, line + LONGEST_VALUE); next++) {
    const text = (next === line ? value : source.line(next)).replace(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, '');
    for (const character of text) depth += character === '[' || character === '{' ? 1 : character === ']' || character === '}' ? -1 : 0;
    if (depth <= 0) return next;
    if (next > line && TABLE.test(source.line(next)) && source.line(next).startsWith('[')) return next - 1; // never closed
  }
  return line;
}
