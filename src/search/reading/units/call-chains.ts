import type { Node } from '@vscode/tree-sitter-wasm';
import type { TextSpan } from '../../domain/unit.ts';
import { lastRowOf, spanOf } from '../code/syntax-nodes.ts';
import type { SourceText } from '../text/source-text.ts';

/** One call on what stands before it, on a line of its own: `.option('-d, --out-dir <dir>')`. */
interface ChainLink extends TextSpan {
  rows: number;
  /** What it is called with. */
  args: Node | undefined;
  /** The comment on lines of its own above it. */
  comment: TextSpan | undefined;
  /** Where what it is called on ends. */
  from: number;
}

/** Calls on what the one before gave, line by line. */
export interface CallChain {
  /** What the first is called on, and what stands before it: `const cli = cac('tsup')`. */
  base: TextSpan;
  links: ChainLink[];
}

const LEAST_LINKS = 2;
/** Deeper chains are data. */
const MOST_CALLS = 2_000;
/** How far below a statement its chain begins. */
const DEEPEST_WRAPPER = 5;

const BEGINS = /^[ \t]*(?:\?\.|\.|->|::|&\.)[\p{L}_$]/u;
/** Go ends the line before with the dot. */
const ENDS = /[\p{L}\p{N}_)\]}]\.[ \t]*$/u;
/** What comes behind the end of one call where the next begins a line, and behind the comments between them. */
const BEHIND = /^(?:[^\S\n]{0,200}\n\s{0,200}(?=\?\.|\.|->|::|&\.)|\.[ \t]{0,200}\n\s{0,200})/;
const ON = /^\s{0,200}(?=\?\.|\.|->|::|&\.)/;
const COMMENT = /comment$/;
const WRAPS =
  /statement|declaration|declarator|assignment|parenthesized|await|return|spec$|const_item|property|expression_list/;

/**
 * Finds statements that are chains of calls: a builder, the options of a command line, a query. Alike for all grammars.
 */
export class CallChains {
  readonly #source: SourceText;
  /** Of each line how many before it begin with a dot. */
  #before: number[] | undefined;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** The chain that a node is, or that it returns or assigns; undefined where it is none of several lines. */
  of(node: Node): CallChain | undefined {
    let at: Node | undefined = node;
    for (let depth = 0; at && depth < DEEPEST_WRAPPER; depth++) {
      if (this.#dottedLines(at) < LEAST_LINKS) return undefined;
      const links = this.#linksOf(at);
      const [first] = links;
      if (first && links.length >= LEAST_LINKS) {
        const start = node.startIndex;
        const text = this.#source.text.slice(start, first.start);
        const isDotted = this.#source.text.startsWith('.', first.from);
        return { base: { start, end: isDotted ? start + text.trimEnd().length : first.from }, links };
      }
      if (!WRAPS.test(at.type)) return undefined;
      const row: number = at.startPosition.row;
      at = at.namedChildren.findLast((child: Node | null) => child !== null && lastRowOf(child) > row) ?? undefined;
    }
    return undefined;
  }

  /** Walks from the last call to the first: each stands at the beginning of the next. */
  #linksOf(node: Node): ChainLink[] {
    const links: ChainLink[] = [];
    let end: number | undefined;
    let args: Node | undefined;
    let at = node;
    for (let calls = 0; calls < MOST_CALLS; calls++) {
      const inner = at.namedChild(0);
      if (!inner || inner.startIndex !== at.startIndex) break;
      const from = inner.endIndex;
      end ??= at.endIndex;
      const last = at.lastNamedChild;
      if (last && last.id !== inner.id && last.namedChildCount > 0) args ??= last;
      const comments = commentsBehind(at);
      const behind = comments.at(-1)?.end ?? from;
      const added = this.#source.text.slice(behind, Math.min(end, behind + 400));
      const begins = (comments.length > 0 ? ON : BEHIND).exec(added)?.[0].length;
      if (begins !== undefined) {
        const start = behind + begins;
        const rows = this.#source.text.slice(start, end).split('\n').length;
        const comment = comments.find((each) => this.#source.text.slice(from, each.start).includes('\n'));
        links.push({ start, end, rows, args, from, comment: comment && { start: comment.start, end: behind } });
        end = undefined;
        args = undefined;
      }
      at = inner;
    }
    return links.reverse();
  }

  /** How many lines of a node begin with a dot, or end with one. */
  #dottedLines(node: Node): number {
    this.#before ??= this.#countDotted();
    return (this.#before[lastRowOf(node) + 1] ?? 0) - (this.#before[node.startPosition.row + 1] ?? 0);
  }

  #countDotted(): number[] {
    const counts = [0];
    for (let line = 1; line <= this.#source.lineCount; line++) {
      const text = this.#source.line(line).slice(0, 400);
      const before = line > 1 ? this.#source.line(line - 1) : '';
      counts.push((counts.at(-1) ?? 0) + Number(BEGINS.test(text) || (before.length < 400 && ENDS.test(before))));
    }
    return counts;
  }
}

/** Comments between what is called and the next link. */
function commentsBehind(call: Node): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const child of call.namedChildren.slice(1)) {
    if (!child || !COMMENT.test(child.type)) break;
    spans.push(spanOf(child));
  }
  return spans;
}
