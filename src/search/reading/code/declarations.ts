import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import { titleOfParts } from '../../domain/passage-title.ts';
import type { Block, PlacedLink } from '../chunk/block.ts';
import type { BreakCost } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import type { CodeLanguage, DeclarationRole } from './code-language.ts';
import { nameDeclaration, type Named } from './declaration-name.ts';
import { commentsAtEnd, isComment, isFirstOnLine, isPrefix, lastRowOf } from './syntax-nodes.ts';

/** The declarations of a file as nested blocks, and what they define. */
export interface Outline {
  blocks: Block[];
  defines: PlacedLink[];
  /** Node ids of the declarations found, to know which nested functions were not. */
  seen: Set<number>;
}

interface Level {
  nodes: (Node | null)[];
  /** Title above, and how many of its parts are namespaces, which qualified names leave out. */
  path: string[];
  namespaces: number;
  /** Fields and constants of a class stay in its outline. */
  inClass: boolean;
  into: Block[];
}

interface Item {
  node: Node;
  /** 0-based rows, of the wrapper when there is one. */
  firstRow: number;
  lastRow: number;
}

/** Deeper nesting of classes than this is left to the lines. */
const DEEPEST = 40;
const WRAPPERS_OF_MANY = /^(?:preproc_|linkage_specification$|enum_body_declarations$)/;
/** The parts of a statement with conditions, and such statements in them. */
const BRANCHES =
  /^(?:block|compound_statement|colon_block|(?:if|try)_statement|(?:else|elif|else_if|except|finally|catch)_clause)$/;
const DEEPEST_BRANCH = 8;
const SPEC = /^type_(?:spec|alias)$/;
const TAKES_IN = /^(?:import|package)_/;

/** Walks classes and namespaces, never into functions. */
export function outlineOf(root: Node, language: CodeLanguage): Outline {
  const outline: Outline = { blocks: [], defines: [], seen: new Set() };
  const levels: Level[] = [
    { nodes: root.namedChildren, path: [], namespaces: 0, inClass: false, into: outline.blocks },
  ];
  for (let level = levels.pop(); level; level = levels.pop()) readLevel(level, language, outline, levels);
  return outline;
}

function readLevel(start: Level, language: CodeLanguage, outline: Outline, levels: Level[]): void {
  let level = start;
  let prefixRow = -1;
  let rowAbove = -2;
  for (const { node, firstRow, lastRow } of itemsOf(start.nodes, language)) {
    if (isBefore(node)) {
      // A comment behind code belongs to that line; one with a blank line below it belongs to nobody.
      if (firstRow > rowAbove) prefixRow = prefixRow >= 0 && firstRow === rowAbove + 1 ? prefixRow : firstRow;
      rowAbove = Math.max(rowAbove, lastRow);
      continue;
    }
    const startRow = prefixRow >= 0 && rowAbove === firstRow - 1 ? prefixRow : firstRow;
    prefixRow = -1;
    rowAbove = lastRow;
    const role = language.declarations[node.type] ?? (SPEC.test(node.type) ? 'class' : undefined);
    const named = role && nameDeclaration(node, role);
    if (!named) continue;
    outline.seen.add(node.id);
    const members = membersOf(node, named.role, language);
    if (named.role === 'namespace' && members.length === 0 && !node.childForFieldName('body')) {
      // `namespace Ferry;`: all that follows is inside it, and no longer inside the one before it.
      if (!named.isTest) outline.defines.push(...definesOf(start, named, node));
      const namespaces = start.namespaces + named.path.length;
      level = { ...level, path: [...start.path, ...named.path], namespaces };
      continue;
    }
    const path = [...level.path, ...named.path];
    const namespaces = level.namespaces + (named.role === 'namespace' ? named.path.length : 0);
    if (!named.isTest) outline.defines.push(...definesOf(level, named, node));
    if (level.inClass && named.role === 'value') continue;
    const block = blockOf(titleOfParts(path), named.role, startRow, lastRow);
    level.into.push(block);
    if (members.length > 0 && path.length < DEEPEST)
      levels.push({ nodes: members, path, namespaces, inClass: named.role === 'class', into: block.children });
  }
}

function blockOf(title: string, role: DeclarationRole, startRow: number, lastRow: number): Block {
  const kind = role === 'function' ? 'function' : role === 'class' ? 'class' : 'code';
  const openKind = role === 'class' || role === 'namespace' ? { openKind: 'outline' as const } : {};
  // A namespace is a place, not a thing: what stands in it is cut on its own.
  const wholeTokens = role === 'namespace' ? { wholeTokens: 0 } : {};
  return {
    startLine: startRow + 1,
    endLine: lastRow + 1,
    kind,
    title,
    children: [],
    family: 'code',
    ...openKind,
    ...wholeTokens,
  };
}

function definesOf(level: Level, named: Named, node: Node): PlacedLink[] {
  const line = (node.childForFieldName('name') ?? node).startPosition.row + 1;
  const above = level.path.slice(level.namespaces);
  return [named.path, ...named.others.map((name) => [name])].map((path) => ({
    kind: 'define',
    target: [...above, ...path].join('.'),
    line,
  }));
}

/** Wrappers (exports, decorators, conditions) are replaced by what they hold. */
function* itemsOf(nodes: readonly (Node | null)[], language: CodeLanguage): Generator<Item> {
  const waiting = nodes.toReversed();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!node) continue;
    if (language.transparent.includes(node.type) && WRAPPERS_OF_MANY.test(node.type)) {
      for (const child of node.namedChildren
        .flatMap((child) => (child?.type === 'declaration_list' ? child.namedChildren : [child]))
        .reverse())
        waiting.push(child);
      continue;
    }
    const held = heldBy(node, language);
    if (held.length > 0) {
      waiting.push(...held.toReversed());
      continue;
    }
    if (TAKES_IN.test(node.type)) {
      const comments = commentsAtEnd(node);
      const [first] = comments;
      yield { node, firstRow: node.startPosition.row, lastRow: first ? first.startPosition.row - 1 : lastRowOf(node) };
      for (const comment of comments)
        yield { node: comment, firstRow: comment.startPosition.row, lastRow: lastRowOf(comment) };
      continue;
    }
    let inner = node;
    for (let depth = 0; depth < 5 && language.transparent.includes(inner.type); depth++)
      inner = wrapped(inner, language) ?? inner;
    inner = markedMethod(inner) ?? inner;
    yield { node: inner, firstRow: node.startPosition.row, lastRow: lastRowOf(node) };
  }
}

/** What declares, or stands before what does, in something that declares nothing itself and has no name. */
function heldBy(node: Node, language: CodeLanguage): Node[] {
  switch (node.type) {
    case 'if_statement':
    case 'try_statement':
      return declaredUnder(node, language);
    case 'singleton_class':
      return node.namedChildren
        .flatMap((child) => (child && language.bodies.includes(child.type) ? child.namedChildren : [child]))
        .filter((child) => child !== null);
    case 'type_declaration':
      return namedSpecs(node);
    default:
      return [];
  }
}

/** Functions and classes in the branches of a condition, with the comments around them. */
function declaredUnder(node: Node, language: CodeLanguage, depth = 0): Node[] {
  if (depth > DEEPEST_BRANCH) return [];
  const found = node.namedChildren.flatMap((child) => {
    if (!child) return [];
    if (BRANCHES.test(child.type)) return declaredUnder(child, language, depth + 1);
    return isBefore(child) || declaresMore(child, language) ? [child] : [];
  });
  return found.some((child) => !isBefore(child)) ? found : [];
}

const isBefore = (node: Node): boolean => isComment(node) || isPrefix(node);

/** Whether a node, or what it wraps, is a function or a class. */
function declaresMore(node: Node, language: CodeLanguage): boolean {
  const inner = language.transparent.includes(node.type) ? (wrapped(node, language) ?? node) : node;
  const role = language.declarations[inner.type];
  return role === 'function' || role === 'class';
}

/** The types of Go's `type (…)`, where it holds more than one. */
function namedSpecs(node: Node): Node[] {
  const parts = node.namedChildren.filter((child) => child !== null);
  const specs = parts.filter(({ type }) => SPEC.test(type));
  return specs.length > 1 ? parts.filter((part) => SPEC.test(part.type) || isBefore(part)) : [];
}

/** The method of Ruby's `private def depth`. */
function markedMethod(node: Node): Node | undefined {
  if (node.type !== 'call') return undefined;
  const values = node.childForFieldName('arguments')?.namedChildren ?? [];
  const [only] = values;
  return values.length === 1 && only && /^(?:singleton_)?method$/.test(only.type) ? only : undefined;
}

function wrapped(wrapper: Node, language: CodeLanguage): Node | undefined {
  const declared = wrapper.childForFieldName('declaration') ?? wrapper.childForFieldName('definition');
  return (
    declared ??
    wrapper.namedChildren.findLast(
      (child) => child && (child.type in language.declarations || language.transparent.includes(child.type)),
    ) ??
    undefined
  );
}

function membersOf(node: Node, role: DeclarationRole, language: CodeLanguage): (Node | null)[] {
  if (role === 'function' || role === 'value') return [];
  if (node.type === 'expression_statement') return testBody(node);
  const holder = CLASS_VALUE_HOLDERS.has(node.type)
    ? (node.descendantsOfType('class_body')[0] ?? undefined)
    : undefined;
  const body =
    holder ??
    node.childForFieldName('body') ??
    node.namedChildren.find((child) => child && language.bodies.includes(child.type));
  return body && language.bodies.includes(body.type) ? body.namedChildren : [];
}

const CLASS_VALUE_HOLDERS = new Set(['lexical_declaration', 'variable_declaration']);

/** Members of `describe('…', () => { … })`. */
function testBody(node: Node): (Node | null)[] {
  const callback = node.namedChild(0)?.childForFieldName('arguments')?.namedChildren.at(-1);
  const body = callback?.childForFieldName('body');
  return body?.type === 'statement_block' ? body.namedChildren : [];
}

const DEEPEST_STATEMENT = 16;
const NO_STATEMENT = 20;
const PER_LEVEL = 3;
const AFTER_COMMENT = 15;
const WITHOUT_BLANK_LINE = 3;

/**
 * Where a long function may be cut: before a line on which a syntax node starts, the shallower the better, after a
 * blank line better still, never between a comment and what it is about. Works for every grammar, as it asks for depth
 * alone.
 */
export function statementBreaks(tree: Tree, source: SourceText): BreakCost {
  const depths = new Uint16Array(source.lineCount + 2).fill(NO_STATEMENT);
  const afterComment = new Uint8Array(source.lineCount + 3);
  const cursor = tree.walk();
  try {
    let depth = 0;
    for (;;) {
      const start = cursor.startPosition;
      const end = cursor.endPosition;
      const line = start.row + 1;
      if (depths[line] === NO_STATEMENT && isFirstOnLine(source, start))
        depths[line] = cursor.nodeIsNamed ? Math.min(depth, 15) : DEEPEST_STATEMENT;
      if (cursor.nodeType.includes('comment')) afterComment[end.row + (end.column === 0 ? 1 : 2)] = 1;
      // What lies on one line holds no place to break.
      if (end.row > start.row && cursor.gotoFirstChild()) {
        depth += 1;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return costOf;
        depth -= 1;
      }
    }
  } finally {
    cursor.delete();
  }

  function costOf(line: number): number {
    return (
      (depths[line] ?? NO_STATEMENT) * PER_LEVEL +
      (afterComment[line] ? AFTER_COMMENT : 0) +
      (source.isBlank(line - 1) ? 0 : WITHOUT_BLANK_LINE)
    );
  }
}
