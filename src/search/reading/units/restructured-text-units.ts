import { expression } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import type { SourceText } from '../text/source-text.ts';
import { exampleUnits, contextOf, foldContext, joinContexts, paragraphUnits, stretch } from './prose-units.ts';

/** `====  ====`: above, below and between the columns of a table. */
const TABLE_RULER = /^[ \t]*=+(?:[ \t]+=+)+[ \t]*$/;
/** A line of one sign, twice or more: it stands above or below a title, or rules a part off. */
export const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
/** A line below or above a title. Two colons alone announce an example. */
const isAdornment = (line: string): boolean => ADORNMENT.test(line) && line.trim() !== '::';
const ITEM = /^[ \t]*(?:[-*+•]|#\.|\d{1,9}[.)]|\(\w\))[ \t]+/;
const FIELD = /^[ \t]*:[^:`\s][^:`\n]{0,80}:(?:[ \t]|$)/;
const DIRECTIVE = /^[ \t]*\.\. ([\w:-]{1,60})::[ \t]*/;
/** Bodies that are code, by the name of their directive. */
const CODE = expression('')`
  ^(?:code|code-block|sourcecode|parsed-literal|literal|highlight|prompt|ipython|doctest|
    test(?:code|setup|output|cleanup))$
`;
/** What has a text of its own, which may begin in its first line. */
const SAYS = expression('')`
  ^(?:note|warning|tip|hint|important|caution|danger|error|attention|seealso|todo|version(?:added|changed|removed)|
    deprecated)$
`;
/** What documents a name: its argument stands above its body. */
const DESCRIBES =
  /(?:^|:)(?:function|method|class|exception|attribute|data|module|option|confval|envvar|describe|type|macro)$/;

/** Of the terms around a line, so many are shown. */
const INNERMOST = 2;

interface Head extends UnitContext {
  indent: number;
}

/**
 * Units of a reStructuredText file: sentences, items, fields, rows with their header, and what a name is documented by;
 * literal blocks and directives of code as they stand. Titles, labels and comments are none.
 */
export function restructuredTextUnits(source: SourceText): Unit[] {
  const reader = new LineReader(source);
  for (let line = 1; line <= source.lineCount;) line = reader.take(line);
  return reader.units;
}

class LineReader {
  readonly units: Unit[] = [];
  readonly #source: SourceText;
  /** Terms and documented names that stand around a line. */
  readonly #heads: Head[] = [];
  /** The paragraph before, where it announces what follows. */
  #lead: UnitContext | undefined;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Reads what begins at a line. @returns the line after it */
  take(line: number): number {
    const source = this.#source;
    const said = source.line(line);
    if (source.isBlank(line)) return line + 1;
    const indent = this.#indentOf(line);
    while ((this.#heads.at(-1)?.indent ?? -1) >= indent) this.#heads.pop();
    if (TABLE_RULER.test(said)) return this.#table(line);
    if (isAdornment(said)) return line + 1;
    if (said.trim() === '::') return this.#literal(line, indent, this.#context());
    if (/^[ \t]*\.\.(?:[ \t]|$)/.test(said)) return this.#explicit(line, indent);
    if (indent === 0 && isAdornment(source.line(line + 1))) {
      this.#lead = undefined;
      return line + 2;
    }
    if (/^[ \t]*>>> /.test(said)) {
      const end = source.lastWhile(line, (next) => !source.isBlank(next));
      this.#example(line, end);
      return end + 1;
    }
    return this.#paragraph(line, indent);
  }

  #context(): UnitContext | undefined {
    return joinContexts([
      ...this.#heads.slice(-INNERMOST).map(({ text, start, end }) => ({ text, start, end })),
      this.#lead,
    ]);
  }

  #paragraph(line: number, indent: number): number {
    const source = this.#source;
    const sign = ITEM.exec(source.line(line))?.[0] ?? '';
    const isField = FIELD.test(source.line(line));
    const begins = (next: number): boolean => ITEM.test(source.line(next)) || FIELD.test(source.line(next));
    const goesOn = (next: number): boolean =>
      !source.isBlank(next) &&
      (sign === '' && !isField ? this.#indentOf(next) === indent : this.#indentOf(next) > indent);
    const end = source.lastWhile(line, (next) => goesOn(next) && !begins(next));
    const span = source.spanOf(line, end);
    const isTerm =
      sign === '' && !isField && end === line && !source.isBlank(line + 1) && this.#indentOf(line + 1) > indent;
    if (isTerm) {
      this.#head(span, indent);
      return line + 1;
    }
    if (sign === '' && !isField) this.#lead = undefined;
    const context = this.#context();
    if (isField) this.units.push(...stretch(source.text, span, 'field', context));
    else {
      const words = { ...span, start: span.start + sign.length };
      this.units.push(...paragraphUnits(source.text, words, { item: sign !== '', context }));
    }
    const words = contextOf(source.text, span);
    if (words?.text.endsWith('::'))
      return this.#literal(end, indent, { ...words, text: words.text.replace(/ ?::$/, ':') });
    if (sign === '' && words?.text.endsWith(':')) this.#lead = words;
    return end + 1;
  }

  /** The example below the two colons that a line ends with. @returns the line after it */
  #literal(line: number, indent: number, context: UnitContext | undefined): number {
    const last = this.#bodyEnd(line, indent);
    this.#example(line + 1, last, context);
    return last + 1;
  }

  /** Directives, labels and comments. */
  #explicit(line: number, indent: number): number {
    const source = this.#source;
    const match = DIRECTIVE.exec(source.line(line));
    // Footnotes are read as text.
    if (!match)
      return /^[ \t]*\.\. \[/.test(source.line(line)) ? this.#paragraph(line, indent) : this.#bodyEnd(line, indent) + 1;
    const [begins, name = ''] = match;
    const whole = source.spanOf(line);
    const argument = { ...whole, start: whole.start + begins.length };
    const options = source.lastWhile(line, (next) => /^[ \t]+:[\w-]+:/.test(source.line(next)));
    if (CODE.test(name)) {
      const last = this.#bodyEnd(options, indent);
      this.#example(options + 1, last, this.#context());
      return last + 1;
    }
    this.#lead = undefined;
    if (DESCRIBES.test(name)) {
      this.units.push(...stretch(source.text, argument, 'signature', this.#context(), true));
      this.#head(argument, indent);
      return line + 1;
    }
    const said = source.text.slice(argument.start, argument.end).trim();
    const goesOn = (next: number): boolean => !source.isBlank(next) && this.#indentOf(next) > indent;
    const last = said !== '' && options === line && SAYS.test(name) ? source.lastWhile(line, goesOn) : options;
    if (/\s/.test(said) || last > options) {
      const words = { ...argument, end: source.spanOf(last > options ? last : line).end };
      this.units.push(...paragraphUnits(source.text, words, { item: false, context: this.#context() }));
    }
    return last + 1;
  }

  /** A table of columns below rulers: what stands above the second one is its header. */
  #table(line: number): number {
    const source = this.#source;
    const end = source.lastWhile(line, (next) => !source.isBlank(next));
    const rulers = Array.from({ length: end - line + 1 }, (_, i) => line + i).filter((at) =>
      TABLE_RULER.test(source.line(at)),
    );
    const [first = line, second = line] = rulers;
    const hasHeader = rulers.length > 2 && second === first + 2;
    const header = hasHeader ? source.spanOf(first + 1) : undefined;
    const cells =
      header &&
      headerText(
        source
          .line(first + 1)
          .trim()
          .split(/[ \t]{2,}|(?<=\S) (?=\p{Lu})/u),
      );
    const context = cells === undefined ? this.#context() : { ...header, text: foldContext(cells) };
    for (let row = hasHeader ? second + 1 : first + 1; row <= end; row++)
      if (!TABLE_RULER.test(source.line(row)))
        this.units.push(...stretch(source.text, source.spanOf(row), 'row', context, true));
    return end + 1;
  }

  #example(line: number, end: number, context = this.#context()): void {
    let first = line;
    while (first <= end && this.#source.isBlank(first)) first += 1;
    this.units.push(...exampleUnits(this.#source.text, this.#source.spansOf(first, end), context));
  }

  #head(span: TextSpan, indent: number): void {
    const words = contextOf(this.#source.text, span);
    if (words) this.#heads.push({ ...words, indent });
    this.#lead = undefined;
  }

  /** The last line of what stands indented below a line; the line itself where nothing does. */
  #bodyEnd(line: number, indent: number): number {
    let last = line;
    for (let next = line + 1; next <= this.#source.lineCount; next++) {
      if (this.#source.isBlank(next)) continue;
      if (this.#indentOf(next) <= indent) break;
      last = next;
    }
    return last;
  }

  #indentOf(line: number): number {
    return this.#source.line(line).search(/\S|$/);
  }
}
