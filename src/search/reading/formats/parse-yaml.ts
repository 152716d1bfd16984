import { textLinks } from '../links/text-links.ts';
import { wikilinksIn } from './markdown/markdown-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataFile, lineComments } from '../units/data-units.ts';
import { alike, type TextFormat } from './file-format.ts';
import { DEEPEST_KEY, entryNode, type KeyNode, namedItems } from './key-tree.ts';
import { settingsOf } from './settings.ts';

/** Longer keys are texts. */
const LONGEST_KEY = 200;

/** YAML: entries of mappings and lists under their key path; of several documents each under its kind and name. */
export const yaml: TextFormat = {
  name: 'yaml',
  extensions: alike('yaml yml', 'yaml'),
  read: (source) => {
    const documents = documentsOf(source);
    const entries = documents.flatMap(({ children }) => children);
    const holding = documents.filter(({ children }) => children.some((one) => one.endLine > one.startLine));
    const nodes = holding.length === 1 ? (holding[0]?.children ?? []) : holding;
    const links = [...textLinks(source), ...source.lines.flatMap((line, i) => wikilinksIn(line, i + 1))];
    return dataFile(source, nodes, lineComments(source, entries, '#'), { links, references: settingsOf(entries) });
  },
};

/** A key or an item that is open, with its column: what stands deeper belongs to it. */
interface Open {
  node: KeyNode;
  column: number;
}

/**
 * Keys and items by their indentation, be the file whole, half-typed or a template. A library would give up at the
 * first mistake, take long over what is nested, and know nothing of the marks of Helm, Jinja and Ansible.
 */
function documentsOf(source: SourceText): KeyNode[] {
  const documents: KeyNode[] = [];
  let open: Open[] = [];
  /** The column of what has a text of several lines. */
  let textOf = Infinity;
  for (let line = 1; line <= source.lineCount; line++) {
    const written = source.line(line);
    let rest = written.trim();
    let column = written.length - written.trimStart().length;
    const begin = (key: string, at: number, value?: string): KeyNode => {
      const node = entryNode(key, line, value);
      open.at(-1)?.node.children.push(node);
      open.push({ node, column: at });
      return node;
    };
    const isText = column > textOf;
    if (rest === '' || (!isText && (rest.startsWith('#') || isTemplate(rest)))) continue;
    if (isDocumentMark(written) || documents.length === 0) {
      open = [];
      documents.push(begin(`document ${documents.length + 1}`, -1));
      if (isDocumentMark(written)) continue;
    }
    if (!isText) {
      // A list, and a bracket that closes a value, may stand at the column of their key.
      const reach = column + (/^(?:-(?:[ \t]|$)|[\]})])/.test(rest) ? 0.5 : 0);
      open = open.filter((one) => one.column < reach);
      while (/^-(?:[ \t]|$)/.test(rest) && open.length < DEEPEST_KEY) {
        const behind = rest.slice(1).trimStart();
        begin(`[${open.at(-1)?.node.children.length}]`, column + 0.5, behind).isItem = true;
        column += rest.length - behind.length;
        rest = behind;
      }
      const entry = open.length < DEEPEST_KEY ? entryIn(rest) : undefined;
      if (entry) begin(entry.key, column, isOpenText(entry.value) && !/^[|>]/.test(entry.value) ? entry.value : '');
      const { node, column: at } = open.at(-1) as Open;
      node.isText = node.startLine === line && isOpenText(entry?.value ?? rest);
      textOf = node.isText ? Math.floor(at) : Infinity;
    }
    for (const { node } of open) node.endLine = line;
  }
  for (const [i, document] of documents.entries()) {
    document.endLine = (documents[i + 1]?.startLine ?? source.lineCount + 1) - 1;
    document.key = nameOf(document) || document.key;
    namedItems(document.children);
  }
  return documents;
}

const isDocumentMark = (line: string): boolean => /^(?:---|\.\.\.)(?:\s|$)/.test(line);
/** A line for a template's own program. */
const isTemplate = (text: string): boolean => /^\{\{.*\}\}$|^\{%.*%\}$/.test(text);
/** What does not begin a list or mapping on the lines below: words, quotation marks, `|` and `>`. */
const isOpenText = (value: string): boolean => value !== '' && !/^(?:[[{#]|[&*!][^\s]*(?:\s|$))/.test(value);

function entryIn(text: string): { key: string; value: string } | undefined {
  const colon = text.slice(0, LONGEST_KEY).search(/:(?:[ \t]|$)/);
  const [, quoted] = /^(["'])(.+)\1$/.exec(text.slice(0, Math.max(0, colon)).trimEnd())?.slice(1) ?? [];
  const key = quoted ?? text.slice(0, Math.max(0, colon)).trimEnd();
  if (key === '' || (quoted === undefined && /^(?:["'#[\]}]|\{(?!\{))|\s#/.test(key))) return undefined;
  const value = text.slice(colon + 1).trim();
  return { key, value: value.startsWith('#') ? '' : value };
}

/** `kind` and `metadata.name`, as Kubernetes documents have them; or a `name` at the top. */
function nameOf({ children }: KeyNode): string {
  const valueOf = (nodes: readonly KeyNode[] = [], key: string): string | undefined =>
    nodes.find((node) => node.key === key)?.value;
  const metadata = children.find(({ key }) => key === 'metadata')?.children;
  return [valueOf(children, 'kind'), valueOf(metadata, 'name') ?? valueOf(children, 'name')].filter(Boolean).join(' ');
}
