import { Parser, type CST } from 'yaml';
import type { ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import { textLinks } from '../links/text-links.ts';
import { wikilinksIn } from './markdown/markdown-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataFile, lineComments, NAMING_KEYS, type KeyNode } from '../units/data-units.ts';
import { alike, type TextFormat } from './file-format.ts';
import { yamlSettings } from './settings.ts';

/** Stretches of a document that are not read because of a mistake are tried again in parts, so many levels down. */
const DEEPEST_REPAIR = 12;
/** Where in a document its kind and name are looked for. */
const NAMING_LINES = 60;
/** Entries of a list's item that may hold its name. */
const MOST_ENTRIES = 40;

export const yaml: TextFormat = { name: 'yaml', extensions: alike('yaml yml', 'yaml'), read: parseYaml };

/**
 * YAML by the syntax tree of the `yaml` library: entries of mappings and lists become subtrees under their key path.
 * What the library does not understand (half-typed files, templates) is read in smaller and smaller parts, each up to
 * the next line of the same indentation.
 */
function parseYaml(source: SourceText): ParsedFile {
  const links = [...textLinks(source), ...source.lines.flatMap((line, i) => wikilinksIn(line, i + 1))];
  const nodes = new YamlReader(source).documents();
  return { ...dataFile(source, nodes, lineComments(source, nodes, '#'), links), references: yamlSettings(source) };
}

/** A value that is still to be walked, and the place in `found` of the node that it belongs to. */
interface Waiting {
  token: CST.Token;
  parent: number;
}

/** A node with the place of the one above it in the list of those found; -1 at the top. */
type Found = KeyNode & { parent: number };

class YamlReader {
  /** Characters that may still be given to the library; keys at the left margin are found without it. */
  #charactersLeft: number = readingLimits.yamlCharacters;
  readonly #source: SourceText;
  /** The lines as the library gets them: expressions of templates are blanked out. */
  readonly #lines: readonly string[];
  /** Of the document that is being read. */
  #kind = '';
  #name = '';

  constructor(source: SourceText) {
    this.#source = source;
    this.#lines = withoutTemplates(source.lines);
  }

  /** One node for each document that holds something; the nodes of a single document themselves. */
  documents(): KeyNode[] {
    const found: KeyNode[] = [];
    let count = 0;
    let start = 1;
    for (let line = 1; line <= this.#source.lineCount + 1; line++) {
      if (line <= this.#source.lineCount && !isDocumentMark(this.#source.line(line))) continue;
      if (line > start) {
        count += 1;
        const document = this.#document({ startLine: start, endLine: line - 1 }, count);
        if (document.children.length > 0) found.push(document);
      }
      start = line;
    }
    return found.length === 1 && found[0] ? found[0].children : found;
  }

  #document(stretch: LineRange, number: number): KeyNode {
    this.#kind = '';
    this.#name = '';
    const node: KeyNode = { key: '', ...stretch, children: [] };
    const startLine = stretch.startLine + (isDocumentMark(this.#source.line(stretch.startLine)) ? 1 : 0);
    this.#readParts(this.#partsOf({ ...stretch, startLine }), node, 0);
    node.key = [this.#kind, this.#name].filter(Boolean).join(' ') || `document ${number}`;
    return node;
  }

  /** Cuts lines before each line of the smallest indentation among them. */
  #partsOf({ startLine, endLine }: LineRange): LineRange[] {
    let indent = Infinity;
    for (let line = startLine; line <= endLine; line++)
      if (this.#holdsText(line)) indent = Math.min(indent, indentOf(this.#lineAt(line)));
    const parts: LineRange[] = [];
    for (let line = startLine; line <= endLine; line++) {
      if (!this.#holdsText(line)) continue;
      const last = parts.at(-1);
      if (last === undefined || (indentOf(this.#lineAt(line)) <= indent && !this.#goesOn(last.startLine, line)))
        parts.push({ startLine: line, endLine: line });
      else last.endLine = line;
    }
    return parts;
  }

  /** A list may stand at the indentation of its key, and so may the bracket that closes a value. */
  #goesOn(firstLine: number, line: number): boolean {
    const text = this.#lineAt(line).trimStart();
    const first = this.#lineAt(firstLine).trimStart();
    return (
      /^[\]})]/.test(text) ||
      (isItem(text) && !isItem(first) && /:(?:\s|$)/.test(first.slice(-40)) && first.trimEnd().endsWith(':'))
    );
  }

  #readParts(parts: readonly LineRange[], parent: KeyNode, depth: number): void {
    let items = 0;
    for (const part of parts) {
      const isListItem = isItem(this.#lineAt(part.startLine).trimStart());
      const nodes = this.#nodesOf(part, isListItem ? items : 0, depth) ?? [
        this.#repaired(part, isListItem ? items : 0, depth),
      ];
      if (isListItem) items += 1;
      for (const node of nodes) if (node.endLine > node.startLine) parent.children.push(node);
    }
  }

  /** A part whose first line says what it is called, and whose other lines are read in parts of their own. */
  #repaired(part: LineRange, index: number, depth: number): KeyNode {
    const first = this.#nodesOf({ startLine: part.startLine, endLine: part.startLine }, index, depth)?.[0];
    const text = this.#lineAt(part.startLine).trim();
    const colon = text.indexOf(':');
    const key = first?.key ?? (colon > 0 && colon < 120 ? text.slice(0, colon) : isItem(text) ? `[${index}]` : '');
    const node: KeyNode = { key, ...part, children: [] };
    if (depth < DEEPEST_REPAIR && part.endLine > part.startLine && this.#charactersLeft > 0)
      this.#readParts(this.#partsOf({ ...part, startLine: part.startLine + 1 }), node, depth + 1);
    return node;
  }

  /**
   * What the library makes of some lines; undefined when it finds a mistake in them, or when they are more than it is
   * given.
   */
  #nodesOf(part: LineRange, index: number, depth: number): KeyNode[] | undefined {
    const text = this.#lines.slice(part.startLine - 1, part.endLine).join('\n');
    if (text.length > this.#charactersLeft || !isWithinNesting(text)) return undefined;
    this.#charactersLeft -= text.length;
    const values: CST.Token[] = [];
    for (const token of new Parser().parse(text)) {
      if (
        token.type === 'error' ||
        (token.type === 'document' && token.end?.some((end) => (end.type as string) === 'error'))
      )
        return undefined;
      if (token.type === 'document' && token.value) values.push(token.value);
    }
    const base = this.#source.offsetOf(part.startLine);
    const found: Found[] = [];
    const waiting: Waiting[] = values.map((token) => ({ token, parent: -1 }));
    for (let next = 0; next < waiting.length; next++) {
      const { token, parent } = waiting[next] ?? { token: undefined, parent: -1 };
      if (!token || isUnclosed(token)) return undefined;
      reachTo(found, parent, this.#source.lineAt(base + endOf(token, text)));
      if (!('items' in token)) continue;
      const isList = token.type === 'block-seq' || (token.type === 'flow-collection' && token.start.source === '[');
      const names = isList ? this.#namesOfItems(token.items, base) : [];
      token.items.forEach((item, i) => {
        const key = isList ? (names[i] ?? `[${i + (parent < 0 ? index : 0)}]`) : this.#wordsOf(item.key, base);
        const start = offsetOf(item);
        if (key === undefined || start === undefined) return;
        if (parent < 0 && depth === 0 && part.startLine < NAMING_LINES) this.#noteName(key, item.value, base);
        const line = this.#source.lineAt(base + start);
        const isText = item.value?.type.endsWith('scalar');
        found.push({ key, startLine: line, endLine: line, children: [], isText, parent });
        reachTo(found, parent, line);
        if (item.value) waiting.push({ token: item.value, parent: found.length - 1 });
      });
    }
    return treeOf(found);
  }

  /** `kind` and `metadata.name`, as Kubernetes documents have them; or a `name` at the top. */
  #noteName(key: string, value: CST.Token | undefined, base: number): void {
    if (key === 'kind') this.#kind = this.#wordsOf(value, base) ?? '';
    else if (key === 'name') this.#name ||= this.#wordsOf(value, base) ?? '';
    else if (key === 'metadata' && value?.type === 'block-map') {
      const named = value.items.find((item) => this.#wordsOf(item.key, base) === 'name');
      if (named) this.#name = this.#wordsOf(named.value, base) ?? '';
    }
  }

  /**
   * What the items of a list are called: by their names; where they have none, by what they begin with, if no other
   * begins with it (`- alert: HighLoad`, `- package-ecosystem: cargo`).
   */
  #namesOfItems(items: readonly CST.CollectionItem[], base: number): (string | undefined)[] {
    const told = items.map(({ value }) => {
      const entries = value?.type === 'block-map' || value?.type === 'flow-collection' ? value.items : [];
      const texts = entries.slice(0, MOST_ENTRIES).map((entry) => {
        const text = this.#wordsOf(entry.value, base);
        return { key: this.#wordsOf(entry.key, base) ?? '', text: text && text.length < 80 ? text : undefined };
      });
      const ranked = NAMING_KEYS.flatMap((key) => texts.find((entry) => entry.key === key)?.text ?? []);
      const begins = texts.length > 1 && /\p{L}/u.test(texts[0]?.text ?? '') ? texts[0]?.text : undefined;
      return { name: ranked[0], begins };
    });
    const counts = new Map<string | undefined, number>();
    for (const { begins } of told) counts.set(begins, (counts.get(begins) ?? 0) + 1);
    return told.map(({ name, begins }) => name ?? (counts.get(begins) === 1 ? begins : undefined));
  }

  /** A scalar as it is written, templates included, without its quotes; undefined for anything else. */
  #wordsOf(token: CST.Token | null | undefined, base: number): string | undefined {
    switch (token?.type) {
      case 'scalar':
      case 'alias':
        return this.#source.text.slice(base + token.offset, base + token.offset + token.source.length);
      case 'double-quoted-scalar':
      case 'single-quoted-scalar':
        return this.#source.text.slice(base + token.offset + 1, base + token.offset + token.source.length - 1);
      default:
        return undefined;
    }
  }

  #lineAt(line: number): string {
    return this.#lines[line - 1] ?? '';
  }

  /** Neither blank nor a comment alone. */
  #holdsText(line: number): boolean {
    const text = this.#lineAt(line).trimStart();
    return text !== '' && !text.startsWith('#');
  }
}

const isDocumentMark = (line: string): boolean =>
  (line.startsWith('---') || line.startsWith('...')) && (line.length === 3 || /\s/.test(line[3] ?? ''));
const isItem = (text: string): boolean => text === '-' || text.startsWith('- ') || text.startsWith('-\t');
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A value in quotes or brackets that the text ends before. */
function isUnclosed(token: CST.Token): boolean {
  switch (token.type) {
    case 'flow-collection':
      return !token.end.some((end) => end.type === 'flow-map-end' || end.type === 'flow-seq-end');
    case 'double-quoted-scalar':
      return token.source.length < 2 || !token.source.endsWith('"');
    case 'single-quoted-scalar':
      return token.source.length < 2 || !token.source.endsWith("'");
    default:
      return false;
  }
}

/** Offset of the last character of a value; of its first, for a collection, whose end is that of what it holds. */
function endOf(token: CST.Token, text: string): number {
  if (token.type === 'flow-collection') return token.end.at(-1)?.offset ?? token.offset;
  if ('items' in token || !('source' in token)) return token.offset;
  const head =
    token.type === 'block-scalar'
      ? token.props.reduce((length, prop) => length + ('source' in prop ? prop.source.length : 0), 0)
      : 0;
  const written = text.slice(token.offset, token.offset + head + token.source.length).trimEnd();
  return token.offset + Math.max(0, written.length - 1);
}

type Item = CST.BlockMap['items'][number] | CST.BlockSequence['items'][number] | CST.FlowCollection['items'][number];

function offsetOf({ start, key, sep, value }: Item): number | undefined {
  const mark = start.find((token) => token.type === 'seq-item-ind' || token.type === 'explicit-key-ind');
  return (mark ?? key ?? sep?.find((token) => token.type === 'map-value-ind') ?? value)?.offset;
}

/** Makes a node, and those that it stands in, reach as far as a line. */
function reachTo(found: readonly Found[], at: number, line: number): void {
  for (let node = found[at]; node && node.endLine < line; node = found[node.parent]) node.endLine = line;
}

/** Hangs nodes of several lines under their parents, which come before them in the list. */
function treeOf(found: readonly Found[]): KeyNode[] {
  const top: KeyNode[] = [];
  for (const node of found) if (node.endLine > node.startLine) (found[node.parent]?.children ?? top).push(node);
  return top;
}

/** Deeper flow collections, or lists opened on one line, cost the library quadratic time or its stack. */
const DEEPEST_FLOW = 64;
const MOST_INDICATORS = 64;
const TEMPLATES = [
  { start: '{{', end: '}}' },
  { start: '{%', end: '%}' },
];

/**
 * The lines with the expressions of templates (Helm, Jinja, Ansible) put out of the way, every column kept: as a
 * comment where nothing else is on the line, as a word where something is.
 */
function withoutTemplates(lines: readonly string[]): string[] {
  return lines.map((line) => (line.includes('{{') || line.includes('{%') ? withoutExpressions(line) : line));
}

function withoutExpressions(line: string): string {
  let plain = '';
  let kept = 0;
  let covered = 0;
  for (let at = line.indexOf('{'); at >= 0; at = line.indexOf('{', Math.max(at + 1, kept))) {
    const template = TEMPLATES.find(({ start }) => line.startsWith(start, at));
    const closing = template ? line.indexOf(template.end, at + 2) : -1;
    if (template && closing < 0) break;
    if (!template) continue;
    const end = closing + template.end.length;
    plain += line.slice(kept, at) + 'x'.repeat(end - at);
    kept = end;
    covered += end - at;
  }
  plain += line.slice(kept);
  if (covered === 0 || covered < line.trim().length) return plain;
  const indent = line.length - line.trimStart().length;
  return `${line.slice(0, indent)}#${plain.slice(indent + 1)}`;
}

/**
 * True when no line opens so many lists and keys, and no value so many brackets, that the library would take long over
 * it.
 */
function isWithinNesting(text: string): boolean {
  let depth = 0;
  let indicators = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 10:
        indicators = 0;
        break;
      case 91:
      case 123:
        depth += 1;
        break; // [ {
      case 93:
      case 125:
        depth = Math.max(0, depth - 1);
        break; // ] }
      case 45:
      case 63:
      case 58:
        indicators += isIndicatorEnd(text.charCodeAt(at + 1)) ? 1 : 0;
        break; // - ? :
    }
    if (depth > DEEPEST_FLOW || indicators > MOST_INDICATORS) return false;
  }
  return true;
}

const isIndicatorEnd = (code: number): boolean => Number.isNaN(code) || code === 32 || code === 10 || code === 9;
