import type { Passage, PassageLink } from '../../domain/passage.ts';
import type { Unit, UnitContext } from '../../domain/unit.ts';
import type { SourceFile } from '../../domain/source-file.ts';
import { passageEmbeddingText, contentHashOf, passageIdOf } from '../passage-identity.ts';
import { readingLimits } from '../reading-limits.ts';
import { firstWhere, isBlank, isOnlyMarks, type SourceText } from '../text/source-text.ts';
import { endOfAddress, textUnits } from '../units/prose-units.ts';
import { type References, encodeReferences } from '../../domain/references.ts';
import { flattenBlocks, type ParsedFile, type Piece } from './block.ts';
import { joinPieces, LinkShelf } from './join-pieces.ts';
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

/** The units of a file, handed out to its passages. */
class UnitShelf {
  readonly #units: readonly Unit[];
  readonly #source: SourceText;
  /** Units before this one end before the passage asked for last, which comes before those asked for next. */
  #next = 0;

  constructor(source: SourceText, parsed: ParsedFile) {
    this.#source = source;
    this.#units = parsed.units ?? textUnits(source.text, parsed.rest.family);
  }

  /** Units of a passage by offsets into its text. One that goes on beyond it is cut at its end. Ask in line order. */
  of(passage: Pick<Passage, 'startLine' | 'startColumn' | 'text'>): Unit[] {
    const start = this.#source.offsetOf(passage.startLine) + (passage.startColumn ?? 1) - 1;
    const end = start + passage.text.length;
    while ((this.#units[this.#next]?.end ?? Infinity) <= start) this.#next += 1;
    const found: Unit[] = [];
    for (let i = this.#next; i < this.#units.length; i++) {
      const unit = this.#units[i];
      if (!unit || unit.start >= end) break;
      if (unit.end <= start) continue;
      const from = unit.start < start ? Math.min(endOfAddress(this.#source.text, start), end) : unit.start;
      const inside = { start: from - start, end: Math.min(unit.end, end) - start };
      if (isOnlyMarks(passage.text.slice(inside.start, inside.end))) continue;
      const context = unit.context && shifted(unit.context, start, end);
      found.push({ ...inside, kind: unit.kind, ...(context && { context }) });
    }
    return found;
  }
}

/** A context that stands elsewhere keeps its words alone. */
function shifted(context: UnitContext, start: number, end: number): UnitContext {
  return context.start !== undefined && context.end !== undefined && context.start >= start && context.end <= end
    ? { text: context.text, start: context.start - start, end: context.end - start }
    : { text: context.text };
}

type Place = Pick<Passage, 'startLine' | 'endLine' | 'startColumn'>;

/** The references of a file, handed out to its passages: each goes to the one that its line stands in. */
export class ReferenceShelf {
  readonly #definitions: References['definitions'];
  readonly #uses: References['uses'];
  readonly #imports: References['imports'];
  #cut: boolean;

  constructor(references: References | undefined) {
    this.#definitions = references?.definitions.toSorted(byLine) ?? [];
    this.#uses = references?.uses.toSorted(byLine) ?? [];
    this.#imports = references?.imports.toSorted(byLine) ?? [];
    this.#cut = references?.cut ?? false;
  }

  /**
   * As they are stored; undefined for none. Of a line that is cut into parts, the first has them all. That not all were
   * read is told with the first passage. Ask in line order.
   */
  take({ startLine, endLine, startColumn = 1 }: Place): string | undefined {
    if (startColumn > 1) return undefined;
    const cut = this.#cut;
    this.#cut = false;
    const references: References = {
      definitions: between(this.#definitions, startLine, endLine),
      uses: between(this.#uses, startLine, endLine),
      imports: between(this.#imports, startLine, endLine),
      ...(cut && { cut }),
    };
    return encodeReferences(references, startLine) || undefined;
  }
}

const byLine = (a: { line: number }, b: { line: number }): number => a.line - b.line;

function between<T extends { line: number }>(sorted: readonly T[], first: number, last: number): T[] {
  const from = firstWhere(sorted.length, (at) => (sorted[at]?.line ?? Infinity) >= first);
  let end = from;
  while ((sorted[end]?.line ?? Infinity) <= last) end++;
  return sorted.slice(from, end);
}
