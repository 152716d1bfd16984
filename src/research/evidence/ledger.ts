import { addTo, baseName, remembered } from '#base';
import type { ChainOptions, ChainResult, Passage, PassageChain, Retriever, SearchHit } from '#search';
import type { ToolResult } from '../tools/tool.ts';
import { type Lines, linesOf, overlaps, type Stretch, stretchOf } from './stretch.ts';

/** A stretch that a model was shown, under the number by which it may cite it. */
export interface Block extends Stretch {
  number: number;
  lane: number;
}

/** Whose numbers a conversation writes: of those side by side each has a lane; 0 is for those that run alone. */
export interface Lane {
  own: number;
  /** Lanes that had ended before it began: their numbers stand for the same stretches. undefined: all. */
  ended?: readonly number[] | undefined;
}

const LANE_NUMBERS = 100;

/** Most lines and characters to which a piece of a function or section is completed. */
const LONGEST_WHOLE = { lines: 160, characters: 8000 };

/** What one run has seen of the files, numbered from 1 where models were shown it; citations resolve against it. */
export class EvidenceLedger {
  /** Looks by tools that were made in this run, by tool and arguments. */
  readonly looks = new Map<string, Promise<ToolResult>>();
  readonly #retriever: Retriever;
  readonly #passages = new Map<string, Passage>();
  readonly #byPath = new Map<string, Passage[]>();
  readonly blocks: Block[] = [];
  readonly #results = new Map<string, Promise<ChainResult>>();
  readonly #files = new Map<string, Promise<Passage[]>>();
  readonly #queries = new Map<string, string>();
  /** Of all retrievals, in their order. */
  readonly trails: PassageChain[] = [];

  constructor(retriever: Retriever) {
    this.#retriever = retriever;
  }

  /** Chains for a query; `repeated` when the same retrieval was already made in this run. */
  async chains(
    query: string,
    options: ChainOptions,
    signal: AbortSignal,
  ): Promise<ChainResult & { repeated: boolean }> {
    const key = JSON.stringify([query.trim().toLowerCase(), options]);
    const known = this.#results.get(key);
    const pending = known ?? this.#retriever.chains(query, options, signal);
    this.#results.set(key, pending);
    try {
      const result = await pending;
      this.found(query, result.hits, result.chains[0]);
      return { ...result, repeated: known !== undefined };
    } catch (error) {
      this.#results.delete(key); // a failed retrieval may be tried again
      throw error;
    }
  }

  found(query: string, hits: readonly SearchHit[], chain?: PassageChain): void {
    const passages = [...(chain?.hops.map((hop) => hop.passage) ?? []), ...hits.map((hit) => hit.passage)];
    const by = new Map(hits.map((hit) => [hit.passage.id, hit.query]));
    for (const { id } of passages) if (!this.#queries.has(id)) this.#queries.set(id, by.get(id) ?? query);
    if (chain && chain.hops.length > 0 && !this.trails.includes(chain)) this.trails.push(chain);
    this.add(passages);
  }

  add(passages: readonly Passage[]): void {
    for (const passage of passages) {
      if (this.#passages.has(passage.id)) continue;
      this.#passages.set(passage.id, passage);
      addTo(this.#byPath, passage.path, passage);
    }
  }

  get all(): readonly Passage[] {
    return [...this.#passages.values()];
  }

  among(ids: readonly string[]): Passage[] {
    return [...new Set(ids)].flatMap((id) => this.#passages.get(id) ?? []);
  }

  /** The query that found a passage first; undefined for one that was read and not found. */
  queryOf(passageId: string): string | undefined {
    return this.#queries.get(passageId);
  }

  /** Passages with any of these lines, in the order of their lines. */
  passagesIn(lines: Lines): Passage[] {
    return (this.#byPath.get(lines.path) ?? [])
      .filter((passage) => overlaps(linesOf(passage), lines))
      .sort((a, b) => a.startLine - b.startLine || (a.startColumn ?? 0) - (b.startColumn ?? 0));
  }

  /** The known lines of a stretch in order, with their numbers. */
  lines(stretch: Lines): { line: number; text: string }[] {
    const texts = new Map<number, string>();
    for (const passage of this.passagesIn(stretch)) {
      // A part of one over-long line stands beside the other parts of it.
      if (passage.startColumn !== undefined) {
        const before = texts.get(passage.startLine);
        texts.set(passage.startLine, before === undefined ? passage.text : `${before} … ${passage.text}`);
        continue;
      }
      passage.text.split('\n').forEach((text, i) => texts.set(passage.startLine + i, text));
    }
    return [...texts]
      .filter(([line]) => line >= stretch.from && line <= stretch.to)
      .sort(([a], [b]) => a - b)
      .map(([line, text]) => ({ line, text }));
  }

  /** The number of a stretch that is shown; the same stretch has one number in a lane. */
  block({ path, from, to, title }: Stretch, { own, ended }: Lane = { own: 0 }): Block {
    const lanes = ended && [own, ...ended];
    const known = this.blocks.find(
      (block) => block.path === path && block.from === from && block.to === to && (lanes?.includes(block.lane) ?? true),
    );
    if (known) return known;
    const block = { path, from, to, title, number: this.#freeNumber(own), lane: own };
    this.blocks.push(block);
    return block;
  }

  /** The next number of a lane; of one that is full, the next that nobody has. */
  #freeNumber(lane: number): number {
    const inLane = this.blocks.filter((block) => block.lane === lane).length;
    if (inLane < LANE_NUMBERS - 1) return lane * LANE_NUMBERS + inLane + 1;
    return Math.max(7 * LANE_NUMBERS, ...this.blocks.map(({ number }) => number)) + 1;
  }

  numbered(number: number): Block | undefined {
    return this.blocks.find((block) => block.number === number);
  }

  /** Paths of which lines are known, the exact one first; else those that end with it. */
  pathsLike(path: string): string[] {
    if (this.#byPath.has(path)) return [path];
    const known = [...this.#byPath.keys()];
    const ending = known.filter((one) => one.endsWith(`/${path}`));
    return ending.length > 0 ? ending : known.filter((one) => baseName(one) === baseName(path) && path.endsWith(one));
  }

  /** All passages of a file, read once a run. */
  async file(path: string, signal: AbortSignal): Promise<readonly Passage[]> {
    const passages = await remembered(this.#files, path, () => this.#retriever.passagesOf(path, signal)).catch(
      (error: unknown) => {
        this.#files.delete(path);
        throw error;
      },
    );
    this.add(passages);
    return passages;
  }

  /** The whole function or section that a passage is a piece of; the passage alone where that is too long. */
  async whole(passage: Passage, signal: AbortSignal): Promise<Stretch> {
    const own = stretchOf(passage);
    if (passage.title === '' || passage.startColumn !== undefined) return own;
    const pieces = (await this.file(passage.path, signal))
      .filter((piece) => piece.title === passage.title && piece.startColumn === undefined)
      .sort((a, b) => a.startLine - b.startLine);
    const whole = { ...own };
    let characters = passage.text.length;
    let grew = true;
    while (grew) {
      grew = false;
      for (const piece of pieces) {
        const before = piece.endLine >= whole.from - 2 && piece.startLine < whole.from;
        const behind = piece.startLine <= whole.to + 2 && piece.endLine > whole.to;
        if (!before && !behind) continue;
        whole.from = Math.min(whole.from, piece.startLine);
        whole.to = Math.max(whole.to, piece.endLine);
        characters += piece.text.length;
        grew = true;
      }
    }
    const fits = whole.to - whole.from < LONGEST_WHOLE.lines && characters <= LONGEST_WHOLE.characters;
    return fits ? whole : own;
  }
}

/** Each passage once, as it first stands. */
export function uniquePassages(passages: readonly Passage[]): Passage[] {
  return [...new Map(passages.map((passage) => [passage.id, passage] as const)).values()];
}
