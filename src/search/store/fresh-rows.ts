import type { Table } from '@lancedb/lancedb';
import { addTo, mean } from '#base';
import { plain, stem, segmentsOf } from '../text/words.ts';
import { isStopWord } from '../text/stop-words.ts';
import type { PassageRef, RankedPassage } from './passage-index.ts';
import { listColumn, REF_COLUMNS, refsFromArrow } from './passage-rows.ts';
import { stored } from './storage-errors.ts';
import { indexStatistics, KEY_COLUMNS, type KeyColumn, TEXT_COLUMNS } from './table-upkeep.ts';

/** What a word in each column counts: in the text, and among names and parts of identifiers. */
export const TEXT_BOOSTS = [2, 1];
/** BM25's own (Robertson and Zaragoza 2009, section 3.4), as LanceDB has them. */
const K1 = 1.2;
const B = 0.75;
/** Of more rows the words are not kept in memory: LanceDB reads the texts at every query then. */
const MOST_FRESH = 10_000;
/** Rows of which the average length is taken. */
const SAMPLED = 200;
/** Rows whose words are read before others get their turn. */
const ROWS_A_TURN = 200;
/** The upper half of a row's place is its fragment. */
const FRAGMENT_BITS = 32n;

interface FreshRow {
  ref: PassageRef;
  /** Words of each column. */
  lengths: number[];
}

/** Which rows hold each word of a column: pairs of a row's number and how often it does. */
type Postings = Map<string, number[]>;

/**
 * Rows that the full-text index does not hold yet, searched by words and by keys in memory. LanceDB would read them
 * one by one at every query, 0.15 ms for 200 words, and counts a word in their text half, as it leaves out the boosts
 * there; for keys it opens every fragment that their index lacks, 0.1 to 0.2 ms each, and each edit makes one.
 */
export class FreshRows {
  readonly #table: Table;
  /** By the number that postings have for them; rows that are gone leave a gap. */
  #rows: (FreshRow | undefined)[] = [];
  /** Numbers of rows by their places in the table. */
  #numbers = new Map<bigint, number>();
  #postings: Postings[] = TEXT_COLUMNS.map(() => new Map());
  /** Which rows have each key of a column, by their numbers. */
  readonly #keyed: Readonly<Record<KeyColumn, Map<string, number[]>>> = {
    name_keys: new Map(),
    link_keys: new Map(),
  };
  #holdsKeys = false;
  #version: number | undefined;
  /** Whether it holds all rows of that version that the index lacks. */
  #isWhole = false;
  /** Place of the first row outside the index. */
  #from = 0n;
  #averages: readonly number[] | undefined;
  #refreshing: Promise<number | undefined> | undefined;
  readonly #most: number;

  /** @param most Rows that are held: where there are more, none is. */
  constructor(table: Table, most = MOST_FRESH) {
    this.#table = table;
    this.#most = most;
  }

  /** Rows that are held. */
  get size(): number {
    return this.#numbers.size;
  }

  /**
   * Brings itself up to date with the table, and gives the version that it then holds. Rows that were written meanwhile
   * lie behind those that were counted, so that the wrong ones may have been read: it holds that version only where the
   * table {@link isAt} it still. Undefined where there are too many, where it cannot tell which they are, and where
   * they cannot be read: a server may not know their places, and of a damaged table the search itself tells.
   */
  refresh(): Promise<number | undefined> {
    return (this.#refreshing ??= this.#refreshed()
      .catch(() => undefined)
      .finally(() => (this.#refreshing = undefined)));
  }

  /** Whether the table is still at this version: what was read in several steps since then fits together. */
  async isAt(version: number): Promise<boolean> {
    return (await this.#tableVersion()) === version;
  }

  /** How many of the rows hold a word, in one column. */
  holding(word: string, column: number): number {
    const holding = (each: string): number =>
      this.#postings[column]?.get(each)?.filter((row, i) => i % 2 === 0 && this.#rows[row]).length ?? 0;
    return Math.max(0, ...wordsOf(word).map(holding));
  }

  has(place: bigint): boolean {
    return this.#numbers.has(place);
  }

  /** Whether every row is held that the indices of keys lack: these may lag behind that of words. */
  get holdsKeys(): boolean {
    return this.#holdsKeys;
  }

  /** Rows that have some of the keys, and how many of them, in no order. */
  withKeys(column: KeyColumn, keys: Iterable<string>): { ref: PassageRef; shared: number }[] {
    const shared = new Map<FreshRow, number>();
    for (const key of keys)
      for (const number of this.#keyed[column].get(key) ?? []) {
        const row = this.#rows[number];
        if (row) shared.set(row, (shared.get(row) ?? 0) + 1);
      }
    return [...shared].map(([{ ref }, count]) => ({ ref, shared: count }));
  }

  /**
   * Rows that share a word with a query, by BM25, the better column of the two counts, in no order.
   * @param frequency Rows of the whole table that hold a word in a column.
   * @param total Rows of the whole table.
   * @param predicate What all rows must meet as well.
   * @param every Whether a column counts only where it holds all words of the query.
   */
  async search(
    query: string,
    frequency: (word: string, column: number) => Promise<number>,
    total: number,
    predicate: string | undefined,
    every = false,
  ): Promise<RankedPassage[]> {
    if (this.#numbers.size === 0) return [];
    const [averages, allowed] = await Promise.all([this.#lengths(), this.#meeting(predicate)]);
    const words = [...spelledOf(query)];
    const asked = words.flatMap(([word, written]) =>
      this.#postings.flatMap((postings, column) => {
        if (every && !words.every(([each]) => postings.has(each))) return [];
        const found = postings.get(word);
        return found ? { found, written, column } : [];
      }),
    );
    const frequencies = await Promise.all(asked.map(({ written, column }) => frequency(written, column)));
    const scores = TEXT_COLUMNS.map(() => new Map<FreshRow, number>());
    const held = TEXT_COLUMNS.map(() => new Map<FreshRow, number>());
    asked.forEach(({ found, column }, at) => {
      const holding = Math.min(total, Math.max(1, frequencies[at] ?? 1));
      const idf = Math.log((total - holding + 0.5) / (holding + 0.5) + 1);
      for (let i = 0; i < found.length; i += 2) {
        const [row, count = 0] = [this.#rows[found[i] ?? -1], found[i + 1]];
        if (!row || (allowed && !allowed.has(row.ref.row ?? -1n))) continue;
        const length = 1 - B + (B * (row.lengths[column] ?? 0)) / Math.max(1, averages[column] ?? 1);
        const score = (idf * (K1 + 1) * count) / (count + K1 * length);
        scores[column]?.set(row, (scores[column].get(row) ?? 0) + score);
        held[column]?.set(row, (held[column].get(row) ?? 0) + 1);
      }
    });
    const best = new Map<FreshRow, number>();
    for (const [column, of] of scores.entries())
      for (const [row, score] of of)
        if (!every || held[column]?.get(row) === words.length)
          best.set(row, Math.max(best.get(row) ?? 0, (TEXT_BOOSTS[column] ?? 1) * score));
    return [...best].map(([{ ref }, score]) => ({ passage: ref, score }));
  }

  async #refreshed(): Promise<number | undefined> {
    const version = await this.#tableVersion();
    if (version !== this.#version) {
      const [outside, ofKeys] = await Promise.all([this.#outside(TEXT_COLUMNS), this.#outside(KEY_COLUMNS)]);
      // All indices lack the last rows, some more of them than others.
      this.#holdsKeys = ofKeys <= outside;
      this.#isWhole = outside <= this.#most && (outside === 0 || (await this.#readRows(outside)));
      if (outside === 0 || !this.#isWhole) this.#clear();
      this.#version = version;
    }
    return this.#isWhole ? version : undefined;
  }

  #tableVersion(): Promise<number> {
    return stored('read its version', () => this.#table.version());
  }

  /** Rows that the index of one of the columns lacks. */
  async #outside(columns: readonly string[]): Promise<number> {
    const counts = await Promise.all(columns.map((column) => indexStatistics(this.#table, column)));
    const total = counts.every(Boolean) ? 0 : await stored('count passages', () => this.#table.countRows());
    return Math.max(...counts.map((each) => each?.numUnindexedRows ?? total));
  }

  #clear(): void {
    this.#rows = [];
    this.#numbers.clear();
    for (const postings of this.#postings) postings.clear();
    for (const column of KEY_COLUMNS) this.#keyed[column].clear();
    this.#version = undefined;
  }

  /** False where it cannot tell which rows these are. */
  async #readRows(outside: number): Promise<boolean> {
    const count = (from: bigint): Promise<number> =>
      stored('count passages', () => this.#table.countRows(`_rowid >= ${from}`));
    if (this.#numbers.size === 0 || (await count(this.#from)) !== outside) {
      const first = await this.#firstOutside(outside);
      if (first === undefined) return false;
      this.#from = first;
    }
    const found = await stored('read new passages', () =>
      this.#table.query().where(`_rowid >= ${this.#from}`).select(REF_COLUMNS).withRowId().toArrow(),
    );
    const refs = new Map(refsFromArrow(found).flatMap((ref) => (ref.row === undefined ? [] : [[ref.row, ref]])));
    if (refs.size !== outside) return false;
    // Half of what postings name may be gone; then all is read anew.
    if (this.#rows.length > 2 * Math.max(ROWS_A_TURN, refs.size)) this.#clear();
    for (const [place, number] of this.#numbers) {
      const ref = refs.get(place);
      const row = this.#rows[number];
      // A row stays where it is when its vector comes; a compaction may have put another there.
      if (row && ref?.id === row.ref.id) row.ref = ref;
      else {
        this.#rows[number] = undefined;
        this.#numbers.delete(place);
      }
    }
    const missing = [...refs.values()].filter(({ row = -1n }) => !this.#numbers.has(row));
    for (let from = 0; from < missing.length; from += ROWS_A_TURN) {
      await this.#add(missing.slice(from, from + ROWS_A_TURN));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return true;
  }

  /**
   * Rows come in fragments, and what is written lies behind what was: the last ones are those outside the index.
   * Undefined where these are not as many. A compaction puts fragments that it joins behind all others; until it has
   * brought the indices up to date, or for good where its process ends before, the last ones are such.
   */
  async #firstOutside(outside: number): Promise<bigint | undefined> {
    const counts = new Map<bigint, number>();
    for await (const batch of this.#table.query().select(['id']).withRowId()) {
      const places = batch.getChild('_rowid');
      for (let i = 0; i < batch.numRows; i++) {
        const fragment = (places?.get(i) as bigint) >> FRAGMENT_BITS;
        counts.set(fragment, (counts.get(fragment) ?? 0) + 1);
      }
    }
    let seen = 0;
    const last = [...counts.keys()].sort((a, b) => Number(b - a));
    const first = last.find((fragment) => (seen += counts.get(fragment) ?? 0) >= outside);
    return first === undefined || seen !== outside ? undefined : first << FRAGMENT_BITS;
  }

  async #add(refs: readonly PassageRef[]): Promise<void> {
    const places = refs.flatMap(({ row }) => row ?? []);
    const found = await stored('read new passages', () =>
      this.#table
        .takeRowIds(places)
        .select([...TEXT_COLUMNS, ...KEY_COLUMNS])
        .withRowId()
        .toArrow(),
    );
    const keys = KEY_COLUMNS.map((name) => ({ of: this.#keyed[name], rows: listColumn(found, name) }));
    const byPlace = new Map(refs.map((ref) => [ref.row, ref]));
    const [texts, rows] = [TEXT_COLUMNS.map((name) => found.getChild(name)), found.getChild('_rowid')];
    for (let i = 0; i < found.numRows; i++) {
      const place = rows?.get(i) as bigint;
      const ref = byPlace.get(place);
      if (!ref) continue;
      const number = this.#rows.length;
      const lengths = texts.map((column, at) => this.#count(wordsOf(String(column?.get(i))), number, at));
      for (const { of, rows: lists } of keys) for (const key of lists[i] ?? []) addTo(of, key, number);
      this.#rows.push({ ref, lengths });
      this.#numbers.set(place, number);
    }
  }

  /** Notes how often a row holds each of its words; gives their number. */
  #count(words: readonly string[], row: number, column: number): number {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const postings = this.#postings[column];
    for (const [word, count] of counts) {
      const holding = postings?.get(word);
      if (holding) holding.push(row, count);
      else postings?.set(word, [row, count]);
    }
    return words.length;
  }

  /** Rows held that meet a predicate; undefined where there is none. */
  async #meeting(predicate: string | undefined): Promise<ReadonlySet<bigint> | undefined> {
    if (predicate === undefined) return undefined;
    const found = await stored('search by words', () =>
      this.#table.query().where(`_rowid >= ${this.#from} AND (${predicate})`).select(['id']).withRowId().toArrow(),
    );
    return new Set(found.getChild('_rowid')?.toArray() as Iterable<bigint>);
  }

  /** Words of a row of the table on average, of each column; taken anew while there are few rows. */
  async #lengths(): Promise<readonly number[]> {
    if (this.#averages) return this.#averages;
    const sample = await stored('read its texts', () =>
      this.#table
        .query()
        .select([...TEXT_COLUMNS])
        .limit(SAMPLED)
        .toArrow(),
    );
    const averages = TEXT_COLUMNS.map((name) => {
      const column = sample.getChild(name);
      const lengths = Array.from({ length: sample.numRows }, (_, row) => wordsOf(String(column?.get(row))).length);
      return mean(lengths);
    });
    if (sample.numRows === SAMPLED) this.#averages = averages;
    return averages;
  }
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Stems of a text's words, as the full-text index parts them, stop words left out, repeats included. */
const wordsOf = (text: string): string[] => spelled(text).map(({ stemmed }) => stemmed);

/** The distinct words of a query by their stems, and as they were written. */
const spelledOf = (query: string): Map<string, string> =>
  new Map(spelled(query).map(({ stemmed, written }) => [stemmed, written]));

function spelled(text: string): { stemmed: string; written: string }[] {
  return [...text.matchAll(WORD)].flatMap(([run]) =>
    segmentsOf(run).flatMap(({ text: word }) => {
      const written = plain(word);
      return written === '' || isStopWord(written, 'en') ? [] : [{ stemmed: stem(written), written }];
    }),
  );
}
