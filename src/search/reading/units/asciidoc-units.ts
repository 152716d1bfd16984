import { sum, expression } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import type { AsciidocLine, AsciidocLines } from '../formats/asciidoc-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import { exampleUnits, contextOf, foldContext, joinContexts, paragraphUnits, stretch } from './prose-units.ts';

/** `* item`, `.. step`, `- item`, `3. step`, `<1> callout`. */
const ITEM = /^[ \t]*(\*{1,6}|\.{1,6}|-|\d{1,9}\.|<(?:\d{1,3}|\.)>)[ \t]+(?:\[[ x*]\][ \t]+)?(?=\S)/;
/** `term:: what it means`: how many signs stand behind it says how deep it is. */
const TERM = /^[ \t]*(\S[^\n]{0,200}?)(:{2,4}|;;)(?:[ \t]+(?=\S)|[ \t]*$)/;
/** The name of the block below it: `.Limits of a call`. */
const BLOCK_TITLE = /^\.(?=[^\s.])/;
const ADMONITION = /^(?:NOTE|TIP|IMPORTANT|CAUTION|WARNING):[ \t]+/;
/** Attributes of a document that say how it is shown, not what is in it. */
const NOISE_SETTINGS = expression('i')`
  ^:!?(?:toc\w*|toc-[\w-]+|icons\w*|source-\w+|highlight\w*|doctype|sect\w+|experimental|\w*dir|id\w+|link\w+|
    figure-caption|table-caption|chapter-\w+|nofooter|hide-\w+|page-[\w-]+|stylesheet|data-uri|hardbreaks|
    compat-mode|max-width|backend|media|pdf-[\w-]+|last-update-label|attribute-missing|reproducible|keywords|lang|
    numbered|partnums|stem|env-[\w-]+)!?:
`;
/** `include::part.adoc[]`, `image::plan.png[]`, `ifdef::env[]`, `toc::[]`, `'''`, `<<<`. */
const NO_WORDS = /^(?:[a-z]+::[^\s[]*\[[^\]\n]*\]|'{3}|<{3}|\*{3}|-{3})$/;

/** A list that is open at a line, by the signs of its items. */
interface Level {
  signs: string;
  /** What announces the list, and what it is inside of. */
  around: UnitContext | undefined;
  /** The words of its last item, or the term. */
  own: UnitContext | undefined;
}

/**
 * Units of an AsciiDoc text: sentences, items and meanings below what they belong to, rows with their header, blocks of
 * code with what announces them. Titles, anchors, comments and how a page is shown are none.
 */
export function asciidocUnits(source: SourceText, lines: AsciidocLines): Unit[] {
  const reader = new LineReader(source, lines);
  for (let line = 1; line <= source.lineCount;) line = reader.take(line);
  return reader.units;
}

class LineReader {
  readonly units: Unit[] = [];
  readonly #source: SourceText;
  readonly #kinds: readonly AsciidocLine[];
  #levels: Level[] = [];
  /** A block's name, or the paragraph before, where it announces what follows. */
  #lead: UnitContext | undefined;
  /** False behind a blank line, which ends a list unless `+` or another item follows. */
  #attached = true;
  /** Attributes of the block below: `cols="1,2",options="header"`. */
  #attributes = '';

  constructor(source: SourceText, { kinds }: AsciidocLines) {
    this.#source = source;
    this.#kinds = kinds;
  }

  /** Reads what begins at a line. @returns the line after it */
  take(line: number): number {
    const kind = this.#kinds[line];
    if (kind === 'table') return this.#table(line);
    if (kind === 'literal') return this.#example(line, (next) => this.#kinds[next] === 'literal');
    if (this.#source.isBlank(line)) {
      this.#attached = false;
      return line + 1;
    }
    switch (kind) {
      case 'heading':
        this.#levels = [];
        this.#lead = undefined;
        break;
      case 'comment':
      case 'attributes':
        if (!this.#attached) this.#levels = [];
        if (kind === 'attributes') this.#attributes = this.#source.line(line);
        break;
      case 'setting':
        this.#setting(line);
        break;
      case 'text':
        return this.#text(line);
    }
    return line + 1;
  }

  /** What stands above words that begin here. */
  #context(): UnitContext | undefined {
    const level = this.#levels.at(-1);
    return joinContexts([level?.around, level?.own, this.#lead]);
  }

  #text(line: number): number {
    const source = this.#source;
    const said = source.line(line).trimEnd();
    if (said === '+') {
      this.#attached = true;
      return line + 1;
    }
    if (NO_WORDS.test(said)) return line + 1;
    if (BLOCK_TITLE.test(said)) {
      const { start, end } = source.spanOf(line);
      this.#lead = contextOf(source.text, { start: start + 1, end });
      return line + 1;
    }
    const item = ITEM.exec(said);
    if (item?.[1] !== undefined) return this.#item(line, signsOf(item[1]), item[0].length);
    const term = TERM.exec(said);
    if (term?.[2] !== undefined) return this.#term(line, term[2], term[0]);
    if (!this.#attached) this.#levels = [];
    this.#attached = true;
    return /^[ \t]/.test(said) && this.#levels.length === 0 ? this.#indented(line) : this.#paragraph(line);
  }

  #item(line: number, signs: string, from: number): number {
    const level = this.#enter(signs);
    const end = this.#paragraphEnd(line);
    const whole = this.#source.spanOf(line, end);
    const span = { ...whole, start: whole.start + from };
    this.units.push(...paragraphUnits(this.#source.text, span, { item: true, context: level.around }));
    level.own = contextOf(this.#source.text, span);
    return end + 1;
  }

  /** A term, and what is said of it on its own line. */
  #term(line: number, signs: string, begins: string): number {
    const source = this.#source;
    const level = this.#enter(signs);
    const isAlone = source.line(line).trimEnd() === begins.trimEnd();
    const end = isAlone ? line : this.#paragraphEnd(line);
    const span = source.spanOf(line, end);
    if (!isAlone) this.units.push(...stretch(source.text, span, 'field', level.around));
    const term = begins.trimEnd().slice(0, -signs.length);
    level.own = contextOf(source.text, { start: span.start, end: span.start + term.length });
    return end + 1;
  }

  /** Goes to the list with such signs: one that is open, or a new one inside of what is. */
  #enter(signs: string): Level {
    this.#attached = true;
    const known = this.#levels.findIndex((level) => level.signs === signs);
    const level = this.#levels[known] ?? { signs, around: this.#context(), own: undefined };
    this.#levels = known < 0 ? [...this.#levels, level] : this.#levels.slice(0, known + 1);
    this.#lead = undefined;
    return level;
  }

  #paragraph(line: number): number {
    const source = this.#source;
    const sign = ADMONITION.exec(source.line(line))?.[0] ?? '';
    const end = this.#paragraphEnd(line);
    const whole = source.spanOf(line, end);
    const span = { ...whole, start: whole.start + sign.length };
    this.units.push(...paragraphUnits(source.text, span, { item: false, context: this.#context() }));
    const words = contextOf(source.text, span);
    this.#lead = words?.text.endsWith(':') ? words : undefined;
    return end + 1;
  }

  /** The last line of a paragraph: before a blank one, another item, a block or what is said of one. */
  #paragraphEnd(line: number): number {
    let end = line;
    for (let next = line + 1; next <= this.#source.lineCount && !this.#source.isBlank(next); next++) {
      if (this.#kinds[next] === 'comment') continue;
      const said = this.#source.line(next).trimEnd();
      if (this.#kinds[next] !== 'text' || said === '+' || ITEM.test(said) || TERM.test(said)) break;
      end = next;
    }
    return end;
  }

  /** A paragraph that is indented stands as it is. */
  #indented(line: number): number {
    return this.#example(line, (next) => this.#kinds[next] === 'text' && !this.#source.isBlank(next));
  }

  #example(line: number, goesOn: (next: number) => boolean): number {
    const end = this.#source.lastWhile(line, goesOn);
    this.units.push(...exampleUnits(this.#source.text, this.#source.spansOf(line, end), this.#context()));
    this.#lead = undefined;
    return end + 1;
  }

  #setting(line: number): void {
    const said = this.#source.line(line);
    if (!NOISE_SETTINGS.test(said) && /^:[^:\n]+:[ \t]+\S/.test(said))
      this.units.push(...stretch(this.#source.text, this.#source.spanOf(line), 'field'));
  }

  /** Cells may stand in one line, or each in a line of its own: how many make a row is told, or shown by the first. */
  #table(line: number): number {
    const source = this.#source;
    const end = source.lastWhile(line, (next) => this.#kinds[next] === 'table');
    const cells = this.#cells(line, end);
    const first = cells[0]?.line;
    const told = columnsOf(this.#attributes) ?? cells.filter((cell) => cell.line === first).length;
    const width = Math.max(1, told);
    const rows = Array.from({ length: Math.ceil(cells.length / width) }, (_, i) =>
      cells.slice(i * width, (i + 1) * width),
    );
    const lastOfFirst = rows[0]?.at(-1)?.line ?? line;
    const hasHeader =
      rows.length > 1 &&
      (/\bheader\b/.test(this.#attributes) || (first === lastOfFirst && source.isBlank(lastOfFirst + 1)));
    const [head] = rows;
    const context =
      hasHeader && head?.[0]
        ? {
            text: foldContext(headerText(head.map(({ inner, end: stop }) => source.text.slice(inner, stop).trim()))),
            start: head[0].start,
            end: head[0].end,
          }
        : this.#context();
    for (const row of hasHeader ? rows.slice(1) : rows) {
      const span = { start: row[0]?.start ?? 0, end: row.at(-1)?.end ?? 0 };
      this.units.push(...stretch(source.text, span, 'row', context, true));
    }
    this.#lead = undefined;
    this.#attributes = '';
    return end + 1;
  }

  #cells(line: number, end: number): Cell[] {
    const { text } = this.#source;
    const cells: Cell[] = [];
    for (let at = line; at <= end; at++) {
      const { start: from, end: lineEnd } = this.#source.spanOf(at);
      const bars = [...this.#source.line(at).matchAll(BAR)].map((match) => ({
        start: from + match.index,
        inner: from + match.index + match[0].length,
      }));
      const last = cells.at(-1);
      const before = bars[0]?.start ?? lineEnd;
      if (last && text.slice(from, before).trim() !== '') last.end = before;
      bars.forEach((bar, i) => cells.push({ ...bar, line: at, end: bars[i + 1]?.start ?? lineEnd }));
    }
    return cells;
  }
}

interface Cell extends TextSpan {
  /** On which it begins. */
  line: number;
  /** Where its words begin. */
  inner: number;
}

/** What begins a cell, with how it is shown: `|`, `2+|`, `a|`. */
const BAR = /(?<![\\\p{L}\p{N}])(?:\d{0,2}(?:\.\d{1,2})?[+*])?[<^>.]{0,3}[adehlmsv]?\|/gu;

/** How many columns `cols="1,2,3"` and `cols="3*"` say. */
function columnsOf(attributes: string): number | undefined {
  const said = /\bcols\s*=\s*(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|(\d[\w*]{0,9}))/.exec(attributes);
  const written = said?.[1] ?? said?.[2] ?? said?.[3];
  if (written === undefined) return undefined;
  return sum(written.split(/[,;]/).map((column) => Number(/^\s*(\d{1,3})\*/.exec(column)?.[1] ?? 1)));
}

/** Numbers of steps and callouts all stand for one list. */
const signsOf = (signs: string): string => signs.replace(/\d+/, '1');
