import { expression } from '#base';
import type { Unit, UnitContext, UnitKind } from '../../domain/unit.ts';
import type { IndentedLine } from '../text/indented-lines.ts';
import { isOnlyMarks } from '../text/source-text.ts';
import { commentParts, movedBy } from './comment-units.ts';
import { foldContext, joinContexts, stretch } from './prose-units.ts';
import { trimmed } from '../../text/trim.ts';
import {
  ASSIGNS,
  BARE,
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

const IMPORTS =
  /^(?:require\s?\(?\s?["']|(?:import|use|using|include|alias|package|open|@import|@use|source)\b(?!\s{0,40}[=:(]))/;
const CONTROLS =
  /^(?:if|elsif|elseif|else|unless|for|foreach|while|until|case|cond|switch|when|match|with|try|return)\b/i;
/** `priority: 3`, `"max_age" => 60` */
const GIVES_VALUE = /^["']?[\w.$-]{1,80}["']?[ \t]*(?::|=>)[ \t]/;
/** What declares a thing with lines of its own, in the languages that are read without a grammar. */
const DECLARES = expression('i')`
  ^\(?(?:(?:pub|public|private|protected|internal|local|export|static|abstract|sealed|final|case|async|override|
      inline|data|extern)\s+){0,4}(?:def[a-z]{0,12}|function|fn|fun|func|sub|proc|procedure|method|class|module|
    interface|trait|struct|enum|union|object|protocol|impl|instance|namespace|package|mixin|extension|message|
    service|rpc|type|input|resource|data|variable|output|locals|provider|terraform|entity|architecture|component|
    contract|library|event|modifier|ns|describe|test|create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?
    (?:table|view|materialized\s+view|function|procedure|trigger|type|index))\b(?!\s*[=:(])
`;
/** `area <- function(r) {`, `const Boat = struct {` */
const GIVEN_FUNCTION = /^[\w.$ ]{1,80}\s(?:<-|:?=)\s(?:function|fn|struct|enum|union)\b/;
/** `void main() {` */
const BODY_OF_CALL = /^[\w@<][^(\n]{0,120}\([^\n]{0,300}\)[^()\n]{0,60}\{$/;
/** Words that tell of what they stand in, and not of what stands below them. */
const OF_MODULE = /@moduledoc[ \t](?:~[sS])?$/;
/** A thing with a name that has values and runs nothing: `variable "depth" {`. */
const RECORD = /^(?:variable|output|resource|data|provider)\b[^(]{0,200}\{$/;
const RECORD_LINES = 6;
/** A rule around a comment: its words alone are quoted. */
const BANNER = /[-#=*/~_]{6}/;
const SECTION = /^\[{1,2}[^\]\n]+\]{1,2}$/;

/** `normalise(Options) when is_map(Options) ->`, `function(add_gate name)` of CMake, `let rec depth lock =` */
const CLAUSE = /^[a-z]\w{0,80}\([^\n]{0,300}->$|^(?:function|macro)\(|^let (?:rec )?\w{1,80} [^=\n]{1,200}=$/;
const isBalanced = (line: string): boolean => line.split('(').length === line.split(')').length;

/** True for a section of settings or of styles. */
export const declaresSection = (line: string): boolean => SECTION.test(line) || BODY_OF_CALL.test(line);

/** True for the first line of a function, a class, a table, a resource, a section of settings. */
export const declares = (line: string): boolean =>
  DECLARES.test(line) ||
  GIVEN_FUNCTION.test(line) ||
  SECTION.test(line) ||
  CLAUSE.test(line) ||
  (BODY_OF_CALL.test(line) && isBalanced(line) && !CONTROLS.test(line));

const FUNCTION = /^\(?(?:[a-z]+\s+){0,4}(?:def[pn]?|defmacrop?|function|fn|fun|func|sub|proc|procedure|method|test)\b/i;

/** Of what declares something, whether it is a function. */
export const declaresFunction = (line: string): boolean =>
  FUNCTION.test(line) || /\s(?:<-|:?=)\s(?:function|fn)\b/.test(line) || CLAUSE.test(line) || BODY_OF_CALL.test(line);

/** A head without the list of parameters that goes on below it: `def matching(replaces: Boolean = false,`. */
function withoutOpenList(line: string): string {
  const at = line.indexOf('(');
  return at > 2 && declares(line) && !isBalanced(line) ? line.slice(0, at) : line;
}

/** The first line of a statement without what opens its body, in a length that can be shown above its lines. */
export function headOf(text: string, { start, headEnd }: IndentedLine): string {
  const line = foldContext(text.slice(start, headEnd)).replace(/\s?[=:]?\s?<<[-~]?\s?["']?\w{1,41}["']?$/, '');
  return labelOf(withoutOpening(withoutOpenList(withoutEnd(line))));
}

/** A comment of Haskell's documentation, or of many languages, as far as nothing is quoted behind it. */
const COMMENT_OPENS = /\s(?:--\s?[|^]|\/\/)/;

/** A line without the comment at its end, or what says that it goes on: a comma, a backslash, an open map. */
function withoutEnd(line: string): string {
  const unquoted = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'")) + 1;
  const at = line.slice(unquoted).search(COMMENT_OPENS);
  return at >= 0 ? line.slice(0, unquoted + at) : line.replace(/(?:%[\w.]{0,60}\{|,|\s\\)$/, '');
}

/**
 * Units of a text without a grammar here, by its indentation: short statements whole, of longer ones the lines with
 * what they are indented below, comments and doc strings by their parts with what they are about.
 */
export function indentedUnits(text: string, lines: readonly IndentedLine[]): Unit[] {
  const units: Unit[] = [];
  visit(lines, []);
  units.sort((a, b) => a.start - b.start || a.end - b.end);
  // A template's lines stand below none, and may be inside of a statement that is quoted whole.
  return units.filter(({ start }, i) => start >= (units[i - 1]?.end ?? 0));

  function visit(level: readonly IndentedLine[], heads: readonly UnitContext[]): void {
    for (const [i, each] of level.entries()) {
      if (each.isWords) {
        const about = OF_MODULE.test(text.slice(Math.max(0, each.start - 20), each.start))
          ? undefined
          : belowWords(level, i);
        const isDoc = DOC.test(text.slice(each.start, each.start + 4));
        const head = about && (isDoc || isTold(about)) ? contextFor(about) : undefined;
        words(each, head ? [...heads, head] : heads);
        continue;
      }
      const isShort = each.lastLine - each.firstLine < MOST_LINES && each.end - each.start <= MOST_CHARACTERS;
      const stands = isShort && !SECTION.test(text.slice(each.start, each.headEnd));
      if (isRecord(each)) {
        push(each.start, each.end, 'default', heads);
        continue;
      }
      if (each.parts.length === 0 || (stands && each.parts.every(({ isWords }) => !isWords))) {
        push(each.start, isShort ? each.end : each.headEnd, undefined, heads);
        continue;
      }
      const head = contextFor(each);
      const kind = declares(text.slice(each.start, each.headEnd)) ? 'signature' : undefined;
      if (!BARE.test(headOf(text, each))) push(each.start, each.headEnd, kind, heads);
      visit(each.parts, head ? [...heads, head] : heads);
    }
  }

  /** A few values of one thing, which say something only together: what a variable is for, and its default. */
  function isRecord({ start, headEnd, end, firstLine, lastLine, parts }: IndentedLine): boolean {
    if (parts.length === 0 || lastLine - firstLine >= RECORD_LINES || end - start > MOST_CHARACTERS) return false;
    const gives = (part: IndentedLine): boolean =>
      !part.isWords && part.parts.length === 0 && ASSIGNS.test(text.slice(part.start, part.end));
    return RECORD.test(text.slice(start, headEnd)) && parts.every(gives);
  }

  /** What a comment above it is about: a declaration or a value. One above any other statement is a step of its own. */
  function isTold(line: IndentedLine): boolean {
    const said = text.slice(line.start, line.headEnd);
    return declares(said) || givesValue(said);
  }

  /** What stands right below words; of a function with attributes the function itself. */
  function belowWords(level: readonly IndentedLine[], at: number): IndentedLine | undefined {
    let below: IndentedLine | undefined;
    for (let line = level[at]?.lastLine ?? 0, i = at + 1; level[i]?.firstLine === line + 1; i++) {
      below = level[i];
      if (!below || text[below.start] !== '@') return below?.isWords === true ? undefined : below;
      line = below.lastLine;
    }
    return below;
  }

  /** The head of a line for those below it; what goes on behind a comma is one of several values and no head. */
  function contextFor(line: IndentedLine): UnitContext | undefined {
    const words = headOf(text, line);
    const goesOn = text[line.headEnd - 1] === ',' && !declares(words);
    return goesOn || BARE.test(words) ? undefined : { text: words, start: line.start, end: line.headEnd };
  }

  /** A comment whole where it is short, else by its parts. */
  function words({ firstLine, lastLine, start, end }: IndentedLine, heads: readonly UnitContext[]): void {
    const said = text.slice(start, end);
    if (lastLine - firstLine < MOST_COMMENT_LINES && said.length <= MOST_CHARACTERS && !BANNER.test(said))
      return push(start, end, 'comment', heads);
    for (const { context, ...part } of commentParts(said))
      push(start + part.start, start + part.end, 'comment', context ? [...heads, movedBy(start, context)] : heads);
  }

  function push(start: number, end: number, kind: UnitKind | undefined, heads: readonly UnitContext[]): void {
    const inside = trimmed(text, { start, end });
    if (!inside || isOnlyMarks(text.slice(inside.start, inside.end))) return;
    const said = kind ?? kindOf(text.slice(inside.start, inside.end), heads.length > 0);
    units.push(...stretch(text, inside, said, joinContexts(nearestHeads(heads)), true));
  }
}

function kindOf(said: string, isInside: boolean): UnitKind {
  if (IMPORTS.test(said) && !said.includes('\n')) return 'import';
  if (THROWS.test(said)) return 'error';
  if (!givesValue(said)) return 'statement';
  return isInside ? 'default' : 'constant';
}

/** Whether a statement gives something a value that stands there. */
const givesValue = (said: string): boolean =>
  (ASSIGNS.test(said) || GIVES_VALUE.test(said)) && LITERAL.test(said) && !/\(/.test(said.split(/[=:]/)[0] ?? '');
