import type { IndexCoverage } from '../domain/index-state.ts';
import type { PassageIndex } from '../store/passage-index.ts';
import { IndexDamagedError } from '../store/storage-errors.ts';

export const NOTHING: IndexCoverage = { files: 0, passages: 0, embedded: 0, indexing: false };

/** What is asked for nothing: words that most folders hold somewhere, and as a name what hardly any does. */
const WARMING = { words: 'file name time value text', name: 'warming', limit: 10 };

/** What answers now. */
export interface AnsweringIndex {
  index: PassageIndex;
  /** False for an index of another embedding model: its words can be searched, its vectors cannot be compared. */
  vectorsComparable: boolean;
}

/**
 * The index that answers, whichever that is at the moment: builds change places behind it. A failure to read is tried
 * once more, since a compaction may just have removed the files of the version that a query began with; the second
 * failure is reported, and where that leads to another index, the query goes there.
 */
export class SwitchingIndex implements PassageIndex {
  #target: AnsweringIndex | undefined;
  readonly #onDamage: (error: IndexDamagedError, index: PassageIndex) => Promise<void>;

  constructor(onDamage: (error: IndexDamagedError, index: PassageIndex) => Promise<void>) {
    this.#onDamage = onDamage;
  }

  switchTo(target: AnsweringIndex | undefined): void {
    this.#target = target;
  }

  get current(): AnsweringIndex | undefined {
    return this.#target;
  }

  /**
   * Asks once for nothing, by words, by meaning and by names, and reads rows: LanceDB loads an index of its own when
   * that is first asked, and the first search would wait for it. Of a failure, the first question tells.
   */
  async warm(dimensions: number, signal: AbortSignal): Promise<void> {
    if (!this.#target) return;
    const { index, vectorsComparable } = this.#target;
    const { words, name, limit } = WARMING;
    const found = await index.rank({ words }, { limit, signal });
    if (vectorsComparable) await index.rank({ vector: new Float32Array(dimensions).fill(1) }, { limit, signal });
    await index.rank({ names: [name] }, { limit, signal });
    const refs = found.map(({ passage }) => passage);
    await index.read(refs, { vectors: true });
  }

  textSearch: PassageIndex['textSearch'] = (query, options) =>
    this.#ask((index) => index.textSearch(query, options), []);
  vectorSearch: PassageIndex['vectorSearch'] = (vector, options) =>
    this.#compare((index) => index.vectorSearch(vector, options));
  findByName: PassageIndex['findByName'] = (keys, options) => this.#ask((index) => index.findByName(keys, options), []);
  findLinkingTo: PassageIndex['findLinkingTo'] = (keys, options) =>
    this.#ask((index) => index.findLinkingTo(keys, options), []);
  rank: PassageIndex['rank'] = (query, options) => {
    const list = (index: PassageIndex): ReturnType<PassageIndex['rank']> => index.rank(query, options);
    return 'vector' in query ? this.#compare(list) : this.#ask(list, []);
  };
  read: PassageIndex['read'] = (refs, options) => this.#ask((index) => index.read(refs, options), []);
  get: PassageIndex['get'] = (ids) => this.#ask((index) => index.get(ids), []);
  passagesOf: PassageIndex['passagesOf'] = (path) => this.#ask((index) => index.passagesOf(path), []);
  documentFrequencies: PassageIndex['documentFrequencies'] = (terms) =>
    this.#ask((index) => index.documentFrequencies(terms), { total: 0, frequencies: terms.map(() => 0) });
  coverage: PassageIndex['coverage'] = () => this.#ask((index) => index.coverage(), NOTHING);
  references: PassageIndex['references'] = () => this.#ask((index) => index.references(), undefined);

  /** A search by meaning. */
  #compare<T>(search: (index: PassageIndex) => Promise<T[]>): Promise<T[]> {
    return this.#target?.vectorsComparable ? this.#ask(search, []) : Promise.resolve([]);
  }

  async #ask<T>(question: (index: PassageIndex) => Promise<T>, whenEmpty: T): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const asked = this.#target;
      if (!asked) return whenEmpty;
      try {
        return await question(asked.index);
      } catch (error) {
        if (attempt === 3) throw error;
        if (asked !== this.#target) continue; // it was closed under the query because another took its place
        if (!(error instanceof IndexDamagedError)) throw error;
        if (attempt === 1) continue;
        await this.#onDamage(error, asked.index);
        if (asked === this.#target) throw error;
      }
    }
  }
}

/** An index that rejects every query with this reason. */
export function refusingIndex(reason: Error): PassageIndex {
  return new Proxy({} as PassageIndex, { get: () => () => Promise.reject(reason) });
}
