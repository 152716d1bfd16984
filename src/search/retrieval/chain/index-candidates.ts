import { remembered } from '#base';
import type { Embedder } from '../../embedding/embedder.ts';
import { lastTitle } from '../../domain/passage-title.ts';
import { linkKeys, nameKeys } from '../../domain/link-keys.ts';
import type { IndexedPassage, PassageIndex } from '../../store/passage-index.ts';
import type { PassageFilter } from '../../domain/passage-chain.ts';
import { readNames } from '../../text/names.ts';
import { namedKeys } from '../name-keys.ts';
import type { CandidateSource } from './beam-search.ts';

/** How many rows each list of a hop may bring: what bounds a hop's cost whatever the size of the corpus. */
export const DEFAULT_LIMITS = {
  /** Hybrid search with the question, once per question. */
  question: 40,
  /** Vector search with question and chain. */
  vector: 16,
  /** What the last passage links to or names. */
  named: 16,
  /** What links to it. */
  linking: 8,
  /** Text search with the names that the last passage adds to the question. */
  text: 12,
  /** A filter to this many passages or fewer makes all of them candidates. */
  wholePool: 64,
};

/**
 * Candidates from the index, for one question. What a passage leads to is looked up once, however many chains hold it.
 */
export class IndexCandidates implements CandidateSource {
  readonly #neighbours = new Map<string, Promise<IndexedPassage[]>>();
  readonly #index: PassageIndex;
  readonly #embedder: Embedder;
  readonly #question: string;
  readonly #found: readonly IndexedPassage[];
  readonly #limits: typeof DEFAULT_LIMITS;
  readonly #filter: PassageFilter | undefined;
  #pool: Promise<IndexedPassage[]> | undefined;

  /** @param found What the hybrid search with the question found, best first. */
  constructor(
    index: PassageIndex,
    embedder: Embedder,
    question: string,
    found: readonly IndexedPassage[],
    limits: typeof DEFAULT_LIMITS,
    filter?: PassageFilter,
  ) {
    this.#index = index;
    this.#embedder = embedder;
    this.#question = question;
    this.#found = found.slice(0, limits.question);
    this.#limits = limits;
    this.#filter = filter;
  }

  async first(signal?: AbortSignal): Promise<IndexedPassage[]> {
    return (await this.#wholePool()) ?? (await withVectors(this.#index, this.#found, signal));
  }

  async next(
    chain: readonly IndexedPassage[],
    queryText: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ candidates: IndexedPassage[]; vector?: Float32Array | undefined }> {
    const vector = queryText === undefined ? undefined : await this.#embedder.embedQuery(queryText, signal);
    const pool = await this.#wholePool();
    if (pool !== undefined) return { candidates: pool, vector };
    const near = async (): Promise<IndexedPassage[]> =>
      vector
        ? passagesOf(
            await this.#index.vectorSearch(vector, { limit: this.#limits.vector, filter: this.#filter, signal }),
          )
        : [];
    const lists = await Promise.all([
      this.#found,
      near(),
      ...chain.map((passage) => this.#neighboursOf(passage, signal)),
    ]);
    const byId = new Map<string, IndexedPassage>();
    for (const list of lists) for (const passage of list) if (!byId.has(passage.id)) byId.set(passage.id, passage);
    return { candidates: await withVectors(this.#index, [...byId.values()], signal), vector };
  }

  #wholePool(): Promise<IndexedPassage[]> | undefined {
    const { ids, excludeIds, ...others } = this.#filter ?? {};
    if (
      ids === undefined ||
      ids.length > this.#limits.wholePool ||
      Object.values(others).some((value) => value !== undefined)
    )
      return undefined;
    this.#pool ??= this.#index.get(ids.filter((id) => !excludeIds?.includes(id)));
    return this.#pool;
  }

  #neighboursOf(passage: IndexedPassage, signal?: AbortSignal): Promise<IndexedPassage[]> {
    return remembered(this.#neighbours, passage.id, () => this.#lookUpNeighbours(passage, signal));
  }

  async #lookUpNeighbours(passage: IndexedPassage, signal?: AbortSignal): Promise<IndexedPassage[]> {
    const { named, linking, text } = this.#limits;
    const options = { filter: this.#filter, signal };
    const targets = [...new Set([...linkKeys(passage), ...namedKeys(passage.text)])];
    const words = bridgeWords(passage, this.#question);
    const lists = await Promise.all([
      targets.length > 0 ? this.#index.findByName(targets, { ...options, limit: named }) : [],
      this.#index.findLinkingTo(nameKeys(passage), { ...options, limit: linking }),
      words !== '' ? this.#index.textSearch(words, { ...options, limit: text }) : [],
    ]);
    return lists.flatMap(passagesOf);
  }
}

const passagesOf = (list: readonly { passage: IndexedPassage }[]): IndexedPassage[] =>
  list.map(({ passage }) => passage);

/**
 * Words of the names that the passage brings and the question lacks, its own title among them: what a passage on the
 * other side would say.
 */
function bridgeWords(passage: IndexedPassage, question: string): string {
  const asked = question.toLowerCase();
  const names = readNames(passage.text)
    .filter((name) => name.kind !== 'number' && !asked.includes(name.text.toLowerCase()))
    .map((name) => name.text);
  return [...new Set([lastTitle(passage.title), ...names])].slice(0, 12).join(' ');
}

/** Rows of text and name searches may come without their vectors: features need them. */
async function withVectors(
  index: PassageIndex,
  passages: readonly IndexedPassage[],
  signal?: AbortSignal,
): Promise<IndexedPassage[]> {
  const missing = passages.filter((passage) => passage.vector === undefined).map((passage) => passage.id);
  if (missing.length === 0) return [...passages];
  const full = new Map((await index.get(missing)).map((passage) => [passage.id, passage]));
  signal?.throwIfAborted();
  return passages.map((passage) => full.get(passage.id) ?? passage);
}
