import { cutTo } from '#base';
import type { TextSpan } from '../../domain/unit.ts';
import { asOnePart, shortenTitle, titleUnder } from '../../domain/passage-title.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { KeyNode } from '../formats/key-tree.ts';
import { settingsOf } from '../formats/settings.ts';
import { commentParts } from './comment-parts.ts';
import { foldContext, joinContexts, LONGEST_ITEM, sentenceUnits, stretch } from './prose-units.ts';
import { trimmed } from '../../text/trim.ts';

/** A value with the comment above it, which is part of it. */
interface KeyBlock extends Block {
  keyLine: number;
  isText: boolean;
  children: KeyBlock[];
}

/** Lines that begin with a sign of comments, but for those of texts. */
export function lineComments(source: SourceText, nodes: readonly KeyNode[], sign: string): Set<number> {
  const comments = new Set<number>();
  source.lines.forEach((line, i) => line.trimStart().startsWith(sign) && comments.add(i + 1));
  const leaveOutTexts = (level: readonly KeyNode[]): void => {
    for (const { startLine, endLine, children, isText } of level) {
      if (isText) for (let line = startLine; line <= endLine; line++) comments.delete(line);
      leaveOutTexts(children);
    }
  };
  leaveOutTexts(nodes);
  return comments;
}

/** Values of several lines as blocks, titled by key path. */
function keyBlocks(nodes: readonly KeyNode[], comments: ReadonlySet<number>, above = '', from = 0): KeyBlock[] {
  const blocks: KeyBlock[] = [];
  for (const { key, startLine: keyLine, endLine, children, isText = false } of nodes) {
    if (endLine === keyLine) continue;
    const title = shortenTitle(titleUnder(above, cutTo(asOnePart(key), 80)), readingLimits.titleCharacters);
    const before = blocks.at(-1);
    let startLine = keyLine;
    while (startLine - 1 > (before?.keyLine ?? from) && comments.has(startLine - 1)) startLine -= 1;
    if (before && before.endLine >= startLine) before.endLine = Math.max(before.keyLine, startLine - 1);
    const inside = keyBlocks(children, comments, title, keyLine);
    blocks.push({ startLine, keyLine, endLine, kind: 'data', title, children: inside, family: 'code', isText });
  }
  return blocks;
}

/**
 * A file of structured data by its key tree.
 * @param comments Lines that hold a comment and nothing else; those right above a key belong to it.
 */
export function dataFile(
  source: SourceText,
  nodes: readonly KeyNode[],
  comments: ReadonlySet<number>,
  { links = textLinks(source), references = settingsOf(nodes) } = {},
): ParsedFile {
  const blocks = keyBlocks(nodes, comments);
  const rest = { kind: 'data', family: 'code', title: '' } as const;
  return { blocks, links, rest, references, units: dataUnits(source, blocks, comments) };
}

/**
 * Every line of JSON, YAML or TOML that holds a value, under the keys that lead to it as its parser found them; a text
 * of several lines by its sentences, and a comment below what it is above.
 */
function dataUnits(source: SourceText, blocks: readonly KeyBlock[], comments: ReadonlySet<number>): Unit[] {
  const { above, own } = keysOf(source, blocks);
  const texts = textsIn(source, blocks);
  const units: Unit[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    if (comments.has(line)) {
      const first = line;
      while (comments.has(line + 1)) line += 1;
      const context = own[line + 1] ?? above[source.isBlank(line + 1) ? first : line + 1];
      units.push(...commentUnits(source.text, source.spanOf(first, line), context));
      continue;
    }
    const text = texts.get(line);
    if (text) {
      units.push(...unitsOfText(source.text, text.span, above[line], own[line]));
      line = text.lastLine;
      continue;
    }
    if (!isOpening(source.line(line).trim()))
      units.push(...stretch(source.text, source.spanOf(line), 'field', above[line], true));
  }
  return units;
}

/** A comment as one, where it is short, else its parts. */
function commentUnits(text: string, span: TextSpan, context: UnitContext | undefined): Unit[] {
  const found = trimmed(text, span);
  if (!found) return [];
  if (found.end - found.start <= LONGEST_COMMENT) return stretch(text, found, 'comment', context, true);
  return commentParts(text.slice(found.start, found.end)).flatMap((part) =>
    stretch(
      text,
      { start: found.start + part.start, end: found.start + part.end },
      'comment',
      joinContexts([context, part.context && { text: part.context.text }]),
      true,
    ),
  );
}

/** A text with its key as one, where it is short, else its sentences, those behind the first below the key. */
function unitsOfText(
  text: string,
  span: TextSpan,
  above: UnitContext | undefined,
  own: UnitContext | undefined,
): Unit[] {
  if (own && span.end - span.start <= LONGEST_ITEM) return stretch(text, span, 'field', above, true);
  return sentenceUnits(text, span, 'field', above).map((unit, i) => (own && i > 0 ? { ...unit, context: own } : unit));
}

/** A comment up to this long is quoted as one. */
const LONGEST_COMMENT = 400;

/** A key whose value stands on the lines below. */
const isOpening = (line: string): boolean =>
  OPENS_TEXT.test(line) ||
  /^[^\s#'"][^\s:]*:$|^["'][^"'\n]{1,200}["']\s*:\s*[[{]?$|^\[{1,2}[^[\]\n]{1,300}\]{1,2}$/.test(line);

/** `description: |`, `- run: >-`, `- |`, `text = """`: what stands below is one text. */
const OPENS_TEXT = /(?::|^\s{0,80}-) {1,8}[|>][-+\d]{0,2}$|= {0,8}(?:"""|''')\\?$/;
/** How a paragraph ends, and a script does not. */
const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/u;
/** What a script, a table or a list has, and a paragraph has not. */
const NO_PROSE = /[{};$=|&<>\\]|\(\)|(?:^|\s)--?\w|^[-#*+>]|:$/;
const WORDS_OF_LINE = 4;

type Texts = Map<number, { span: TextSpan; lastLine: number }>;

/** Texts of several lines that read as paragraphs, by the line that they begin with: that of their key, or the next. */
function textsIn(source: SourceText, blocks: readonly KeyBlock[], found: Texts = new Map()): Texts {
  for (const block of blocks) {
    textsIn(source, block.children, found);
    const isBelow = OPENS_TEXT.test(source.line(block.keyLine).trimEnd());
    const first = block.keyLine + (isBelow ? 1 : 0);
    if (block.children.length > 0 || first >= block.endLine || !(isBelow || block.isText)) continue;
    if (isBelow && !isParagraph(source, first, block.endLine)) continue;
    const end = /^["']{3}$/.test(source.line(block.endLine).trim()) ? block.endLine - 1 : block.endLine;
    const span = trimmed(source.text, source.spanOf(first, end));
    if (span) found.set(first, { span, lastLine: block.endLine });
  }
  return found;
}

function isParagraph(source: SourceText, first: number, last: number): boolean {
  const lines = Array.from({ length: last - first + 1 }, (_, i) => source.line(first + i).trim());
  if (/^["']{3}$/.test(lines.at(-1) ?? '')) lines.pop();
  const words = lines.flatMap((line) => line.match(/\p{L}{2,}/gu) ?? []).length;
  if (lines.some((line) => NO_PROSE.test(line)) || words < WORDS_OF_LINE * lines.length) return false;
  return ENDS_SENTENCE.test((lines.findLast((line) => line !== '') ?? '').replace(/["']{3}$/, ''));
}

/** By line, the keys that lead to what stands there, and those that lead to the value whose key stands there. */
interface Keys {
  above: (UnitContext | undefined)[];
  own: (UnitContext | undefined)[];
}

/** For every line the key path of the innermost value around it that began above. */
function keysOf(source: SourceText, blocks: readonly KeyBlock[], keys: Keys = { above: [], own: [] }): Keys {
  for (const { title, keyLine, endLine, children } of blocks) {
    const place = trimmed(source.text, source.spanOf(keyLine));
    const path = { text: foldContext(asOnePart(title)), ...place };
    for (let line = keyLine + 1; line <= endLine; line++) keys.above[line] = path;
    keys.own[keyLine] ??= path;
    keysOf(source, children, keys);
  }
  return keys;
}

/**
 * Rows of a CSV file with the names of their columns.
 * @param columns What the first row names; undefined where it is a row like the others.
 */
export function csvUnits(
  source: SourceText,
  lines: readonly LineRange[],
  columns: readonly string[] | undefined,
): Unit[] {
  const rows = lines.map(({ startLine, endLine }) => source.spanOf(startLine, endLine));
  const first = columns && trimmed(source.text, rows.shift() ?? { start: 0, end: 0 });
  const header = first && { ...first, text: foldContext(headerText(columns)) };
  return rows.flatMap((row) => stretch(source.text, row, 'row', header, true));
}
