import type { TextSpan } from '../../domain/passage-chain.ts';
import { asOnePart, shortenTitle, titleUnder } from '../../domain/passage-title.ts';
import { headerText, type Unit, type UnitContext } from '../../domain/unit.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import type { SourceText } from '../text/source-text.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import { foldContext, sentenceUnits, stretch, trimmed } from './prose-units.ts';

/** A value of structured data that spans several lines, with the key or index that leads to it. */
export interface KeyNode {
  key: string;
  startLine: number;
  endLine: number;
  children: KeyNode[];
}

/** Keys whose value names the object that they stand in. */
export const NAMING_KEYS: readonly string[] = ['name', 'id', 'title', 'key', 'label', 'path', 'uses', 'description'];

/** Blocks titled by key path. Works with a stack of its own: data may nest ten thousand deep. */
function keyBlocks(nodes: readonly KeyNode[]): Block[] {
  const blocks: Block[] = [];
  const waiting: { nodes: readonly KeyNode[]; above: string; into: Block[] }[] = [{ nodes, above: '', into: blocks }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const { key, startLine, endLine, children } of next.nodes) {
      const clean = asOnePart(key).slice(0, 80);
      const title = shortenTitle(titleUnder(next.above, clean), readingLimits.titleCharacters);
      const block: Block = { startLine, endLine, kind: 'data', title, children: [], family: 'code' };
      next.into.push(block);
      if (children.length > 0) waiting.push({ nodes: children, above: title, into: block.children });
    }
  }
  return blocks;
}

/** A file of structured data by its key tree. */
export function dataFile(source: SourceText, nodes: readonly KeyNode[], links = textLinks(source)): ParsedFile {
  const blocks = keyBlocks(nodes);
  return { blocks, links, rest: { kind: 'data', family: 'code', title: '' }, units: dataUnits(source, blocks) };
}

/**
 * Every line of JSON, YAML or TOML that holds a value, under the keys that lead to it as its parser found them; a text
 * of several lines by its sentences.
 */
function dataUnits(source: SourceText, blocks: readonly Block[]): Unit[] {
  const above = keysAbove(source, blocks);
  const texts = textsIn(source, blocks);
  const units: Unit[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const text = texts.get(line);
    if (text) {
      units.push(...sentenceUnits(source.text, text.span, 'field', above[line]));
      line = text.lastLine;
      continue;
    }
    const span = lineSpan(source, line);
    if (!span || !/[\p{L}\p{N}]/u.test(source.text.slice(span.start, span.end))) continue;
    if (isOpening(source.text.slice(span.start, span.end))) continue;
    units.push(...stretch(source.text, span, 'field', above[line], true));
  }
  return units;
}

/** A key whose value stands on the lines below. */
const isOpening = (line: string): boolean =>
  OPENS_TEXT.test(line) || /^[^\s#'"][^\s:]*:$|^["'][^"'\n]{1,200}["']\s*:\s*[[{]?$|^\[[^\]\n]{1,300}\]$/.test(line);

/** `description: |`, `- run: >-`, `- |`: what stands below is one text. */
const OPENS_TEXT = /(?::|^\s{0,80}-) {1,8}[|>][-+\d]{0,2}$/;
/** How a paragraph ends, and a script does not. */
const ENDS_SENTENCE = /[.!?…]["'”’)\]]*$/u;
/** What a script, a table or a list has, and a paragraph has not. */
const NO_PROSE = /[{};$=|&<>\\]|\(\)|(?:^|\s)--?\w|^[-#*+>]|:$/;
const WORDS_OF_LINE = 4;

/** Texts of several lines that read as paragraphs, by the line that they begin with. */
function textsIn(source: SourceText, blocks: readonly Block[]): Map<number, { span: TextSpan; lastLine: number }> {
  const found = new Map<number, { span: TextSpan; lastLine: number }>();
  const waiting = [...blocks];
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    waiting.push(...block.children);
    const first = block.startLine + 1;
    if (block.children.length > 0 || first >= block.endLine) continue;
    if (!OPENS_TEXT.test(source.line(block.startLine).trimEnd())) continue;
    const lines = Array.from({ length: block.endLine - first + 1 }, (_, i) => source.line(first + i).trim());
    const words = lines.flatMap((line) => line.match(/\p{L}{2,}/gu) ?? []).length;
    const last = lines.findLast((line) => line !== '') ?? '';
    if (lines.some((line) => NO_PROSE.test(line)) || words < WORDS_OF_LINE * lines.length) continue;
    if (!ENDS_SENTENCE.test(last)) continue;
    const end = source.offsetOf(block.endLine) + source.line(block.endLine).length;
    const span = trimmed(source.text, { start: source.offsetOf(first), end });
    if (span) found.set(first, { span, lastLine: block.endLine });
  }
  return found;
}

/** For every line the key path of the innermost value around it that began above. Looks at each line once. */
function keysAbove(source: SourceText, blocks: readonly Block[]): (UnitContext | undefined)[] {
  const above: (UnitContext | undefined)[] = Array.from({ length: source.lineCount + 2 });
  const open: { block: Pick<Block, 'children' | 'endLine'>; keys?: UnitContext; next: number; line: number }[] = [
    { block: { children: [...blocks], endLine: source.lineCount }, next: 0, line: 1 },
  ];
  for (let frame = open.at(-1); frame; frame = open.at(-1)) {
    const child = frame.block.children[frame.next];
    const stop = Math.min(child ? child.startLine : frame.block.endLine, source.lineCount);
    for (; frame.line <= stop; frame.line++) above[frame.line] = frame.keys;
    if (!child) {
      open.pop();
      continue;
    }
    frame.next += 1;
    frame.line = Math.max(frame.line, child.endLine + 1);
    const keys = { text: foldContext(asOnePart(child.title)), ...lineSpan(source, child.startLine) };
    open.push({ block: child, keys, next: 0, line: child.startLine + 1 });
  }
  return above;
}

/** Rows of a CSV file with the names of their columns. */
export function csvUnits(source: SourceText, blocks: readonly Block[], hasHeader: boolean): Unit[] {
  const [first, ...others] = blocks;
  const header = first && hasHeader ? headerOf(source, first) : undefined;
  return (header ? others : blocks).flatMap(({ startLine, endLine }) => {
    const span = {
      start: source.offsetOf(startLine),
      end: source.offsetOf(endLine) + source.line(endLine).length,
    };
    return stretch(source.text, span, 'row', header, true);
  });
}

function headerOf(source: SourceText, { startLine }: Block): UnitContext | undefined {
  const span = lineSpan(source, startLine);
  if (!span) return undefined;
  const text = source.text.slice(span.start, span.end);
  return {
    ...span,
    text: foldContext(headerText(text.split(/[\t;,|]/).map((cell) => cell.trim().replaceAll('"', '')))),
  };
}

function lineSpan(source: SourceText, line: number): TextSpan | undefined {
  const start = source.offsetOf(line);
  return trimmed(source.text, { start, end: start + source.line(line).length });
}
