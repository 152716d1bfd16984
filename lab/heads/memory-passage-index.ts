import { addTo, cosine, mean, remembered } from '#base';
import {
  type Embedder,
  type IndexCoverage,
  type IndexedPassage,
  type IndexQueryOptions,
  linkKeys,
  type ListQuery,
  nameKeys,
  type Passage,
  passageEmbeddingText,
  type PassageFilter,
  type PassageIndex,
  type PassageRef,
  readProgram,
  type RankedPassage,
  readWords,
  ReferenceGraph,
  type ScoredPassage,
} from '#search/lab';

const K1 = 1.2;
const B = 0.75;

/** Whether a passage passes a filter but for its `ids`; every restriction given must hold. */
function passesFilter(passage: IndexedPassage, filter: PassageFilter | undefined): boolean {
  if (filter === undefined) return true;
  const { paths, languages, kinds, excludeIds } = filter;
  if (excludeIds !== undefined && excludeIds.includes(passage.id)) return false;
  if (languages !== undefined && !languages.includes(passage.language)) return false;
  if (kinds !== undefined && !kinds.includes(passage.kind)) return false;
  return (
    paths === undefined ||
    paths.some((path) => passage.path === path || passage.path.startsWith(path.endsWith('/') ? path : `${path}/`))
  );
}

/**
 * A {@link PassageIndex} in memory: BM25 (Robertson and Zaragoza 2009), exact cosine, link keys. For training and
 * tests.
 */
export class MemoryPassageIndex implements PassageIndex {
  readonly #passages = new Map<string, IndexedPassage>();
  readonly #order: IndexedPassage[];
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: number[] = [];
  readonly #averageLength: number;
  readonly #byName = new Map<string, number[]>();
  readonly #byLink = new Map<string, number[]>();
  #graph: ReferenceGraph | undefined;

  constructor(passages: readonly IndexedPassage[]) {
    for (const passage of passages) this.#passages.set(passage.id, passage);
    this.#order = [...this.#passages.values()];
    this.#order.forEach((passage, row) => this.#add(passage, row));
    this.#averageLength = mean(this.#lengths);
  }

  #add(passage: IndexedPassage, row: number): void {
    const words = readWords(`${passage.title}\n${passage.text}`);
    this.#lengths.push(words.length);
    for (const { text } of words) {
      const posting = remembered(this.#postings, text, () => new Map<number, number>());
      posting.set(row, (posting.get(row) ?? 0) + 1);
    }
    for (const key of nameKeys(passage)) addTo(this.#byName, key, row);
    for (const key of linkKeys(passage)) addTo(this.#byLink, key, row);
  }

  async textSearch(query: string, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#searchWords(query, options);
  }

  #searchWords(query: string, options: IndexQueryOptions, every = false): ScoredPassage[] {
    const scores = new Map<number, number>();
    const terms = new Set(readWords(query).map((word) => word.text));
    for (const term of terms) {
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      const idf = Math.log(1 + (this.#order.length - posting.size + 0.5) / (posting.size + 0.5));
      for (const [row, count] of posting) {
        const norm = K1 * (1 - B + (B * (this.#lengths[row] ?? 0)) / this.#averageLength);
        scores.set(row, (scores.get(row) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
      }
    }
    if (every)
      for (const row of scores.keys())
        if ([...terms].some((term) => !this.#postings.get(term)?.has(row))) scores.delete(row);
    return this.#best(scores, options);
  }

  async vectorSearch(vector: Float32Array, options: IndexQueryOptions): Promise<ScoredPassage[]> {
    const scores = new Map<number, number>();
    this.#order.forEach((passage, row) => {
      const other = passage.vector;
      if (other === undefined) return;
      scores.set(row, cosine(vector, other));
    });
    return this.#best(scores, options);
  }

  async findByName(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#best(matches(this.#byName, keys), options);
  }

  async findLinkingTo(keys: readonly string[], options: IndexQueryOptions): Promise<ScoredPassage[]> {
    return this.#best(matches(this.#byLink, keys), options);
  }

  #best(scores: ReadonlyMap<number, number>, { limit, filter, signal }: IndexQueryOptions): ScoredPassage[] {
    signal?.throwIfAborted();
    const found: { row: number; score: number; passage: IndexedPassage }[] = [];
    const ids = filter?.ids === undefined ? undefined : new Set(filter.ids);
    for (const [row, score] of scores) {
      const passage = this.#order[row];
      if (passage === undefined || (ids !== undefined && !ids.has(passage.id))) continue;
      if (passesFilter(passage, filter)) found.push({ row, score, passage });
    }
    found.sort((a, b) => b.score - a.score || a.row - b.row);
    return found.slice(0, limit).map(({ passage, score }) => ({ passage, score }));
  }

  async rank(query: ListQuery, options: IndexQueryOptions): Promise<RankedPassage[]> {
    const found =
      'words' in query
        ? this.#searchWords(query.words, options, query.every)
        : 'vector' in query
          ? this.vectorSearch(query.vector, options)
          : this.findByName(query.names, options);
    return (await found).map(({ passage, score }) => ({
      passage: { id: passage.id, embedded: passage.vector !== undefined, path: passage.path },
      score,
    }));
  }

  async read(refs: readonly PassageRef[]): Promise<IndexedPassage[]> {
    return this.get(refs.map(({ id }) => id));
  }

  async get(ids: readonly string[]): Promise<IndexedPassage[]> {
    return ids.flatMap((id) => this.#passages.get(id) ?? []);
  }

  async passagesOf(path: string): Promise<IndexedPassage[]> {
    return this.#order.filter((passage) => passage.path === path).sort((a, b) => a.startLine - b.startLine);
  }

  async documentFrequencies(terms: readonly string[]): Promise<{ total: number; frequencies: number[] }> {
    return {
      total: this.#order.length,
      frequencies: terms.map((term) => this.#postings.get(term.toLowerCase())?.size ?? 0),
    };
  }

  async references(): Promise<ReferenceGraph> {
    return (this.#graph ??= await graphOf(this.#order));
  }

  async coverage(): Promise<IndexCoverage> {
    return {
      files: new Set(this.#order.map((passage) => passage.path)).size,
      passages: this.#order.length,
      embedded: this.#order.filter((passage) => passage.vector !== undefined).length,
      indexing: false,
    };
  }
}

/** What the passages of a whole program say of names. */
export const graphOf = async (passages: readonly Passage[]): Promise<ReferenceGraph> =>
  new ReferenceGraph(
    await readProgram(
      passages.flatMap((passage) =>
        passage.references === undefined ? [] : { ...passage, references: passage.references },
      ),
    ),
    passages.map(({ path }) => path),
  );

/** An index of passages with their vectors, or with those of `read` in their stead. */
export async function embeddedIndex(
  passages: readonly Passage[],
  embedder: Embedder,
  read = passages,
): Promise<MemoryPassageIndex> {
  const vectors = await embedder.embedPassages(read.map(passageEmbeddingText));
  return new MemoryPassageIndex(passages.map((passage, i) => ({ ...passage, vector: vectors[i] })));
}

function matches(postings: ReadonlyMap<string, readonly number[]>, keys: readonly string[]): Map<number, number> {
  const scores = new Map<number, number>();
  for (const key of new Set(keys))
    for (const row of postings.get(key) ?? []) scores.set(row, (scores.get(row) ?? 0) + 1);
  return scores;
}
