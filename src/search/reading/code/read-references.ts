import { remembered } from '#base';
import type { Node, Query, QueryMatch } from '@vscode/tree-sitter-wasm';
import type { Definition, DefinitionKind, ImportUse, References, Use, UseKind } from '../../domain/references.ts';
import { withoutTrailing } from '../../text/trim.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import type { CodeLanguage } from './code-language.ts';
import { lastRowOf, spanOf } from './syntax-nodes.ts';
import { isCommonName } from './symbol-links.ts';
import { BYTES_PER_CHARACTER } from './tree-sitter-runtime.ts';
import { BoundNames, namedType, valueType, writtenName } from './written-names.ts';

/** Where several patterns find one name, the more special counts. */
const RANK: readonly UseKind[] = ['extends', 'implements', 'throw', 'set', 'call', 'key', 'type', 'read', 'mention'];
/** Values are called so in most languages: constants, classes, Go's exported names. */
const NOTABLE = /^[A-Z][A-Za-z0-9_]{2,}$/;
/** A string by which something is looked up: a setting, an event, a route, an option of a command line. */
const KEY = /^[\w$./:@#{}*<>[\]?-]{2,80}$/;
/** A setting where it is put in, `${shop.timeout:30}`; Kotlin keeps the mark from meaning a variable. */
const PUT_IN = /^\\?\$\{([\w.-]{2,80})(?::[^{}]{0,80})?\}$/;
/** `-o, --output <file>`, `--force/--no-force`. */
const OPTION = /(?<=^|[\s,|/])--?[A-Za-z]\w{0,60}(?:-\w{1,40}){0,12}/g;
const LONGEST_TEXT = 160;
const LONGEST_SLICE = 400;
/** Characters whose matches are asked for at once. */
const STRETCH = 131_072;
/** Patterns for anything of a kind also find what a more special one does. */
const GENERAL = new Set<DefinitionKind>(['type', 'variable', 'field']);
const CLASS_LIKE = new Set<DefinitionKind>(['class', 'interface', 'enum', 'type', 'module']);
const NAMES = ['identifier', 'shorthand_property_identifier_pattern', 'simple_identifier', 'variable_name'];

type Captures = QueryMatch['captures'];

/**
 * Definitions and uses of a file by its language's `tags.scm`. Half-typed code gives what can be read. A tree that is
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
  language: Pick<CodeLanguage, 'parent' | 'sharesNames'> = {},
): References {
  const deadline = Math.min(now() + readingLimits.referencesMilliseconds, readingLimits.syntaxMilliseconds);
  const { matches, cut } = matchesOf(root, query, source.text.length, () => now() > deadline);
  const most = readingLimits.referencesPerFile;
  const file = new FileReader(
    matches.map(({ captures }) => captures),
    source,
    imports,
    language,
  );
  const isFull = file.definitions.length > most || file.uses.length > most;
  return {
    definitions: file.definitions
      .slice(0, most)
      .map(({ kind, name, container, line, endLine }) => ({ kind, name, container, line, endLine })),
    uses: file.uses.slice(0, most),
    imports: [...imports, ...file.defaults],
    ...((cut || isFull) && { cut: true }),
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
      const at = length > STRETCH ? Math.min(...match.captures.map(({ node }) => node.startIndex)) : start;
      if (at >= start && at < end) matches.push(match);
    }
    cut ||= matches.length > readingLimits.referenceMatchesPerFile;
  }
  return { matches, cut };
}

interface Declared extends Definition {
  start: number;
  end: number;
  nameStart: number;
}

/** Turns matches into definitions, bound names and uses, in that order: each rests on the one before. */
class FileReader {
  readonly definitions: Declared[];
  readonly uses: Use[];
  /** What the file exports as its default; see ImportUse. */
  readonly defaults: ImportUse[];
  readonly #source: SourceText;
  readonly #bound: BoundNames;

  constructor(
    all: readonly Captures[],
    source: SourceText,
    imports: readonly ImportUse[],
    { parent, sharesNames }: Pick<CodeLanguage, 'parent' | 'sharesNames'>,
  ) {
    this.#source = source;
    this.#bound = new BoundNames(nodesOf(all, 'scope').map(spanOf));
    this.definitions = this.#definitionsIn(all);
    this.#bindNames(all, imports);
    this.defaults = nodesOf(all, 'default').map((node) => ({
      line: node.startPosition.row + 1,
      module: '',
      names: [{ name: this.#text(node), local: 'default' }],
    }));
    this.uses = this.#usesIn(all, imports, parent, sharesNames === true);
  }

  #text(node: Node): string {
    return this.#source.text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + LONGEST_SLICE));
  }

  #definitionsIn(all: readonly Captures[]): Declared[] {
    const found = new Map<number, Declared>();
    for (const captures of all) {
      const name = captured(captures, 'name');
      const [kind, node] = mainOf<DefinitionKind>(captures, 'definition.');
      if (!name || !node || !kind) continue;
      if ((kind === 'variable' || kind === 'declaration') && this.#bound.isInside(name.startIndex)) continue;
      const known = found.get(name.startIndex);
      if (known && GENERAL.has(known.kind)) known.kind = kind;
      if (known) continue;
      const container = captured(captures, 'container');
      found.set(name.startIndex, {
        kind,
        name: this.#text(name).replace(/^["'`#$:]+|["'`]$/g, ''),
        container: container ? (namedType(this.#text(container).replace(/^\(|\)$/g, '')) ?? '') : '',
        line: name.startPosition.row + 1,
        endLine: lastRowOf(node) + 1,
        start: node.startIndex,
        end: node.endIndex,
        nameStart: name.startIndex,
      });
    }
    return this.#nested([...found.values()], all);
  }

  /** With their containers, by what encloses what; a value of the object belongs to the class, wherever it is given. */
  #nested(found: readonly Declared[], all: readonly Captures[]): Declared[] {
    const blocks = all.flatMap((captures) => {
      const [holder, block] = [captured(captures, 'holder'), captured(captures, 'within')];
      const name = holder && namedType(this.#text(holder));
      return name && block ? [{ name, start: block.startIndex, end: block.endIndex, isClass: true }] : [];
    });
    const holders = [
      ...blocks,
      ...found
        .filter(({ kind }) => kind !== 'variable' && kind !== 'field' && kind !== 'constant')
        .map(({ name, start, end, kind }) => ({ name, start, end, isClass: CLASS_LIKE.has(kind) })),
    ].sort(outerFirst);
    let open: typeof holders = [];
    let next = 0;
    const named = new Set<string>();
    return found.toSorted(outerFirst).filter((one) => {
      for (let holder = holders[next]; holder && holder.start <= one.start; holder = holders[++next]) open.push(holder);
      open = open.filter(({ end }) => end > one.start);
      const around = open.filter(
        ({ start, end, name }) => end >= one.end && (start !== one.start || name !== one.name),
      );
      if (one.kind === 'field') while (around.length > 0 && !around.at(-1)?.isClass) around.pop();
      if (one.container === '') one.container = around.map(({ name }) => name).join('.');
      if (one.kind === 'function' && around.at(-1)?.isClass) one.kind = 'method';
      if (one.kind === 'variable' && /^[A-Z][A-Z0-9_]+$/.test(one.name)) one.kind = 'constant';
      const key = `${one.container}.${one.name}`;
      const isAgain = one.kind === 'field' && named.has(key);
      named.add(key);
      return !isAgain && one.name !== '' && one.name.length <= LONGEST_TEXT;
    });
  }

  #bindNames(all: readonly Captures[], imports: readonly ImportUse[]): void {
    const defined = new Set(this.definitions.flatMap((one) => (GENERAL.has(one.kind) ? [] : one.nameStart)));
    // `const { load } = await import('./load')` inside a function binds what is of another file.
    const brought = new Set(
      imports.flatMap(({ line, names, namespace }) =>
        [...names.map(({ local }) => local), namespace ?? ''].map((name) => `${line} ${name}`),
      ),
    );
    const binds = (node: Node): boolean =>
      !defined.has(node.startIndex) && !brought.has(`${node.startPosition.row + 1} ${this.#text(node)}`);
    for (const captures of all) {
      const [kind] = mainOf<DefinitionKind>(captures, 'definition.');
      const name = captured(captures, kind === 'field' ? 'name' : 'local');
      const [type, value] = [captured(captures, 'type'), captured(captures, 'value')];
      if (name && binds(name)) {
        const told = (type && namedType(this.#text(type))) ?? (value && valueType(this.#text(value)));
        const isField = kind === 'field';
        if (!isField || told !== undefined)
          this.#bound.bind(this.#text(name).replace(/^[#$]/, ''), name.startIndex, told, isField);
      }
      for (const node of captured(captures, 'pattern')?.descendantsOfType(NAMES) ?? [])
        if (node && binds(node)) this.#bound.bind(this.#text(node), node.startIndex, undefined);
    }
  }

  #usesIn(
    all: readonly Captures[],
    imports: readonly ImportUse[],
    parent: string | undefined,
    sharesNames: boolean,
  ): Use[] {
    const found = new Map<number, Omit<Use, 'line'>>();
    const names = new Set(this.definitions.map(({ nameStart }) => nameStart));
    const skipped = new BoundNames(nodesOf(all, 'skip').map(spanOf)); // imports tell their names themselves
    const add = (use: Omit<Use, 'line'>, at: number): void => {
      const known = found.get(at);
      if ((names.has(at) && use.kind !== 'set') || skipped.isInside(at)) return;
      if (
        !known ||
        RANK.indexOf(use.kind) < RANK.indexOf(known.kind) ||
        (use.receiver !== PLAIN && use.receiver !== '' && known.receiver === '')
      )
        if (!known || RANK.indexOf(use.kind) <= RANK.indexOf(known.kind)) found.set(at, use);
    };
    for (const captures of all) {
      const [written, main] = mainOf<string>(captures, 'reference.');
      if (!main || !written) continue;
      const callee = captured(captures, 'callee') ?? main;
      const start = written === 'invocation' ? main.startIndex : callee.startIndex;
      const from = Math.max(start, callee.endIndex - LONGEST_SLICE);
      const name = writtenName(this.#source.text.slice(from, callee.endIndex), parent);
      if (!name) continue;
      const subject = captured(captures, 'subject');
      const kind = kindOf(written, name.name);
      const holder = subject && (namedType(this.#text(subject)) ?? '').replace(/^Self$/, 'this');
      const receiver = holder === undefined ? name.receiver : kind === 'set' ? holder : `^${holder}`;
      const at = Math.max(callee.startIndex, this.#source.text.lastIndexOf(name.name, callee.endIndex));
      add({ kind, name: name.name, receiver: written === 'plain' ? PLAIN : receiver }, at);
    }
    for (const [at, use] of this.#stringsIn(all)) if (!skipped.isInside(Math.floor(at))) found.set(at, use);
    return this.#told(found, imports, sharesNames);
  }

  /** Strings by which something is looked up, and the texts of what is thrown: all of its strings as one. */
  *#stringsIn(all: readonly Captures[]): Generator<[number, Omit<Use, 'line'>]> {
    for (const node of nodesOf(all, 'key')) yield [node.startIndex, stringUse('key', this.#text(node))];
    const throwing = nodesOf(all, 'throws').map(spanOf).sort(outerFirst);
    const thrown = new Map<number, { at: number; parts: string[] }>();
    let [next, within, last] = [0, { start: -1, end: -1 }, -1];
    for (const node of nodesOf(all, 'string').sort((a, b) => a.startIndex - b.startIndex)) {
      const [at, words] = [node.startIndex, unquoted(this.#text(node))];
      for (let one = throwing[next]; one && one.start <= at; one = throwing[++next])
        if (one.start >= within.end) within = one;
      const key = PUT_IN.exec(words)?.[1] ?? words.replace(/^:/, '');
      if (at >= within.end) {
        if (KEY.test(key) && /[A-Za-z]{2}/.test(key)) yield [at, stringUse('key', key)];
      } else if (at >= last) {
        last = node.endIndex;
        const text = remembered(thrown, within.start, () => ({ at, parts: [] }));
        text.parts.push(words.replace(/(?:\\n){1,3}$/, ''));
      }
      if (/^--?[A-Za-z]/.test(words))
        for (const { 0: name, index } of (words.split(/[<[(=]/, 1)[0] ?? '').matchAll(OPTION))
          yield [at + (index + 1) / LONGEST_SLICE, stringUse('key', name)];
    }
    for (const { at, parts } of thrown.values()) {
      const name = parts.join('${}');
      if (name.length <= LONGEST_TEXT && /\p{L}{2}/u.test(name)) yield [at, stringUse('throw', name)];
    }
  }

  /** Uses that mean something outside of their function, in order, each once a line. */
  #told(found: ReadonlyMap<number, Omit<Use, 'line'>>, imports: readonly ImportUse[], sharesNames: boolean): Use[] {
    const here = new Set([
      ...this.definitions.map(({ name }) => name),
      ...imports.flatMap((one) => [...one.names.map(({ local }) => local), one.namespace?.split('.')[0] ?? '']),
    ]);
    const uses = new Map<string, Use>();
    for (const [at, use] of [...found].sort((a, b) => a[0] - b[0])) {
      const isText = use.receiver === TEXT;
      const holder = isText || use.receiver === PLAIN ? { name: '', isTold: false } : this.#holderAt(use.receiver, at);
      const receiver = holder.name;
      if (!isText && receiver === '' && this.#bound.at(use.name, at)?.isLocal) continue;
      if (receiver === '?' && isCommonName(use.name)) continue;
      if (use.receiver === PLAIN && !here.has(use.name)) continue;
      // A read of a name that nothing here speaks of is most often of a local value, or of a library's.
      const isKnown =
        receiver === '' ? sharesNames || here.has(use.name) : holder.isTold || here.has(firstOf(receiver));
      if (use.kind === 'read' && !isKnown && !NOTABLE.test(use.name)) continue;
      const one: Use = { kind: use.kind, name: use.name, receiver, line: this.#source.lineAt(Math.floor(at)) };
      const key = `${one.kind}\n${one.name}\n${receiver}\n${one.line}`;
      if (!uses.has(key)) uses.set(key, one);
    }
    return [...uses.values()];
  }

  /** What stands before a name, by its type where this file tells one; `?` for a local value of which it tells none. */
  #holderAt(receiver: string, at: number): { name: string; isTold: boolean } {
    const [first = '', ...rest] = receiver.split('.');
    const isOwn = first === 'this' || first === 'super';
    const field = rest.length > 0 ? this.#bound.typeOfField(rest.at(-1) ?? '') : undefined;
    if (field !== undefined) return { name: field, isTold: true };
    const bound = isOwn || receiver.startsWith('^') ? undefined : this.#bound.at(first, at);
    if (bound?.type !== undefined) return { name: [bound.type, ...rest].join('.'), isTold: true };
    return bound?.isLocal || first === '?' ? { name: '?', isTold: false } : { name: receiver, isTold: isOwn };
  }
}

const firstOf = (dotted: string): string => dotted.split('.', 1)[0] ?? '';

/** Marks of uses on their way: a string, and a name that may be a call without brackets. */
const TEXT = ' text';
const PLAIN = ' plain';

const stringUse = (kind: UseKind, name: string): Omit<Use, 'line'> => ({ kind, name, receiver: TEXT });

const outerFirst = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
  a.start - b.start || b.end - a.end;

/** Where extending and implementing look alike, an interface is called `IStore`. */
function kindOf(written: string, name: string): UseKind {
  if (written === 'invocation' || written === 'plain') return 'call';
  if (written === 'member') return 'read';
  if (written !== 'base') return written as UseKind;
  return /^I[A-Z]/.test(name) ? 'implements' : 'extends';
}

// Few captures of one match, and a large file has a quarter of a million matches: looked up in the runtime's lists.
const captured = (captures: Captures, name: string): Node | undefined =>
  captures.findLast((capture) => capture.name === name)?.node;

const nodesOf = (all: readonly Captures[], name: string): Node[] =>
  all.flatMap((captures) => captures.flatMap((capture) => (capture.name === name ? capture.node : [])));

/** The capture that says what the pattern found: `definition.class` gives `class` and its node. */
function mainOf<Kind extends string>(captures: Captures, prefix: string): [Kind | undefined, Node | undefined] {
  const found = captures.findLast((capture) => capture.name.startsWith(prefix));
  return [found?.name.slice(prefix.length) as Kind | undefined, found?.node];
}

/** A literal without its quotation marks and what stands before them: `f"…"`, `$@"…"`. */
function unquoted(text: string): string {
  const opens = /^[a-zA-Z$@]{0,3}["'`]{1,3}/.exec(text)?.[0].length ?? 0;
  return withoutTrailing(text.slice(opens), /["'`]/);
}
