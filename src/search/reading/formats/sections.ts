import type { PassageKind } from '../../domain/passage.ts';
import { titleUnder } from '../../domain/passage-title.ts';
import type { Block, ParsedFile } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';

/** A heading of a text with sections. */
export interface Heading {
  /** First line that belongs to the section (the heading, or an anchor right above it). */
  startLine: number;
  /** Last line of the heading itself. */
  endLine: number;
  /** 1 is the topmost. */
  depth: number;
  text: string;
}

/** The one heading of the top depth, which names the document; undefined where there is none, or another. */
export function documentHeading(headings: readonly Heading[]): string | undefined {
  const [top, ...others] = headings.filter(({ depth }) => depth === 1);
  return others.length === 0 ? top?.text : undefined;
}

/** How sections are made of headings, and what a format knows of paragraphs that blank lines do not tell. */
interface SectionPlan {
  headings: readonly Heading[];
  /** Title that tops every heading path; '' for none. */
  documentTitle: string;
  /** First line after the front matter; 1 when undefined. */
  firstLine?: number;
  /** A line that parts runs and is in none; a blank one when undefined. */
  isBlank?(line: number): boolean;
  /** A line that begins a run, whatever stands above it. */
  begins?(line: number): boolean;
  /** Whether a run is a table. */
  isTable?(run: LineRange): boolean;
}

/**
 * A text of prose as its sections, nested under their headings, and their runs of lines: paragraphs, lists, tables,
 * code. A section's heading lines open its first run.
 */
export function sectionsOf(source: SourceText, plan: SectionPlan): Pick<ParsedFile, 'blocks' | 'rest'> {
  const { headings, documentTitle, firstLine = 1 } = plan;
  const lastLine = source.lineCount;
  const before = { startLine: firstLine, endLine: (headings[0]?.startLine ?? lastLine + 1) - 1 };
  const blocks = runBlocks(source, plan, before, firstLine, documentTitle, 'paragraph');
  const open: { block: Block; depth: number }[] = [];
  headings.forEach(({ startLine, endLine, depth, text }, i) => {
    while ((open.at(-1)?.depth ?? 0) >= depth) {
      const ended = open.pop();
      if (ended) ended.block.endLine = startLine - 1;
    }
    const parent = open.at(-1)?.block;
    const title = titleUnderHeading(parent?.title ?? documentTitle, text);
    const own = { startLine: endLine + 1, endLine: (headings[i + 1]?.startLine ?? lastLine + 1) - 1 };
    const block = proseBlock({ startLine, endLine: lastLine }, 'section', title);
    block.children = runBlocks(source, plan, own, startLine, title, 'section');
    (parent?.children ?? blocks).push(block);
    open.push({ block, depth });
  });
  return { blocks, rest: { kind: 'section', family: 'prose', title: documentTitle } };
}

/** Lines of prose that are one thing. */
export const proseBlock = ({ startLine, endLine }: LineRange, kind: PassageKind, title: string): Block => ({
  startLine,
  endLine,
  kind,
  title,
  children: [],
  family: 'prose',
});

/** The title of what stands under a heading below another, unless it says the same again. */
export function titleUnderHeading(above: string, text: string): string {
  // The document's own title is often its first heading; saying it twice helps nobody.
  return text === '' || above === text ? above : titleUnder(above, text);
}

/** The runs of some lines; the first begins at `startLine`. */
function runBlocks(
  source: SourceText,
  plan: SectionPlan,
  { startLine: firstLine, endLine }: LineRange,
  startLine: number,
  title: string,
  kind: PassageKind,
): Block[] {
  const { isBlank = (line: number): boolean => source.isBlank(line), begins, isTable } = plan;
  const runs: LineRange[] = [];
  for (let line = firstLine; line <= endLine; line++) {
    if (isBlank(line)) continue;
    const last = runs.at(-1);
    if (last && last.endLine === line - 1 && !begins?.(line)) last.endLine = line;
    else runs.push({ startLine: line, endLine: line });
  }
  return runs.map((run, i) => {
    const block = proseBlock(run, isTable?.(run) ? 'table' : kind, title);
    return i === 0 ? { ...block, startLine: Math.min(startLine, run.startLine) } : block;
  });
}
