import type { ParsedFile } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataFile, lineComments, type KeyNode } from '../units/data-units.ts';
import type { TextFormat } from './file-format.ts';
import { Settings } from './settings.ts';

/** A value that is still open after so many lines was never closed. */
const LONGEST_VALUE = 500;

export const toml: TextFormat = { name: 'toml', extensions: { toml: 'toml' }, read: parseToml };

/**
 * TOML and INI-like tables: one subtree per `[table]`, multi-line values under their key. A scan of the lines, because
 * the libraries that read TOML give no positions.
 */
function parseToml(source: SourceText): ParsedFile {
  const tables: KeyNode[] = [];
  const settings = new Settings();
  let table: string[] = [];
  const values = new OpenValues(source);
  for (let line = 1; line <= source.lineCount; line++) {
    const text = source.line(line).trim();
    const open = tables.at(-1);
    if (text.startsWith('#')) continue;
    const header = tableName(text);
    if (header) {
      if (open) open.endLine = line - 1;
      table = [keyPath(header)];
      tables.push({ key: keyPath(header), startLine: line, endLine: source.lineCount, children: [] });
      continue;
    }
    const assignment = assignmentIn(text);
    if (!assignment) continue;
    const { key, value } = assignment;
    settings.add([...table, keyPath(key)], line, open && source.line(open.startLine).includes('[['));
    if (open && key === 'name' && source.line(open.startLine).includes('[[') && !open.key.includes(':'))
      open.key += `: ${value.slice(0, 200).replace(/["']/g, '').trim()}`;
    const endLine = values.endOf(line, value);
    const isText = /^(?:"""|''')/.test(value);
    if (endLine > line) (open?.children ?? tables).push({ key, startLine: line, endLine, children: [], isText });
    line = endLine;
  }
  return { ...dataFile(source, tables, lineComments(source, tables, '#')), references: settings.references() };
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

/**
 * Finds where values end that go on for several lines. Each line's brackets are counted once, however many values are
 * left open.
 */
class OpenValues {
  readonly #balances: (number | undefined)[] = [];
  readonly #source: SourceText;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Last line of a value that begins on a line. */
  endOf(line: number, value: string): number {
    const quotes = value.startsWith('"""') ? '"""' : value.startsWith("'''") ? "'''" : undefined;
    if (quotes) return value.indexOf(quotes, 3) >= 0 ? line : this.#lineWith(quotes, line + 1);
    if (!value.startsWith('[') && !value.startsWith('{')) return line;
    let depth = bracketBalance(value);
    for (let next = line + 1; depth > 0; next++) {
      if (next > Math.min(this.#source.lineCount, line + LONGEST_VALUE)) return line;
      depth += this.#balances[next] ??= bracketBalance(this.#source.line(next));
      if (
        depth > 0 &&
        this.#source.line(next).startsWith('[') &&
        tableName(this.#source.line(next).slice(0, 500).trim())
      )
        return next - 1; // never closed
      if (depth <= 0) return next;
    }
    return line;
  }

  #lineWith(quotes: string, from: number): number {
    for (let line = from; line <= this.#source.lineCount; line++)
      if (this.#source.line(line).includes(quotes)) return line;
    return this.#source.lineCount;
  }
}

/** Opening brackets less closing ones, outside strings and comments. */
function bracketBalance(text: string): number {
  let balance = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '#') break;
    else if (character === '[' || character === '{') balance += 1;
    else if (character === ']' || character === '}') balance -= 1;
  }
  return balance;
}
