import { type Block, type ParsedFile, shortenTitle } from '../chunk/block.ts';
import { textLinks } from '../links/text-links.ts';
import { readingLimits } from '../reading-limits.ts';
import type { SourceText } from '../text/source-text.ts';
import { dataUnits } from '../units/data-units.ts';

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
      const clean = key.replace(/ > /g, ' › ').slice(0, 80);
      const title = shortenTitle(next.above === '' ? clean : `${next.above} > ${clean}`, readingLimits.titleCharacters);
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
