import type { Passage } from '../domain/passage.ts';
import type { SkippedFile } from '../domain/source-file.ts';
import { type Embedder, mayBeTheTexts } from '../embedding/embedder.ts';
import { passageEmbeddingText, isEncodedData, withoutEncodedData } from '../reading/passage-identity.ts';
import type { PassageTable, PendingPassage } from '../store/passage-table.ts';
import { CommitPace, type PauseGate } from './pace.ts';
import type { SerialQueue } from '#base';

interface EmbeddingRunOptions {
  passages: PassageTable;
  embedder: Embedder;
  writes: SerialQueue;
  gate: PauseGate;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Told after each piece of work how many passages have got their vector. */
  onProgress(embedded: number): void;
}

/** Passages whose texts are fetched and embedded at once, sorted by length. */
const CHUNK = 32;
/** Passages whose texts are read at once: looking for some takes nearly as long as looking for one. */
const AHEAD = 512;
/** So many passages of a file come before the rest of any file: one large text does not hold up all others. */
const FIRST_OF_FILE = 64;
/** A text that every model takes: one that refuses this as well refuses all. */
const HARMLESS = 'ready';

type Embedded = PendingPassage & { vector: Float32Array };

/** A text to embed, for all passages of this content. */
interface Text {
  contentHash: string;
  text: string;
}

/** A passage that stays without a vector: one of encoded data, or, with the reason, one that the model refused. */
interface WordsOnly {
  path: string;
  refusal?: string;
}

/**
 * Passages that wait for vectors, and the loop that gives them some. Reading texts and writing vectors overlap with
 * inference.
 */
export class EmbeddingRun {
  readonly #options: EmbeddingRunOptions;
  /** In the order in which they came, files come most useful first, but for those that were brought forward. */
  #waiting = new Map<string, PendingPassage>();
  readonly #urgent = new Map<string, PendingPassage>();
  /** What is left of large files: it comes when nothing else waits. */
  readonly #rest = new Map<string, PendingPassage>();
  /** Passages of each file that were put into `#waiting`. */
  readonly #ofFile = new Map<string, number>();
  /** Ids of waiting passages by content, because equal texts share one inference. */
  readonly #byContent = new Map<string, Set<string>>();
  /** Some of the waiting passages as they were read, by id: a passage of another content has another id. */
  readonly #read = new Map<string, Passage>();
  /** By id; these wait no longer. */
  readonly #wordsOnly = new Map<string, WordsOnly>();
  /** Why the model refused a content, as long as this run exists: it is not asked again. */
  readonly #refusals = new Map<string, string>();
  #running: Promise<void> | undefined;
  /** Inferences since the run was made. */
  inferences = 0;

  constructor(options: EmbeddingRunOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#waiting.size + this.#urgent.size + this.#rest.size;
  }

  /** Passages that get no vector. */
  get withoutVector(): number {
    return this.#wordsOnly.size;
  }

  /** Passages that the model refused: they are found by their words only. */
  get refused(): number {
    let refused = 0;
    for (const { refusal } of this.#wordsOnly.values()) if (refusal !== undefined) refused += 1;
    return refused;
  }

  /** Files of which some passages stay without a vector, and why. */
  leftOut(): SkippedFile[] {
    const files = new Map<string, { data: number; refused: number; refusal: string }>();
    for (const { path, refusal } of this.#wordsOnly.values()) {
      const file = files.get(path) ?? { data: 0, refused: 0, refusal: '' };
      if (refusal === undefined) file.data += 1;
      else Object.assign(file, { refused: file.refused + 1, refusal });
      files.set(path, file);
    }
    return [...files].map(([path, { data, refused, refusal }]) =>
      refused > 0
        ? { path, reason: 'unsupported', why: { code: 'refused', details: { passages: refused, said: refusal } } }
        : { path, reason: 'binary', why: { code: 'encoded-data', details: { passages: data } } },
    );
  }

  /** Adds passages; urgent ones (just edited) go before all others. */
  add(passages: readonly PendingPassage[], urgent = false): void {
    for (const { id, contentHash, uri } of passages) {
      this.remove([id]);
      // No more of a passage than that: hundreds of thousands wait for hours, and their texts are in the table.
      const passage = { id, contentHash, uri };
      (urgent ? this.#urgent : this.#laneOf(uri)).set(id, passage);
      const same = this.#byContent.get(contentHash);
      if (same) same.add(id);
      else this.#byContent.set(contentHash, new Set([id]));
    }
  }

  #laneOf(uri: string): Map<string, PendingPassage> {
    const before = this.#ofFile.get(uri) ?? 0;
    this.#ofFile.set(uri, before + 1);
    return before < FIRST_OF_FILE ? this.#waiting : this.#rest;
  }

  /** In the order in which they are emptied. */
  get #lanes(): Map<string, PendingPassage>[] {
    return [this.#urgent, this.#waiting, this.#rest];
  }

  #waitingFor(id: string): PendingPassage | undefined {
    return this.#urgent.get(id) ?? this.#waiting.get(id) ?? this.#rest.get(id);
  }

  /** Puts those of the passages that wait before all others: somebody asked about them. */
  prefer(ids: Iterable<string>): void {
    for (const [id, passage] of this.#takeOut(ids)) this.#urgent.set(id, passage);
  }

  /** Those of the passages that nobody wants before others; they wait nowhere until they are put somewhere. */
  #takeOut(ids: Iterable<string>): Map<string, PendingPassage> {
    const taken = new Map<string, PendingPassage>();
    for (const id of ids)
      for (const lane of [this.#waiting, this.#rest]) {
        const passage = lane.get(id);
        if (passage) taken.set(id, passage);
        lane.delete(id);
      }
    return taken;
  }

  /** True while passages wait that nobody wants before others. */
  get hasOrder(): boolean {
    return this.#waiting.size + this.#rest.size > 0;
  }

  /** Puts those of the passages that wait before the others, behind what somebody wants at once. */
  bringForward(ids: Iterable<string>): void {
    const first = this.#takeOut(ids);
    if (first.size > 0) this.#waiting = new Map([...first, ...this.#waiting]);
  }

  /** Forgets passages that are gone or have their vector. */
  remove(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#wordsOnly.delete(id);
      const passage = this.#waitingFor(id);
      if (!passage) continue;
      if (this.#waiting.has(id)) this.#ofFile.set(passage.uri, Math.max(0, (this.#ofFile.get(passage.uri) ?? 0) - 1));
      for (const lane of this.#lanes) lane.delete(id);
      this.#read.delete(id);
      const same = this.#byContent.get(passage.contentHash);
      same?.delete(id);
      if (same?.size === 0) this.#byContent.delete(passage.contentHash);
    }
  }

  /** Runs until nothing waits. A call while it runs joins that run; the signal of the first call counts. */
  drain(signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#loop(signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** True while vectors are being made. */
  get active(): boolean {
    return this.#running !== undefined;
  }

  async #loop(signal?: AbortSignal): Promise<void> {
    const { gate, now } = this.#options;
    const pace = new CommitPace(now);
    let unwritten: Embedded[] = [];
    let writing: Promise<void> = Promise.resolve();
    let first = true;
    const flush = async (): Promise<void> => {
      await writing; // a failed write ends the run here
      const entries = unwritten;
      unwritten = [];
      pace.begins();
      writing = this.#write(entries, pace);
      writing.catch(() => undefined); // awaited above or below
    };
    let upcoming = this.#nextTexts();
    try {
      for (;;) {
        await gate.passWhenQuiet(() => this.#urgent.size > 0, signal);
        // Passages may have come since the next texts were looked for, and urgent ones go before those.
        const chunk = (this.#urgent.size > 0 ? undefined : await upcoming) ?? (await this.#nextTexts());
        if (!chunk) break;
        upcoming = this.#nextTexts(new Set(chunk.map((entry) => entry.contentHash)));
        upcoming.catch(() => undefined); // awaited at the top of the loop
        const vectors = await this.#vectorsOf(chunk, signal);
        this.inferences += vectors.size;
        const entries = [...vectors].flatMap(([contentHash, vector]) => this.#withContent(contentHash, vector));
        unwritten.push(...entries);
        this.#options.onProgress(entries.length);
        if (first || pace.isDue(unwritten.length)) await flush();
        first = false;
      }
    } finally {
      if (unwritten.length > 0) await flush();
      await writing;
    }
  }

  /**
   * By content hash. When all texts together are refused, each is asked for alone; what is refused then is noted in
   * `refusals`.
   */
  async #vectorsOf(chunk: readonly Text[], signal?: AbortSignal): Promise<Map<string, Float32Array>> {
    const { embedder } = this.#options;
    try {
      const vectors = await embedder.embedPassages(
        chunk.map((entry) => entry.text),
        signal,
      );
      return new Map(chunk.flatMap(({ contentHash }, i) => (vectors[i] ? [[contentHash, vectors[i]]] : [])));
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayBeTheTexts(error)) throw error;
      const [only, ...others] = chunk;
      if (!only || others.length > 0) {
        const all = new Map<string, Float32Array>();
        for (const entry of chunk)
          for (const [contentHash, vector] of await this.#vectorsOf([entry], signal)) all.set(contentHash, vector);
        return all;
      }
      await embedder.embedPassages([HARMLESS], signal).catch(() => {
        signal?.throwIfAborted();
        throw error; // the text has nothing to do with it
      });
      this.#refusals.set(only.contentHash, error instanceof Error ? error.message : String(error));
      return new Map();
    }
  }

  /** All waiting passages with this content, now with their vector; they wait no longer. */
  #withContent(contentHash: string, vector: Float32Array): Embedded[] {
    const passages = [...(this.#byContent.get(contentHash) ?? [])].flatMap((id) => this.#waitingFor(id) ?? []);
    this.remove(passages.map(({ id }) => id));
    return passages.map((passage) => ({ ...passage, vector }));
  }

  async #write(entries: readonly Embedded[], pace: CommitPace): Promise<void> {
    if (entries.length === 0) return;
    try {
      await this.#options.writes.run(() => pace.measured(() => this.#options.passages.setVectors(entries)));
    } catch (error) {
      // They still have no vector: whoever tries again finds them waiting.
      this.add(entries);
      throw error;
    }
  }

  /**
   * Texts of the next passages, shortest first; undefined when none waits. Passages that are gone are forgotten on the
   * way.
   */
  async #nextTexts(inWork: ReadonlySet<string> = new Set()): Promise<Text[] | undefined> {
    for (;;) {
      const chosen = new Map<string, PendingPassage>();
      for (const lane of this.#lanes) {
        for (const passage of lane.values()) {
          if (chosen.size >= CHUNK) break;
          if (!inWork.has(passage.contentHash) && !chosen.has(passage.contentHash))
            chosen.set(passage.contentHash, passage);
        }
      }
      if (chosen.size === 0) return undefined;
      const wanted = [...chosen.values()];
      const found = await this.#passagesOf(wanted);
      const isThere = new Set(found.map(({ id }) => id));
      this.remove(wanted.flatMap(({ id }) => (isThere.has(id) ? [] : [id])));
      const toEmbed = found.filter((passage) => !this.#staysWithout(passage));
      if (toEmbed.length === 0) continue;
      return toEmbed
        .map((passage) => ({
          contentHash: passage.contentHash,
          text: passageEmbeddingText({ ...passage, text: withoutEncodedData(passage.text) }),
        }))
        .sort((a, b) => a.text.length - b.text.length);
    }
  }

  /** Those of the passages that the table holds. Where one has to be read, so are those that come next. */
  async #passagesOf(wanted: readonly PendingPassage[]): Promise<Passage[]> {
    const ids = wanted.map(({ id }) => id);
    if (!ids.every((id) => this.#read.has(id))) {
      this.#read.clear(); // what is left of it no longer comes next
      const unread = new Set(ids);
      const isUrgent = ids.some((id) => this.#urgent.has(id)); // somebody waits for these
      const next = this.#waiting.size > 0 ? this.#waiting : this.#rest;
      for (const id of isUrgent ? [] : next.keys()) {
        if (unread.size >= AHEAD) break;
        unread.add(id);
      }
      for (const row of await this.#options.passages.rowsByIds([...unread]))
        if (this.#waitingFor(row.id)) this.#read.set(row.id, row);
    }
    return ids.flatMap((id) => this.#read.get(id) ?? []);
  }

  /** True for a passage that gets no vector; it waits no longer. */
  #staysWithout({ id, path, text, contentHash }: Passage): boolean {
    const refusal = this.#refusals.get(contentHash);
    if (refusal === undefined && !isEncodedData(text)) return false;
    if (!this.#waitingFor(id)) return true; // removed while its text was fetched
    this.remove([id]);
    this.#wordsOnly.set(id, { path, refusal });
    return true;
  }
}
