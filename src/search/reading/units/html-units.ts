import { wordSet, expression } from '#base';
import type { Token } from 'parse5';
import type { TextSpan } from '../../domain/unit.ts';
import { headerText, type Unit, type UnitContext, type UnitKind } from '../../domain/unit.ts';
import { readTags, type TagReader } from '../formats/html-tags.ts';
import { foldContext, joinContexts, LONGEST_ITEM, sentenceUnits, stretch } from './prose-units.ts';

/** Elements that are read over: what is in them is no text. */
const PASSED_OVER = wordSet('script style title iframe noembed noframes');
const HEADING = /^h([1-6])$/;
const LISTS = wordSet('ul ol menu dir');
const CONTAINERS = wordSet('div section article main aside nav header footer blockquote body form details figure');
/** Elements that something has to be remembered of while they are open. */
const FRAMES = new Set([...LISTS, ...CONTAINERS, ...wordSet('li dl dt dd table tr')]);
/** Elements that begin a unit, and end one. */
const BLOCKS = new Set([
  ...FRAMES,
  ...wordSet(
    `address br button caption center col colgroup dialog fieldset figcaption head hgroup hr html legend listing noscript
    optgroup option p plaintext pre search select summary tbody td textarea tfoot th thead xmp`,
  ),
]);

/** What a tag ends without saying so, or by its end tag, and the elements that it does not reach beyond. */
interface Reach {
  ends: ReadonlySet<string>;
  within: ReadonlySet<string>;
}
const TABLE = wordSet('table');
const IN_LIST = new Set([...LISTS, ...TABLE]);
const IN_DEFINITIONS = wordSet('dl table');
/** An item ends the one before it in its list, a meaning its term, a row the row before. */
const ENDS_BEFORE: Readonly<Record<string, Reach | undefined>> = {
  li: { ends: wordSet('li'), within: IN_LIST },
  dt: { ends: wordSet('dt dd'), within: IN_DEFINITIONS },
  dd: { ends: wordSet('dt dd'), within: IN_DEFINITIONS },
  tr: { ends: wordSet('tr'), within: TABLE },
};
const NOTHING: ReadonlySet<string> = new Set();

/** Elements deeper than this are read as if they were not there: nobody nests so. */
const DEEPEST = 200;
/** Of the items above one, so many are told. */
const MOST_ABOVE = 6;
/** Words beyond this are in no context: an element that is never closed holds the rest of the page. */
const LONGEST_WORDS = 1_000;

/** Lines of a template that only give orders: `{% if x %}`, `{{ list(items) }}`, `<% end %>`. */
const ORDERS = expression('gm')`
  ^[ \t]*(?:(?:\{%(?:[^%]|%(?!\})){0,999}%\}|\{\{(?:[^}]|\}(?!\})){0,999}\}\}|\{#(?:[^#]|#(?!\})){0,999}#\}|
      <%(?:[^%]|%(?!>)){0,999}%>)[ \t]*)+$
`;

/** Such lines end what stands above them and are no text; every place stays what it was. */
const withoutOrders = (html: string): string =>
  html.replace(ORDERS, (orders) => `<hr>${' '.repeat(orders.length - '<hr>'.length)}`);

interface Piece extends TextSpan {
  words: string;
  /** All of its words lead elsewhere. */
  links: boolean;
}

/** An element that is open. */
interface Frame {
  tag: string;
  /** The first words of an item, the last term of a list of definitions, the header of a table. */
  above?: UnitContext;
}

interface Row {
  frame: Frame;
  /** What holds its header. */
  table: Frame;
  start: number;
  cells: string[];
  /** All of its cells name columns. */
  header: boolean;
}

/** A heading, which is told of what only links below it. */
interface HtmlHeading extends TextSpan {
  level: number;
  text: string;
}

/**
 * Units of a stretch of HTML, tag by tag: rows with their header cells, items with those above them, definitions with
 * their term, sentences of everything else. What only links is none, but for the entries of a list below a heading,
 * which is told before them.
 * @param above The heading that stands before the stretch.
 * @returns With the last heading in it, which heads what follows.
 */
export function htmlUnits(
  text: string,
  span: TextSpan,
  above?: UnitContext,
): { units: Unit[]; heading: HtmlHeading | undefined } {
  const reader = new UnitReader(text, span.start, above);
  readTags(withoutOrders(text.slice(span.start, span.end)), reader);
  return reader.finish(span.end);
}

class UnitReader implements TagReader {
  readonly #units: Unit[] = [];
  /** What is open, outermost first, below the stretch itself. */
  readonly #frames: Frame[] = [{ tag: '' }];
  #piece: Piece | undefined;
  #row: Row | undefined;
  /** The element that is read over. */
  #passing: string | undefined;
  #isLink = false;
  #heading: (Piece & { level: number }) | undefined;
  readonly #above: UnitContext | undefined;
  readonly #text: string;
  readonly #offset: number;

  constructor(text: string, offset: number, above: UnitContext | undefined) {
    this.#text = text;
    this.#offset = offset;
    this.#above = above;
  }

  start({ tagName, attrs, location }: Token.TagToken): void {
    const start = this.#offset + (location?.startOffset ?? 0);
    if (PASSED_OVER.has(tagName) || HEADING.test(tagName)) {
      this.#flush();
      this.#pass(tagName, start);
      return;
    }
    if (tagName === 'a') this.#isLink = leadsElsewhere(attrs);
    if (!isBlock(tagName, this.#text.slice(start + 1, start + 3))) return;
    this.#flush();
    if (this.#row && (tagName === 'td' || tagName === 'th')) {
      this.#row.cells.push('');
      this.#row.header &&= tagName === 'th';
    }
    if (FRAMES.has(tagName)) this.#open(tagName, start);
  }

  end({ tagName, location }: Token.TagToken): void {
    if (this.#passing === tagName || (HEADING.test(tagName) && HEADING.test(this.#passing ?? '')))
      this.#passing = undefined;
    if (tagName === 'a') this.#isLink = false;
    const start = this.#offset + (location?.startOffset ?? 0);
    if (!isBlock(tagName, this.#text.slice(start + 2, start + 4))) return;
    this.#flush();
    if (!FRAMES.has(tagName)) return;
    const within = tagName === 'table' ? NOTHING : (ENDS_BEFORE[tagName]?.within ?? TABLE);
    const end = tagName === 'tr' ? this.#offset + (location?.endOffset ?? 0) : start;
    this.#close({ ends: new Set([tagName]), within }, end);
  }

  words(chars: string, location: Token.Location | null): void {
    const span = {
      start: this.#offset + (location?.startOffset ?? 0),
      end: this.#offset + (location?.endOffset ?? 0),
    };
    if (HEADING.test(this.#passing ?? '') && this.#heading)
      this.#heading = { ...this.#joined(this.#heading, chars, span), level: this.#heading.level };
    if (this.#passing !== undefined) return;
    this.#piece = this.#joined(this.#piece, chars, span);
    this.#addToCell(chars);
  }

  blank(): void {
    const open = this.#passing === undefined ? this.#piece : HEADING.test(this.#passing) ? this.#heading : undefined;
    if (open && open.words.length < LONGEST_WORDS) open.words += ' ';
    if (this.#passing === undefined) this.#addToCell(' ');
  }

  finish(end: number): { units: Unit[]; heading: HtmlHeading | undefined } {
    this.#flush();
    this.#closeRow(end);
    const level = this.#heading?.level;
    const context = this.#heading && contextOfPiece(this.#heading);
    return {
      units: this.#units,
      heading: level === undefined || !context || context.text === '' ? undefined : { ...context, level },
    };
  }

  #pass(tag: string, start: number): void {
    const level = HEADING.exec(tag)?.[1];
    // A heading ends one that was not closed.
    if (level !== undefined && (this.#passing === undefined || HEADING.test(this.#passing))) {
      this.#heading = { start, end: start, words: '', links: false, level: Number(level) };
      this.#passing = tag;
    }
    this.#passing ??= tag;
  }

  #open(tag: string, start: number): void {
    const before = ENDS_BEFORE[tag];
    if (before) this.#close(before, start);
    // A table in a cell is no part of its row: what stands before it is.
    if (tag === 'table') this.#closeRow(start);
    if (this.#frames.length >= DEEPEST) return;
    const frame = { tag };
    this.#frames.push(frame);
    if (tag === 'tr') {
      this.#closeRow(start);
      this.#row = { frame, table: this.#owner('table'), start, cells: [], header: true };
    }
  }

  /** Closes the innermost element that a tag ends, with all that is open in it. */
  #close({ ends, within }: Reach, end: number): void {
    let at = this.#frames.length - 1;
    while (at > 0 && !ends.has(this.#frames[at]?.tag ?? '')) {
      if (within.has(this.#frames[at]?.tag ?? '')) return;
      at -= 1;
    }
    if (at === 0) return;
    const closed = this.#frames.splice(at);
    if (closed.some((frame) => frame === this.#row?.frame)) this.#closeRow(end);
  }

  #closeRow(end: number): void {
    const row = this.#row;
    if (!row) return;
    this.#row = undefined;
    this.#piece = undefined;
    const cells = row.cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    if (cells.every((cell) => cell === '')) return;
    const whole = { start: row.start, end };
    if (row.header) row.table.above = { ...whole, text: foldContext(headerText(cells)) };
    else this.#units.push(...stretch(this.#text, whole, 'row', row.table.above, true));
  }

  /** Ends a unit. Within a row there is only the row. */
  #flush(): void {
    this.blank();
    const piece = this.#piece;
    if (!piece || this.#row) return;
    this.#piece = undefined;
    const frame = this.#frameOfWords();
    if (frame?.tag === 'dt') this.#owner('dl').above = contextOfPiece(piece);
    else if (frame?.tag === 'dd') this.#say(piece, 'field', this.#owner('dl').above);
    else if (frame) this.#item(piece, frame);
    else if (!piece.links || this.#items().length > 1)
      this.#units.push(...sentenceUnits(this.#text, piece, 'sentence'));
  }

  #item(piece: Piece, frame: Frame): void {
    const items = this.#items();
    const heading = this.#heading ? contextOfPiece(this.#heading) : this.#above;
    const isEntry = piece.links && items.length === 1;
    if (isEntry && !heading) return;
    const above = isEntry ? heading : joinContexts(items.slice(-MOST_ABOVE).map((item) => item.above));
    this.#say(piece, 'item', above, items.length > 1 || piece.links);
    frame.above ??= contextOfPiece(piece);
  }

  #say(piece: Piece, kind: UnitKind, context: UnitContext | undefined, linksToo = false): void {
    this.#units.push(
      ...(piece.end - piece.start > LONGEST_ITEM
        ? sentenceUnits(this.#text, piece, kind, context)
        : stretch(this.#text, piece, kind, context, linksToo)),
    );
  }

  /** The item, the term or the meaning that words here are part of. */
  #frameOfWords(): Frame | undefined {
    const frame = this.#frames.findLast(({ tag }) => !CONTAINERS.has(tag));
    return frame?.tag === 'li' || frame?.tag === 'dt' || frame?.tag === 'dd' ? frame : undefined;
  }

  #items(): Frame[] {
    return this.#frames.filter(({ tag }) => tag === 'li');
  }

  /** The innermost open element of a name; the stretch itself where there is none. */
  #owner(tag: string): Frame {
    return this.#frames.findLast((frame) => frame.tag === tag) ?? (this.#frames[0] as Frame);
  }

  #joined(before: Piece | undefined, chars: string, { start, end }: TextSpan): Piece {
    if (!before || before.words === '')
      return { start, end, words: chars.slice(0, LONGEST_WORDS), links: this.#isLink };
    const words = before.words.length < LONGEST_WORDS ? before.words + chars.slice(0, LONGEST_WORDS) : before.words;
    return { start: before.start, end, words, links: before.links && this.#isLink };
  }

  #addToCell(chars: string): void {
    const { cells = [] } = this.#row ?? {};
    const last = cells.at(-1);
    if (last !== undefined && last.length < LONGEST_WORDS) cells[cells.length - 1] = last + chars;
  }
}

/** A component of a program (`<v-card>`, `<TabItem>`) stands for a block, too. */
const isBlock = (tag: string, firstLetters: string): boolean =>
  BLOCKS.has(tag) || tag.includes('-') || /^\p{Lu}\p{Ll}/u.test(firstLetters);

/** `<a name="top">` is a place that others lead to. */
const leadsElsewhere = (attributes: readonly Token.Attribute[]): boolean =>
  attributes.some(({ name }) => name === 'href') || !attributes.some(({ name }) => name === 'name' || name === 'id');

const contextOfPiece = ({ words, start, end }: Piece): UnitContext & TextSpan => ({
  text: foldContext(words),
  start,
  end,
});
