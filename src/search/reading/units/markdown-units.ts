import { expression } from '#base';
import MarkdownIt from 'markdown-it';
import type { TextSpan } from '../../domain/unit.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import { trimmed, withoutLeading, withoutTrailing } from '../../text/trim.ts';
import { plainInline } from '../formats/markdown-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import {
  exampleUnits,
  MOST_EXAMPLE_LINES,
  contentStart,
  contextOf,
  contextOfWords,
  foldContext,
  joinContexts,
  linesWithin,
  paragraphUnits,
  saysSomething,
  stretch,
} from './prose-units.ts';
import { Directives } from './directives.ts';
import { htmlUnits } from './html-units.ts';

/** What is longer is read as lines: nobody writes it by hand. */
const LONGEST_TEXT = 2_000_000;
/** Front matter that says how a page is shown, not what is in it. */
const NOISE_KEYS = expression('i')`
  ^(?:title|layout|permalink|slug|id|draft|weight|order|template|theme|toc|icon|image|cover|banner|cssclass(?:es)?|
    navigation|sidebar\w*|hide\w*|display\w*|pagination\w*|prev|next|custom\w*|keywords|eleventy\w*|linktitle|head|
    outline|lang)$
`;

/** What is told of the thing that the heading names, and does not name it again: `**Type:** number`. */
const ASIDE = expression('iu')`
  ^(?:[*_\x60>]|\s)*(?:defaults?(?: (?:value|to|is))?|type|required|optional|allowed(?: values)?|values?|range|unit|
    minimum|maximum|min|max|since|added in|deprecated|removed in|returns?|throws|raises)\b[^\p{L}\n]
`;

/** `[5.1.2] - 2023-09-07`, `v2.0.0 (unreleased)`: nothing but a release, with its day. */
const RELEASE = expression('iu')`
  ^(?:version |release )?\[?v?\d{1,4}\.\d{1,4}(?:\.\d{1,6})?(?:[-+.][\w.]{1,20})?
  \]?(?: ?[-–—:(/]{0,2} ?(?:\d{4}[-./]\d{2}[-./]\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|
      \p{L}{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} \p{L}{3,9} \d{4}|unreleased)\)?)?$
`;
/** A heading that is a name of a program alone: `### \`limit\``, `#### retry.limit`. */
const NAME = expression('u')`
  ^#{2,6}[ \t]+(?:<a [^<>\n]{1,200}>(?:<\/a>)?[ \t]*)?
  (?:\x60[^\x60\n]{2,80}\x60|(?:[\p{L}\p{N}_$-]+(?:(?:\.|::|\/)[\p{L}\p{N}_$-]+)+|[\p{L}\p{N}]+_[\p{L}\p{N}_]+)
    (?:\([^()\n]{0,60}\))?)[ \t]*#*$
`;

/** What the language of an example says that is a text itself. */
const TEXT_ITSELF = /^\s*(?:markdown|md|mdx)\b/i;

/** Blocks alone: what stands inside of a paragraph is cut by sentences. */
const blocks = new MarkdownIt({ html: true });
blocks.core.ruler.enableOnly(['normalize', 'block']);

type Token = ReturnType<MarkdownIt['parse']>[number];

/** A list or an item that is open, with what has to be known above its content. */
interface Frame {
  context: UnitContext | undefined;
  /** The paragraph before, where it announces what follows. */
  lead: UnitContext | undefined;
  /** An item: whether its own words were met already. */
  item: boolean;
  named: boolean;
  /** What the block before says that goes on in what is indented below it, where that is a text and no code. */
  goesOn?: { above: UnitContext | undefined } | undefined;
  /** The line before, or the term before definitions: what a definition below it is of. */
  term?: TextSpan | undefined;
}

/** What a text stands in that is a part of another. */
interface Surroundings {
  /** It is an example of a text, such as a template: examples within are code, whatever they are of. */
  isShown: boolean;
  /** What has to be known of all of it. */
  above: UnitContext | undefined;
  /** In so many boxes. */
  depth: number;
}

/** Boxes in more boxes are read as examples. */
const DEEPEST_BOX = 5;

/** A box or a tab of MkDocs: `!!! note "Mind the tide"`, `??? tip`, `=== "Linux"`. */
const BOX = /^(?:(?:!!!|\?\?\?\+?)[ \t]+[^"\n]{1,80}(?:"[^"\n]{0,200}"[ \t]*)?|===[+!]?[ \t]+"[^"\n]{1,200}"[ \t]*)$/u;
const TITLE = /"([^"\n]+)"/u;
/** How a definition begins, below its term (PHP Markdown Extra, Pandoc, MkDocs): `: What a lamp shows.` */
const DEFINITION = /^:[ \t]+\S/u;
/** Of a term, its lines and characters; what is longer is a text. */
const MOST_TERMS = 3;
const LONGEST_TERM = 120;
const FOOTNOTE = /^\[\^[^\]\s]{1,80}\]:/u;

/**
 * Units of a Markdown text by its block structure (markdown-it): items with those above them, rows with their header,
 * fields, sentences, examples. Headings name what follows, and are no units.
 */
export function markdownUnits(source: SourceText, firstLine: number): Unit[] {
  if (source.text.length > LONGEST_TEXT) return [];
  const text = source.text.slice(source.offsetOf(firstLine));
  return [...frontMatterUnits(source, firstLine - 1), ...blockUnits(source, firstLine, text)];
}

/**
 * @param text From the first line on; it may be less indented than there.
 */
function blockUnits(
  source: SourceText,
  firstLine: number,
  text: string,
  how: Surroundings = { isShown: false, above: undefined, depth: 0 },
): Unit[] {
  const reader = new BlockReader(source, firstLine, how);
  for (const token of blocks.parse(text, {})) reader.take(token);
  return reader.units;
}

class BlockReader {
  readonly units: Unit[] = [];
  readonly #frames: Frame[];
  #header: UnitContext | undefined;
  #heading: UnitContext | undefined;
  /** The heading, where it is the name of something in a program: what stands below is said of that. */
  #name: UnitContext | undefined;
  /** The heading of the release whose changes stand below, however they are grouped. */
  #release: { level: number; context: UnitContext } | undefined;
  #inHeader = false;
  readonly #directives = new Directives();
  readonly #source: SourceText;
  readonly #firstLine: number;
  readonly #how: Surroundings;

  constructor(source: SourceText, firstLine: number, how: Surroundings) {
    this.#frames = [{ context: how.above, lead: undefined, item: false, named: false }];
    this.#source = source;
    this.#firstLine = firstLine;
    this.#how = how;
  }

  take(token: Token): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    const span = this.#spanOf(token);
    if (token.type !== 'code_block' && token.type !== 'inline' && token.nesting >= 0) frame.goesOn = undefined;
    if (token.type !== 'paragraph_open' && token.type !== 'inline' && token.nesting >= 0) frame.term = undefined;
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        return this.#open(joinContexts([frame.context ?? this.#name, frame.lead]), false);
      case 'list_item_open':
        return this.#open(frame.context, true);
      case 'bullet_list_close':
      case 'ordered_list_close':
      case 'list_item_close':
        this.#frames.pop();
        return;
      case 'heading_open':
        frame.lead = undefined;
        return this.#head(Number(token.tag.slice(1)), span, span && headingContext(this.#source.text, span));
      case 'paragraph_open':
        if (span) this.#paragraph(span, frame);
        return;
      case 'fence':
      case 'code_block':
        if (span) this.#example(token, span, frame);
        return;
      case 'html_block':
        if (span) this.#html(span);
        return;
      case 'thead_open':
        this.#inHeader = true;
        return;
      case 'thead_close':
        this.#inHeader = false;
        return;
      case 'tr_open':
        if (span) this.#row(span);
        return;
      case 'table_close':
        this.#header = undefined;
        return;
    }
  }

  #html(span: TextSpan): void {
    const { units, heading } = htmlUnits(this.#source.text, span, this.#heading);
    this.units.push(...units);
    if (heading) this.#head(heading.level, heading, { ...heading });
  }

  /** @param own What the heading says. */
  #head(level: number, span: TextSpan | undefined, own: UnitContext | undefined): void {
    this.#directives.end();
    if (own && RELEASE.test(own.text)) this.#release = { level, context: own };
    else if (this.#release && level <= this.#release.level) this.#release = undefined;
    const release = this.#release?.context;
    this.#heading = own === release ? own : joinContexts([release, own]);
    const isName = span !== undefined && NAME.test(this.#source.text.slice(span.start, span.end));
    this.#name = isName ? this.#heading : release;
  }

  #open(context: UnitContext | undefined, item: boolean): void {
    this.#frames.push({ context, lead: undefined, item, named: false });
  }

  #spanOf({ map }: Token): TextSpan | undefined {
    if (!map) return undefined;
    const source = this.#source;
    const firstLine = this.#firstLine;
    const [start, end] = [source.offsetOf(firstLine + map[0]), source.offsetOf(firstLine + map[1])];
    return trimmed(source.text, { start, end: Math.min(end, source.text.length) });
  }

  #paragraph(span: TextSpan, frame: Frame): void {
    const { text } = this.#source;
    const stop = text.indexOf('\n', span.start);
    const first = { start: span.start, end: stop < 0 ? span.end : Math.min(stop, span.end) };
    const said = text.slice(first.start, first.end);
    if (FOOTNOTE.test(said)) frame.goesOn = { above: contextOf(text, span) };
    if (BOX.test(said)) {
      const title = TITLE.exec(said)?.[1];
      const own = title === undefined ? undefined : contextOfWords(text, first.start, title);
      frame.goesOn = { above: joinContexts([frame.context, own]) };
      const rest = trimmed(text, { start: first.end, end: span.end });
      if (rest) this.#words(rest, frame, own);
      return;
    }
    for (const { stretch: part, above } of this.#directives.take(text, span)) this.#words(part, frame, above);
  }

  /** @param above What a directive says of them. */
  #words(span: TextSpan, frame: Frame, above: UnitContext | undefined): void {
    const { text } = this.#source;
    const said = text.slice(span.start, span.end);
    // Without the heading nobody knows what an item is that is only a link, or of what `Default: 5` is said.
    const isOfHeading = frame.item ? !saysSomething(said) : ASIDE.test(said);
    const around = frame.context ?? (isOfHeading ? this.#heading : this.#name);
    const context = joinContexts([around, above]);
    const defined = this.#definitions(span, frame, context);
    this.units.push(...(defined ?? paragraphUnits(text, span, { item: frame.item, context })));
    if (!defined) frame.term = said.includes('\n') ? undefined : span;
    const own = contextOf(text, { start: contentStart(text, span.start), end: span.end });
    frame.lead = own?.text.endsWith(':') ? own : undefined;
    if (frame.item && !frame.named) {
      // What follows inside of an item belongs to its first words.
      frame.context = joinContexts([frame.context, own]);
      frame.lead = undefined;
      frame.named = true;
    }
  }

  /** Fields of a list of definitions: the first one with its term, the others under it; undefined where it is none. */
  #definitions(span: TextSpan, frame: Frame, context: UnitContext | undefined): Unit[] | undefined {
    const { text } = this.#source;
    const lines = linesWithin(text, span);
    const begins = ({ start, end }: TextSpan): boolean => DEFINITION.test(text.slice(start, end));
    const at = lines.findIndex(begins);
    const above = lines.slice(0, Math.max(0, at));
    const [first] = above;
    const term = first ? { start: first.start, end: above.at(-1)?.end ?? first.end } : frame.term;
    if (at < 0 || at > MOST_TERMS || !term || term.end - term.start > LONGEST_TERM) return undefined;
    const said: TextSpan[] = [];
    for (const line of lines.slice(at)) {
      const last = said.at(-1);
      if (last && !begins(line)) last.end = line.end;
      else said.push({ ...line });
    }
    // Above a blank line the term was read as a paragraph.
    while (!first && this.units.at(-1)?.kind === 'sentence' && (this.units.at(-1)?.start ?? 0) >= term.start)
      this.units.pop();
    const under = joinContexts([context, contextOf(text, term)]);
    frame.term = term;
    frame.goesOn = { above: under };
    return said.flatMap((each, i) =>
      first && i === 0
        ? stretch(text, { start: term.start, end: each.end }, 'field', context, true)
        : stretch(text, each, 'field', under, true),
    );
  }

  #example(token: Token, span: TextSpan, frame: Frame): void {
    const { text } = this.#source;
    const lines = linesOf(text, span);
    const inner = token.type === 'fence' ? lines.slice(1, lines.length - Number(closes(text, lines, token))) : lines;
    if (token.map && TEXT_ITSELF.test(token.info) && !this.#how.isShown) {
      const firstLine = this.#firstLine + token.map[0] + 1;
      this.units.push(
        ...blockUnits(this.#source, firstLine, token.content, { isShown: true, above: undefined, depth: 0 }),
      );
      return;
    }
    const { depth } = this.#how;
    if (token.map && frame.goesOn && token.type === 'code_block' && depth < DEEPEST_BOX) {
      const how = { ...this.#how, above: frame.goesOn.above, depth: depth + 1 };
      this.units.push(...blockUnits(this.#source, this.#firstLine + token.map[0], token.content, how));
      return;
    }
    this.units.push(
      ...exampleUnits(text, inner, frame.lead ? joinContexts([this.#name, frame.lead]) : (frame.context ?? this.#name)),
    );
  }

  #row(span: TextSpan): void {
    const { text } = this.#source;
    if (this.#inHeader) {
      const cells = cellsOf(text.slice(span.start, span.end));
      this.#header = cells.every((cell) => cell === '') ? undefined : { ...span, text: foldContext(headerText(cells)) };
    } else this.units.push(...stretch(text, span, 'row', this.#header, true));
  }
}

/** A heading's own words. */
function headingContext(text: string, span: TextSpan): UnitContext | undefined {
  const lines = text.slice(span.start, span.end).trimEnd().split('\n');
  if (lines.length > 1 && /^[=-]+$/.test(lines.at(-1)?.trim() ?? '')) lines.pop();
  const words = foldContext(plainInline(withoutTrailing(withoutLeading(lines.join('\n'), /[#\s]/), /[#\s]/)));
  return words === '' ? undefined : { ...span, text: words };
}

/** Cells of a row; a bar behind a backslash or in code belongs to its cell as the table rule has it. */
function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** Every line of a stretch, blank ones too. */
function linesOf(text: string, { start, end }: TextSpan): TextSpan[] {
  const lines: TextSpan[] = [];
  for (let from = start; from <= end;) {
    const stop = text.indexOf('\n', from);
    const to = stop < 0 || stop > end ? end : stop;
    lines.push({ start: from, end: to });
    from = to + 1;
  }
  return lines;
}

/** Whether the last line of a fence is its closing marks: at the end of a text they may be missing. */
function closes(text: string, lines: readonly TextSpan[], { markup }: Token): boolean {
  const last = lines.length > 1 ? lines.at(-1) : undefined;
  return (
    last !== undefined &&
    text
      .slice(last.start, last.end)
      .replace(/^[ \t>]*/, '')
      .startsWith(markup)
  );
}

/** Keys of the front matter with their values; what only says how a page is shown is left out. */
function frontMatterUnits(source: SourceText, endLine: number): Unit[] {
  const units: Unit[] = [];
  let open: { startLine: number; endLine: number; noise: boolean } | undefined;
  const close = (): void => {
    if (!open || open.noise) return;
    const span = source.spanOf(open.startLine, open.endLine);
    if (open.endLine - open.startLine < MOST_EXAMPLE_LINES) units.push(...stretch(source.text, span, 'field'));
    else {
      const first = source.spanOf(open.startLine);
      const context = contextOf(source.text, first);
      for (const line of linesWithin(source.text, { start: first.end, end: span.end }))
        units.push(...stretch(source.text, line, 'field', context));
    }
  };
  for (let line = 2; line < endLine; line++) {
    const key = /^["']?([\w-]+)["']?[ \t]*[:=]/.exec(source.line(line))?.[1];
    if (key !== undefined) {
      close();
      open = { startLine: line, endLine: line, noise: NOISE_KEYS.test(key) || isEmptyValue(source, line) };
    } else if (open && !source.isBlank(line)) open.endLine = line;
  }
  close();
  return units;
}

/** `tags:` with nothing behind it and nothing indented below it. */
function isEmptyValue(source: SourceText, line: number): boolean {
  return (
    /[:=](?:""|''|\[\]|null|~)?$/.test(source.line(line).replaceAll(/[ \t]/g, '')) &&
    !/^[ \t]+\S|^-[ \t]/.test(source.line(line + 1))
  );
}
