import { cosine, systemClock } from '#base';
import type { IndexedPassage, PassageIndex, PassageRef, RankedPassage } from '../store/passage-index.ts';
import type { PassageFilter, SearchPart } from '../domain/passage-chain.ts';
import { nameKey, pathKey } from '../domain/link-keys.ts';
import { anchorList, weightByRole } from './anchors.ts';
import { exactList } from './exact-words.ts';
import { readNames } from '../text/names.ts';
import { withoutTrailing } from '../text/trim.ts';
import { isUnspaced, segmentsOf, contentWords, languageOf, readWords, otherSpelling } from '../text/words.ts';
import { isStopWord } from '../text/stop-words.ts';
import { FoldedList } from './same-text.ts';
import type { Embedder } from '../embedding/embedder.ts';

/** A passage with its fused score and what each list said of it. */
export interface FusedPassage<P = IndexedPassage> {
  passage: P;
  score: number;
  /** The further query that ranked it highest; undefined where the question did. */
  query?: string;
  parts: Partial<Record<SearchPart, { rank: number; score: number }>>;
}

export interface FusionWeights {
  /** Weight of each list. */
  text: number;
  vector: number;
  link: number;
  /** Of exact words of a program; none where it is left out. */
  anchor?: number;
  /** Of numbers, ids and their like that few passages hold; none where it is left out. */
  exact?: number;
  /** Dampens the first ranks: k of reciprocal rank fusion. */
  k: number;
}

/**
 * Tuned by grid on three Wikipedia question sets and two code repositories (figures in lab/EXPERIMENTS.md); between 0.3
 * and 0.6 for text the sets disagree by less than their confidence intervals.
 */
export const DEFAULT_WEIGHTS: FusionWeights = { text: 0.4, vector: 1, link: 0.25, anchor: 0.5, exact: 1.5, k: 20 };

/**
 * Of questions in a language that the embedder did not learn: its vectors tell little there. Of 300 of XQuAD's
 * questions in German and 300 in Chinese the bundled model's vectors put the right paragraph first for 0.61 and 0.22,
 * words alone for 0.89 and 0.91; both joined by the weights for English for 0.74 (German), by these for 0.88 and 0.87.
 */
const FOREIGN_WEIGHTS: FusionWeights = { ...DEFAULT_WEIGHTS, text: 1, vector: 0.1 };

/** Weights of the lists for a question. */
export const weightsFor = (question: string, { language }: Pick<Embedder, 'language'>): FusionWeights =>
  language === 'en' && languageOf(question) !== 'en' ? FOREIGN_WEIGHTS : DEFAULT_WEIGHTS;

/**
 * Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): Σ wₗ / (k + rankₗ), best first, ties by id so
 * that runs repeat; `weightOf` a path says how much a file counts. A passage that has no vector yet is given its text
 * rank in the vector list too: while vectors are still being computed it would otherwise sink under every passage that
 * has one.
 */
export function fuse<P extends IndexedPassage | PassageRef>(
  lists: Partial<Record<'text' | 'vector' | 'link' | 'anchor' | 'exact', readonly { passage: P; score: number }[]>>,
  weights: FusionWeights,
  weightOf: (path: string | undefined) => number = () => 1,
): FusedPassage<P>[] {
  const fused = new Map<string, FusedPassage<P>>();
  for (const part of ['text', 'vector', 'link', 'anchor', 'exact'] as const) {
    const list = lists[part] ?? [];
    let tied = 1; // the rank of the first with the same score
    list.forEach(({ passage, score }, i) => {
      const entry = fused.get(passage.id) ?? { passage, score: 0, parts: {} };
      // Lists may come with and without vectors: keep the richer row.
      if (!isEmbedded(entry.passage) && isEmbedded(passage)) entry.passage = passage;
      if (score !== list[i - 1]?.score) tied = i + 1;
      // Passages that match equally many names share the rank of the first of them.
      const rank = part === 'link' || part === 'anchor' || part === 'exact' ? tied : i + 1;
      entry.parts[part] = { rank, score };
      entry.score += (weights[part] ?? 0) / (weights.k + rank);
      fused.set(passage.id, entry);
    });
  }
  for (const entry of fused.values()) {
    const text = entry.parts.text;
    if (text !== undefined && lists.vector !== undefined && !isEmbedded(entry.passage))
      entry.score += weights.vector / (weights.k + text.rank);
  }
  for (const entry of fused.values()) entry.score *= weightOf(entry.passage.path);
  return [...fused.values()].sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
}

const isEmbedded = (passage: IndexedPassage | PassageRef): boolean =>
  'embedded' in passage ? passage.embedded : passage.vector !== undefined;

/** A fused passage with those that say the same. */
interface FoldedPassage extends FusedPassage {
  folded: IndexedPassage[];
}

/**
 * Folds passages that overlap a better one in the same file, or say nearly the same anywhere, into it; order kept. No
 * more passages are taken than `limit` needs.
 */
export async function foldPassages(
  ranked: AsyncIterable<FusedPassage> | Iterable<FusedPassage>,
  limit: number,
): Promise<FoldedPassage[]> {
  const list = new FoldedList<FusedPassage>(limit);
  for await (const entry of ranked) if (!list.add(entry)) break;
  return list.entries;
}

/** Longest phrase (in words) that is looked up as a title. */
const LONGEST_TITLE = 7;
const MOST_KEYS = 160;
/** In words, of a name that is told by nothing in a text without spaces. */
const LONGEST_UNSPACED_NAME = 3;

/**
 * A full-text query from natural language: stop words out, identifiers kept as written and split as well, British and
 * American spellings, each term once. '' when nothing but stop words was asked and there is nothing to search by.
 */
export function textQuery(text: string): string {
  const terms = new Set<string>();
  for (const match of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const whole = match[0].toLowerCase();
    if (/[_$]|\p{Ll}\p{Lu}/u.test(match[0])) terms.add(whole);
  }
  for (const word of contentWords(text)) {
    terms.add(word.text);
    const other = otherSpelling(word.text);
    if (other !== undefined) terms.add(other);
  }
  // A question of stop words alone ("who is who") still deserves a search.
  if (terms.size === 0) for (const word of readWords(text)) terms.add(word.text);
  return [...terms].join(' ');
}

/**
 * Name keys that a question may mean: every run of up to seven words that is not all stop words, so that titles are
 * found however they are capitalised, and names, identifiers and paths as written.
 */
export function questionNameKeys(text: string): string[] {
  const keys = new Set<string>();
  for (const name of readNames(text)) {
    addName(keys, name.text);
    if (name.kind === 'path') keys.add(pathKey(name.text));
    if (name.kind === 'identifier') addName(keys, name.text.split(/\.|::|->/).at(-1) ?? '');
  }
  addRuns(keys, text, LONGEST_TITLE);
  return [...keys].slice(0, MOST_KEYS);
}

/** Adds every run of so many words of a text that is not all stop words, the longest first. */
function addRuns(keys: Set<string>, text: string, longest: number): void {
  const words = [...text.matchAll(/[\p{L}\p{N}_$][\p{L}\p{N}_$'’.&-]*/gu)].flatMap((match) =>
    segmentsOf(bareWord(match[0])).map((word, i) => ({ text: word.text, gap: i === 0 ? ' ' : '' })),
  );
  for (let length = longest; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = words.slice(from, from + length);
      if (!run.every((word) => isStopWord(word.text.toLowerCase())))
        addName(keys, run.map((word) => word.gap + word.text).join(''));
    }
  }
}

/** A word without a possessive ending, or without the punctuation at its end. */
const bareWord = (word: string): string => (/['’]s$/u.test(word) ? word.slice(0, -2) : withoutTrailing(word, /[.'’-]/));

/** Name keys of what a passage's text names: phrases, quotations, identifiers and paths, in order of appearance. */
export function namedKeys(text: string, most = 60): string[] {
  const keys = new Set<string>();
  for (const name of readNames(text)) {
    if (name.kind === 'number') continue;
    addName(keys, name.text);
    // "Duke Henry II of Brabant" may be titled by its parts.
    if (name.kind === 'phrase')
      for (const part of name.text.split(/ (?:of|the) /)) if (part !== name.text) addName(keys, part);
    if (name.kind === 'identifier') addName(keys, name.text.split(/\.|::|->/).at(-1) ?? '');
    if (keys.size >= most) break;
  }
  // Where no capitals tell names, a title may be any run of words.
  if (isUnspaced(text))
    for (const [run] of text.matchAll(/[\p{L}\p{N}]{2,}/gu))
      if (isUnspaced(run)) addRuns(keys, run, LONGEST_UNSPACED_NAME);
  return [...keys].slice(0, MOST_KEYS);
}

function addName(keys: Set<string>, name: string): void {
  const trimmed = name.trim();
  if (trimmed.length > 1) keys.add(nameKey(trimmed.replace(/^the /i, ''))).add(nameKey(trimmed));
}

interface HybridOptions {
  /** Rows asked of each list. */
  depth: number;
  lists: readonly ('text' | 'vector' | 'link')[];
  filter?: PassageFilter;
  /**
   * For what is shown until something better comes: does not wait for the first graph of references, which is made of
   * all passages, nor for a list that comes late, as of an index that LanceDB is still loading, where another found
   * something.
   */
  soon?: boolean;
  signal?: AbortSignal;
}

/**
 * What a hybrid search found: the fused list, whose rows are still to be read, and the query's vectors, for those that
 * go on from here.
 */
export interface HybridResult {
  ranked: FusedPassage<PassageRef>[];
  /** The query as it was embedded, and where it was looked for; undefined when the vector list was not asked for. */
  vector: Float32Array | undefined;
  moved: Float32Array | undefined;
}

/** What a further query counts beside the question. */
const QUERY_WEIGHT = 0.7;

/**
 * Hybrid search with a question and with further queries for the same thing. Scores of fused lists add up, which is
 * reciprocal rank fusion of all of them.
 */
export async function searchQueries(
  index: PassageIndex,
  embedder: Embedder,
  question: string,
  queries: readonly string[],
  options: HybridOptions,
): Promise<HybridResult> {
  const distinct = [...new Set(queries)].filter((query) => query.trim() !== '' && query !== question);
  const [own, ...others] = await Promise.all(
    [question, ...distinct].map((query) => hybridSearch(index, embedder, query, options)),
  );
  if (own === undefined || others.length === 0) return own ?? { ranked: [], vector: undefined, moved: undefined };
  const fused = new Map<string, FusedPassage<PassageRef> & { most: number }>();
  for (const [i, { ranked }] of [own, ...others].entries()) {
    const query = i === 0 ? undefined : distinct[i - 1];
    for (const entry of ranked) {
      const score = entry.score * (i === 0 ? 1 : QUERY_WEIGHT);
      const known = fused.get(entry.passage.id);
      if (known === undefined) fused.set(entry.passage.id, { ...entry, score, most: score, ...(query && { query }) });
      else {
        known.score += score;
        if (score > known.most) Object.assign(known, { most: score, query });
      }
    }
  }
  const ranked = [...fused.values()]
    .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
    .map(({ most: _, ...entry }) => entry);
  return { ...own, ranked };
}

/** Lists by words, vectors, names and titles, and exact words in parallel, joined by weighted rank fusion. */
export async function hybridSearch(
  index: PassageIndex,
  embedder: Embedder,
  query: string,
  options: HybridOptions,
): Promise<HybridResult> {
  const { depth, filter, soon = false, signal } = options;
  const wanted = new Set(options.lists);
  const range = { limit: depth, filter, signal };
  let queryVector: Float32Array | undefined;
  let moved: Float32Array | undefined;
  const vectorList = async (): Promise<RankedPassage[]> => {
    queryVector = await embedder.embedQuery(query, signal);
    moved = embedder.moveQuestion?.(queryVector) ?? queryVector;
    return index.rank({ vector: moved }, range);
  };
  const words = textQuery(query);
  const keys = wanted.has('link') ? questionNameKeys(query) : [];
  const anchored = async (): Promise<RankedPassage[]> => {
    const graph = await index.references({ stale: true, wait: !soon });
    return graph ? anchorList(graph, query, filter, depth) : [];
  };
  const lists = [
    wanted.has('text') && words !== '' ? index.rank({ words }, range) : undefined,
    wanted.has('vector') ? vectorList() : undefined,
    keys.length > 0 ? index.rank({ names: keys }, range) : undefined,
    wanted.has('link') ? anchored() : undefined,
    wanted.size > 1 ? exactList(index, query, filter, signal) : undefined,
  ];
  const [text, vector, link, anchor, exact] = await (soon ? inTime(lists) : Promise.all(lists));
  signal?.throwIfAborted();
  const weightOf = wanted.size > 1 ? weightByRole(query) : undefined;
  return {
    ranked: fuse({ text, vector, link, anchor, exact }, weightsFor(query, embedder), weightOf),
    vector: queryVector,
    moved,
  };
}

/** Milliseconds for which first hits wait for all lists; from then on one that found something is enough. */
const LATE_MS = 150;

/** The lists that are there in time, or as soon as one of them has something; undefined in the place of the others. */
async function inTime(
  lists: readonly (Promise<RankedPassage[]> | undefined)[],
): Promise<(RankedPassage[] | undefined)[]> {
  const found: (RankedPassage[] | undefined)[] = lists.map(() => undefined);
  const all = Promise.all(lists.map(async (list, i) => (found[i] = await list)));
  const some = Promise.any(
    lists.map(async (list) => {
      if (!(await list)?.length) throw new Error('nothing was found');
    }),
  );
  some.catch(() => undefined); // `all` tells of a failure
  const timer = new AbortController();
  const enough = systemClock.sleep(LATE_MS, timer.signal).then(() => some);
  try {
    await Promise.race([all, enough.catch(() => all)]);
  } finally {
    timer.abort();
  }
  return [...found];
}

/**
 * Vectors are ranked by how near they are to where the question was moved; how near a passage is in meaning is told by
 * its cosine with the question as it was asked, which alone keeps what is about something else apart.
 */
export function asAsked(entry: FusedPassage, vector: Float32Array | undefined): FusedPassage {
  const { parts, passage } = entry;
  if (!parts.vector || !vector || !passage.vector) return entry;
  return { ...entry, parts: { ...parts, vector: { ...parts.vector, score: cosine(vector, passage.vector) } } };
}

/** Rows read at once beyond those that are wanted: few fold into others. */
const SPARE = 5;

/**
 * The rows of a fused list in its order, read as far as somebody asks for them; those that are gone by now are passed
 * over.
 */
export async function* readInTurn(
  index: PassageIndex,
  ranked: readonly FusedPassage<PassageRef>[],
  wanted: number,
  options: { vectors: boolean },
): AsyncGenerator<FusedPassage> {
  for (let from = 0; from < ranked.length; from += wanted + SPARE)
    yield* await readFused(index, ranked.slice(from, from + wanted + SPARE), options);
}

/** The rows of a fused list; those that are gone by now are left out. */
export async function readFused(
  index: PassageIndex,
  ranked: readonly FusedPassage<PassageRef>[],
  options: { vectors: boolean },
): Promise<FusedPassage[]> {
  const rows = new Map(
    (
      await index.read(
        ranked.map(({ passage }) => passage),
        options,
      )
    ).map((passage) => [passage.id, passage]),
  );
  return ranked.flatMap((entry) => {
    const passage = rows.get(entry.passage.id);
    return passage ? [{ ...entry, passage }] : [];
  });
}
