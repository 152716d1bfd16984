import { expression } from '#base';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { TextSpan } from '../../domain/unit.ts';
import type { Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import type { CodeLanguage } from '../code/code-language.ts';
import { commentsAtEnd, isComment, isFirstOnLine, isPrefix, lastRowOf, spanOf } from '../code/syntax-nodes.ts';
import { trimmed, withoutTrailing } from '../../text/trim.ts';
import { isOnlyMarks, type SourceText } from '../text/source-text.ts';
import { type CallChain, CallChains } from './call-chains.ts';
import { commentParts, movedBy } from './comment-units.ts';
import { foldContext, joinContexts, stretch } from './prose-units.ts';
import {
  ASSIGNS,
  BARE,
  DEEPEST,
  DOC,
  LITERAL,
  labelOf,
  MOST_CHARACTERS,
  MOST_COMMENT_LINES,
  MOST_LINES,
  nearestHeads,
  THROWS,
  withoutOpening,
} from './statement-kinds.ts';

const THROWING = /throw|raise/;
const IMPORTS = /^(?:import|use_declaration|using_directive|namespace_use|preproc_include|package_|future_import)/;
/** What says something of a whole file; a package has a comment of its own in Go. */
const OF_FILE = expression('')`
  ^(?:import|use_declaration|using_directive|namespace_use|preproc_(?:include|call)|package_(?!clause)|
    future_import|file_annotation|declare_statement)
`;
const DIRECTIVE = /^(?:(?:"[^"\n]{0,80}"|'[^'\n]{0,80}');?$|(?:const|var|let) [^=\n]{1,200}= require\()/;
/** What a script does where a variable is not set: `: "${WAIT:=5}"`. */
const SETS_DEFAULT = /^: "?\$\{\w/;
/** Statements with a body that declare nothing. */
const CONTROLS = /^(?:if|for|foreach|while|until|unless|switch|case|try|with|match|preproc_if|preproc_ifdef)(?:_|$)/;
/** Nodes that hold statements, members or arguments, and say nothing themselves. */
const HOLDS = expression('')`
  (?:^|_)(?:block|body|compound_statement|suite|list|section|arguments|parameters|statements|object|array|
    dictionary|elements)$
`;
const DECLARES = /declaration|declarator|definition|assignment|const_item|static_item|_spec$|preproc_def/;
const HOLDS_VALUE = expression('')`
  ^(?:pair|property|field|public_field|parameter|default|typed_default|optional_parameter|required_parameter|
    keyword_argument|enum|variant|const_element|constant)
`;
/** What a macro is given: a grammar tells no statements in it, and a name alone says nothing. */
const TOKENS = 'token_tree';
const NAME = /^[\w.:$&]*$/;
const TEXTS = ['string_literal', 'raw_string_literal'];
const GIVES = /^[\w.]{1,80}: /;
/** Where grammars collect annotations, with words like `public`. */
const MODIFIERS = 'modifiers';
/** What holds a body where a grammar has no field for it. */
const BODY = /(?:^|_)body$/;
/** What a call says of a value that is given nowhere else: `default=3`, `default_value_t = 4`. */
const DEFAULTS = /\bdefault\w*\s*[=:]/i;
/** Fields in which grammars keep what a head stands before, and those through which the way leads there. */
const BODIES = ['body', 'consequence'];
const WRAPPED = ['declaration', 'definition', 'value', 'right'];

/** What parts the values of several lines. */
const AT_END = /[\s,;\\]/;

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
  reader.read(root);
  const units = reader.units.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [i, unit] of units.entries()) toEndOfLine(unit, units[i + 1]?.start, source.text, reader.tails);
  return units;
}

/**
 * A statement goes on to the end of its line, with the comment and the values that follow it there, as far as no other
 * unit begins; a longer line is data.
 */
function toEndOfLine(unit: Unit, next: number | undefined, text: string, tails: ReadonlyMap<number, number>): void {
  if (unit.kind === 'comment' || (next ?? unit.end) < unit.end) return;
  const lineEnd = text.indexOf('\n', unit.end);
  const whole = lineEnd < 0 ? text.length : lineEnd;
  const end = Math.min(tails.get(whole) ?? whole, next ?? text.length);
  const rest = text.slice(unit.end, end);
  if (rest.length > MOST_CHARACTERS || isOnlyMarks(rest)) return;
  unit.end += withoutTrailing(rest, AT_END).length;
}

class TreeReader {
  readonly units: Unit[] = [];
  /** Ends of comments of several lines that begin behind code, by the end of its line. */
  readonly tails = new Map<number, number>();
  readonly #grammar: CodeLanguage;
  readonly #source: SourceText;
  readonly #chains: CallChains;
  /** Nodes that are to be opened, the next one last. */
  readonly #levels: Level[] = [];

  constructor(grammar: CodeLanguage, source: SourceText) {
    this.#grammar = grammar;
    this.#source = source;
    this.#chains = new CallChains(source);
  }

  read(root: Node): void {
    this.#levels.push({ node: root, heads: [], depth: 0, after: 0 });
    for (let level = this.#levels.pop(); level; level = this.#levels.pop())
      if (level.node.type === TOKENS) this.#tokens(level);
      else this.#children(level);
  }

  /** Takes what begins a line below a node; longer nodes are put on the stack. */
  #children(level: Level): void {
    const { node, heads: above, depth, after } = level;
    let comment: TextSpan | undefined;
    let lastRow = -2;
    let heads = above;
    let declared: { at: number; head?: UnitContext } = { at: 0 };
    const children = node.namedChildren.flatMap((child) => (child === null ? [] : [child, ...hungIn(child)]));
    for (const [i, child] of children.entries()) {
      const span = spanOf(child);
      if (span.end <= after) continue;
      const firstRow = child.startPosition.row;
      const follows = firstRow === lastRow + 1;
      lastRow = lastRowOf(child);
      if (isComment(child)) {
        // One that stands behind code belongs to the unit of its line.
        if (!this.#beginsLine(child)) {
          this.#tail(child);
          continue;
        }
        if (comment && follows) comment.end = span.end;
        else {
          this.#comment(comment, heads);
          comment = span;
        }
        continue;
      }
      if (standsBefore(child)) {
        if (!this.#beginsLine(child)) continue;
        if (declared.at <= i) declared = this.#declaredBehind(children, i);
        const about = declared.head ? [...heads, declared.head] : heads;
        this.#prefix(child, { ...level, heads: about, own: false });
        continue;
      }
      if (CONDITION.test(node.type) && this.#isOtherwise(child)) {
        this.#comment(comment, heads);
        comment = undefined;
        this.#otherwise(child, { ...level, heads });
        continue;
      }
      if (comment) {
        const about = follows && this.#isTold(child, comment, depth > 0) ? this.#headOf(child) : undefined;
        // A body that `{` opens on a line of its own is no more than what its comment is about already.
        this.#comment(comment, about && !BARE.test(about.text) ? [...heads, about] : heads);
      }
      comment = undefined;
      this.#take(child, { ...level, heads }, this.#leads(child, children[i - 1]));
      // What follows the name of a flag says something of it: `"--wait"`, `default=3`.
      if (i === 0 && ARGUMENTS.test(node.type) && isName(child, this.#textOf(child)))
        heads = [...above, { ...span, text: this.#textOf(child) }];
    }
    this.#comment(comment, heads);
  }

  /** The first child behind a place that is declared: what the annotations before it are about. */
  #declaredBehind(children: readonly Node[], place: number): { at: number; head?: UnitContext } {
    for (let at = place + 1; at < children.length; at++) {
      const child = children[at];
      if (child && !standsBefore(child) && !isComment(child)) return { at, head: this.#headOf(child) };
    }
    return { at: children.length };
  }

  /**
   * Whether a comment right above a statement is about it: what is declared or given a value always is, what takes
   * other files in never, and any other statement where a body holds both. At the top of a file mostly stands what is
   * said of the whole.
   */
  #isTold(node: Node, { start }: TextSpan, isInside: boolean): boolean {
    const said = this.#textOf(node).slice(0, MOST_CHARACTERS);
    if (OF_FILE.test(node.type) || DIRECTIVE.test(said)) return false;
    if (isInside) return true;
    if (CONTROLS.test(node.type)) return false;
    if (DOC.test(this.#source.text.slice(start, start + 4)) || ASSIGNS.test(said) || SETS_DEFAULT.test(said))
      return true;
    if (node.type === 'expression_statement') return false;
    const { declarations, transparent } = this.#grammar;
    return (
      node.type in declarations ||
      transparent.includes(node.type) ||
      DECLARES.test(node.type) ||
      IMPORTS.test(node.type)
    );
  }

  /** An attribute holds words that grammars do not tell apart. */
  #prefix(prefix: Node, level: Level): void {
    if (/attribute/.test(prefix.type)) this.#push(spanOf(prefix), this.#kindOf(prefix), level.heads);
    else this.#take(prefix, level);
  }

  #take(child: Node, level: Level, leads = this.#beginsLine(child)): void {
    const { heads, depth } = level;
    const span = spanOf(child);
    const rows = rowsOf(child);
    // What begins where its parent does, or before the end of the parent's head, was told by that.
    const isTold = this.#repeats(level, child) || span.start < level.after;
    const begins = leads && !isTold;
    if (IMPORTS.test(child.type)) {
      const [below] = hungIn(child);
      return this.#push({ ...span, end: below?.startIndex ?? span.end }, 'import', heads);
    }
    if (rows > 1 && depth < DEEPEST && (this.#holds(child) || (!begins && !isText(child)))) {
      this.#levels.push({ ...level, node: child, depth: depth + 1, own: level.own && isTold });
      return;
    }
    if (!begins && rows === 1) return;
    if (rows === 1 || depth >= DEEPEST || isShort(child)) return this.#push(span, this.#kindOf(child), heads);
    const chain = this.#chains.of(child);
    if (chain) return this.#chain(chain, level);
    // Words of many lines: a doc string, a template, a query.
    if (isText(child))
      return this.#words(
        { ...span, start: Math.max(span.start, level.after) },
        this.#holds(level.node) ? 'comment' : 'statement',
        heads,
      );
    const head = this.#headOf(child);
    const says = !BARE.test(head.text);
    if (says) this.#head(child, head, level);
    this.#levels.push({
      node: child,
      heads: says ? [...heads, head] : heads,
      depth: depth + 1,
      after: head.end,
      own: says,
    });
  }

  /** A head with the annotations before it; these are units of their own where that would be long. */
  #head(node: Node, head: UnitContext & TextSpan, level: Level): void {
    const start = node.startIndex;
    const said = this.#source.text.slice(start, head.end);
    const isWhole = said.length <= MOST_CHARACTERS && said.split('\n').length <= MOST_LINES;
    this.#push({ start: isWhole ? start : head.start, end: head.end }, this.#headKind(node), level.heads);
    if (isWhole || head.start === start) return;
    const about = { ...level, heads: [...level.heads, head], after: 0 };
    for (const prefix of this.#prefixesOf(node, head.start)) this.#prefix(prefix, about);
  }

  /** Annotations inside of a node, before what it declares, that begin a line. */
  #prefixesOf(node: Node, before: number): Node[] {
    return node.namedChildren
      .flatMap((child) => (child?.type === MODIFIERS ? child.namedChildren : [child]))
      .filter((child) => child !== null)
      .filter((child) => child.endIndex <= before && !isComment(child) && this.#beginsLine(child));
  }

  /** A short comment behind code that goes on below. */
  #tail(comment: Node): void {
    const rows = this.#textOf(comment).trimEnd().split('\n').length;
    if (rows > 1 && rows <= MOST_LINES)
      this.tails.set(this.#source.spanOf(comment.startPosition.row + 1).end, comment.endIndex);
  }

  /**
   * Units of a macro's arguments: each text of several lines, and the other lines, each under the line it is indented
   * below.
   */
  #tokens({ node, heads, after }: Level): void {
    const span = spanOf(node);
    const texts = node
      .descendantsOfType(TEXTS)
      .flatMap((text) => (text && lastRowOf(text) > text.startPosition.row ? [spanOf(text)] : []));
    let from = Math.max(span.start, after);
    for (const text of texts) {
      this.#tokenLines({ start: from, end: text.start }, heads);
      this.#words({ start: Math.max(text.start, from), end: text.end }, 'statement', heads);
      from = Math.max(from, text.end);
    }
    this.#tokenLines({ start: from, end: span.end }, heads);
  }

  #tokenLines({ start, end }: TextSpan, heads: readonly UnitContext[]): void {
    const lines = this.#linesOf({ start, end });
    const above: (UnitContext & { indent: number })[] = [];
    for (let i = 0; i < lines.length;) {
      const [line, last] = [lines[i], lines[lastOfBlock(lines, i)]];
      if (!line || !last) break;
      while ((above.at(-1)?.indent ?? -1) >= line.indent) above.pop();
      const isWhole = last.row - line.row < MOST_LINES && last.end - line.start <= MOST_CHARACTERS;
      const said = this.#source.text.slice(line.start, isWhole ? last.end : line.end);
      const around = [...heads, ...above];
      if (!NAME.test(said)) this.#push({ start: line.start, end: line.start + said.length }, tokenKind(said), around);
      const text = withoutOpening(foldContext(said));
      if (!isWhole && !BARE.test(text)) above.push({ text, start: line.start, end: line.end, indent: line.indent });
      i = isWhole ? lines.indexOf(last, i) + 1 : i + 1;
    }
  }

  /** Lines of a stretch without the blanks around them and the comma behind them. */
  #linesOf({ start, end }: TextSpan): TokenLine[] {
    const lines: TokenLine[] = [];
    const { text } = this.#source;
    for (let row = this.#source.lineAt(start); row <= this.#source.lineAt(end); row++) {
      const line = this.#source.spanOf(row);
      const inside = trimmed(text, { start: Math.max(line.start, start), end: Math.min(line.end, end) });
      if (!inside) continue;
      const said = text.slice(inside.start, inside.end);
      const length = withoutTrailing(said, AT_END).length;
      lines.push({
        ...inside,
        end: inside.start + length,
        row,
        indent: inside.start - line.start,
        closes: isOnlyMarks(said),
      });
    }
    return lines;
  }

  #isOtherwise({ type, startIndex }: Node): boolean {
    return OTHERWISE.test(type) || /\belse\s*$/.test(this.#source.text.slice(Math.max(0, startIndex - 16), startIndex));
  }

  /**
   * What is done where a condition does not hold: below the condition and `else`, or below the next condition alone. It
   * mostly begins behind the end of the block before.
   */
  #otherwise(child: Node, level: Level): void {
    const { heads, depth, own } = level;
    const first = child.namedChild(0);
    const next = CONDITION.test(child.type) ? child : first && CONDITION.test(first.type) ? first : undefined;
    const above = next && own ? heads.slice(0, -1) : heads;
    const span = spanOf(child);
    if (depth >= DEEPEST || (isShort(child) && this.#beginsLine(child)))
      return this.#push(span, this.#kindOf(child), above);
    if (!next) {
      const head = { start: span.start, end: span.start, text: 'else' };
      this.#levels.push({ node: child, heads: [...above, head], depth: depth + 1, after: level.after });
      return;
    }
    const head = this.#headOf(next);
    const said = OTHERWISE.test(next.type) ? head.text : `else ${head.text}`;
    this.#push({ start: span.start, end: head.end }, 'statement', above);
    const around = [...above, { ...head, text: said }];
    this.#levels.push({ node: next, heads: around, depth: depth + 1, after: head.end, own: true });
  }

  /** What is called first stands above what is called on it, link by link. */
  #chain({ base, links }: CallChain, { heads: above, depth }: Level): void {
    const text = foldContext(this.#source.text.slice(base.start, base.end));
    const heads = [...above, { ...base, text: labelOf(text) }];
    this.#push(base, 'statement', above);
    for (const { start, end, rows, args, comment } of links) {
      const said = this.#source.text.slice(start, end);
      const first = { start, end: start + said.search(/\n|$/) };
      const label = withoutOpening(foldContext(this.#source.text.slice(start, first.end)));
      const around = [...heads, { ...first, text: label }];
      this.#comment(comment, around);
      if (rows <= MOST_LINES || !args || depth >= DEEPEST)
        this.#push({ start, end }, DEFAULTS.test(said) ? 'default' : 'statement', heads);
      else {
        this.#push(first, 'statement', heads);
        this.#levels.push({ node: args, heads: around, depth: depth + 1, after: first.end });
      }
    }
  }

  /** Whether a node begins a line, or only an annotation stands before it there. */
  #leads(node: Node, before: Node | undefined): boolean {
    if (this.#beginsLine(node)) return true;
    return before !== undefined && standsBefore(before) && before.endPosition.row === node.startPosition.row;
  }

  /** Asked of the level and not of the node: a node finds its parent by walking down from the root. */
  #repeats({ node, depth }: Level, child: Node): boolean {
    return depth > 0 && !this.#holds(node) && node.startIndex === child.startIndex;
  }

  /** Bodies, lists of arguments, decorated declarations: their parts are looked at as if they stood around them. */
  #holds(node: Node): boolean {
    const { type } = node;
    if (this.#grammar.bodies.includes(type) || HOLDS.test(type)) return true;
    return type === 'decorated_definition';
  }

  /** From where a node declares something to the end of the line before its body, or before what begins a line. */
  #headOf(node: Node): UnitContext & TextSpan {
    const source = this.#source;
    const {
      startIndex: start,
      startPosition: { row },
    } = this.#declaredAt(node);
    const last = Math.max(row, this.#firstInnerRow(node, row) - 1);
    const end = Math.min(source.spanOf(Math.min(last, lastRowOf(node)) + 1).end, node.endIndex);
    // `class Gate:  # noqa` is told as `class Gate:`.
    const comment = node.children.find((child) => child && isComment(child) && child.startPosition.row >= row);
    const said = comment ? Math.min(end, Math.max(start, comment.startIndex)) : end;
    const words = withoutOpening(foldContext(source.text.slice(start, said > start ? said : end)));
    return { start, end, text: labelOf(words) };
  }

  /** What comes behind the annotations of a node; the node itself where it has none. */
  #declaredAt(node: Node): Node {
    let at = node;
    for (let depth = 0; depth < 5; depth++) {
      const first = at.namedChild(0);
      if (!first || first.startIndex !== at.startIndex) return at;
      if (first.type !== MODIFIERS && !annotates(first, at)) return at;
      const declared = at.children.find(
        (child) =>
          child &&
          !isComment(child) &&
          !annotates(child, at) &&
          !(child.type === MODIFIERS && child.children.every((each) => each && annotates(each, child))),
      );
      if (!declared) return at;
      at = declared;
    }
    return at;
  }

  /** 0-based row of the first thing in a node's body, or of the first descendant that begins a line below a row. */
  #firstInnerRow(node: Node, top: number): number {
    const body = bodyOf(node, this.#grammar.bodies);
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
      if (!isComment(before) || !this.#beginsLine(before)) break;
      first = before;
    }
    return first.startPosition.row;
  }

  #kindOf(node: Node): UnitKind {
    const text = this.#textOf(node);
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

  #beginsLine({ startPosition }: Node): boolean {
    return isFirstOnLine(this.#source, startPosition);
  }

  #textOf({ startIndex, endIndex }: Node): string {
    return this.#source.text.slice(startIndex, endIndex);
  }
}

const rowsOf = (node: Node): number => lastRowOf(node) - node.startPosition.row + 1;

/** Whether a node is quoted whole. */
const isShort = (node: Node): boolean =>
  rowsOf(node) <= MOST_LINES && node.endIndex - node.startIndex <= MOST_CHARACTERS;

interface TokenLine extends TextSpan {
  row: number;
  indent: number;
  /** It only ends what is above. */
  closes: boolean;
}

/** The last of the lines that are indented below one, and what closes it; not far behind it where they are many. */
function lastOfBlock(lines: readonly TokenLine[], first: number): number {
  const indent = lines[first]?.indent ?? 0;
  let last = first;
  while (last - first <= MOST_LINES && (lines[last + 1]?.indent ?? -1) > indent) last += 1;
  return lines[last + 1]?.indent === indent && lines[last + 1]?.closes ? last + 1 : last;
}

function tokenKind(said: string): UnitKind {
  if (said.startsWith('//')) return 'comment';
  if (THROWS.test(said)) return 'error';
  return GIVES.test(said) && LITERAL.test(said) ? 'default' : 'statement';
}

/** An annotation of a statement, as Kotlin's grammar reads it: `@Suppress("UNUSED")` on a line of its own. */
const isMark = (node: Node): boolean =>
  node.type === 'prefix_expression' &&
  node.startPosition.row === node.endPosition.row &&
  node.namedChild(0)?.type === 'annotation';

/** What stands before a declaration or a statement and belongs to it. */
const standsBefore = (node: Node): boolean => isPrefix(node) || isMark(node);

const annotates = (node: Node, parent: Node): boolean =>
  standsBefore(node) || (parent.type === MODIFIERS && node.type === 'attribute');

/** Comments that a grammar hangs in the import above them. */
const hungIn = (node: Node): Node[] => (IMPORTS.test(node.type) ? commentsAtEnd(node) : []);

/** `"--wait"`, `'-d, --out-dir <dir>'`, `"port"`: what an option, a route or a test is called. */
const isName = ({ type }: Node, text: string): boolean => /string/.test(type) && /^[^\n]{3,60}$/.test(text);
const ARGUMENTS = /arguments|argument_list|value_arguments/;
/** Statements that call something, and what stands before a declaration. */
const CALLS = /^(?:expression_statement|decorator|annotation|attribute_item|attribute_list|call\w*|method_invocation)$/;

/** Where what a node is about begins: behind the wrappers that only say that it is exported or assigned. */
function bodyOf(node: Node, bodies: readonly string[]): Node | undefined {
  let at: Node | null | undefined = node;
  for (let depth = 0; at && depth < 6; depth++) {
    const inner: Node = at;
    const body = BODIES.map((field) => inner.childForFieldName(field)).find((found) => found !== null);
    if (body) return body;
    const held = inner.namedChildren.find((child) => child && (bodies.includes(child.type) || BODY.test(child.type)));
    if (held) return held;
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
