import type { PassageKind, PassageLink } from '../../../model/passage.ts';

/**
 * A stretch of whole lines that means something: a function, a section, a cell. Blocks nest; a parser makes them, the chunker
 * decides which stay whole, which are opened and which are joined.
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

/** How bad it is to start a new passage at a line: 0 is best, Infinity forbids it unless nothing else is left. */
export type BreakCost = (line: number) => number;

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
  /** For splitting a block that is too long; by blank lines and indentation when undefined. */
  breakCost?: BreakCost;
}
