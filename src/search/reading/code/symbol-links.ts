import { wordSet } from '#base';
import type { ImportUse } from '../../domain/references.ts';
import type { PlacedLink } from '../chunk/block.ts';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { TextSpan } from '../../domain/unit.ts';
import type { SourceText } from '../text/source-text.ts';
import type { Outline } from './declarations.ts';
import { COMMENTS, isComment, spanOf } from './syntax-nodes.ts';
import { type CodeLanguage, type ImportedModule, LONGEST_STATEMENT, namesInList } from './code-language.ts';

/** Names so frequent that a link through them would join everything with everything. */
const COMMON = wordSet(`
  log debug info warn warning error print println printf sprintf fprintf format write read open close len length
  size push pop shift unshift map filter reduce foreach find some every get set has add delete remove clear keys
  values items entries tostring string str int integer float double bool boolean number object array list dict
  tuple set vec option some none ok err join split replace trim strip slice splice concat append extend insert
  index indexof includes startswith endswith contains match test exec sort reverse min max abs sum round floor
  ceil range enumerate zip isinstance issubclass super type hasattr getattr setattr id hash repr iter next all any
  then catch finally resolve reject call apply bind assert assertequal asserttrue expect equal equals deepequal
  strictequal tobe toequal echo exit cd test shift local export return source eval printf true false null nil
  undefined self this cls malloc free sizeof memcpy memset strlen strcmp strcpy new init clone unwrap into from
  iter collect as_str to_string to_owned promise date error regexp json math record partial readonly uint8array
  std vector optional void char const auto unsigned long short byte system out in console describe it beforeeach
  aftereach before after require import raise puts attr_accessor attr_reader private public protected lower upper
  tolowercase touppercase parse stringify lambda property staticmethod classmethod make panic cap copy typeerror
  valueerror keyerror runtimeerror exception throwable dirname basename tail head xargs cp mv rm mkdir rmdir touch
  ls grep sed awk cat sort uniq cut tr wc curl wget tar git chmod chown sleep wait kill trap sudo command usestate
  useeffect usememo usecallback useref assertionerror pick omit returntype awaited extract exclude lstrip rstrip
  setdefault update __init__ padstart padend fromentries isarray then t k v e a b c d f g h i j m n o p q r s u w
  x y z
`);

/** True for names that say nothing about where a call leads. */
export const isCommonName = (name: string): boolean =>
  COMMON.has(name.toLowerCase()) || name.length < 2 || /^\d/.test(name);

/** What a file defines, for its own calls: `load`, and of members the last name with the whole. */
interface LocalSymbols {
  path: string;
  whole: ReadonlySet<string>;
  /** Undefined for what two classes have: which one is meant is not known. */
  members: ReadonlyMap<string, string | undefined>;
}

function localSymbols(path: string, defines: readonly PlacedLink[]): LocalSymbols {
  const members = new Map<string, string | undefined>();
  for (const { target } of defines) {
    const name = target.slice(target.lastIndexOf('.') + 1);
    if (name !== target) members.set(name, members.has(name) ? undefined : target);
  }
  return { path, whole: new Set(defines.map((define) => define.target)), members };
}

/** Imports, calls and uses of a file, and where its comments and strings are. */
interface SymbolUse {
  links: PlacedLink[];
  /** Names of functions defined inside others. */
  nested: PlacedLink[];
  prose: TextSpan[];
  /** What imports bring in, as written. */
  imports: ImportUse[];
}

const NAME_CHARACTER = /[\p{L}\p{N}_$]/u;
/** What joins the parts of a name that is called; the longer of two comes first. */
const JOINTS = ['?.', '::', '->', '.', '\\'];
const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const MOST_NAMES_OF_IMPORT = 12;
/** Longer names, and types written in more text, are data. */
const LONGEST_NAME = 200;
const LONGEST_USE = 2_000;

/**
 * Reads all uses in one query over the tree, done inside the runtime, which keeps it fast. Calls are joined with what
 * the same file defines: `this.merge` with `Store.merge`, `load` with the function `load`.
 */
export function symbolUse(
  root: Node,
  grammar: CodeLanguage,
  source: SourceText,
  path: string,
  { defines, seen }: Pick<Outline, 'defines' | 'seen'>,
): SymbolUse {
  const use: SymbolUse = { links: [], nested: [], prose: [], imports: [] };
  const { strings, imports, calls, uses } = grammar;
  const functions = Object.keys(grammar.declarations).filter(
    (type) => grammar.declarations[type] === 'function' && type !== 'preproc_function_def',
  );
  const types = [...new Set([...COMMENTS, ...strings, ...imports, ...Object.keys(calls), ...uses, ...functions])];
  const calling: { name: string; node: Node }[] = [];
  for (const node of root.descendantsOfType(types)) {
    if (!node) continue;
    const { type } = node;
    if (isComment(node) || strings.includes(type)) use.prose.push(spanOf(node));
    else if (imports.includes(type) && !isPlainExport(type, node))
      addImports(grammar.importsOf?.(textOf(node, source).slice(0, LONGEST_STATEMENT)) ?? [], node, use);
    else if (type in calls)
      calling.push(...calledNames(node, calls[type] ?? '', source).map((name) => ({ name, node })));
    else if (uses.includes(type))
      calling.push(...namesIn(textOf(node, source).slice(0, LONGEST_USE)).map((name) => ({ name, node })));
    if (functions.includes(type) && !seen.has(node.id)) addNested(node, use.nested);
  }
  const loader = grammar.loaders;
  for (const { name, node } of calling) {
    const module = loader?.test(name) ? loadedModule(node, source) : undefined;
    if (module)
      addImports([name === 'require_relative' ? { ...module, module: relative(module.module) } : module], node, use);
  }
  const bindings = bindingsOf(use.imports);
  const known = new Set(defines.map(({ line }) => line));
  use.nested = use.nested.filter(({ line }) => !known.has(line));
  const local = localSymbols(path, [...defines, ...use.nested]);
  for (const { name, node } of calling) {
    const link = loader?.test(name) ? undefined : callLink(name, node, bindings, grammar, local);
    if (link) use.links.push(link);
  }
  return use;
}

const textOf = (node: Node, source: SourceText): string => source.text.slice(node.startIndex, node.endIndex);
const relative = (module: string): string => (/^\.{0,2}\//.test(module) ? module : `./${module}`);

/** `export` without `from` imports nothing, and a Rust module with a body is here, not elsewhere. */
const isPlainExport = (type: string, node: Node): boolean =>
  (type === 'export_statement' && !node.childForFieldName('source')) ||
  (type === 'mod_item' && node.childForFieldName('body') !== null);

function calledNames(node: Node, field: string, source: SourceText): string[] {
  if (field === '*') return namesIn(textOf(node, source).slice(0, 500)).slice(0, 8);
  const named = field === '' ? node.namedChild(0) : node.childForFieldName(field);
  if (!named) return [];
  const start = Math.max(node.startIndex, named.endIndex - 120);
  const name = nameAtEnd(source.text.slice(start, named.endIndex).replace(/<[^<>]*>$/, ''));
  return name && !isElement(node.type, name) ? [name.replace(/\?\.|->|\\/g, '.')] : [];
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(NAMES)].map((match) => match[0]).filter((name) => name.length <= LONGEST_NAME);

/** `store.merge`, `Store::merge`, `this->merge`, `merge!`: the name that a text ends with, with all its parts. */
export function nameAtEnd(text: string): string | undefined {
  let start = startOfPart(text, text.length);
  if (start < 0) return undefined;
  for (let joint = jointBefore(text, start); joint !== ''; joint = jointBefore(text, start)) {
    const before = startOfPart(text, start - joint.length);
    if (before < 0) break;
    start = before;
  }
  return text.slice(start);
}

const jointBefore = (text: string, end: number): string => JOINTS.find((joint) => text.endsWith(joint, end)) ?? '';

/**
 * Where the part of a name begins that ends at an offset, a Ruby or Rust mark behind it included; -1 when none does.
 */
function startOfPart(text: string, end: number): number {
  const last = text[end - 1] === '!' || text[end - 1] === '?' ? end - 1 : end;
  let start = last;
  while (start > 0 && NAME_CHARACTER.test(text[start - 1] ?? '')) start -= 1;
  return start === last ? -1 : start;
}

/** Lower-case tags are the page's own elements. */
const isElement = (type: string, name: string): boolean => type.startsWith('jsx_') && /^[a-z][\w-]*$/.test(name);

function addNested(node: Node, nested: PlacedLink[]): void {
  const name = node.childForFieldName('name')?.text;
  if (name && name.length < 80 && !isCommonName(name))
    nested.push({ kind: 'define', target: name, line: node.startPosition.row + 1 });
}

function addImports(modules: readonly ImportedModule[], node: Node, { imports, links }: SymbolUse): void {
  const line = node.startPosition.row + 1;
  for (const found of modules) {
    if (!found.module) continue;
    imports.push({ ...found, line });
    const names = found.names.slice(0, MOST_NAMES_OF_IMPORT);
    if (names.length === 0) links.push({ kind: 'import', target: found.module, line });
    for (const { name } of names) links.push({ kind: 'import', target: `${found.module}#${name}`, line, anchor: name });
  }
}

function loadedModule(node: Node, source: SourceText): ImportedModule | undefined {
  const text = textOf(node, source).slice(0, 300);
  const sourced = /^(?:source|\.)\s+(\S.*)/.exec(text)?.[1];
  if (sourced !== undefined) return sourcedScript(sourced);
  const module = /^[^"'`]{0,40}["'`]([^"'`\n]+)["'`]/.exec(text)?.[1];
  if (!module || module.includes('${')) return undefined;
  const before = source.text.slice(Math.max(0, node.startIndex - 200), node.startIndex);
  const pattern = GIVEN_TO.exec(before)?.[1];
  const [, member] =
    /^\)?\s{0,20}\.([A-Za-z_$][\w$]*)/.exec(source.text.slice(node.endIndex, node.endIndex + 120)) ?? [];
  if (!pattern) return { module, names: member && member !== 'then' ? [{ name: member, local: member }] : [] };
  if (!pattern.startsWith('{')) return { module, names: [], namespace: pattern };
  return { module, names: namesInList(pattern.slice(1, -1), /^\s*([\w$]+)(?:\s*:\s*([\w$]+))?/) };
}

/** `const { a, b } =`, `let a: T = await`: what the value behind it is given to. */
const GIVEN_TO =
  /\b(?:const|let|var)\s{1,9}(\{[^{}]{0,160}\}|[\w$]{1,80})\s{0,9}(?::[^={}]{0,80})?=\s{0,9}(?:await\s{0,9})?$/;

/** `"$(dirname "$0")/settings.sh"`: what the shell would work out is left away. */
function sourcedScript(argument: string): ImportedModule | undefined {
  const command = argument.slice(0, (argument + ';').search(/[;&|#]/)).trimEnd();
  const end = /["']$/.test(command) ? command.length - 1 : command.length;
  let start = end;
  while (start > 0 && /[\w./-]/.test(command[start - 1] ?? '')) start -= 1;
  const written = command.slice(start, end);
  const path = command[start - 1] === '$' ? written.replace(/^\w+/, '') : written;
  const module = path.lastIndexOf('/') === 0 ? path.slice(1) : path;
  return module === '' || module.endsWith('/') ? undefined : { module, names: [] };
}

type Bindings = ReadonlyMap<string, { module: string; name?: string }>;

function bindingsOf(imported: readonly ImportedModule[]): Bindings {
  const bindings = new Map<string, { module: string; name?: string }>();
  for (const { module, names, namespace } of imported) {
    for (const { name, local } of names) bindings.set(local, { module, name });
    if (namespace) bindings.set(namespace, { module });
  }
  return bindings;
}

/** A call with, where it came by an import, the module and the name there. */
function callLink(
  written: string,
  node: Node,
  bindings: Bindings,
  grammar: CodeLanguage,
  local: LocalSymbols,
): PlacedLink | undefined {
  const own =
    /^(?:this|self|cls|Self|@+|\$this)(?:\.|::)/.exec(written)?.[0] ??
    ['.', '::'].map((joint) => `${grammar.parent}${joint}`).find((word) => written.startsWith(word)) ??
    '';
  const target = written.slice(own.length).replace(/^\$/, '');
  const parts = target.split(/\.|::/);
  const last = parts.at(-1) ?? '';
  const place = { line: node.startPosition.row + 1, column: node.startPosition.column };
  for (let length = own === '' ? parts.length : 0; length > 0; length--) {
    const binding = bindings.get(parts.slice(0, length).join('.'));
    if (!binding || (grammar.membersByColons && binding.name === undefined && !target.includes('::'))) continue; // `basin.fill()`: a variable, not the module
    const rest = parts.slice(length);
    const anchor = binding.name ? [binding.name, ...rest].join('.') : rest.join('.');
    return {
      kind: 'call',
      target,
      ...place,
      via: anchor ? `${binding.module}#${anchor}` : binding.module,
      ...(anchor ? { anchor } : {}),
    };
  }
  if (isCommonName(last) || (parts.length === 1 && last.length < 3)) return undefined;
  const anchor = own !== '' ? local.members.get(target) : local.whole.has(target) ? target : undefined;
  return { kind: 'call', target, ...place, ...(anchor !== undefined && { path: local.path, anchor }) };
}
