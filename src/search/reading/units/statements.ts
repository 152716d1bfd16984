import { cutTo, expression } from '#base';
import type { TextSpan, Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import { trimmed, withoutTrailing } from '../../text/trim.ts';
import { isOnlyMarks, type SourceText } from '../text/source-text.ts';
import { commentParts } from './comment-parts.ts';
import { foldContext, joinContexts, stretch } from './prose-units.ts';

/** A stretch of a program that begins a line: a statement, a declaration, a comment, an entry of a list. */
export interface Statement extends TextSpan {
  /** 1-based, inclusive. */
  firstLine: number;
  lastLine: number;
  /** Where its own words end, before the body; `end` where it has none. */
  headEnd: number;
  /** Of all of it, where its syntax tells; by its words when undefined. */
  kind?: UnitKind;
  /** Words of many lines: a comment, a doc string, a template. */
  isWords?: boolean;
  /** It says something of what stands right below it: a comment, an annotation. */
  isAbout?: boolean;
  /** `else if (full) {`: it stands beside the statement that it is a part of, and not below. */
  isClause?: boolean;
  /** What begins a line inside of it, behind the head. Asked at most once. */
  parts(): Statement[];
}

/** A statement up to so many lines and characters is quoted whole; a longer one is opened. */
const MOST_LINES = 4;
const MOST_CHARACTERS = 400;
/** A comment up to so many lines is quoted whole. */
const MOST_COMMENT_LINES = 6;
const LONGEST_LABEL = 100;
/** Comments and annotations between one and the statement that it is about. */
const MOST_BETWEEN = 12;
/** Deeper nesting is left to the units above it. */
const DEEPEST = 60;

const THROWS = /(?:^|[\s{;(])(?:throw|raise)\s+[\w(]|(?:^|[\s{;(])(?:panic!?|abort|die)\s*\(/;
const ASSIGNS = expression('')`
  ^(?:(?:export|const|let|var|val|static|pub|public|private|protected|final|readonly|override) ){0,5}
  [\w.$@]+(?:\s*:[^=\n]{1,80})?\s*:?=(?!=)
`;
const GIVES_VALUE = /^["']?[\w.$-]{1,80}["']?[ \t]*(?::|=>)[ \t]/;
const LITERAL =
  /(?:[=:]|=>)\s*(?:[-+]?[\d.]|["'`]|true\b|false\b|null\b|nil\b|None\b|True\b|False\b|undefined\b|\[|\{|[A-Z][A-Z0-9_]+\b)/;
const IMPORTS =
  /^(?:require\s?\(?\s?["']|(?:import|use|using|include|alias|package|open|source|from|@import|@use)\b(?!\s{0,40}[=:(]))/;
/** What opens a block without a word of its own. */
const BARE = /^(?:return|try|do|finally|loop|begin|default|await|yield|\W)*$/;
const OPENING = /(?:[{([:=;]|=>|\bdo|\bthen)$/;
/** What parts the values of several lines. */
const AT_END = /[\s,\\]/;
/** Lines that only end what stands above them. */
const CLOSING = /^(?:[^\p{L}\p{N}_]|\b(?:end|fi|done|esac|endif|else)\b)*$/u;
/** A name alone, which says nothing. */
const NAME = /^[\w.:$&]*$/;
/** `@Test`, `#[test]`, `[Serializable]`: a line of annotations alone. */
const ANNOTATION = /^(?:@[\w.]+(?:\([^()]*\))?|#!?\[[^\]]*\]|\[[A-Z][^\]]*\])$/;

/**
 * Units of a program's statements, alike for every language: what is short is one; of what is longer the head is one,
 * and what stands inside of it follows, below the nearest heads. A comment right above a statement is below its head.
 * Lines of a statement that none of its parts holds (links of a chain of calls, say) are units of their own.
 */
export function statementUnits(source: SourceText, statements: readonly Statement[]): Unit[] {
  const { text } = source;
  const units: Unit[] = [];
  visit(statements, [], 0);
  units.sort((a, b) => a.start - b.start || a.end - b.end);
  return units.filter(({ start }, i) => start >= (units[i - 1]?.end ?? 0));

  function visit(level: readonly Statement[], heads: readonly UnitContext[], depth: number): void {
    for (const [i, each] of level.entries()) {
      const about = each.isAbout ? aboutOf(level, i) : undefined;
      const around = about ? [...heads, about] : heads;
      if (each.isWords || each.isAbout) {
        words(each, around, each.kind ?? kindOf(text.slice(each.start, each.end), true));
        continue;
      }
      const isShort = each.lastLine - each.firstLine < MOST_LINES && each.end - each.start <= MOST_CHARACTERS;
      if (each.kind === 'import') {
        push(each, 'import', heads);
        continue;
      }
      const parts = isShort || depth >= DEEPEST ? [] : each.parts();
      if (depth >= DEEPEST) {
        push({ start: each.start, end: each.headEnd }, each.kind ?? 'statement', heads);
        continue;
      }
      if (parts.length === 0 && (isShort || each.headEnd >= each.end)) {
        push(each, each.kind ?? kindOf(text.slice(each.start, each.end), heads.length > 0), heads);
        continue;
      }
      const label = labelOf(each);
      const above = each.isClause && label && !/^\W*else$/.test(label.text) ? heads.slice(0, -1) : heads;
      const kind = each.kind ?? (each.headEnd - each.start > MOST_CHARACTERS ? 'statement' : undefined);
      if (label) push({ start: each.start, end: each.headEnd }, kind ?? kindOf(label.text, heads.length > 0), above);
      visit(withLinesBetween(parts, each), label ? [...above, label] : above, depth + 1);
    }
  }

  /** The head of the statement that stands right below a comment or an annotation. */
  function aboutOf(level: readonly Statement[], at: number): UnitContext | undefined {
    let { lastLine = 0 } = level[at] ?? {};
    for (let i = at + 1; i <= at + MOST_BETWEEN; i++) {
      const next = level[i];
      if (!next || next.firstLine > lastLine + 1 || next.kind === 'import') return undefined;
      if (!next.isAbout) return next.isWords ? undefined : labelOf(next);
      lastLine = next.lastLine;
    }
    return undefined;
  }

  /**
   * Parts, and the lines between them that hold something. A line that opens what is indented below it takes that in:
   * `.action(async (files) => {`.
   */
  function withLinesBetween(parts: readonly Statement[], { headEnd, lastLine }: Statement): Statement[] {
    const all: Statement[] = [];
    let opened: OpenLine | undefined;
    const add = (each: Statement | OpenLine): void => {
      if (opened && columnOf(each.start) > opened.column) {
        opened.inside.push(each);
        Object.assign(opened, { end: each.end, lastLine: each.lastLine });
        return;
      }
      all.push(each);
      opened = 'inside' in each && each.isOpen ? each : undefined;
    };
    let line = source.lineAt(headEnd) + 1;
    const linesTo = (last: number): void => {
      for (; line <= last; line++) {
        const span = trimmed(text, source.spanOf(line));
        if (!span) continue;
        const said = text.slice(span.start, span.end);
        if (CLOSING.test(said) && opened?.column === columnOf(span.start)) {
          Object.assign(opened, { end: span.end, lastLine: line });
          opened = undefined;
        } else if (!CLOSING.test(said) && !BARE.test(said) && !NAME.test(said)) add(lineStatement(span, line));
      }
    };
    for (const part of parts) {
      linesTo(part.firstLine - 1);
      add(part);
      line = Math.max(line, part.lastLine + 1);
    }
    linesTo(lastLine);
    return all;
  }

  function lineStatement(span: TextSpan, line: number): OpenLine {
    const inside: Statement[] = [];
    return {
      ...span,
      firstLine: line,
      lastLine: line,
      headEnd: span.end,
      column: columnOf(span.start),
      isOpen: OPENING.test(text.slice(Math.max(span.start, span.end - 8), span.end)),
      inside,
      parts: () => inside,
    };
  }

  function columnOf(offset: number): number {
    return source.placeOf(offset).column;
  }

  function labelOf({ start, headEnd }: Statement): UnitContext | undefined {
    const said = headLabel(text.slice(start, headEnd));
    return BARE.test(said) ? undefined : { text: said, start, end: headEnd };
  }

  /** Words whole where they are short, else by their parts. */
  function words(span: Statement, heads: readonly UnitContext[], kind: UnitKind): void {
    const said = text.slice(span.start, span.end);
    if (span.lastLine - span.firstLine < MOST_COMMENT_LINES && said.length <= MOST_CHARACTERS)
      return push(span, kind, heads);
    for (const part of commentParts(said)) {
      const above = part.context && { ...part.context, ...moved(part.context, span.start) };
      push(moved(part, span.start), kind, above ? [...heads, above] : heads);
    }
  }

  function push(span: TextSpan, kind: UnitKind, heads: readonly UnitContext[]): void {
    const said = text.slice(span.start, span.end);
    const inside = trimmed(text, { start: span.start, end: span.start + withoutTrailing(said, AT_END).length });
    if (!inside || isOnlyMarks(text.slice(inside.start, inside.end))) return;
    const nearest = heads.length > 3 ? [...heads.slice(0, 1), ...heads.slice(-2)] : heads;
    units.push(...stretch(text, inside, kind, joinContexts(nearest), true));
  }
}

/** A line that no part holds, with what is indented below it. */
interface OpenLine extends Statement {
  column: number;
  isOpen: boolean;
  inside: Statement[];
}

const moved = ({ start = 0, end = 0 }: Partial<TextSpan>, by: number): TextSpan => ({
  start: start + by,
  end: end + by,
});

/** A head without the remark behind its last quotation mark: `#` may stand in a string. */
function withoutRemark(head: string): string {
  const quoted = Math.max(head.lastIndexOf('"'), head.lastIndexOf("'")) + 1;
  const remark = head.slice(quoted).search(/\s(?:#|\/\/)\s/);
  return remark < 0 ? head : head.slice(0, quoted + remark);
}

/** A head of a body without what opens the body (`{`, `=>`, `:`, `do`), in a length that can be shown. */
export function headLabel(head: string): string {
  const lines = head.split('\n');
  const declared = lines.filter((line) => !ANNOTATION.test(line.trim()));
  // `class Gate:  # noqa` is told as `class Gate:`.
  let words = withoutRemark(foldContext((declared.length > 0 ? declared : lines).join('\n')));
  for (let opening = OPENING.exec(words.slice(-6)); opening; opening = OPENING.exec(words.slice(-6)))
    words = words.slice(0, words.length - opening[0].length).trimEnd();
  return words.length > LONGEST_LABEL ? `${cutTo(words, LONGEST_LABEL - 1)}…` : words;
}

/** What a statement is by its form. */
export function kindOf(said: string, isInside: boolean): UnitKind {
  if (IMPORTS.test(said) && !said.includes('\n')) return 'import';
  if (THROWS.test(said)) return 'error';
  const givesValue =
    (ASSIGNS.test(said) || GIVES_VALUE.test(said)) &&
    LITERAL.test(said) &&
    !(said.split(/[=:]/)[0] ?? '').includes('(');
  if (!givesValue) return 'statement';
  return isInside ? 'default' : 'constant';
}
