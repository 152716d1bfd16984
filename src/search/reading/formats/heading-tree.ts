import type { PassageKind } from '../../domain/passage.ts';
import { titleUnder } from '../../domain/passage-title.ts';
import type { Block } from '../chunk/block.ts';
import type { LineRange } from '../chunk/split-lines.ts';

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

/** How sections are made of headings. */
export interface SectionPlan {
  headings: readonly Heading[];
  /** First line after the front matter. */
  firstLine: number;
  lastLine: number;
  /** Title that tops every heading path; '' for none. */
  documentTitle: string;
  /** Paragraphs, lists, tables, code within some lines. */
  groups(range: LineRange): { startLine: number; endLine: number; kind?: PassageKind }[];
}

/** Nests sections under their headings; a section's heading lines open its first paragraph group. */
export function sectionsOf(plan: SectionPlan): Block[] {
  const first = plan.headings[0];
  const before = { startLine: plan.firstLine, endLine: (first?.startLine ?? plan.lastLine + 1) - 1 };
  const top = groupBlocks(plan, before, before.startLine, plan.documentTitle, 'paragraph');
  const open: { block: Block; heading: Heading; title: string }[] = [];
  plan.headings.forEach((heading, i) => {
    while ((open.at(-1)?.heading.depth ?? 0) >= heading.depth) open.pop();
    const parent = open.at(-1);
    const title = titleUnderHeading(parent?.title ?? plan.documentTitle, heading.text);
    const end = endOfSection(plan, i);
    const own = { startLine: heading.endLine + 1, endLine: (plan.headings[i + 1]?.startLine ?? plan.lastLine + 1) - 1 };
    const children = groupBlocks(plan, own, heading.startLine, title, 'section');
    const block: Block = {
      startLine: heading.startLine,
      endLine: end,
      kind: 'section',
      title,
      children,
      family: 'prose',
    };
    (parent?.block.children ?? top).push(block);
    open.push({ block, heading, title });
  });
  return top;
}

/** The title of what stands under a heading below another, unless it says the same again. */
export function titleUnderHeading(above: string, text: string): string {
  // The document's own title is often its first heading; saying it twice helps nobody.
  return text === '' || above === text ? above : titleUnder(above, text);
}

function endOfSection(plan: SectionPlan, index: number): number {
  const depth = plan.headings[index]?.depth ?? 0;
  for (let i = index + 1; i < plan.headings.length; i++) {
    const next = plan.headings[i];
    if (next && next.depth <= depth) return next.startLine - 1;
  }
  return plan.lastLine;
}

function groupBlocks(
  plan: SectionPlan,
  range: LineRange,
  startLine: number,
  title: string,
  kind: PassageKind,
): Block[] {
  const groups = range.endLine >= range.startLine ? plan.groups(range) : [];
  return groups.map((group, i) => ({
    startLine: i === 0 ? Math.min(startLine, group.startLine) : group.startLine,
    endLine: group.endLine,
    kind: group.kind ?? kind,
    title,
    children: [],
    family: 'prose' as const,
  }));
}
