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

/** How words of several lines begin and end. */
const LONG_WORDS: readonly (readonly [opens: RegExp, closes: string])[] = [
  [/^\/\*/, '*/'],
  [/^\{-/, '-}'],
  [/^--\[\[/, ']]'],
  [/^<!--/, '-->'],
  [/^\(\*/, '*)'],
  [/^<#/, '#>'],
  [/^(?:@\w{1,40} )?(?:~[a-zA-Z])?"""/, '"""'],
  [/^(?:@\w{1,40} )?(?:~[a-zA-Z])?'''/, "'''"],
];
/** Words that begin behind what they are given to: `description = <<-EOT`, `doc: """`. */
const HERE = /<<[-~]?\s?["']?([A-Za-z_]\w{0,40})["']?[\s),;]*$/;
const QUOTES_AT_END = /(?:"""|''')$/;
/**
 * A comment of one line. What begins with `#` and a word may be a selector, a color or what a preprocessor is told.
 */
const COMMENT =
  /^(?:\/\/|--(?![\w[])|;|%+(?=\s|$)|'\s|REM\s|#(?![0-9a-fA-F]{3,8}\b|[\w-]{1,80}\s*[{,.:>]|\s{0,4}(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|import|region|endregion|error|line)\b))/;
/** What ends the lines above it or opens those below, and says nothing: `})`, `end,`, `) do`, `{`. */
const CLOSING = /^(?:[^\p{L}\p{N}_]|\b(?:end|fi|done|esac|endif|do|then|in)\b)*$/u;
const OPENS_AGAIN = /(?:[{([]|\bdo|\bthen|=>|->|:)$/;
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
export function indentedLines(source: SourceText): IndentedLine[] {
  return new LineReader(source).read();
}

class LineReader {
  readonly #source: SourceText;
  readonly #roots: IndentedLine[] = [];
  /** Lines that what comes next may be indented below. */
  readonly #open: Open[] = [];
  /** The last line that holds a sign, by the sign: what opens below it is never closed. */
  readonly #lastWith = new Map<string, number>();
  #comment: (Open & { sign: string }) | undefined;

  constructor(source: SourceText) {
    this.#source = source;
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
      added.start += Math.max(0, said.search(/"""|'''/));
      this.#endAt(added, words);
      this.#comment = undefined;
      return words;
    }
    const sign = COMMENT.exec(said)?.[0];
    if (sign !== undefined) return this.#takeComment(line, indent, sign);
    this.#comment = undefined;
    const closed = this.#close(indent);
    const opensAgain = OPENS_AGAIN.test(said);
    if (closed?.indent === indent && (CLOSING.test(said) || (ENDS_HEAD.test(said) && opensAgain))) {
      this.#endAt(closed, line);
      if (opensAgain) this.#open.push(closed);
      return line;
    }
    if (CLOSING.test(said)) return line;
    const added = this.#add(line, indent, false);
    if (this.#open.length < DEEPEST) this.#open.push(added);
    return this.#takeHere(added, said, line);
  }

  /** Words that begin at the end of a line stand below it. */
  #takeHere(added: IndentedLine, said: string, line: number): number {
    const tag = HERE.exec(said)?.[1];
    const end =
      tag === undefined
        ? QUOTES_AT_END.test(said) && this.#lineWith(said.slice(-3), line + 1)
        : this.#lineThatIs(tag, line + 1);
    if (end === false || end === undefined || end === line + 1) return line;
    const words = wordsBetween(this.#source, line + 1, end - 1);
    if (words) added.parts.push(words);
    this.#endAt(added, end);
    return end;
  }

  #takeComment(line: number, indent: number, sign: string): number {
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
    const [opens, closes] = LONG_WORDS.find(([opening]) => opening.test(said)) ?? [];
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

  /** The first line from one on that is nothing but a word. */
  #lineThatIs(word: string, from: number): number | undefined {
    const key = `${word}\n`;
    const is = (line: string): boolean => line.trim().replace(/[,;)]+$/, '') === word;
    if (!this.#lastWith.has(key)) this.#lastWith.set(key, this.#source.lines.findLastIndex(is) + 1);
    if (from > (this.#lastWith.get(key) ?? 0)) return undefined;
    let line = from;
    while (!is(this.#source.line(line))) line += 1;
    return line;
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
