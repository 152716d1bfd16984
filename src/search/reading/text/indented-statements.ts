import type { Statement } from '../units/statements.ts';
import type { SourceText } from './source-text.ts';

/** How a comment of one line begins where nothing else is known of a language. */
const COMMENT = /^(?:\/\/+|#+!?|--+|;+|%+|REM)(?=\s|$)|^(?:\/\/|--|;;|#\s)/;
/** `#main` is a selector in styles, and `//` an address in pages. */
const COMMENTS: Readonly<Record<string, RegExp | undefined>> = {
  css: /^(?!)/,
  scss: /^\/\//,
  less: /^\/\//,
  xml: /^(?!)/,
  xsl: /^(?!)/,
  vb: /^'/,
  viml: /^"/,
  fortran: /^!/,
};
/** How words of several lines begin, and what ends them. */
const WORDS: readonly (readonly [opens: RegExp, closes: string])[] = [
  [/^\/\*/, '*/'],
  [/^<!--/, '-->'],
  [/^(?:@\w{1,40} )?[a-z~]{0,2}"""/i, '"""'],
  [/^(?:@\w{1,40} )?[a-z~]{0,2}'''/i, "'''"],
  [/^\(\*(?!\))/, '*)'],
  [/^\{-/, '-}'],
  [/^<#/, '#>'],
  [/^--\[\[/, ']]'],
  [/^#=/, '=#'],
  [/^=(?:head\d|pod|over|item|begin)\b/, '=cut'],
];
/** What ends the lines above it or opens those below, and says nothing: `})`, `end,`, `) do`, `{`. */
const CLOSING = /^(?:[^\p{L}\p{N}_]|\b(?:end|fi|done|esac|endif|do|then|in)\b)*$/u;
/** `[remote "origin"]`: what follows belongs to it although it is indented no deeper. */
const SECTION = /^\[{1,2}[\w .:"'/@-]{1,120}\]{1,2}$/;
/** A line for a template's own program, wherever that is indented: `{{- if .Values.open }}`, `{% endfor %}`. */
const TEMPLATE = /^(?:\{\{[^\n]*\}\}|\{%[^\n]*%\}|<%[^\n]*%>)$/;
/** Deeper lines stand beside the deepest that is looked at. */
const DEEPEST = 60;
const TAB = 4;

interface Line extends Statement {
  indent: number;
  children: Line[];
}

/** The lines of a text without a grammar, each with those that are indented below it, and comments as one. */
export function indentedStatements(source: SourceText, language: string): Statement[] {
  const comment = COMMENTS[language] ?? COMMENT;
  const roots: Line[] = [];
  const open: Line[] = [];
  const missing = new Set<string>();
  for (let line = 1; line <= source.lineCount; line++) {
    const raw = source.line(line);
    const said = raw.trim();
    if (said === '') continue;
    const indent = SECTION.test(said) ? -1 : indentOf(raw);
    const level = (): Line[] => {
      while ((open.at(-1)?.indent ?? -Infinity) >= indent) open.pop();
      return open.at(-1)?.children ?? roots;
    };
    const last = endOfWords(source, line, said, missing);
    const goesOn = !said.startsWith('#') && source.line(line - 1).endsWith('\\');
    if (goesOn || TEMPLATE.test(said)) {
      const siblings = open.at(-1)?.children ?? roots;
      if (!goesOn || siblings.length + open.length === 0) siblings.push(lineAt(source, line, indent));
      else if (open.length === 0) growTo(source, siblings.at(-1) as Line, line);
    } else if (last !== undefined || comment.test(said)) {
      const siblings = level();
      const before = siblings.at(-1);
      if (last === undefined && before?.isWords && before.lastLine === line - 1) growTo(source, before, line);
      else siblings.push({ ...lineAt(source, line, indent), kind: 'comment', isWords: true, isAbout: true });
      const words = siblings.at(-1);
      if (last !== undefined && words) growTo(source, words, last);
      line = last ?? line;
    } else {
      const siblings = level();
      const before = siblings.at(-1);
      if (CLOSING.test(said) && before && !before.isWords) {
        growTo(source, before, line);
        if (open.length < DEEPEST) open.push(before);
      } else {
        const added = lineAt(source, line, indent);
        siblings.push(added);
        if (open.length < DEEPEST) open.push(added);
      }
    }
    for (const above of open) growTo(source, above, line);
  }
  return roots;
}

/** The last line of words that begin at a line; undefined where nothing ends them. */
function endOfWords(source: SourceText, line: number, said: string, missing: Set<string>): number | undefined {
  const [opens, closes = ''] = WORDS.find(([opening]) => opening.test(said)) ?? [];
  if (!opens) return undefined;
  if (said.indexOf(closes, opens.exec(said)?.[0].length) >= 0) return line;
  if (missing.has(closes)) return undefined;
  for (let next = line + 1; next <= source.lineCount; next++) if (source.line(next).includes(closes)) return next;
  missing.add(closes); // nor does anything end those that follow
  return undefined;
}

function lineAt(source: SourceText, line: number, indent: number): Line {
  const raw = source.line(line);
  const start = source.offsetOf(line) + raw.length - raw.trimStart().length;
  const end = source.offsetOf(line) + raw.trimEnd().length;
  const children: Line[] = [];
  return { start, end, firstLine: line, lastLine: line, headEnd: end, indent, children, parts: () => children };
}

function growTo(source: SourceText, node: Line, line: number): void {
  if (line <= node.lastLine) return;
  node.lastLine = line;
  node.end = source.offsetOf(line) + source.line(line).trimEnd().length;
  if (node.isWords) node.headEnd = node.end;
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
