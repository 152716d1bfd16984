import { expression, stemOf, wordList, wordSet } from '#base';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { headerText, type TextSpan, type Unit, type UnitContext } from '../../domain/unit.ts';
import type { ParsedFile, PlacedLink } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import type { SourceText } from '../text/source-text.ts';
import { contextOf, foldContext, joinContexts, LONGEST_ITEM, sentenceUnits, stretch } from '../units/prose-units.ts';
import { alike, type TextFormat } from './file-format.ts';
import { readScripts, type ScriptRegion } from './scripts-in-pages.ts';
import { type Heading, sectionsOf } from './sections.ts';

export const html: TextFormat = {
  name: 'html',
  extensions: alike('html htm xhtml ejs erb handlebars hbs j2 jinja jinja2 liquid mustache njk twig', 'html'),
  // A template may make anything: it is a page where it holds elements that end.
  holds: (text) => /<\/[a-z][\w-]*>/i.test(text),
  linkedWithout: ['html'],
  minified: ['html'],
  read: (source, path, { code }) => {
    const page = readPage(source.text);
    return readScripts(parsedPage(source, path, page), page.scripts, source, path, code);
  },
};

/** Sections under their headings, topped by the page's title; the text is the source's lines, tags and all. */
function parsedPage(source: SourceText, path: string, page: Page): ParsedFile {
  const links: PlacedLink[] = [...page.links, ...textLinks(source)];
  const headings: Heading[] = [];
  for (const { text, start, end, depth } of page.headings) {
    const startLine = source.lineAt(start);
    if (text === '' || startLine <= (headings.at(-1)?.endLine ?? 0)) continue;
    headings.push({ startLine, endLine: source.lineAt(end), depth, text });
    links.push({ kind: 'define', target: text, line: startLine });
  }
  const begins = (line: number): boolean => BEGINS_BLOCK.test(source.line(line));
  return {
    ...sectionsOf(source, { headings, documentTitle: page.title || stemOf(path), begins }),
    links,
    units: page.units,
  };
}

const BEGINS_BLOCK = expression('i')`
  ^\s*<(?:p|ul|ol|dl|table|pre|section|article|div|figure|blockquote|form|script|style|nav|header|footer|main|body|
    head)\b
`;

/** What the tags of a page or of a part of one say, in order; offsets count from the beginning of the whole text. */
interface Page {
  title: string;
  headings: (TextSpan & { depth: number; text: string })[];
  links: PlacedLink[];
  units: Unit[];
  scripts: ScriptRegion[];
}

/** Elements whose content is no markup, and how the tokenizer has to read it (HTML standard, section 13.2.6). */
const RAW_CONTENT: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode] | undefined>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

/** Elements that are no text to read. */
const NO_TEXT = wordSet('script style title iframe noembed noframes');
/** Elements inside of a line; all others begin a unit and end one. */
const INLINE = wordSet(`
  a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q ruby rp rt s samp small
  span strike strong sub sup svg time tt u var wbr input use path
`);
/** Words beyond this are not kept: an element that is never closed holds the rest of the page. */
const LONGEST_WORDS = 1_000;
const DEEPEST = 200;
/** Of the items above one, so many are told. */
const MOST_ABOVE = 6;

interface Piece extends TextSpan {
  words: string;
  /** All of its words lead elsewhere. */
  links: boolean;
}

/** An element that is open, as far as it says what words in it are. */
interface Frame {
  kind: 'box' | 'list' | 'item' | 'term' | 'meaning' | 'table';
  tag: string;
  /** The first words of an item, the last term of a list of definitions, the header of a table. */
  context?: UnitContext;
}

const KINDS: Readonly<Record<string, Frame['kind'] | undefined>> = {
  ...Object.fromEntries(wordList('div section article main aside nav header footer form').map((tag) => [tag, 'box'])),
  ul: 'list',
  ol: 'list',
  menu: 'list',
  dl: 'list',
  li: 'item',
  dt: 'term',
  dd: 'meaning',
  table: 'table',
};

/**
 * Reads a stretch tag by tag: rows with their header cells, items with those above them, definitions with their term,
 * sentences of everything else. What only links is a unit in a list below a heading, which is its context. No tree is
 * built: repairing what crosses takes parse5 quadratic time.
 * @param above The heading that stands before the stretch.
 */
export function readPage(text: string, span: TextSpan = { start: 0, end: text.length }, above?: UnitContext): Page {
  const page: Page = { title: '', headings: [], links: [], units: [], scripts: [] };
  let piece: Piece | undefined;
  let heading: (TextSpan & { depth: number; text: string }) | undefined;
  let lastHeading = above;
  let silent: string | undefined;
  let link = false;
  const frames: Frame[] = [];
  let row: (TextSpan & { cells: string[]; header: boolean }) | undefined;
  const innermost = (...kinds: Frame['kind'][]): Frame | undefined =>
    frames.findLast(({ kind }) => kinds.includes(kind));

  const flush = (): void => {
    const found = piece;
    piece = undefined;
    if (!found || row) return;
    const frame = innermost('list', 'item', 'term', 'meaning', 'table');
    const isLong = found.end - found.start > LONGEST_ITEM;
    if (frame?.kind === 'term') {
      const list = innermost('list') ?? frame;
      list.context = contextOf(text, found);
    } else if (frame?.kind === 'meaning') {
      const term = innermost('list')?.context;
      page.units.push(...(isLong ? sentenceUnits : stretch)(text, found, 'field', term));
    } else if (frame?.kind === 'item') {
      const items = frames.filter(({ kind }) => kind === 'item');
      const isEntry = found.links && items.length === 1 && frame.context === undefined;
      if (isEntry && !lastHeading) return;
      const around = items.slice(-MOST_ABOVE).map((item) => item.context);
      const context = isEntry ? lastHeading : joinContexts(around);
      page.units.push(
        ...(isLong
          ? sentenceUnits(text, found, 'item', context)
          : stretch(text, found, 'item', context, found.links || context !== undefined)),
      );
      frame.context ??= { start: found.start, end: found.end, text: foldContext(found.words) };
    } else if (!found.links) page.units.push(...sentenceUnits(text, found, 'sentence'));
  };
  const closeRow = (end: number): void => {
    const closed = row;
    row = piece = undefined;
    if (!closed) return;
    const cells = closed.cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
    if (cells.every((cell) => cell === '')) return;
    const table = innermost('table');
    if (!closed.header) page.units.push(...stretch(text, { start: closed.start, end }, 'row', table?.context, true));
    else if (table) table.context = { start: closed.start, end, text: foldContext(headerText(cells)) };
  };
  /** Closes the innermost element of some tags, with all that is open in it, but none outside of what holds it. */
  const close = (tags: readonly string[], within: readonly string[]): void => {
    const at = frames.findLastIndex(({ tag }) => tags.includes(tag) || within.includes(tag));
    if (at >= 0 && tags.includes(frames[at]?.tag ?? '')) frames.splice(at);
  };
  const closeHeading = (end: number): void => {
    if (!heading) return;
    page.headings.push({ ...heading, end, text: headingWords(heading.text) });
    const { start, text: words } = page.headings.at(-1) ?? heading;
    if (words !== '') lastHeading = { start, end, text: foldContext(words) };
    heading = undefined;
  };
  const hear = (chars: string, start: number, end: number): void => {
    if (heading) heading.text = (heading.text + chars).slice(0, LONGEST_WORDS);
    else if (silent === 'title' && page.title.length < LONGEST_WORDS) page.title += chars;
    if (silent !== undefined || heading) return;
    const last = row?.cells.at(-1);
    if (row && last !== undefined) row.cells[row.cells.length - 1] = (last + chars).slice(0, LONGEST_WORDS);
    if (chars.trim() === '' && !piece) return;
    if (!piece) piece = { start, end, words: chars.slice(0, LONGEST_WORDS), links: link };
    else {
      piece.words = (piece.words + chars).slice(0, LONGEST_WORDS);
      piece.links &&= link;
      if (chars.trim() !== '') piece.end = end;
    }
  };
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        const { tagName, attrs, location } = tag;
        const [start, end] = placeOf(location, span.start);
        const mode = RAW_CONTENT[tagName];
        if (mode !== undefined) tokenizer.state = mode;
        if (location) page.links.push(...linksOf(attrs, location));
        if (tagName === 'br') return hear(' ', start, end);
        if (tagName === 'a') link = attrs.some(({ name }) => name === 'href');
        if (INLINE.has(tagName)) return;
        flush();
        const depth = /^h([1-6])$/.exec(tagName)?.[1];
        closeHeading(start);
        if (depth) heading = { start, end, depth: Number(depth), text: '' };
        if (NO_TEXT.has(tagName)) silent = tagName;
        if (tagName === 'script') page.scripts.push({ start: end, end, language: scriptLanguage(attrs) });
        if (tagName === 'tr' || tagName === 'table') closeRow(start);
        if (tagName === 'tr') row = { start, end, cells: [], header: true };
        else if (row && (tagName === 'td' || tagName === 'th')) {
          row.cells.push('');
          row.header &&= tagName === 'th';
        }
        if (tagName === 'li') close(['li'], ['ul', 'ol', 'menu', 'table']);
        if (tagName === 'dt' || tagName === 'dd') close(['dt', 'dd'], ['dl', 'table']);
        const kind = KINDS[tagName];
        if (kind && frames.length < DEEPEST) frames.push({ kind, tag: tagName });
      },
      onEndTag: ({ tagName, location }) => {
        const [start, end] = placeOf(location, span.start);
        if (silent === tagName) {
          const script = tagName === 'script' ? page.scripts.at(-1) : undefined;
          if (script) script.end = start;
          silent = undefined;
        }
        if (tagName === 'a') link = false;
        if (INLINE.has(tagName)) return;
        flush();
        closeHeading(end);
        if (tagName === 'tr' || tagName === 'table') closeRow(tagName === 'tr' ? end : start);
        if (KINDS[tagName]) close([tagName], tagName === 'table' ? [] : ['table']);
      },
      onCharacter: ({ chars, location }) => hear(chars, ...placeOf(location, span.start)),
      onWhitespaceCharacter: ({ location }) => hear(' ', ...placeOf(location, span.start)),
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
    },
  );
  tokenizer.write(text.slice(span.start, span.end), true);
  flush();
  closeRow(span.end);
  closeHeading(span.end);
  page.title = page.title.replace(/\s+/g, ' ').trim();
  return page;
}

const placeOf = (location: Token.Location | null, offset: number): [start: number, end: number] => [
  offset + (location?.startOffset ?? 0),
  offset + (location?.endOffset ?? 0),
];

/** The language of a script by its attributes; undefined for data and for languages that no grammar reads. */
function scriptLanguage(attributes: readonly Token.Attribute[]): string | undefined {
  const value = (name: string): string => attributes.find((one) => one.name === name)?.value.toLowerCase() ?? '';
  const lang = value('lang');
  if (lang !== '') return { ts: 'typescript', tsx: 'typescriptreact', jsx: 'javascriptreact', js: 'javascript' }[lang];
  return /^(?:|module|text\/babel|(?:text|application)\/(?:java|ecma)script)$/.test(value('type'))
    ? 'javascript'
    : undefined;
}

function linksOf(attributes: readonly Token.Attribute[], location: Token.Location): PlacedLink[] {
  return attributes.flatMap(({ name, value }): PlacedLink[] => {
    if ((name !== 'href' && name !== 'src') || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value) || value.trim() === '')
      return [];
    const anchor = value.split('#')[1];
    const place = { line: location.startLine, column: location.startCol - 1 };
    return [{ kind: 'markdown', target: value.trim(), ...(anchor && { anchor }), ...place }];
  });
}

/** Blanks folded, and without the mark of a link that documentation puts behind a heading: `Depth#`, but not `C#`. */
function headingWords(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return /(?:¶|(?<!\b\p{Lu})#)$/u.test(folded) ? folded.slice(0, -1).trimEnd() : folded;
}
