import type { IndexCoverage } from '../../src/search/domain/index-state.ts';
import type { Hop, PassageChain, SearchHit } from '../../src/search/domain/passage-chain.ts';
import type { Passage } from '../../src/search/domain/passage.ts';
import { noReferences, type ReferenceAnswer, type ReferenceQuery } from '../../src/search/domain/reference-answer.ts';
import type {
  ChainOptions,
  ChainResult,
  Reading,
  Retriever,
  SearchOptions,
} from '../../src/search/retrieval/retriever.ts';
import { splitSentences } from '../../src/search/text/sentences.ts';
import { isStopWord } from '../../src/search/text/stop-words.ts';
import { readWords, stem } from '../../src/search/text/words.ts';

/**
 * What the double says to a query that contains a key (lower case); everything undefined falls back to word overlap.
 */
export interface ScriptedRetrieval {
  /** Passage ids of the best chain, in hop order. */
  chain?: readonly string[];
  /** Also by what is read. */
  reading?: Partial<Reading> | ((passageIds: readonly string[]) => Partial<Reading>);
  /** What of the query stands in no passage. */
  absent?: ChainResult['absent'];
  unknown?: ChainResult['unknown'];
  /** Fails instead. */
  error?: Error;
}

export interface ScriptedRetrieverOptions {
  coverage?: Partial<IndexCoverage>;
  /** By a piece of the query; the longest key that fits counts. */
  scripts?: Readonly<Record<string, ScriptedRetrieval>>;
  /** What programs say, by symbol; nothing is known of others. */
  references?: Readonly<Record<string, Partial<ReferenceAnswer>>>;
  /** Every method waits for this. */
  wait?: Promise<unknown>;
}

/**
 * A retriever over a handful of passages: by script where there is one, else by shared words. Deterministic, in memory.
 */
export class ScriptedRetriever implements Retriever {
  readonly queries: string[] = [];
  readonly readQuestions: string[] = [];
  readonly #passages: readonly Passage[];
  readonly #options: ScriptedRetrieverOptions;

  constructor(passages: readonly Passage[], options: ScriptedRetrieverOptions = {}) {
    this.#passages = passages;
    this.#options = options;
  }

  async search(
    query: string,
    options: SearchOptions,
    signal?: AbortSignal,
  ): Promise<{ hits: SearchHit[]; coverage: IndexCoverage }> {
    await this.#ready(signal);
    return { hits: this.#rank(query, options.filter?.ids).slice(0, options.limit), coverage: this.#coverage() };
  }

  async chains(question: string, options: ChainOptions, signal?: AbortSignal): Promise<ChainResult> {
    this.queries.push(question);
    await this.#ready(signal);
    const script = this.#scriptOf(question);
    if (script?.error) throw script.error;
    const hits = this.#rank(question, options.filter?.ids);
    const scripted = script?.chain?.map((id) => this.#byId(id));
    const hops = scripted ?? hits.slice(0, 2).map((hit) => hit.passage);
    const chain: PassageChain = { hops: hops.map(hopFor), score: -hops.length, completeness: 0.8 };
    const ids = new Set(hops.map((passage) => passage.id));
    const rest = hits.filter((hit) => !ids.has(hit.passage.id));
    const head = hops.map((passage): SearchHit => ({
      passage,
      score: 1,
      folded: [],
      parts: { beam: { rank: 1, score: 1 } },
    }));
    return {
      chains: hops.length > 0 ? [chain] : [],
      hits: [...head, ...rest],
      hopMilliseconds: [1],
      coverage: this.#coverage(),
      ...(script?.absent && { absent: script.absent }),
      ...(script?.unknown && { unknown: script.unknown }),
    };
  }

  async connect(fromPath: string, toPath: string, _options: ChainOptions, signal?: AbortSignal): Promise<ChainResult> {
    await this.#ready(signal);
    const hops = this.#passages.filter((passage) => passage.path === fromPath || passage.path === toPath);
    return {
      chains: [{ hops: hops.map(hopFor), score: 0, completeness: 1 }],
      hits: [],
      hopMilliseconds: [1],
      coverage: this.#coverage(),
    };
  }

  async passages(ids: readonly string[]): Promise<Passage[]> {
    return ids.flatMap((id) => this.#passages.filter((passage) => passage.id === id));
  }

  async passagesOf(path: string): Promise<Passage[]> {
    return this.#passages.filter((passage) => passage.path === path);
  }

  async references(query: ReferenceQuery, signal?: AbortSignal): Promise<ReferenceAnswer> {
    await this.#ready(signal);
    return {
      ...noReferences(query, this.#coverage()),
      complete: true,
      ...this.#options.references?.[query.symbol],
    };
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    await this.#ready(signal);
    return texts.map((text) => {
      const vector = new Float32Array(16);
      for (const word of contentWords(text))
        for (const char of word) vector[char.charCodeAt(0) % 16] = (vector[char.charCodeAt(0) % 16] ?? 0) + 1;
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    });
  }

  readWidely(
    question: string,
    passageIds: readonly string[],
    further: readonly string[],
    signal?: AbortSignal,
  ): Promise<Reading> {
    return this.#read(question, [...passageIds, ...further], passageIds.at(-1), signal);
  }

  read(question: string, passageIds: readonly string[], signal?: AbortSignal): Promise<Reading> {
    return this.#read(question, passageIds, undefined, signal);
  }

  /** By shared words; the best sentence of the trail's last passage comes first where it is not far behind. */
  async #read(
    question: string,
    passageIds: readonly string[],
    last: string | undefined,
    signal?: AbortSignal,
  ): Promise<Reading> {
    this.readQuestions.push(question);
    await this.#ready(signal);
    const asked = new Set(contentWords(question));
    const sentences = (await this.passages(passageIds)).flatMap((passage) =>
      splitSentences(passage.text).map(({ start, end }) => {
        const text = passage.text.slice(start, end);
        return {
          passageId: passage.id,
          start,
          end,
          text,
          score: (contentWords(text).filter((word) => asked.has(word)).length + 0.1) / (asked.size + 1),
        };
      }),
    );
    sentences.sort((a, b) => b.score - a.score);
    const best = sentences[0]?.score ?? 0;
    const ends = sentences.find(({ passageId, score }) => passageId === last && score >= 0.3 * best);
    if (ends) ends.score = best + 0.01;
    sentences.sort((a, b) => b.score - a.score);
    const covered = new Set(
      sentences.flatMap((sentence) => contentWords(sentence.text)).filter((word) => asked.has(word)),
    );
    const scripted = this.#scriptOf(question)?.reading;
    const answerability = asked.size === 0 ? 0 : covered.size / asked.size;
    return {
      sentences,
      answerability,
      ...(typeof scripted === 'function' ? scripted(passageIds) : scripted),
    };
  }

  async #ready(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await (this.#options.wait ?? Promise.resolve());
    signal?.throwIfAborted();
  }

  #scriptOf(query: string): ScriptedRetrieval | undefined {
    const keys = Object.keys(this.#options.scripts ?? {}).filter((key) =>
      query.toLowerCase().includes(key.toLowerCase()),
    );
    const longest = keys.sort((a, b) => b.length - a.length)[0];
    return longest === undefined ? undefined : this.#options.scripts?.[longest];
  }

  #byId(id: string): Passage {
    const passage = this.#passages.find((candidate) => candidate.id === id);
    if (!passage) throw new Error(`The script names passage ${id}, which the double does not have.`);
    return passage;
  }

  #rank(query: string, ids?: readonly string[]): SearchHit[] {
    const asked = new Set(contentWords(query));
    const hits = this.#passages
      .filter((passage) => ids?.includes(passage.id) ?? true)
      .map((passage): SearchHit => {
        const score = new Set(contentWords(`${passage.title} ${passage.text}`).filter((word) => asked.has(word))).size;
        return { passage, score, folded: [], parts: { text: { rank: 1, score } } };
      });
    return hits.filter((hit) => hit.score > 0).sort((a, b) => b.score - a.score);
  }

  #coverage(): IndexCoverage {
    const count = this.#passages.length;
    return { files: count, passages: count, embedded: count, indexing: false, ...this.#options.coverage };
  }
}

const contentWords = (text: string): string[] =>
  readWords(text)
    .map((word) => word.text)
    .filter((word) => !isStopWord(word))
    .map(stem);

const hopFor = (passage: Passage, index: number): Hop => ({
  passage,
  score: 1,
  why:
    index === 0
      ? { kind: 'question', because: { code: 'near-question' }, terms: [] }
      : { kind: 'term', because: { code: 'near-both', who: 'the hop before' }, terms: [], from: index - 1 },
});

/** A passage of a Markdown note; `extra` overrides, and a path in it the URI, too. */
export function notePassage(id: string, title: string, text: string, extra: Partial<Passage> = {}): Passage {
  const { path = `notes/${id}.md` } = extra;
  const lines = text.split('\n').length;
  return {
    id,
    uri: `file:///w/${encodeURI(path)}`,
    path,
    startLine: 1,
    endLine: lines,
    kind: 'section',
    language: 'markdown',
    title,
    text,
    contentHash: `h-${id}`,
    links: [],
    ...extra,
  };
}
