import type { Node } from '@vscode/tree-sitter-wasm';
import { expression } from '#base';
import type { Unit, UnitKind } from '../../domain/unit.ts';
import type { CodeLanguage } from '../code/code-language.ts';
import { isComment, isFirstOnLine, isPrefix, lastRowOf } from '../code/syntax-nodes.ts';
import { isBlank, type SourceText } from '../text/source-text.ts';
import { kindOf, type Statement, statementUnits } from './statements.ts';

const IMPORTS = /^(?:import|use_declaration|using_directive|namespace_use|preproc_include|package_|future_import)/;
const DECLARES = /declaration|declarator|definition|assignment|const_item|static_item|_spec$|preproc_def/;
const HOLDS_VALUE = expression('')`
  ^(?:pair|property|field|public_field|parameter|default|typed_default|optional_parameter|required_parameter|
  keyword_argument|enum|variant|const_element|constant)
`;
/** Nodes that hold statements, members or arguments, and say nothing themselves. */
const HOLDS = expression('')`
  (?:^|_)(?:block|body|compound_statement|suite|list|section|arguments|parameters|statements|object|array|dictionary|
  elements)$|^(?:decorated_definition|modifiers|then|do|body_statement)$
`;
/** Parts of a statement with a head of their own, which mostly begin behind the end of the block before. */
const CLAUSE = /^(?:else|elif|elsif|else_if|except|catch|finally|rescue|ensure)(?:_clause|_block)?$/;
/** Fields in which grammars keep what a head stands before, and those through which the way leads there. */
const BODIES = ['body', 'consequence'];
const WRAPPED = ['declaration', 'definition', 'value', 'right'];
const BODY = /(?:^|_)body$/;
const DEEPEST_WRAPPER = 6;
/** A longer head (many parameters) is told by its first line. */
const MOST_HEAD_ROWS = 6;

/** Units of a program by its syntax tree, alike for every grammar: see statementUnits. */
export function codeUnits(root: Node, grammar: CodeLanguage, source: SourceText): Unit[] {
  return statementUnits(source, partsOf(root, 0));

  /** What begins a line below a node, behind an offset; a comment with the comments right below it. */
  function partsOf(node: Node, after: number): Statement[] {
    const found: Statement[] = [];
    const waiting = [...node.namedChildren].reverse();
    let comment: Statement | undefined;
    for (let child = waiting.pop(); child !== undefined; child = waiting.pop()) {
      if (!child || child.endIndex <= after) continue;
      const isMultiline = lastRowOf(child) > child.startPosition.row;
      const last = found.at(-1);
      const isBehindPrefix = last?.isAbout === true && !last.isWords && last.lastLine === child.startPosition.row + 1;
      const begins = child.startIndex >= after && (isBehindPrefix || isFirstOnLine(source, child.startPosition));
      if (isComment(child)) {
        if (!begins) continue;
        const row = child.startPosition.row + 1;
        if (comment && comment.lastLine === row - 1 && found.at(-1) === comment) {
          comment.end = comment.headEnd = child.endIndex;
          comment.lastLine = lastRowOf(child) + 1;
        } else
          found.push(
            (comment = { ...statementOf(child, waiting.at(-1)), kind: 'comment', isWords: true, isAbout: true }),
          );
      } else if (isPrefix(child)) {
        if (begins) found.push({ ...statementOf(child, waiting.at(-1)), isAbout: true });
      } else if (isMultiline && elseBefore(child) > 0) found.push(statementOf(child, waiting.at(-1)));
      else if (isMultiline && (holds(child) || !(begins || CLAUSE.test(child.type))))
        waiting.push(...[...child.namedChildren].reverse());
      else if (begins || isMultiline) {
        const prefixes = prefixesOf(child);
        for (const prefix of prefixes) found.push({ ...statementOf(prefix, null), isAbout: true });
        found.push(statementOf(child, waiting.at(-1), prefixes.at(-1)));
      }
    }
    return found;
  }

  function holds({ type }: Node): boolean {
    return grammar.bodies.includes(type) || HOLDS.test(type);
  }

  /** How many characters before a node an `else` begins that no node holds; 0 for none. */
  function elseBefore({ startIndex }: Node): number {
    return /\belse\s*$/.exec(source.text.slice(Math.max(0, startIndex - 16), startIndex))?.[0].length ?? 0;
  }

  /** Annotations inside of a node, before what it declares, that stand on lines of their own. */
  function prefixesOf(node: Node): Node[] {
    const found: Node[] = [];
    for (const child of node.namedChildren.flatMap((one) => (one?.type === 'modifiers' ? one.namedChildren : [one]))) {
      if (!child || !isPrefix(child)) break;
      const { row, column } = child.endPosition;
      if (!isBlank(source.line(row + 1).slice(column))) break;
      found.push(child);
    }
    return found;
  }

  /** @param prefix The last of its annotations, which are statements of their own. */
  function statementOf(node: Node, next: Node | null | undefined, prefix?: Node): Statement {
    const lastRow = lastRowOf(node);
    // It goes on to the end of its line, with the comment there, unless something of several lines begins in it.
    const isShared = next && next.startPosition.row === lastRow && lastRowOf(next) > lastRow;
    const lineEnd = source.spanOf(lastRow + 1).end;
    const end = isShared || lineEnd - node.endIndex > 400 ? node.endIndex : lineEnd;
    const firstRow = prefix ? lastRowOf(prefix) + 1 : node.startPosition.row;
    const headEnd = Math.min(headEndOf(node, firstRow), end);
    const start = prefix
      ? source.offsetOf(firstRow + 1) + source.line(firstRow + 1).search(/\S|$/)
      : node.startIndex - elseBefore(node);
    const isWords = isText(node);
    const kind = isDocString(node) ? 'comment' : kindOfNode(node, lastRow);
    return {
      start,
      end: Math.max(start, end),
      firstLine: firstRow + 1,
      lastLine: lastRow + 1,
      headEnd,
      ...(kind && { kind }),
      isWords,
      isClause: CLAUSE.test(node.type) || elseBefore(node) > 0,
      parts: () => partsOf(node, headEnd),
    };
  }

  /** The end of the line before a node's body, or on which the body opens; of its first line where it has none. */
  function headEndOf(node: Node, row: number): number {
    const body = lastRowOf(node) > row ? bodyOf(node, grammar.bodies) : undefined;
    if (!body) return source.spanOf(row + 1).end;
    const bodyRow = body.startPosition.row;
    const headRow = bodyRow > row && isFirstOnLine(source, body.startPosition) ? bodyRow - 1 : bodyRow;
    let last = headRow - row > MOST_HEAD_ROWS ? row : headRow;
    // Comments between a head and its body belong to the body.
    while (last > row && /^\s*(?:#|\/\/|--|$)/.test(source.line(last + 1))) last -= 1;
    return source.spanOf(last + 1).end;
  }

  function kindOfNode(node: Node, lastRow: number): UnitKind | undefined {
    if (IMPORTS.test(node.type)) return 'import';
    if (/throw|raise/.test(node.type)) return 'error';
    if (lastRow - node.startPosition.row >= 4 || bodyOf(node, grammar.bodies)) {
      const role = grammar.declarations[node.type];
      if (role === 'function' || role === 'class' || role === 'namespace') return 'signature';
      if (grammar.transparent.includes(node.type)) return 'signature';
    }
    if (HOLDS_VALUE.test(node.type)) return 'default';
    if (!DECLARES.test(node.type) && node.type !== 'expression_statement') return undefined;
    const kind = kindOf(source.text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 400)), false);
    return kind === 'constant' ? kind : undefined;
  }
}

/** Where what a node is about begins: behind the wrappers that only say that it is exported or assigned. */
function bodyOf(node: Node, bodies: readonly string[]): Node | undefined {
  let at: Node | null | undefined = node;
  for (let depth = 0; at && depth < DEEPEST_WRAPPER; depth++) {
    const inner: Node = at;
    const body = BODIES.map((field) => inner.childForFieldName(field)).find((found) => found !== null);
    if (body) return body;
    const held = inner.namedChildren.find((child) => child && (bodies.includes(child.type) || BODY.test(child.type)));
    if (held) return held;
    at = WRAPPED.map((field) => inner.childForFieldName(field)).find((found) => found !== null);
    at ??= inner.namedChildCount === 1 ? inner.namedChild(0) : undefined;
  }
  return undefined;
}

const isDocString = (node: Node): boolean =>
  node.type === 'expression_statement' && node.namedChildCount === 1 && /string/.test(node.namedChild(0)?.type ?? '');

/** A string of several lines, alone or as a statement. */
function isText(node: Node): boolean {
  if (lastRowOf(node) === node.startPosition.row) return false;
  return isDocString(node) || /string|template|heredoc|raw_text|text_block/.test(node.type);
}
