import { isBlank, type SourceText } from '../text/source-text.ts';
import { dataFile } from '../units/data-units.ts';
import { languageTable, type TextFormat } from './file-format.ts';
import { DEEPEST_KEY, entryNode, type KeyNode, namedItems } from './key-tree.ts';

/** Longer values name nothing. */
const LONGEST_VALUE = 80;

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
  read: (source) => {
    const { nodes, comments } = readKeys(source);
    return dataFile(source, nodes, comments);
  },
};

/** Keys and items of a JSON text, be it whole or not, and the lines that hold something and no token: comments. */
function readKeys(source: SourceText): { nodes: KeyNode[]; comments: Set<number> } {
  const { text, lines } = source;
  const hasComments = /\/[/*]/.test(text);
  const comments = new Set(hasComments ? lines.flatMap((line, i) => (isBlank(line) ? [] : i + 1)) : []);
  const nodes: KeyNode[] = [];
  const open: { node?: KeyNode; items?: number }[] = [];
  let key: JsonToken | undefined;
  let before: JsonToken | undefined;
  for (const token of jsonTokens(text)) {
    const { type } = token;
    const inside = open.at(-1);
    if (hasComments) comments.delete(source.lineAt(token.start));
    if (type === ':') key = before;
    else if (type === '}' || type === ']') {
      const { node } = open.pop() ?? {};
      if (node) node.endLine = source.lineAt(token.start);
    } else if (type !== ',') {
      const opens = type === '{' || type === '[';
      const isItem = !key && inside?.items !== undefined;
      const name = key ? stringValue(text, key) : isItem ? `[${inside.items}]` : '';
      if (isItem) inside.items = (inside.items ?? 0) + 1;
      let node: KeyNode | undefined;
      if ((key || opens) && open.length < DEEPEST_KEY) {
        const isShort = !opens && token.end - token.start <= LONGEST_VALUE;
        const value = isShort ? stringValue(text, token) : '';
        node = { ...entryNode(name, source.lineAt(key?.start ?? token.start)), value, isItem };
        (inside?.node?.children ?? nodes).push(node);
      }
      if (opens) open.push({ node, ...(type === '[' && { items: 0 }) });
    }
    if (type !== ':' && before?.type === ':') key = undefined;
    before = token;
  }
  for (const { node } of open) if (node) node.endLine = source.lineCount;
  namedItems(nodes, false);
  // The one object around everything is the file itself.
  const only = nodes.length === 1 ? nodes[0] : undefined;
  return { nodes: only?.key === '' ? only.children : nodes, comments };
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
