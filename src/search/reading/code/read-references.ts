import type { Node, Query, QueryMatch } from '@vscode/tree-sitter-wasm';
import type { Definition, DefinitionKind, ImportUse, References, Use, UseKind } from '../../domain/references.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import type { CodeLanguage } from './code-language.ts';
import { optionNamed, optionsWritten } from './command-line-options.ts';
import { lastRowOf, spanOf } from './syntax-nodes.ts';
import { isCommonName } from './symbol-links.ts';
import { BYTES_PER_CHARACTER } from './tree-sitter-runtime.ts';
import { LocalNames, namedType, valuePath, valueType, writtenName } from './written-names.ts';

/** What of a name decides, where several patterns find it: the more special first. */
const RANK: Readonly<Record<UseKind, number>> = {
  extends: 0,
  implements: 1,
  throw: 2,
  set: 3,
  call: 4,
  key: 5,
  type: 6,
  read: 7,
  mention: 8,
};
/** Of two patterns for the same, that which tells the type of what stands before the name. */
const isMoreSpecial = (use: Found['use'], known: Found['use']): boolean =>
  RANK[use.kind] < RANK[known.kind] ||
  (use.kind === known.kind && use.receiver.startsWith('^') && known.receiver === '');
/** Values are called so in most languages: constants, classes, Go's exported names. */
const NOTABLE = /^[A-Z][A-Za-z0-9_]{2,}$/;
const KEY = /^[\w$./:@#{}*-]{2,80}$/;
/** A route has brackets of other kinds, too: `/users/<int:id>`, `api/[controller]`. */
const ROUTE = /^(?:\/|[\w-]{1,40}\/)[\w./:{}<>[\]*?-]{1,80}$/;
/**
 * What stands for a setting where it is put in: `${shop.timeout:30}`; Kotlin keeps the mark from meaning a variable.
 */
const PUT_IN = /^\\?\$\{([\w.-]{2,80})(?::[^{}]{0,80})?\}$/;
const LONGEST_TEXT = 160;
/** Characters whose matches are asked for at once. */
const STRETCH = 131_072;

/** What of a language decides how its names are read. */
type LanguageHabits = Pick<CodeLanguage, 'parent' | 'sharesNames'>;

/** A use on its way, and the offset of its name. */
interface Found {
  use: Omit<Use, 'line'>;
  at: number;
}

interface Declared extends Definition {
  start: number;
  end: number;
  nameStart: number;
}

/**
 * Definitions and uses of a file by its language's patterns. Half-typed code gives what can be read. A tree that is
 * nested once per character would take minutes, so that the query ends at a deadline, the sooner the longer the parse
 * took; what it has found until then is what there is.
 * @param imports As the file's links were read.
 * @param now Milliseconds since the parse began, of the process's own work.
 */
export function readReferences(
  root: Node,
  query: Query,
  source: SourceText,
  imports: readonly ImportUse[],
  now: () => number,
  habits: LanguageHabits = {},
): References {
  const deadline = Math.min(now() + readingLimits.referencesMilliseconds, readingLimits.syntaxMilliseconds);
  const { matches, cut: wasCut } = matchesOf(root, query, source.text.length, () => now() > deadline);
  const file = new FileReader(source, imports, habits);
  file.read(matches);
  const cut = wasCut || file.isFull;
  return {
    definitions: file.definitions.map(({ start: _start, end: _end, nameStart: _nameStart, ...plain }) => plain),
    uses: file.uses,
    imports: [...imports, ...file.defaults],
    ...(cut && { cut }),
  };
}

/**
 * What the patterns find in a text of so many characters. Of a long one it is asked for stretch by stretch, so that a
 * text with a match at every character is left before all memory is gone.
 */
function matchesOf(
  root: Node,
  query: Query,
  length: number,
  isLate: () => boolean,
): { matches: QueryMatch[]; cut: boolean } {
  const matches: QueryMatch[] = [];
  let cut = false;
  for (let start = 0; start < length && !cut; start += STRETCH) {
    const end = start + STRETCH;
    const found = query.matches(root, {
      matchLimit: readingLimits.referenceMatches,
      // The runtime stops when the callback returns true; its typings forgot the result.
      progressCallback: () => (cut ||= isLate()),
      ...(length > STRETCH && { startIndex: start * BYTES_PER_CHARACTER, endIndex: end * BYTES_PER_CHARACTER }),
    });
    cut ||= query.didExceedMatchLimit();
    for (const match of found) {
      // What reaches into several stretches is found in each, and belongs to the one where it begins.
      const at = length > STRETCH ? beginOf(match) : start;
      if (at >= start && at < end) matches.push(match);
    }
    cut ||= matches.length > readingLimits.referenceMatchesPerFile;
  }
  return { matches, cut };
}

const beginOf = ({ captures }: QueryMatch): number => Math.min(...captures.map(({ node }) => node.startIndex));

/** Turns matches into definitions, local names and uses, in that order: each rests on the one before. */
class FileReader {
  readonly definitions: Declared[] = [];
  uses: Use[] = [];
  /** What the file exports as its default; see ImportUse. */
  readonly defaults: ImportUse[] = [];
  isFull = false;
  readonly #source: SourceText;
  readonly #imports: readonly ImportUse[];
  readonly #parent: string | undefined;
  readonly #sharesNames: boolean;
  #locals = new LocalNames([]);
  /** Fields that get the value of a local name. */
  readonly #given = new Map<Declared, Node>();
  /** Import statements, whose names are told by the imports themselves. */
  #importing = new LocalNames([]);

  constructor(source: SourceText, imports: readonly ImportUse[], { parent, sharesNames }: LanguageHabits) {
    this.#source = source;
    this.#imports = imports;
    this.#parent = parent;
    this.#sharesNames = sharesNames ?? false;
  }

  read(matches: readonly QueryMatch[]): void {
    const all = matches.map(({ captures }) => captures);
    const scopes = all.flatMap((found) => captured(found, 'scope') ?? []);
    this.#locals = new LocalNames(scopes.map(spanOf));
    const skipped = all.flatMap((found) => captured(found, 'skip') ?? []);
    this.#importing = new LocalNames(skipped.map(spanOf));
    this.#define(all);
    const defined = new Set(
      this.definitions.flatMap(({ kind, nameStart }) => (kind === 'variable' || kind === 'field' ? [] : nameStart)),
    );
    for (const found of all) this.#bindLocals(found, defined);
    for (const found of all) {
      const name = captured(found, 'default');
      if (name)
        this.defaults.push({
          line: name.startPosition.row + 1,
          module: '',
          names: [{ name: this.#text(name), local: 'default' }],
        });
    }
    for (const [definition, value] of this.#given)
      definition.type ??= this.#locals.at(this.#text(value), value.startIndex)?.type;
    this.#use(all);
  }

  #define(all: readonly Captures[]): void {
    const byName = new Map<number, Declared>();
    const within: { name: string; start: number; end: number; isClass: boolean }[] = [];
    for (const found of all) {
      const holder = captured(found, 'holder');
      const block = captured(found, 'within');
      if (holder && block) {
        const name = namedType(this.#text(holder));
        if (name) within.push({ name, start: block.startIndex, end: block.endIndex, isClass: true });
      }
      const name = captured(found, 'name');
      const [kind, node] = mainOf<DefinitionKind>(found, 'definition.');
      if (!name || !node || !kind) continue;
      if ((kind === 'variable' || kind === 'declaration') && this.#locals.isInside(name.startIndex)) continue;
      const container = captured(found, 'container');
      const known = byName.get(name.startIndex);
      const type = this.#typeOf(found);
      if (known) {
        if (GENERAL.has(known.kind)) known.kind = kind;
        known.type ??= type;
        continue;
      }
      if (byName.size >= readingLimits.referencesPerFile) {
        this.isFull = true;
        break;
      }
      const declared: Declared = {
        kind,
        name: this.#text(name).replace(/^["'`#$:]+|["'`]$/g, ''),
        container: container ? (namedType(this.#text(container).replace(/^\(|\)$/g, '')) ?? '') : '',
        line: name.startPosition.row + 1,
        endLine: lastRowOf(node) + 1,
        start: node.startIndex,
        end: node.endIndex,
        nameStart: name.startIndex,
        ...(type !== undefined && { type }),
      };
      byName.set(name.startIndex, declared);
      const value = captured(found, 'value');
      if (value && kind === 'field' && value.type === 'identifier') this.#given.set(declared, value);
    }
    this.#nest([...byName.values()], within);
  }

  /**
   * Containers follow from what encloses what; a value of the object belongs to the class, wherever it is first given.
   */
  #nest(found: Declared[], within: { name: string; start: number; end: number; isClass: boolean }[]): void {
    const holders = [
      ...within,
      ...found
        .filter(({ kind }) => kind !== 'variable' && kind !== 'field' && kind !== 'constant')
        .map(({ name, start, end, kind }) => ({ name, start, end, isClass: CLASS_LIKE.has(kind) })),
    ].sort((a, b) => a.start - b.start || b.end - a.end);
    const open: typeof holders = [];
    let next = 0;
    const fields = new Set<string>();
    for (const definition of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      for (let holder = holders[next]; holder && holder.start <= definition.start; holder = holders[++next]) {
        while (open.length > 0 && (open.at(-1)?.end ?? 0) <= holder.start) open.pop();
        open.push(holder);
      }
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= definition.start) open.pop();
      const around = open.filter(
        (holder) =>
          holder.end >= definition.end && !(holder.start === definition.start && holder.name === definition.name),
      );
      if (definition.kind === 'field') while (around.length > 0 && !around.at(-1)?.isClass) around.pop();
      if (definition.container === '') definition.container = around.map(({ name }) => name).join('.');
      if (definition.kind === 'function' && (around.at(-1)?.isClass ?? false)) definition.kind = 'method';
      if (definition.kind === 'variable' && /^[A-Z][A-Z0-9_]+$/.test(definition.name)) definition.kind = 'constant';
      const key = `${definition.container}.${definition.name}`;
      if (definition.kind === 'field' && fields.has(key)) continue;
      fields.add(key);
      if (definition.name !== '' && definition.name.length <= LONGEST_TEXT) this.definitions.push(definition);
    }
  }

  #bindLocals(found: Captures, defined: ReadonlySet<number>): void {
    const local = captured(found, 'local');
    if (local && !defined.has(local.startIndex)) {
      const value = captured(found, 'value');
      const path = value && valuePath(this.#text(value));
      this.#locals.bind(this.#text(local).replace(/^\$/, ''), local.startIndex, this.#typeOf(found), path);
    }
    const pattern = captured(found, 'pattern');
    for (const node of pattern?.descendantsOfType(NAMES) ?? [])
      if (node && !defined.has(node.startIndex)) this.#locals.bind(this.#text(node), node.startIndex, undefined);
  }

  #use(all: readonly Captures[]): void {
    const found = new Map<number, Found['use']>();
    const names = new Set(this.definitions.map(({ nameStart }) => nameStart));
    for (const captures of all)
      for (const { use, at } of this.#usesOf(captures)) {
        const known = found.get(at);
        if (names.has(at) && use.kind !== 'set') continue;
        if (this.#importing.isInside(at)) continue;
        if (!known || isMoreSpecial(use, known)) found.set(at, use);
      }
    const topLevel = new Set(this.definitions.filter(({ container }) => container === '').map(({ name }) => name));
    const fields = new Set(this.definitions.flatMap(({ kind, name }) => (kind === 'field' ? [name] : [])));
    const members = new Set(this.definitions.map(({ name }) => name));
    const imported = new Set(
      this.#imports.flatMap(({ names: single, namespace }) => [
        ...single.map(({ local }) => local),
        ...(namespace === undefined ? [] : [namespace.split('.')[0] ?? '']),
      ]),
    );
    const namespaces = new Set(
      this.#imports.flatMap(({ names: single, namespace }) =>
        namespace !== undefined && single.length === 0 ? [namespace] : [],
      ),
    );
    // A read of a name that nothing here speaks of is most often of a local value, or of a library's.
    const isTold = ({ name, receiver }: Found['use']): boolean => {
      if (receiver === '')
        return (
          !namespaces.has(name) &&
          (this.#sharesNames || NOTABLE.test(name) || topLevel.has(name) || imported.has(name) || fields.has(name))
        );
      if (receiver.startsWith('^') || NOTABLE.test(name)) return true;
      const [first = ''] = receiver.split('.');
      return first === 'this' || first === 'super' || imported.has(first) || topLevel.has(first) || fields.has(first);
    };
    const seen = new Set<string>();
    for (const [at, use] of [...found].sort((a, b) => a[0] - b[0])) {
      const settled = this.#settle(use, at);
      if (!settled) continue;
      if (settled.plain && !members.has(use.name)) continue;
      if (settled.kind === 'read' && !isTold(settled)) continue;
      const line = this.#source.lineAt(at);
      const key = `${settled.kind}\n${settled.name}\n${settled.receiver}\n${line}`;
      if (seen.has(key)) continue;
      if (this.uses.length >= readingLimits.referencesPerFile) {
        this.isFull = true;
        return;
      }
      seen.add(key);
      const { kind, name, receiver } = settled;
      this.uses.push({ kind, name, receiver, line });
    }
  }

  /** What a name means where it stands; undefined for one that means nothing outside of its function. */
  #settle(use: Found['use'], at: number, depth = 0): (Found['use'] & { plain?: boolean }) | undefined {
    if (use.kind === 'key' || (use.kind === 'throw' && use.receiver === TEXT)) return { ...use, receiver: '' };
    const plain = use.receiver === PLAIN;
    const receiver = plain ? '' : use.receiver;
    if (receiver === '' || receiver === '?') {
      if (receiver === '' && this.#locals.at(use.name, at)) return undefined;
      if (receiver === '?' && isCommonName(use.name)) return undefined;
      return { ...use, receiver, ...(plain && { plain }) };
    }
    const called = receiver.startsWith('^');
    const [first = '', ...rest] = receiver.replace('^', '').split('.');
    const local = this.#locals.at(first.replace('()', ''), at);
    if (!local) return { ...use, receiver };
    // `config` stands for `context.config`, which stands for a field of what `context` is.
    if (
      local.type === undefined &&
      local.path !== undefined &&
      local.path.split('.')[0] !== first &&
      depth < MOST_ALIASES
    )
      return this.#settle({ ...use, receiver: [local.path, ...rest].join('.') }, at, depth + 1);
    if (local.type === undefined || first.endsWith('()') || (called && rest.length === 0))
      return isCommonName(use.name) ? undefined : { ...use, receiver: '?' };
    return { ...use, receiver: ['^' + local.type, ...rest].join(':') };
  }

  #usesOf(captures: Captures): Found[] {
    const found: Found[] = [];
    const text = captured(captures, 'text');
    if (text) {
      const written = this.#text(text);
      const words = (JOINING.has(text.type) ? joinedText(written) : unquoted(written)).replace(/(?:\\n){1,3}$/, '');
      if (words.length <= LONGEST_TEXT && /\p{L}{2}/u.test(words))
        found.push({ use: { kind: 'throw', name: words, receiver: TEXT }, at: text.startIndex });
    }
    const key = captured(captures, 'key');
    if (key) {
      const written = unquoted(this.#text(key)).replace(/^:/, '');
      const words = PUT_IN.exec(written)?.[1] ?? written;
      if ((KEY.test(words) || ROUTE.test(words)) && /[A-Za-z]{2}/.test(words))
        found.push({ use: { kind: 'key', name: words, receiver: '' }, at: key.startIndex });
    }
    for (const { name, at } of this.#optionsOf(captures)) found.push({ use: { kind: 'key', name, receiver: '' }, at });
    const embedded = captured(captures, 'embedded');
    const [written, main] = mainOf<string>(captures, 'reference.');
    if (!main || !written) return found;
    const callee = captured(captures, 'callee') ?? embedded ?? main;
    const kind = this.#kindOf(written, callee);
    const start = written === 'invocation' ? main.startIndex : callee.startIndex;
    const expression = this.#source.text.slice(Math.max(start, callee.endIndex - 300), callee.endIndex);
    const name = writtenName(expression, this.#parent);
    if (!name) return found;
    const ends = this.#source.text.lastIndexOf(name.name, callee.endIndex);
    const subject = captured(captures, 'subject');
    const receiver = written === 'plain' ? PLAIN : subject ? `^${namedType(this.#text(subject)) ?? ''}` : name.receiver;
    return [...found, { use: { kind, name: name.name, receiver }, at: Math.max(callee.startIndex, ends) }];
  }

  /**
   * Options of a command line that are added there. They are told beside the same literal as a key: an offset behind.
   */
  #optionsOf(captures: Captures): { name: string; at: number }[] {
    const literal = captured(captures, 'option');
    const plain = captured(captures, 'long');
    const node = literal ?? plain;
    if (!node) return [];
    const words = unquoted(this.#text(node));
    const written = literal ? optionsWritten(words) : optionNamed(words, node.type === 'field_identifier');
    return written.map(({ name, at }) => ({ name, at: node.startIndex + 1 + at }));
  }

  /** Where extending and implementing look alike, an interface is called `IStore`, or the class comes first. */
  #kindOf(written: string, callee: Node): UseKind {
    if (written === 'invocation' || written === 'plain') return 'call';
    if (written === 'member') return 'read';
    if (written !== 'base') return written as UseKind;
    return /^I[A-Z]/.test(this.#text(callee)) ? 'implements' : 'extends';
  }

  #typeOf(found: Captures): string | undefined {
    const type = captured(found, 'type');
    const named = type && namedType(this.#text(type));
    const value = captured(found, 'value');
    return named ?? (value && valueType(this.#text(value)));
  }

  #text(node: Node): string {
    return this.#source.text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + LONGEST_SLICE));
  }
}

/** Patterns for anything of a kind also find what a more special one does. */
const GENERAL = new Set<DefinitionKind>(['type', 'variable', 'field']);
const LONGEST_SLICE = 400;
/** Local names that stand for one another. */
const MOST_ALIASES = 3;
/** Marks of uses on their way: a thrown text, and a name that may be a call without brackets. */
const TEXT = ' text';
const PLAIN = ' plain';
const CLASS_LIKE = new Set<DefinitionKind>(['class', 'interface', 'enum', 'type', 'module']);
const NAMES = ['identifier', 'shorthand_property_identifier_pattern', 'simple_identifier', 'variable_name'];

/** Few of one match, and a large file has a quarter of a million matches: looked up in the runtime's own lists. */
type Captures = QueryMatch['captures'];

const captured = (captures: Captures, name: string): Node | undefined =>
  captures.findLast((capture) => capture.name === name)?.node;

/** The capture that says what the pattern found: `definition.class` gives `class` and its node. */
function mainOf<Kind extends string>(captures: Captures, prefix: string): [Kind | undefined, Node | undefined] {
  const name = captures.find((capture) => capture.name.startsWith(prefix))?.name;
  return name === undefined ? [undefined, undefined] : [name.slice(prefix.length) as Kind, captured(captures, name)];
}

/** A literal without its quotation marks and what stands before them: `f"…"`, `$@"…"`. */
function unquoted(text: string): string {
  const opens = /^[a-zA-Z$@]{0,3}["'`]{1,3}/.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > opens && /["'`]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(opens, end);
}

/** Expressions that join texts with values. */
const JOINING = new Set(['binary_expression', 'binary_operator', 'additive_expression', 'concatenated_string']);

/** `"no user " + name + " here"` as a text with room for values: `no user ${name} here`. Empty where it has no text. */
function joinedText(expression: string): string {
  let [words, between, quote, hasText] = ['', '', '', false];
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at] ?? '';
    if (quote === '' && (character === '"' || character === "'")) {
      words += roomFor(between);
      [between, quote, hasText] = ['', character, true];
    } else if (quote === '') between += character;
    else if (character === quote) quote = '';
    else words += character === '\\' ? character + (expression[++at] ?? '') : character;
  }
  return hasText ? words + roomFor(between) : '';
}

/** What stands between two literals; the letter right before a literal only says how it is written: `f"…"`. */
function roomFor(between: string): string {
  const value = /[A-Za-z_$\d][\w$.]{0,59}/.exec(between)?.[0];
  const isMark = value !== undefined && /^[fFrRbB$]$/.test(value) && between.endsWith(value);
  return value === undefined || isMark ? '' : `\${${value}}`;
}
