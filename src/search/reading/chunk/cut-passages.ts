import type { Passage, PassageLink } from '../../domain/passage.ts';
import type { Unit, UnitContext } from '../../domain/unit.ts';
import type { SourceFile } from '../../domain/source-file.ts';
import { passageEmbeddingText, contentHashOf, passageIdOf } from '../passage-identity.ts';
import { readingLimits } from '../reading-limits.ts';
import { firstWhere, isBlank, isOnlyMarks, type SourceText } from '../text/source-text.ts';
import { endOfAddress, textUnits } from '../units/prose-units.ts';
import { type References, encodeReferences } from '../../domain/references.ts';
import { flattenBlocks, type ParsedFile, type Piece } from './block.ts';
import { joinPieces, linkShelf } from './join-pieces.ts';
import { LineWeights, mostTokens, splitLines, splitLongLine } from './split-lines.ts';

/** What the chunker needs to know besides the parsed file. */
interface CutContext {
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
  const links = linkShelf(parsed.links);
  const units = unitShelf(source, parsed);
  const references = referenceShelf(parsed.references);
  const finished = (draft: Draft): Passage => finish(draft, links(draft), units(draft), references(draft));
  const passages: Passage[] = [];
  const queue = joinPieces(flattenBlocks(parsed, weights), weights).reverse();
  for (let piece = queue.pop(); piece; piece = queue.pop()) {
    const draft = draftOf(piece, source, context);
    if (fits(draft, context)) passages.push(finished(draft));
    else if (piece.startLine === piece.endLine) passages.push(...partsOf(draft, context).map(finished));
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

/**
 * Hands the units of a file to its passages, which have to ask in line order: by offsets into their text, cut at its
 * end where one goes on beyond it.
 */
function unitShelf(source: SourceText, parsed: ParsedFile): (passage: Draft) => Unit[] {
  const units = parsed.units ?? textUnits(source.text, parsed.rest.family);
  let next = 0; // those before it end before the passage that asked last
  return ({ startLine, startColumn = 1, text }) => {
    const start = source.offsetOf(startLine) + startColumn - 1;
    const end = start + text.length;
    while ((units[next]?.end ?? Infinity) <= start) next += 1;
    const found: Unit[] = [];
    for (let i = next, unit = units[i]; unit && unit.start < end; unit = units[++i]) {
      if (unit.end <= start) continue;
      const from = unit.start < start ? Math.min(endOfAddress(source.text, start), end) : unit.start;
      const inside = { start: from - start, end: Math.min(unit.end, end) - start };
      if (isOnlyMarks(text.slice(inside.start, inside.end))) continue;
      const context = unit.context && shifted(unit.context, start, end);
      found.push({ ...inside, kind: unit.kind, ...(context && { context }) });
    }
    return found;
  };
}

/** A context that stands elsewhere keeps its words alone. */
function shifted(context: UnitContext, start: number, end: number): UnitContext {
  return context.start !== undefined && context.end !== undefined && context.start >= start && context.end <= end
    ? { text: context.text, start: context.start - start, end: context.end - start }
    : { text: context.text };
}

type Place = Pick<Passage, 'startLine' | 'endLine' | 'startColumn'>;

/**
 * Hands the references of a file to its passages, as they are stored: each goes to the one that its line stands in, of
 * a line that is cut to the first part. That not all were read is told to the passage that asks first.
 */
export function referenceShelf(references: References | undefined): (place: Place) => string | undefined {
  const { definitions, uses, imports } = references ?? { definitions: [], uses: [], imports: [] };
  const sorted = {
    definitions: definitions.toSorted(byLine),
    uses: uses.toSorted(byLine),
    imports: imports.toSorted(byLine),
  };
  let cut = references?.cut;
  return ({ startLine, endLine, startColumn = 1 }) => {
    if (startColumn > 1) return undefined;
    const taken: References = {
      definitions: between(sorted.definitions, startLine, endLine),
      uses: between(sorted.uses, startLine, endLine),
      imports: between(sorted.imports, startLine, endLine),
      ...(cut && { cut }),
    };
    cut = undefined;
    return encodeReferences(taken, startLine) || undefined;
  };
}

const byLine = (a: { line: number }, b: { line: number }): number => a.line - b.line;

function between<T extends { line: number }>(sorted: readonly T[], first: number, last: number): T[] {
  const from = firstWhere(sorted.length, (at) => (sorted[at]?.line ?? Infinity) >= first);
  let end = from;
  while ((sorted[end]?.line ?? Infinity) <= last) end++;
  return sorted.slice(from, end);
}
