import { headerText, type TextSpan, type Unit, type UnitContext } from '../../../domain/unit.ts';
import { trimmed } from '../../../text/trim.ts';
import type { SourceText } from '../../text/source-text.ts';
import {
  contentStart,
  contextOf,
  exampleUnits,
  foldContext,
  joinContexts,
  MOST_EXAMPLE_LINES,
  linesWithin,
  paragraphUnits,
  saysSomething,
  stretch,
} from '../../units/prose-units.ts';
import { readPage } from '../html.ts';
import { type BlockToken, blockTokens, readBlocks } from './markdown-blocks.ts';

/** A list or an item that is open. */
interface Frame {
  /** What has to be known above its content. */
  context: UnitContext | undefined;
  /** The paragraph before, where it announces what follows. */
  lead?: UnitContext | undefined;
  isItem: boolean;
  /** Its own words were met. */
  isNamed?: boolean;
  /** What an indented block below goes on with, which is a text then and no code: a box, a definition, a footnote. */
  goesOn?: { above: UnitContext | undefined } | undefined;
}

/** `!!! note "Mind the tide"`, `=== "Linux"`, `: What a lamp shows.`, `[^1]: It was built on peat.` */
const GOES_ON = /^(?:!!!|\?\?\?\+?|={3}[+!]?|:)[ \t]+\S|^\[\^[^\]\s]{1,80}\]:/;
/** Boxes in more boxes are read as examples. */
const DEEPEST_BOX = 5;
/** What the language of an example says that is a text itself. */
const TEXT_ITSELF = /^\s*(?:markdown|md|mdx)\b/i;

/**
 * Units of a Markdown text by its block structure: items with those above them, rows with their header, fields,
 * sentences, examples. Headings name what follows, and are no units.
 * @param tokens Of the text from `firstLine` on.
 */
export function markdownUnits(
  source: SourceText,
  firstLine: number,
  tokens: readonly BlockToken[] = readBlocks(source, firstLine).tokens,
): Unit[] {
  return [...frontMatterUnits(source, firstLine - 1), ...unitsOfTokens(source, firstLine, tokens, undefined, 0)];
}

function unitsOfTokens(
  source: SourceText,
  firstLine: number,
  tokens: readonly BlockToken[],
  above: UnitContext | undefined,
  depth: number,
): Unit[] {
  const { text } = source;
  const units: Unit[] = [];
  const frames: Frame[] = [{ context: above, isItem: false }];
  let header: UnitContext | undefined;
  let heading: UnitContext | undefined;
  let inHeader = false;
  const spanOf = ({ map }: BlockToken): TextSpan | undefined =>
    map
      ? trimmed(text, { start: source.offsetOf(firstLine + map[0]), end: source.offsetOf(firstLine + map[1]) })
      : undefined;
  /** An indented block or an example of a text, read as a text of its own. */
  const nested = (token: BlockToken, line: number, around: UnitContext | undefined): Unit[] =>
    unitsOfTokens(source, line, blockTokens(token.content), around, depth + 1);

  for (const token of tokens) {
    const frame = frames.at(-1) ?? { context: above, isItem: false };
    const span = spanOf(token);
    if (token.nesting >= 0 && token.type !== 'code_block' && token.type !== 'inline') frame.goesOn = undefined;
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        frames.push({ context: joinContexts([frame.context, frame.lead]), isItem: false });
        break;
      case 'list_item_open':
        frames.push({ context: frame.context, isItem: true });
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
      case 'list_item_close':
        frames.pop();
        break;
      case 'heading_open':
        frame.lead = undefined;
        heading = span && contextOf(text, { ...span, start: span.start + token.markup.length });
        break;
      case 'paragraph_open':
        if (span) paragraph(span, frame);
        break;
      case 'fence': {
        if (!span || !token.map) break;
        const lines = linesOf(source, span);
        const isClosed = lines.length > 1 && text.slice(lines.at(-1)?.start, span.end).trim().endsWith(token.markup);
        if (TEXT_ITSELF.test(token.info) && depth === 0)
          units.push(...nested(token, firstLine + token.map[0] + 1, undefined));
        else
          units.push(
            ...exampleUnits(text, lines.slice(1, lines.length - Number(isClosed)), frame.lead ?? frame.context),
          );
        break;
      }
      case 'code_block':
        if (!span || !token.map) break;
        if (frame.goesOn && depth < DEEPEST_BOX)
          units.push(...nested(token, firstLine + token.map[0], frame.goesOn.above));
        else units.push(...exampleUnits(text, linesOf(source, span), frame.lead ?? frame.context));
        break;
      case 'html_block':
        if (span) {
          const page = readPage(text, span, heading);
          units.push(...page.units);
          const last = page.headings.at(-1);
          if (last) heading = { start: last.start, end: last.end, text: foldContext(last.text) };
        }
        break;
      case 'thead_open':
      case 'thead_close':
        inHeader = token.type === 'thead_open';
        break;
      case 'tr_open':
        if (!span) break;
        if (inHeader) header = headerOf(text, span);
        else units.push(...stretch(text, span, 'row', header, true));
        break;
      case 'table_close':
        header = undefined;
        break;
    }
  }
  return units;

  function paragraph(span: TextSpan, frame: Frame): void {
    // Without the heading nobody knows what an item is that is only a link.
    const isLink = frame.isItem && !saysSomething(text.slice(span.start, span.end));
    const context = frame.context ?? (isLink ? heading : undefined);
    units.push(...paragraphUnits(text, span, { item: frame.isItem, context }));
    const own = contextOf(text, { start: contentStart(text, span.start), end: span.end });
    if (GOES_ON.test(text.slice(span.start, span.start + 200)))
      frame.goesOn = { above: joinContexts([frame.context, own]) };
    frame.lead = own?.text.endsWith(':') ? own : undefined;
    if (!frame.isItem || frame.isNamed) return;
    // What follows inside of an item belongs to its first words.
    frame.context = joinContexts([frame.context, own]);
    frame.lead = undefined;
    frame.isNamed = true;
  }
}

/** The cells of a header; undefined where all are empty. A bar behind a backslash belongs to its cell. */
function headerOf(text: string, span: TextSpan): UnitContext | undefined {
  const cells = text
    .slice(span.start, span.end)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.every((cell) => cell === '') ? undefined : { ...span, text: foldContext(headerText(cells)) };
}

/** Every line of a stretch, blank ones too. */
const linesOf = (source: SourceText, { start, end }: TextSpan): TextSpan[] =>
  source
    .spansOf(source.lineAt(start), source.lineAt(end))
    .map((line) => ({ start: Math.max(line.start, start), end: Math.min(line.end, end) }));

/** Front matter that says how a page is shown or called, not what is in it. */
const NOISE_KEY =
  /^["']?(?:title|layout|permalink|slug|id|draft|weight|template|theme|toc|icon|image|cover|lang)\b["']?[ \t]*[:=]/i;

/** Keys of the front matter with their values; a long value by its lines, below its key. */
function frontMatterUnits(source: SourceText, endLine: number): Unit[] {
  const units: Unit[] = [];
  const begins = (line: number): boolean => /^["']?[\w-]+["']?[ \t]*[:=]/.test(source.line(line));
  for (let line = 2; line < endLine; line++) {
    if (!begins(line) || NOISE_KEY.test(source.line(line))) continue;
    let last = line;
    while (last + 1 < endLine && !begins(last + 1)) last += 1;
    const span = source.spanOf(line, last);
    if (last - line < MOST_EXAMPLE_LINES) {
      const value = source.text.slice(span.start, span.end).replace(/^[^:=]*[:=]/, '');
      if (!/^(?:""|''|\[\]|null|~)?$/.test(value.trim())) units.push(...stretch(source.text, span, 'field'));
    } else {
      const key = source.spanOf(line);
      for (const each of linesWithin(source.text, { start: key.end, end: span.end }))
        units.push(...stretch(source.text, each, 'field', contextOf(source.text, key)));
    }
    line = last;
  }
  return units;
}
