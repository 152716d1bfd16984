import type { Passage, PassageLink } from '../../domain/passage.ts';
import type { Unit } from '../../domain/unit.ts';
import type { SourceFile } from '../../domain/source-file.ts';
import { passageEmbeddingText, contentHashOf, passageIdOf } from '../passage-identity.ts';
import { readingLimits } from '../reading-limits.ts';
import { isBlank, type SourceText } from '../text/source-text.ts';
import { ReferenceShelf } from '../code/references/reference-shelf.ts';
import { UnitShelf } from '../units/unit-shelf.ts';
import { flattenBlocks, type ParsedFile, type Piece } from './block.ts';
import { joinPieces, LinkShelf } from './join-pieces.ts';
import { LineWeights, mostTokens, splitLines, splitLongLine } from './split-lines.ts';

/** What the chunker needs to know besides the parsed file. */
export interface CutContext {
  file: Pick<SourceFile, 'uri' | 'path'>;
  language: string;
  /** Tokens of a text as the embedding model counts them, special tokens included. */
  countTokens(text: string): number;
}

type Draft = Omit<Passage, 'id' | 'contentHash' | 'links' | 'units' | 'references'>;

/**
 * Cuts a parsed file into passages that cover every non-blank line, in line order, without overlap, none of them longer
 * than the model's input. Only drafts whose size could matter are counted with the real tokenizer.
 */
export function cutPassages(source: SourceText, parsed: ParsedFile, context: CutContext): Passage[] {
  const weights = new LineWeights(source);
  const breakCost = parsed.breakCost ?? ((line: number) => weights.layoutCost(line));
  const shelf = new LinkShelf(parsed.links);
  const units = new UnitShelf(source, parsed);
  const references = new ReferenceShelf(parsed.references);
  const passages: Passage[] = [];
  const queue = joinPieces(flattenBlocks(parsed, weights), weights).reverse();
  for (let piece = queue.pop(); piece; piece = queue.pop()) {
    const draft = draftOf(piece, source, context);
    if (fits(draft, context)) passages.push(finish(draft, shelf.take(draft), units.of(draft), references.take(draft)));
    else if (piece.startLine === piece.endLine)
      for (const part of partsOf(draft, context))
        passages.push(finish(part, shelf.take(part), units.of(part), references.take(part)));
    else for (const part of halve(piece, weights, breakCost).reverse()) queue.push(part);
  }
  return passages;
}

function draftOf(piece: Piece, source: SourceText, context: CutContext): Draft {
  const { startLine, endLine, kind, title, page } = piece;
  const draft: Draft = {
    uri: context.file.uri,
    path: context.file.path,
    startLine,
    endLine,
    kind,
    language: context.language,
    title,
    text: source.slice(startLine, endLine),
  };
  return page === undefined ? draft : { ...draft, page };
}

function fits(draft: Draft, context: CutContext): boolean {
  if (draft.text.length > readingLimits.passageCharacters) return false;
  const text = passageEmbeddingText(draft);
  return mostTokens(text) <= readingLimits.passageTokens || context.countTokens(text) <= readingLimits.passageTokens;
}

/** The guess was wrong: two parts or more, each of at most six tenths of it. */
function halve(piece: Piece, weights: LineWeights, breakCost: (line: number) => number): Piece[] {
  const parts = splitLines(weights, piece, weights.between(piece.startLine, piece.endLine) * 0.6, breakCost);
  return parts.map((part) => ({ ...piece, ...part, tokens: weights.between(part.startLine, part.endLine) }));
}

function partsOf(draft: Draft, context: CutContext): Draft[] {
  const characters = readingLimits.passageTokens * 2.5;
  const fitsPart = (text: string): boolean => fits({ ...draft, text }, context);
  return splitLongLine(draft.text, characters, fitsPart)
    .map(({ start, end }) => ({
      ...draft,
      text: draft.text.slice(start, end),
      startColumn: start + 1,
      endColumn: end + 1,
    }))
    .filter(({ text }) => !isBlank(text)); // a line may hold thousands of blanks on end
}

function finish(draft: Draft, links: PassageLink[], units: Unit[], references: string | undefined): Passage {
  const contentHash = contentHashOf(draft);
  return {
    id: passageIdOf({ ...draft, contentHash }),
    ...draft,
    contentHash,
    links,
    units,
    ...(references !== undefined && { references }),
  };
}
