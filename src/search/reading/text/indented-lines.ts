import { addTo } from '#base';
import type { LineSyntax } from './line-syntax.ts';
import type { SourceText } from './source-text.ts';

/**
 * A line of a text without a grammar here, with the lines that are indented below it; or words of several lines: a
 * comment, a doc string, a here-document.
 */
export interface IndentedLine {
  isWords: boolean;
  /** 1-based, inclusive, with what is indented below it and what closes it. */
  firstLine: number;
  lastLine: number;
  /** Offsets without the blanks around it; `headEnd` is the end of its own line. */
  start: number;
  headEnd: number;
  end: number;
  parts: IndentedLine[];
}

/** Deeper lines stand beside the deepest that is looked at. */
const DEEPEST = 60;
const TAB = 4;

/** Words that begin behind what they are given to: `description = <<-EOT`, `cat <<'END'`. */
const HERE = /<<(?:[-~]["']?([A-Za-z_]\w{0,40})["']?|(["'])([A-Za-z_]\w{0,40})\2|([A-Z_][A-Z0-9_]{1,40}))[\s),;]*$/;
const QUOTES_AT_END = /(?:"""|''')$/;
const ALONE = /^[ \t]*([A-Za-z_]\w{0,40})[,;)\s]*$/;
/** The next line goes on, whatever its indentation. */
const GOES_ON = /\\$/;
/** What ends the lines above it or opens those below, and says nothing: `})`, `end,`, `) do`, `{`. */
const CLOSING = /^(?:[^\p{L}\p{N}_]|\b(?:end|fi|done|esac|endif|do|then|in)\b)*$/u;
const OPENS_AGAIN = /(?:[{([]|\bdo|\bthen|=>|->|:)$/;
const OPENS_ALONE = /^[^\p{L}\p{N}_)\]}]+$/u;
/** The end of a list of parameters, before a body: `) async {`, `) -> Gate {`. */
const ENDS_HEAD = /^[)\]]/;
/** A line for a template's own program, wherever that is indented: `{{- if .Values.open }}`, `{% endfor %}`. */
const TEMPLATES = /^(?:\{\{[^\n]*\}\}|\{%[^\n]*%\}|<%[^\n]*%>)$/;
/** `[remote "origin"]`: what follows belongs to it although it is indented no deeper. */
const SECTION = /^\[{1,2}[\w .:"'/@-]{1,120}\]{1,2}$/;

interface Open extends IndentedLine {
  indent: number;
}

/** The lines of a text as its indentation orders them; those of a template's own program stand below none. */
export function indentedLines(source: SourceText, syntax: LineSyntax): IndentedLine[] {
  return new LineReader(source, syntax).read();
}

class LineReader {
  readonly #source: SourceText;
  readonly #roots: IndentedLine[] = [];
  /** Lines that what comes next may be indented below. */
  readonly #open: Open[] = [];
  /** The last line that holds a sign, by the sign: what opens below it is never closed. */
  readonly #lastWith = new Map<string, number>();
  #comment: (Open & { sign: string }) | undefined;
  /** The line before goes on in the next. */
  #goesOn = false;
  /** What ends a body whose lines may be indented no deeper than its head. */
  #body: RegExp | undefined;
  /** Lines that are nothing but a word, by the word, last first: where here-documents end. */
  #alone: ReadonlyMap<string, number[]> | undefined;
  readonly #syntax: LineSyntax;

  constructor(source: SourceText, syntax: LineSyntax) {
    this.#source = source;
    this.#syntax = syntax;
  }

  read(): IndentedLine[] {
    for (let line = 1; line <= this.#source.lineCount; line++) line = this.#take(line);
    this.#close(-Infinity);
    return this.#roots;
  }

  /** Takes what begins at a line; gives the last line of it. */
  #take(line: number): number {
    const raw = this.#source.line(line);
    const said = raw.trim();
    if (said === '') {
      this.#comment = undefined;
      return line;
    }
    if (TEMPLATES.test(said)) {
      this.#roots.push(this.#lineAt(line, false));
      return line;
    }
    const indent = SECTION.test(raw) ? -1 : indentOf(raw);
    const words = this.#endOfWords(said, line);
    if (words !== undefined) {
      this.#close(indent);
      const added = this.#add(line, indent, true);
      // `@doc """`: the words begin with their quotes.
      if (/^[@~]/.test(said)) added.start += Math.max(0, said.search(/"""|'''/));
      this.#endAt(added, words);
      this.#comment = undefined;
      return words;
    }
    const sign = this.#syntax.comment.exec(said)?.[0];
    if (sign !== undefined) return this.#takeComment(line, indent, sign);
    this.#comment = undefined;
    this.#goesOn = GOES_ON.test(said);
    const closed = this.#close(indent);
    if (this.#takeClosing(line, indent, said, closed)) return line;
    const body = this.#body ? undefined : this.#syntax.bodies?.find(([opens]) => opens.test(said));
    const added = this.#add(line, body ? -1 : indent, false);
    if (this.#open.length < DEEPEST) this.#open.push(added);
    if (body) this.#body = body[1];
    else if (this.#body?.test(said)) this.#endBody();
    return this.#takeHere(added, said, line);
  }

  #endBody(): void {
    this.#body = undefined;
    this.#close(-1);
  }

  /** Takes a line that only ends what is above it, or opens what is below. */
  #takeClosing(line: number, indent: number, said: string, closed: Open | undefined): boolean {
    const opensAgain = OPENS_AGAIN.test(said);
    const isClosing = CLOSING.test(said);
    if (!isClosing && !(ENDS_HEAD.test(said) && opensAgain)) return false;
    // What opens alone goes on with the line above it: `{` below `class Gate`.
    const mayOpen = !OPENS_ALONE.test(said) || (closed?.parts.length === 0 && closed.lastLine === line - 1);
    if (closed?.indent === indent && mayOpen) {
      this.#endAt(closed, line);
      if (opensAgain) this.#open.push(closed);
    } else if (!isClosing) return false;
    if (this.#body?.test(said)) this.#endBody();
    return true;
  }

  /** Words that begin at the end of a line stand below it. */
  #takeHere(added: IndentedLine, said: string, line: number): number {
    const here = HERE.exec(said);
    const tag = here?.[1] ?? here?.[3] ?? here?.[4];
    const end = tag === undefined ? this.#endOfQuotes(said, line) : this.#lineThatIs(tag, line);
    if (end === undefined || end === line + 1) return line;
    const words = wordsBetween(this.#source, line + 1, end - 1);
    if (words) added.parts.push(words);
    this.#endAt(added, end);
    return end;
  }

  /** Where quotes end that begin at the end of a line, in languages that have such: `doc: """`. */
  #endOfQuotes(said: string, line: number): number | undefined {
    const sign = QUOTES_AT_END.exec(said)?.[0];
    const isKnown = sign !== undefined && this.#syntax.words.some(([, closes]) => closes === sign);
    return isKnown && said.split(sign).length === 2 ? this.#lineWith(sign, line + 1) : undefined;
  }

  #takeComment(line: number, indent: number, sign: string): number {
    if (this.#goesOn) {
      this.#add(line, indent, true);
      return line;
    }
    const last = this.#comment;
    if (last?.indent === indent && last.sign === sign) {
      this.#endAt(last, line);
      return line;
    }
    this.#close(indent);
    this.#comment = Object.assign(this.#add(line, indent, true), { sign });
    return line;
  }

  /** The last line of words that begin at a line; undefined where none do, or where nothing ends them. */
  #endOfWords(said: string, line: number): number | undefined {
    const [opens, closes] = this.#syntax.words.find(([opening]) => opening.test(said)) ?? [];
    if (!opens || closes === undefined) return undefined;
    const behind = said.slice(opens.exec(said)?.[0].length);
    return behind.includes(closes) ? line : this.#lineWith(closes, line + 1);
  }

  /** The first line from one on that holds a sign. */
  #lineWith(sign: string, from: number): number | undefined {
    if (!this.#lastWith.has(sign))
      this.#lastWith.set(sign, this.#source.lines.findLastIndex((each) => each.includes(sign)) + 1);
    if (from > (this.#lastWith.get(sign) ?? 0)) return undefined;
    let line = from;
    while (!this.#source.line(line).includes(sign)) line += 1;
    return line;
  }

  /** The first line below one that is nothing but a word. Ask in line order. */
  #lineThatIs(word: string, above: number): number | undefined {
    this.#alone ??= linesAlone(this.#source);
    const lines = this.#alone.get(word);
    while ((lines?.at(-1) ?? Infinity) <= above) lines?.pop();
    return lines?.at(-1);
  }

  /** Closes what a line with this indentation is not below; gives the outermost of it. */
  #close(indent: number): Open | undefined {
    let closed: Open | undefined;
    for (let last = this.#open.at(-1); last && last.indent >= indent; last = this.#open.at(-1)) {
      this.#open.pop();
      const above = this.#open.at(-1);
      if (above) grow(above, last);
      closed = last;
    }
    return closed;
  }

  #add(line: number, indent: number, isWords: boolean): Open {
    const added = { ...this.#lineAt(line, isWords), indent };
    const above = this.#open.at(-1);
    (above?.parts ?? this.#roots).push(added);
    if (above) grow(above, added);
    return added;
  }

  #lineAt(line: number, isWords: boolean): IndentedLine {
    const raw = this.#source.line(line);
    const start = this.#source.offsetOf(line) + raw.length - raw.trimStart().length;
    const end = this.#source.offsetOf(line) + raw.trimEnd().length;
    return { isWords, firstLine: line, lastLine: line, start, headEnd: end, end, parts: [] };
  }

  #endAt(node: IndentedLine, line: number): void {
    grow(node, { lastLine: line, end: this.#source.offsetOf(line) + this.#source.line(line).trimEnd().length });
    const above = this.#open.at(-1);
    if (above && above !== node) grow(above, node);
  }
}

function grow(node: IndentedLine, to: Pick<IndentedLine, 'lastLine' | 'end'>): void {
  node.lastLine = Math.max(node.lastLine, to.lastLine);
  node.end = Math.max(node.end, to.end);
}

/** Lines that are nothing but a word, by the word, last first. */
function linesAlone(source: SourceText): Map<string, number[]> {
  const alone = new Map<string, number[]>();
  for (let line = source.lineCount; line >= 1; line--) {
    const word = ALONE.exec(source.line(line))?.[1];
    if (word === undefined) continue;
    addTo(alone, word, line);
  }
  return alone;
}

function wordsBetween(source: SourceText, firstLine: number, lastLine: number): IndentedLine | undefined {
  const start = source.offsetOf(firstLine);
  const end = source.offsetOf(lastLine) + source.line(lastLine).length;
  const said = source.text.slice(start, end);
  if (said.trim() === '') return undefined;
  const to = start + said.trimEnd().length;
  return {
    isWords: true,
    firstLine,
    lastLine,
    start: start + said.length - said.trimStart().length,
    headEnd: to,
    end: to,
    parts: [],
  };
}

function indentOf(line: string): number {
  let indent = 0;
  for (const character of line) {
    if (character === ' ') indent += 1;
    else if (character === '\t') indent += TAB - (indent % TAB);
    else break;
  }
  return indent;
}
