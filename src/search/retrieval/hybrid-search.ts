import { cosine, systemClock } from '#base';
import type { Embedder } from '../embedding/embedder.ts';
import type { PassageFilter } from '../domain/passage-chain.ts';
import { lookedAt } from '../domain/question.ts';
import type { PassageIndex, PassageRef, RankedPassage } from '../store/passage-index.ts';
import { weightByRole } from './file-roles.ts';
import { exactList } from './exact-words.ts';
import { fuse, type FusedPassage, weightsFor } from './fuse.ts';
import { type QuestionText, readQuestion } from './question.ts';

interface HybridOptions {
  /** Rows asked of each list. */
  depth: number;
  lists: readonly ('text' | 'vector' | 'link')[];
  filter?: PassageFilter;
  /**
   * For what is shown until something better comes: does not wait for a list that comes late, as of an index that
   * LanceDB is still loading, where another found something.
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

/** Further queries as they are searched: each once, none empty or the question itself. */
export const furtherQueries = (question: QuestionText, queries: readonly string[]): QuestionText[] =>
  [...new Set(queries.map((query) => lookedAt(query).trim()))]
    .filter((query) => query !== '' && query !== question.text)
    .map(readQuestion);

/** What a further query counts beside the question. */
const QUERY_WEIGHT = 0.7;

/**
 * Hybrid search with a question and with further queries for the same thing. Scores of fused lists add up, which is
 * reciprocal rank fusion of all of them. The vectors are the question's.
 */
export async function searchQueries(
  index: PassageIndex,
  embedder: Embedder,
  [question, ...queries]: readonly [QuestionText, ...QuestionText[]],
  options: HybridOptions,
): Promise<HybridResult> {
  const [own, ...others] = await Promise.all([
    hybridSearch(index, embedder, question, options),
    ...queries.map((query) => hybridSearch(index, embedder, query, options)),
  ]);
  if (others.length === 0) return own;
  const fused = new Map(own.ranked.map((entry) => [entry.passage.id, { ...entry, most: entry.score }]));
  for (const [i, { ranked }] of others.entries()) {
    const query = queries[i]?.text ?? '';
    for (const entry of ranked) {
      const score = entry.score * QUERY_WEIGHT;
      const known = fused.get(entry.passage.id);
      if (known === undefined) fused.set(entry.passage.id, { ...entry, score, query, most: score });
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
  question: QuestionText,
  options: HybridOptions,
): Promise<HybridResult> {
  const { depth, filter, soon = false, signal } = options;
  const wanted = new Set(options.lists);
  const range = { limit: depth, filter, signal };
  let queryVector: Float32Array | undefined;
  let moved: Float32Array | undefined;
  const vectorList = async (): Promise<RankedPassage[]> => {
    queryVector = await embedder.embedQuery(question.text, signal);
    moved = embedder.moveQuestion?.(queryVector) ?? queryVector;
    return index.rank({ vector: moved }, range);
  };
  const { fullText, parts, nameKeys, exact } = question;
  const lists = [
    wanted.has('text') && fullText !== '' ? index.rank({ words: fullText, parts }, range) : undefined,
    wanted.has('vector') ? vectorList() : undefined,
    wanted.has('link') && nameKeys.length > 0 ? index.rank({ names: nameKeys }, range) : undefined,
    wanted.size > 1 ? exactList(index, exact, filter, signal) : undefined,
  ];
  const [text, vector, link, exactly] = await (soon ? inTime(lists) : Promise.all(lists));
  signal?.throwIfAborted();
  const weightOf = wanted.size > 1 ? weightByRole(question.stems) : undefined;
  return {
    ranked: fuse({ text, vector, link, exact: exactly }, weightsFor(question.text, embedder), weightOf),
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
