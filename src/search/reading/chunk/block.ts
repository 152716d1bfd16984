import type { PassageKind, PassageLink } from '../../domain/passage.ts';
import { shortenTitle } from '../../domain/passage-title.ts';
import type { References } from '../../domain/references.ts';
import type { Unit } from '../../domain/unit.ts';
import { readingLimits } from '../reading-limits.ts';
import { type BreakCost, type LineWeights, splitLines } from './split-lines.ts';

/**
 * A stretch of whole lines that means something: a function, a section, a cell. Blocks nest; a parser makes them, the
 * chunker decides which stay whole, which are opened and which are joined.
 */
export interface Block {
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  kind: PassageKind;
  /** See Passage.title. */
  title: string;
  /** In line order, inside this block's lines. Lines between them belong to this block itself. */
  children: Block[];
  /** Kind of this block's own lines when it is opened; `kind` when undefined. */
  openKind?: PassageKind;
  /** Stays one passage up to this many tokens; undefined means by whether it has children. */
  wholeTokens?: number;
  /** 1-based page, for PDF. */
  page?: number;
  /** Never joined with its neighbours: a page, a cell. */
  solitary?: boolean;
  /** The family decides what counts as tiny. */
  family: 'code' | 'prose';
}

/** A link with the place where it is written. */
export interface PlacedLink extends PassageLink {
  /** 0-based column, used to give it to the right part of an over-long line. */
  column?: number;
}

/** What a parser makes of a file. */
export interface ParsedFile {
  /** In line order; what they leave out becomes text blocks. */
  blocks: Block[];
  links: PlacedLink[];
  /** Kind, family and title of the lines that no block covers. */
  rest: { kind: PassageKind; family: 'code' | 'prose'; title: string };
  /** Units in order, by offsets into the file's text; by lines and sentences when undefined. */
  units?: readonly Unit[];
  /** The last line that is read, where a file has more than can be; all of them when undefined. */
  lastLine?: number;
  /** What a program says of names, and which a page names; undefined for other files. */
  references?: References;
  /** For splitting a block that is too long; by blank lines and indentation when undefined. */
  breakCost?: BreakCost;
}

/** Lines that will be one passage unless they are joined with a neighbour. */
export interface Piece {
  startLine: number;
  endLine: number;
  kind: PassageKind;
  title: string;
  family: Block['family'];
  page?: number;
  solitary: boolean;
  /** Estimated tokens. */
  tokens: number;
}

interface Frame {
  block: Block;
  /** First line not yet given to a piece. */
  nextLine: number;
  nextChild: number;
}

/** Rough tokens that a piece may have so that it fits with base name, title and special tokens. */
const ROOM_FOR_HEADER = 24;

/**
 * Turns nested blocks into pieces in line order: small blocks whole, large ones opened, what is too long split. Walks
 * with a stack of its own, so nesting is bounded by memory alone.
 */
export function flattenBlocks(parsed: ParsedFile, weights: LineWeights): Piece[] {
  const pieces: Piece[] = [];
  const breakCost: BreakCost = parsed.breakCost ?? ((line) => weights.layoutCost(line));
  const root: Block = {
    startLine: 1,
    endLine: parsed.lastLine ?? weights.source.lineCount,
    kind: parsed.rest.kind,
    title: parsed.rest.title,
    family: parsed.rest.family,
    children: parsed.blocks,
  };
  const stack: Frame[] = [{ block: root, nextLine: 1, nextChild: 0 }];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const child = frame.block.children[frame.nextChild];
    if (!child) {
      pushOwnLines(frame.block, frame.nextLine, frame.block.endLine);
      stack.pop();
      continue;
    }
    frame.nextChild += 1;
    // A block that begins on a line which its elder sibling ends on cedes that line.
    const startLine = Math.max(child.startLine, frame.nextLine);
    const endLine = Math.min(child.endLine, frame.block.endLine);
    if (endLine < startLine) continue;
    pushOwnLines(frame.block, frame.nextLine, startLine - 1);
    frame.nextLine = endLine + 1;
    const block = startLine === child.startLine && endLine === child.endLine ? child : { ...child, startLine, endLine };
    if (staysWhole(block)) pushPiece(block, block.startLine, block.endLine, block.kind);
    else if (block.children.length > 0) stack.push({ block, nextLine: block.startLine, nextChild: 0 });
    else pushSplit(block, block.startLine, block.endLine, block.kind);
  }
  return pieces;

  function staysWhole(block: Block): boolean {
    const tokens = weights.between(block.startLine, block.endLine);
    const most = block.wholeTokens ?? (block.children.length > 0 ? readingLimits.wholeTokens : budgetOf(block));
    return tokens <= Math.min(most, budgetOf(block));
  }

  function budgetOf(block: Block): number {
    return (
      readingLimits.passageTokens - ROOM_FOR_HEADER - Math.min(block.title.length, readingLimits.titleCharacters) / 4
    );
  }

  function pushOwnLines(block: Block, startLine: number, endLine: number): void {
    if (endLine >= startLine) pushSplit(block, startLine, endLine, block.openKind ?? block.kind);
  }

  function pushSplit(block: Block, startLine: number, endLine: number, kind: Piece['kind']): void {
    for (const part of splitLines(weights, { startLine, endLine }, budgetOf(block), breakCost)) {
      pushPiece(block, part.startLine, part.endLine, kind);
    }
  }

  function pushPiece(block: Block, startLine: number, endLine: number, kind: Piece['kind']): void {
    const range = weights.trim(startLine, endLine);
    if (!range) return;
    pieces.push({
      ...range,
      kind,
      title: shortenTitle(block.title, readingLimits.titleCharacters),
      family: block.family,
      page: block.page,
      solitary: block.solitary ?? false,
      tokens: weights.between(range.startLine, range.endLine),
    });
  }
}
