import { Tokenizer, TokenizerMode } from 'parse5';
import type { TextSpan } from '../../domain/passage-chain.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import { foldContext, joinContexts, sentenceUnits, stretch } from './prose-units.ts';

/** Elements that are read over: what is in them is no text, or names what follows. */
const PASSED_OVER: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode] | undefined>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  h1: undefined,
  h2: undefined,
  h3: undefined,
  h4: undefined,
  h5: undefined,
  h6: undefined,
};
/** Elements inside of a line; any other begins a unit. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em i img ins kbd label mark q s samp small span strong sub sup time u var wbr td th'.split(
    ' ',
  ),
);

/** Lines of a template that only give orders: `{% if x %}`, `{{ list(items) }}`, `<% end %>`. */
const ORDERS =
  /^[ \t]*(?:(?:\{%(?:[^%]|%(?!\})){0,999}%\}|\{\{(?:[^}]|\}(?!\})){0,999}\}\}|\{#(?:[^#]|#(?!\})){0,999}#\}|<%(?:[^%]|%(?!>)){0,999}%>)[ \t]*)+$/gm;

/** Such lines end what stands above them and are no text; every place stays what it was. */
const withoutOrders = (html: string): string =>
  html.replace(ORDERS, (orders) => `<hr>${' '.repeat(orders.length - '<hr>'.length)}`);

interface Piece extends TextSpan {
  words: string;
  /** All of its words lead elsewhere. */
  links: boolean;
}

/**
 * Units of a stretch of HTML, tag by tag (no tree, as in parse-html.ts): rows with their header cells, items with those
 * above them, definitions with their term, sentences of everything else. What only links is none, but for the entries
 * of a list below a heading, which is told before them.
 */
export function htmlUnits(text: string, span: TextSpan): Unit[] {
  const units: Unit[] = [];
  const items: (UnitContext | undefined)[] = [];
  let piece: Piece | undefined;
  let passing: string | undefined;
  let heading: Piece | undefined;
  let links = 0;
  let row: { cells: string[]; header: boolean; start: number } | undefined;
  let header: UnitContext | undefined;
  let term: UnitContext | undefined;
  let kind: 'sentence' | 'item' | 'field' = 'sentence';

  const place = (words: string): UnitContext | undefined =>
    piece && { text: foldContext(words), start: piece.start, end: piece.end };
  const headingContext = (): UnitContext | undefined =>
    heading && { text: foldContext(heading.words), start: heading.start, end: heading.end };
  const flush = (): void => {
    const found = piece;
    if (!found || row) return;
    const words = place(found.words);
    piece = undefined;
    const isUnder = heading && items.length === 1;
    if (found.links && kind !== 'field' && items.length < 2 && !(kind === 'item' && isUnder)) return;
    if (kind === 'field') units.push(...stretch(text, found, 'field', term));
    else if (kind === 'item') {
      const above = found.links && isUnder ? [headingContext()] : items.slice(0, -1);
      units.push(...stretch(text, found, 'item', joinContexts(above), items.length > 1 || found.links));
      if (items.length > 0) items[items.length - 1] ??= words;
    } else units.push(...sentenceUnits(text, found, 'sentence'));
  };
  const add = (words: string, start: number, end: number): void => {
    if (words.trim() === '') return;
    const joined = (before: Piece | undefined): Piece =>
      before
        ? { start: before.start, end, words: `${before.words} ${words}`, links: before.links && links > 0 }
        : { start, end, words, links: links > 0 };
    if (passing !== undefined && /^h[1-6]$/.test(passing)) heading = joined(heading);
    if (passing !== undefined) return;
    piece = joined(piece);
    if (row && row.cells.length > 0) row.cells[row.cells.length - 1] += words;
  };
  const closeRow = (end: number): void => {
    const found = row;
    row = undefined;
    piece = undefined;
    const cells = found?.cells.map((cell) => cell.trim()) ?? [];
    if (!found || cells.every((cell) => cell === '')) return;
    const whole = { start: found.start, end };
    if (found.header) header = { ...whole, text: foldContext(headerText(cells)) };
    else units.push(...stretch(text, whole, 'row', header, true));
  };

  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: ({ tagName, location }) => {
        const start = span.start + (location?.startOffset ?? 0);
        if (tagName in PASSED_OVER) {
          flush();
          const mode = PASSED_OVER[tagName];
          if (mode !== undefined) tokenizer.state = mode;
          passing ??= tagName;
          if (passing === tagName && /^h[1-6]$/.test(tagName)) heading = undefined;
          return;
        }
        if (tagName === 'td' || tagName === 'th') {
          row?.cells.push('');
          if (row && tagName === 'td') row.header = false;
        }
        if (tagName === 'a') links += 1;
        if (INLINE.has(tagName)) return;
        flush();
        if (tagName === 'table') header = undefined;
        else if (tagName === 'tr') {
          if (row) closeRow(start);
          row = { cells: [], header: true, start };
        } else if (tagName === 'li') items.push(undefined);
        kind =
          tagName === 'li'
            ? 'item'
            : tagName === 'dd'
              ? 'field'
              : tagName === 'p' && items.length > 0
                ? kind
                : 'sentence';
      },
      onEndTag: ({ tagName, location }) => {
        if (passing === tagName) passing = undefined;
        if (tagName === 'a') links = Math.max(0, links - 1);
        if (INLINE.has(tagName)) return;
        if (tagName === 'dt' && piece) {
          term = place(piece.words);
          piece = undefined;
          return;
        }
        flush();
        if (tagName === 'tr') closeRow(span.start + (location?.endOffset ?? 0));
        else if (tagName === 'table') header = undefined;
        else if (tagName === 'li') items.pop();
        kind = tagName === 'dd' || items.length === 0 ? 'sentence' : kind;
      },
      onCharacter: ({ chars, location }) =>
        add(chars, span.start + (location?.startOffset ?? 0), span.start + (location?.endOffset ?? 0)),
      onWhitespaceCharacter: () => {
        if (row && row.cells.length > 0) row.cells[row.cells.length - 1] += ' ';
      },
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
    },
  );
  tokenizer.write(withoutOrders(text.slice(span.start, span.end)), true);
  if (row) closeRow(span.end);
  flush();
  return units;
}
