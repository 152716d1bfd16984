import type { Node } from '@vscode/tree-sitter-wasm';
import type { TextSpan } from '../../domain/passage-chain.ts';
import type { Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import type { CodeLanguage } from '../code/code-language.ts';
import { lastRowOf } from '../code/declarations.ts';
import type { SourceText } from '../text/source-text.ts';
import { type CallChain, CallChains } from './call-chains.ts';
import { commentParts, movedBy } from './comment-units.ts';
import { foldContext, joinContexts, stretch, trimmed } from './prose-units.ts';
import {
  ASSIGNS,
  BARE,
  DEEPEST,
  isOnlyMarks,
  LITERAL,
  LONGEST_LABEL,
  MOST_CHARACTERS,
  MOST_COMMENT_LINES,
  MOST_LINES,
  nearestHeads,
  THROWS,
  withoutOpening,
} from './statement-kinds.ts';

const THROWING = /throw|raise/;
const IMPORTS = /^(?:import|use_declaration|using_directive|namespace_use|preproc_include|package_|future_import)/;
/** Nodes that hold statements, members or arguments, and say nothing themselves. */
const HOLDS =
  /(?:^|_)(?:block|body|suite|list|section|arguments|parameters|statements|object|array|dictionary|elements)$/;
const DECLARES = /declaration|declarator|definition|assignment|const_item|static_item|_spec$|preproc_def/;
const HOLDS_VALUE =
  /^(?:pair|property|field|public_field|parameter|default|typed_default|optional_parameter|required_parameter|keyword_argument|enum|variant|const_element|constant)/;
/** What a macro is given: a grammar tells no statements in it, and a name alone says nothing. */
const TOKENS = 'token_tree';
const NAMES = /identifier|type|self|crate|metavariable|mutable/;
/** What stands before a declaration and belongs to it. */
const PREFIX = /^(?:decorator|annotation|attribute_item|attribute_list)$/;
/** What a call says of a value that is given nowhere else: `default=3`, `default_value_t = 4`. */
const DEFAULTS = /\bdefault\w*\s*[=:]/i;
/** Fields in which grammars keep what a head stands before, and those through which the way leads there. */
const BODIES = ['body', 'consequence'];
const WRAPPED = ['declaration', 'definition', 'value', 'right'];

interface Level {
  node: Node;
  heads: readonly UnitContext[];
  depth: number;
  /** What ends before this offset is a part of the head. */
  after: number;
  /** The last of the heads is that of the node itself. */
  own?: boolean;
}

/** A condition, and what grammars call the ways on where it does not hold. */
const CONDITION = /^(?:if|elif|elsif|else_?if|unless)(?!_modifier)/;
const OTHERWISE = /^(?:elif|elsif|else)/;

/**
 * Units of a program by its syntax tree, alike for every grammar: a node that begins a line and is short is one; a
 * longer one gives its head and is opened. Statements know the heads that stand around them, doc comments what they are
 * about.
 */
export function codeUnits(root: Node, grammar: CodeLanguage, source: SourceText): Unit[] {
  const reader = new TreeReader(grammar, source);
  const levels: Level[] = [{ node: root, heads: [], depth: 0, after: 0 }];
  for (let level = levels.pop(); level; level = levels.pop()) reader.open(level, levels);
  return reader.units.sort((a, b) => a.start - b.start || a.end - b.end);
}

class TreeReader {
  readonly units: Unit[] = [];
  readonly #grammar: CodeLanguage;
  readonly #source: SourceText;
  readonly #chains: CallChains;

  constructor(grammar: CodeLanguage, source: SourceText) {
    this.#grammar = grammar;
    this.#source = source;
    this.#chains = new CallChains(source);
  }

  /** Takes what begins a line below a node; longer nodes are put on the stack. */
  open({ node, heads: above, depth, after, own }: Level, levels: Level[]): void {
    let comment: TextSpan | undefined;
    let lastRow = -2;
    let heads = above;
    const children = node.namedChildren.filter((child) => child !== null);
    for (const [i, child] of children.entries()) {
      const span = this.#spanOf(child);
      if (span.end <= after) continue;
      const firstRow = child.startPosition.row;
      const follows = firstRow === lastRow + 1;
      lastRow = lastRowOf(child);
      if (this.#isComment(child)) {
        // One that stands behind code belongs to its line, which is a unit already.
        if (!this.#beginsLine(child)) continue;
        if (comment && follows) comment.end = span.end;
        else {
          this.#comment(comment, heads);
          comment = span;
        }
        continue;
      }
      if (this.#isPrefix(child)) {
        const next = children.slice(i + 1).find((one) => !this.#isPrefix(one) && !this.#isComment(one));
        const about = next ? [...heads, this.#headOf(next)] : heads;
        if (!this.#beginsLine(child)) continue;
        // An attribute holds words that grammars do not tell apart.
        if (/attribute/.test(child.type)) this.#push(span, this.#kindOf(child), about);
        else this.#take(child, span, { node, heads: about, depth, after }, levels);
        continue;
      }
      if (CONDITION.test(node.type) && this.#isOtherwise(child, span)) {
        this.#comment(comment, heads);
        comment = undefined;
        this.#otherwise(child, span, { node, heads, depth, after, own }, levels);
        continue;
      }
      if (comment) {
        const about = follows ? this.#headOf(child) : undefined;
        // A body that `{` opens on a line of its own is no more than what its comment is about already.
        this.#comment(comment, about && !BARE.test(about.text) ? [...heads, about] : heads);
      }
      comment = undefined;
      this.#take(child, span, { node, heads, depth, after, own }, levels);
      // What follows the name of a flag says something of it: `"--wait"`, `default=3`.
      if (i === 0 && ARGUMENTS.test(node.type) && isName(child, this.#source.text.slice(span.start, span.end)))
        heads = [...above, { ...span, text: this.#source.text.slice(span.start, span.end) }];
    }
    this.#comment(comment, heads);
  }

  #take(child: Node, span: TextSpan, level: Level, levels: Level[]): void {
    if (level.node.type === TOKENS && NAMES.test(child.type)) return;
    const { heads, depth } = level;
    const rows = lastRowOf(child) - child.startPosition.row + 1;
    // What begins where its parent does was told by the parent's head.
    const begins = this.#beginsLine(child) && !this.#repeats(level, span);
    if (IMPORTS.test(child.type)) return this.#push(span, 'import', heads);
    if (rows > 1 && depth < DEEPEST && (this.#holds(child) || (!begins && !isText(child)))) {
      levels.push({ ...level, node: child, depth: depth + 1, own: level.own && this.#repeats(level, span) });
      return;
    }
    if (!begins && rows === 1) return;
    if (rows === 1 || depth >= DEEPEST || (rows <= MOST_LINES && span.end - span.start <= MOST_CHARACTERS))
      return this.#push(span, this.#kindOf(child), heads);
    const chain = this.#chains.of(child);
    if (chain) return this.#chain(chain, level, levels);
    // Words of many lines: a doc string, a template, a query.
    if (isText(child)) return this.#words(span, this.#holds(level.node) ? 'comment' : 'statement', heads);
    const head = this.#headOf(child);
    const says = !BARE.test(head.text);
    if (says) this.#push({ start: head.start, end: head.end }, this.#headKind(child), heads);
    levels.push({ node: child, heads: says ? [...heads, head] : heads, depth: depth + 1, after: head.end, own: says });
  }

  #isOtherwise({ type }: Node, { start }: TextSpan): boolean {
    return OTHERWISE.test(type) || /\belse\s*$/.test(this.#source.text.slice(Math.max(0, start - 16), start));
  }

  /**
   * What is done where a condition does not hold: below the condition and `else`, or below the next condition alone. It
   * mostly begins behind the end of the block before.
   */
  #otherwise(child: Node, span: TextSpan, level: Level, levels: Level[]): void {
    const { heads, depth, own } = level;
    const first = child.namedChild(0);
    const next = CONDITION.test(child.type) ? child : first && CONDITION.test(first.type) ? first : undefined;
    const above = next && own ? heads.slice(0, -1) : heads;
    const rows = lastRowOf(child) - child.startPosition.row + 1;
    const isShort = rows <= MOST_LINES && span.end - span.start <= MOST_CHARACTERS;
    if (depth >= DEEPEST || (isShort && this.#beginsLine(child))) return this.#push(span, this.#kindOf(child), above);
    if (!next) {
      const head = { start: span.start, end: span.start, text: 'else' };
      levels.push({ node: child, heads: [...above, head], depth: depth + 1, after: level.after });
      return;
    }
    const head = this.#headOf(next);
    const said = OTHERWISE.test(next.type) ? head.text : `else ${head.text}`;
    this.#push({ start: span.start, end: head.end }, 'statement', above);
    levels.push({
      node: next,
      heads: [...above, { ...head, text: said }],
      depth: depth + 1,
      after: head.end,
      own: true,
    });
  }

  /** What is called first stands above what is called on it, link by link. */
  #chain({ base, links }: CallChain, { heads, depth }: Level, levels: Level[]): void {
    const text = foldContext(this.#source.text.slice(base.start, base.end));
    const head = { ...base, text: text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text };
    this.#push(base, 'statement', heads);
    for (const { start, end, rows, args } of links) {
      const span = { start, end };
      const said = this.#source.text.slice(start, end);
      if (rows <= MOST_LINES || !args || depth >= DEEPEST) {
        this.#push(span, DEFAULTS.test(said) ? 'default' : 'statement', [...heads, head]);
        continue;
      }
      const first = { start, end: start + said.indexOf('\n') };
      const label = withoutOpening(foldContext(said.slice(0, said.indexOf('\n'))));
      this.#push(first, 'statement', [...heads, head]);
      levels.push({
        node: args,
        heads: [...heads, head, { ...first, text: label }],
        depth: depth + 1,
        after: first.end,
      });
    }
  }

  #isPrefix({ type }: Node): boolean {
    return this.#grammar.prefixes.includes(type) || PREFIX.test(type);
  }

  #isComment({ type }: Node): boolean {
    return this.#grammar.comments.includes(type);
  }

  /** Asked of the level and not of the node: a node finds its parent by walking down from the root. */
  #repeats({ node, depth }: Level, { start }: TextSpan): boolean {
    return depth > 0 && !this.#holds(node) && this.#spanOf(node).start === start;
  }

  /** Bodies, lists of arguments, decorated declarations: their parts are looked at as if they stood around them. */
  #holds(node: Node): boolean {
    const { type } = node;
    if (this.#grammar.bodies.includes(type) || HOLDS.test(type)) return true;
    if (!this.#grammar.transparent.includes(type)) return false;
    if (type === 'decorated_definition') return true;
    return node.namedChildren.some((part) => part && this.#grammar.prefixes.includes(part.type));
  }

  /** From where a node begins to the end of the line before its body, or before the first thing that begins a line. */
  #headOf(node: Node): UnitContext & TextSpan {
    const source = this.#source;
    const whole = this.#spanOf(node);
    const last = Math.max(node.startPosition.row, this.#firstInnerRow(node) - 1);
    const line = Math.min(last, lastRowOf(node)) + 1;
    const end = Math.min(source.offsetOf(line) + source.line(line).length, whole.end);
    const words = withoutOpening(foldContext(source.text.slice(whole.start, end)));
    const text = words.length > LONGEST_LABEL ? `${words.slice(0, LONGEST_LABEL - 1)}…` : words;
    return { start: whole.start, end, text };
  }

  /** 0-based row of the first thing in a node's body, or of the first descendant that begins a line below the first. */
  #firstInnerRow(node: Node): number {
    const top = node.startPosition.row;
    const body = bodyOf(node);
    if (body && lastRowOf(node) > top) {
      const bodyRow = body.startPosition.row;
      const inner = body.namedChildren.find((child) => child && child.startPosition.row > bodyRow)?.startPosition.row;
      const row = bodyRow > top && this.#beginsLine(body) ? this.#commentedRow(body) : inner;
      if (row !== undefined && row - top <= MOST_COMMENT_LINES) return row;
    }
    let at: Node | null | undefined = node;
    for (let depth = 0; at && depth < DEEPEST; depth++) {
      const first: Node | null | undefined = at.namedChildren.find((child) => child && lastRowOf(child) > top);
      if (first && first.startPosition.row > top) return first.startPosition.row;
      at = first;
    }
    return lastRowOf(node) + 1;
  }

  /** 0-based row of a body, or of the comments between it and its signature, which are no part of that. */
  #commentedRow(body: Node): number {
    let first = body;
    for (let before = first.previousNamedSibling; before; before = before.previousNamedSibling) {
      if (!this.#isComment(before) || !this.#beginsLine(before)) break;
      first = before;
    }
    return first.startPosition.row;
  }

  #kindOf(node: Node): UnitKind {
    const text = this.#source.text.slice(this.#spanOf(node).start, this.#spanOf(node).end);
    if (THROWING.test(node.type) || THROWS.test(text)) return 'error';
    if (node.type === 'expression_statement' && /^[rbuf]*["'`]/i.test(text)) return 'comment';
    if (HOLDS_VALUE.test(node.type) || (CALLS.test(node.type) && DEFAULTS.test(text))) return 'default';
    if (
      (DECLARES.test(node.type) || ASSIGNS.test(text)) &&
      LITERAL.test(text) &&
      !/\(/.test(text.split(/[=:]/)[0] ?? '')
    )
      return 'constant';
    return 'statement';
  }

  #headKind(node: Node): UnitKind {
    const role = this.#grammar.declarations[node.type];
    if (role === 'function' || role === 'class' || role === 'namespace') return 'signature';
    if (this.#grammar.transparent.includes(node.type)) return 'signature';
    return HOLDS_VALUE.test(node.type) ? 'default' : 'statement';
  }

  #comment(span: TextSpan | undefined, heads: readonly UnitContext[]): void {
    if (span) this.#words(span, 'comment', heads);
  }

  /** A comment whole where it is short, else by its parts. */
  #words(span: TextSpan, kind: UnitKind, heads: readonly UnitContext[]): void {
    const text = this.#source.text.slice(span.start, span.end);
    if (text.split('\n').length <= MOST_COMMENT_LINES && text.length <= MOST_CHARACTERS)
      return this.#push(span, kind, heads);
    for (const { start, end, context } of commentParts(text)) {
      const part = { start: span.start + start, end: span.start + end };
      this.#push(part, kind, context ? [...heads, movedBy(span.start, context)] : heads);
    }
  }

  #push(span: TextSpan, kind: UnitKind, heads: readonly UnitContext[]): void {
    const inside = trimmed(this.#source.text, span);
    if (inside && !isOnlyMarks(this.#source.text.slice(inside.start, inside.end)))
      this.units.push(...stretch(this.#source.text, inside, kind, joinContexts(nearestHeads(heads)), true));
  }

  #spanOf(node: Node): TextSpan {
    const { startPosition: from, endPosition: to } = node;
    return {
      start: this.#source.offsetOf(from.row + 1) + from.column,
      end: Math.min(this.#source.offsetOf(to.row + 1) + to.column, this.#source.text.length),
    };
  }

  #beginsLine(node: Node): boolean {
    const { row, column } = node.startPosition;
    return (
      this.#source
        .line(row + 1)
        .slice(0, column)
        .trim() === ''
    );
  }
}

/** `"--wait"`, `'-d, --out-dir <dir>'`, `"port"`: what an option, a route or a test is called. */
const isName = ({ type }: Node, text: string): boolean => /string/.test(type) && /^[^\n]{3,60}$/.test(text);
const ARGUMENTS = /arguments|argument_list|value_arguments/;
/** Statements that call something, and what stands before a declaration. */
const CALLS = /^(?:expression_statement|decorator|annotation|attribute_item|attribute_list|call\w*|method_invocation)$/;

/** Where what a node is about begins: behind the wrappers that only say that it is exported or assigned. */
function bodyOf(node: Node): Node | undefined {
  let at: Node | null | undefined = node;
  for (let depth = 0; at && depth < 6; depth++) {
    const inner: Node = at;
    const body = BODIES.map((field) => inner.childForFieldName(field)).find((found) => found !== null);
    if (body) return body;
    at =
      WRAPPED.map((field) => inner.childForFieldName(field)).find((found) => found !== null) ??
      (inner.namedChildCount === 1 && !HOLDS.test(inner.type) ? inner.namedChild(0) : undefined);
    if (at && HOLDS.test(at.type)) return undefined;
  }
  return undefined;
}

/** A string of several lines, alone or as a statement. */
const isText = (node: Node): boolean =>
  /string|template|heredoc|raw_text|text_block/.test(node.type) ||
  (node.type === 'expression_statement' && node.namedChildCount === 1 && /string/.test(node.namedChild(0)?.type ?? ''));
