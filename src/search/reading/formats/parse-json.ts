import type { References } from '../../domain/references.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataFile, NAMING_KEYS, type KeyNode } from '../units/data-units.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { Settings } from './settings.ts';

interface Open {
  node: KeyNode;
  isArray: boolean;
  items: number;
  /** Name given by a `name` or `id` inside, best first in NAMING_KEYS. */
  naming?: { rank: number; value: string };
}

/** What nests deeper is left to the lines: nobody names a value by so many keys. */
const DEEPEST = 100;

/** Files of settings, in which comments are allowed. */
const COMMENTED =
  /^(?:tsconfig|jsconfig)(?:\..*)?\.json$|^(?:settings|launch|tasks|keybindings|extensions|devcontainer)\.json$/i;

/**
 * JSON with or without comments: subtrees under their key path; items of lists under their name where they have one.
 */
export const json: TextFormat = {
  name: 'json',
  extensions: languageTable('json=json jsonc=jsonc json5=json webmanifest=json geojson=json code-workspace=jsonc'),
  names: { '.babelrc': 'jsonc', '.eslintrc': 'jsonc', '.prettierrc': 'json' },
  languageOf: (name, language) => (COMMENTED.test(name) ? 'jsonc' : language),
  read: (source) => ({
    ...dataFile(source, jsonKeyTree(source), jsonComments(source)),
    references: jsonSettings(source),
  }),
};

/** Keys of JSON, those of objects in lists left out. */
function jsonSettings(source: SourceText): References | undefined {
  const { text } = source;
  const settings = new Settings();
  const open: { isList: boolean; key: string }[] = [];
  let lists = 0;
  let pending = '';
  let key = '';
  for (const token of jsonTokens(text)) {
    const inside = open.at(-1);
    if (token.type === '{' || token.type === '[') {
      open.push({ isList: token.type === '[', key });
      lists += Number(token.type === '[');
      key = '';
    } else if (token.type === '}' || token.type === ']') {
      lists -= Number(open.pop()?.isList ?? false);
      key = '';
    } else if (token.type === ',') key = '';
    else if (token.type === ':') {
      key = pending;
      if (inside?.isList === false && open.length <= DEEPEST && key !== '')
        settings.add(
          [...open.flatMap((one) => (one.key === '' ? [] : one.key)), key],
          source.lineAt(token.start),
          lists > 0,
        );
    } else pending = token.end - token.start <= 82 ? stringValue(text, token) : '';
  }
  return settings.references();
}

/** Lines that hold something, and no token. */
function jsonComments(source: SourceText): Set<number> {
  const comments = new Set<number>();
  if (!/\/[/*]/.test(source.text)) return comments;
  for (let line = 1; line <= source.lineCount; line++) if (!source.isBlank(line)) comments.add(line);
  for (const { start } of jsonTokens(source.text)) comments.delete(source.lineAt(start));
  return comments;
}

/** Every object or array that spans several lines. */
function jsonKeyTree(source: SourceText): KeyNode[] {
  const { text } = source;
  const top: KeyNode = { key: '', startLine: 1, endLine: source.lineCount, children: [] };
  const stack: Open[] = [];
  let key: JsonToken | undefined;
  let pending: JsonToken | undefined;
  for (const token of jsonTokens(text)) {
    const parent = stack.at(-1);
    if (token.type === ':') key = pending;
    else if (token.type === ',') key = undefined;
    else if (token.type === '{' || token.type === '[') {
      const index = parent?.isArray ? `[${parent.items++}]` : '';
      const startLine = source.lineAt(key?.start ?? token.start);
      stack.push({
        node: { key: key ? stringValue(text, key) : index, startLine, endLine: startLine, children: [] },
        isArray: token.type === '[',
        items: 0,
      });
      key = undefined;
    } else if (token.type === '}' || token.type === ']') {
      const closed = stack.pop();
      if (closed)
        close(closed, source.lineAt(token.start), stack.length < DEEPEST ? (stack.at(-1)?.node ?? top) : undefined);
      key = undefined;
    } else if (key && parent) nameBy(parent, stringValue(text, key), text, token);
    else if (parent?.isArray) parent.items += 1;
    pending = token;
  }
  for (let open = stack.pop(); open; open = stack.pop())
    close(open, source.lineCount, stack.length < DEEPEST ? (stack.at(-1)?.node ?? top) : undefined);
  // The one object around everything is the file itself.
  const only = top.children.length === 1 ? top.children[0] : undefined;
  return only?.key === '' ? only.children : top.children;
}

function close(open: Open, endLine: number, parent: KeyNode | undefined): void {
  const { node } = open;
  node.endLine = endLine;
  if (open.naming && node.key.startsWith('[')) node.key = open.naming.value;
  if (endLine > node.startLine) parent?.children.push(node);
}

function nameBy(open: Open, key: string, text: string, token: JsonToken): void {
  const rank = NAMING_KEYS.indexOf(key);
  if (rank < 0 || token.end - token.start > 80 || (open.naming && open.naming.rank <= rank)) return;
  open.naming = {
    rank,
    value: token.type === 'string' ? stringValue(text, token) : text.slice(token.start, token.end),
  };
}

/** A token of JSON, JSON with comments or JSON5; `word` is any literal, number or bare key. */
export interface JsonToken {
  type: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word';
  start: number;
  /** Exclusive. */
  end: number;
}

const PUNCTUATION = new Set(['{', '}', '[', ']', ',', ':']);

/**
 * The tokens of a JSON text in order, whatever its depth and however broken it is: an unclosed string ends with its
 * line. A scanner of our own, because a parser would recurse and give up at the first mistake.
 */
export function* jsonTokens(text: string): Generator<JsonToken> {
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const start = at;
    if (PUNCTUATION.has(character)) {
      at += 1;
      yield { type: character as JsonToken['type'], start, end: at };
    } else if (character === '"' || character === "'") {
      at = endOfString(text, at, character);
      yield { type: 'string', start, end: at };
    } else if (/\s/.test(character)) at += 1;
    else if (text.startsWith('//', at)) at = after(text, '\n', at);
    else if (text.startsWith('/*', at)) at = after(text, '*/', at + 2);
    else {
      while (at < text.length && !/[\s{}[\],:"']/.test(text[at] ?? '')) at += 1;
      yield { type: 'word', start, end: at };
    }
  }
}

function after(text: string, ending: string, from: number): number {
  const at = text.indexOf(ending, from);
  return at < 0 ? text.length : at + ending.length;
}

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 10) return at;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** The value of a string token; as written when its escapes are broken. */
export function stringValue(text: string, token: JsonToken): string {
  const raw = text.slice(token.start, token.end);
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'string' ? value : raw;
  } catch {
    return raw.replace(/^["']|["']$/g, '');
  }
}
