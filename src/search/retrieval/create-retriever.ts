import type { Embedder } from '../embedding/embedder.ts';
import { type PassageIndex, toPassage } from '../store/passage-index.ts';
import type { SearchHit } from '../domain/passage-chain.ts';
import type { Passage } from '../domain/passage.ts';
import { lookedAt } from '../domain/question.ts';
import { absentWords, stillAbsent } from './absent-words.ts';
import {
  joinsIn,
  searchChains,
  toChains,
  type ChainSearchPorts,
  type FoundChains,
  rankAllHits,
} from './chain/chain-search.ts';
import { connectFiles } from './chain/connect-files.ts';
import { mostCompleteFirst } from './chain/judge-chains.ts';
import type { ChainScorer } from './chain-scorer.ts';
import { candidateOf } from './encoder/input-layout.ts';
import { type JointEncoder, orUnread } from './encoder/joint-encoder.ts';
import { PassageProfiles } from './features/passage-profile.ts';
import { type ReaderWeights, readPassages } from './reader/read-passages.ts';
import type { ChainOptions, ChainResult, Retriever, SearchOptions } from './retriever.ts';
import { asAsked, foldPassages, readInTurn, searchQueries } from './hybrid-search.ts';
import { findReferences } from '../references/find-references.ts';

interface RetrieverPorts {
  index: PassageIndex;
  embedder: Embedder;
  scorer: ChainScorer;
  reader: ReaderWeights;
  /** The joint encoder, loaded when first asked for; undefined where there is none. */
  encoder?: () => Promise<JointEncoder | undefined>;
  /** Told why the encoder did not read: what was found, or chosen, without it stands. */
  unread?: (error: unknown) => void;
  /** Told which passages a question found: they are worth a vector before others. */
  found?: (passageIds: readonly string[]) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
  /** Where profiles of passages are kept; its own when undefined. */
  profiles?: PassageProfiles;
}

const LISTS = { text: ['text'], vector: ['vector'], hybrid: ['text', 'vector', 'link'] } as const;

/**
 * The retriever of one index. Runs in the index process; every loop makes way for other work and stops on abort. Of a
 * query, as much is looked at as of a question: whoever pastes a document searches with its beginning.
 */
export function createRetriever({
  index,
  embedder,
  scorer,
  reader,
  encoder,
  unread,
  found: tellFound,
  now,
  profiles = new PassageProfiles(),
}: RetrieverPorts): Retriever {
  const ports: ChainSearchPorts = { index, embedder, scorer, now, profiles };

  const chains = async (
    question: string,
    options: ChainOptions,
    signal?: AbortSignal,
    limit = 60,
  ): Promise<ChainResult> => {
    void encoder?.(); // what is found is read next: loading takes as long as finding
    const [searched, coverage, absent] = await Promise.all([
      searchChains(ports, lookedAt(question), options, signal),
      index.coverage(),
      absentWords(index, lookedAt(question), options.filter, signal),
    ]);
    const reads = await encoder?.();
    const found = reads && options.stop !== 'threshold' ? await judged(question, searched, reads, signal) : searched;
    const ranked = await rankAllHits(index, found, limit);
    const kept = found.result.chains[0]?.passages.length ?? 0;
    const hits = reads
      ? await orUnread(bestReadFirst(lookedAt(question), ranked, kept, reads, now, signal), ranked, unread, signal)
      : ranked;
    tellFound?.(hits.map(({ passage }) => passage.id));
    return {
      chains: toChains(found, ports.profiles, await joinsIn(index)),
      hits,
      hopMilliseconds: found.result.hopMilliseconds,
      coverage,
      absent: stillAbsent(
        absent,
        question,
        hits.map(({ passage }) => passage),
      ),
    };
  };

  const judged = async (
    question: string,
    found: FoundChains,
    reads: JointEncoder,
    signal?: AbortSignal,
  ): Promise<FoundChains> => {
    const { chains: asFound } = found.result;
    const judging = mostCompleteFirst(lookedAt(question), asFound, reads, now, signal);
    return { ...found, result: { ...found.result, chains: await orUnread(judging, asFound, unread, signal) } };
  };

  const read: Retriever['readWidely'] = async (question, passageIds, further, signal) =>
    readPassages(
      { index, embedder, profiles: ports.profiles, encoder: await encoder?.(), ...(unread && { unread }) },
      reader,
      lookedAt(question),
      passageIds,
      further,
      signal,
    );

  return {
    async search(query: string, { retriever, limit, filter, soon, queries = [] }: SearchOptions, signal?: AbortSignal) {
      if (retriever === 'beam') {
        const { hits, coverage } = await chains(query, { filter, queries }, signal, limit);
        return { hits, coverage };
      }
      // Folding takes hits away, so more are asked for than wanted.
      const depth = Math.max(40, limit * 2);
      const [{ ranked, vector, moved }, coverage] = await Promise.all([
        searchQueries(index, embedder, lookedAt(query), queries.map(lookedAt), {
          depth,
          lists: LISTS[retriever],
          filter,
          soon,
          signal,
        }),
        index.coverage(),
      ]);
      // Without a map, and where the first hits are waited for, the list's own score does.
      const vectors = vector !== moved && !soon;
      const folded = await foldPassages(readInTurn(index, ranked, limit, { vectors }), limit);
      signal?.throwIfAborted();
      tellFound?.(folded.map(({ passage }) => passage.id));
      return {
        hits: folded.map((entry): SearchHit => ({
          passage: toPassage(entry.passage),
          score: entry.score,
          ...(entry.query && { query: entry.query }),
          parts: asAsked(entry, vector).parts,
          folded: entry.folded.map(toPassage),
        })),
        coverage,
      };
    },
    chains: (question, options, signal) => chains(question, options, signal),
    connect: (fromPath, toPath, options, signal) => connectFiles(ports, fromPath, toPath, options, signal),
    async passages(ids) {
      return (await index.get(ids)).map(toPassage);
    },
    async passagesOf(path, signal) {
      const passages = await index.passagesOf(path);
      signal?.throwIfAborted();
      return passages.map(toPassage);
    },
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedder.embedQuery(lookedAt(text), signal));
      return vectors;
    },
    read: (question, passageIds, signal) => read(question, passageIds, [], signal),
    readWidely: read,
    references: (query, signal) => findReferences(index, query, signal),
  };
}

/** Most hits that are read with the question: those behind them are seldom evidence. */
const MOST_READ = 10;
/** Milliseconds after which no further hit is begun: a slow machine keeps the order that it has. */
const LONGEST_READING = 600;

/**
 * Puts hits in the order in which they lead towards an answer, as the joint encoder judges each with the question: head
 * 1 of Beam Retrieval (arXiv 2308.08973, §3.2) over what hybrid search and the beam found. Only the first are read;
 * what is not keeps its place behind them.
 *
 * @param kept So many hits in front stay as they are: those of the chain, whose later ones a question alone does not
 * explain.
 * @param now Milliseconds, monotonic.
 */
export async function bestReadFirst<T extends { passage: Passage }>(
  question: string,
  hits: readonly T[],
  kept: number,
  encoder: JointEncoder,
  now: () => number,
  signal?: AbortSignal,
): Promise<T[]> {
  const read: { hit: T; leadsOn: number }[] = [];
  const until = now() + LONGEST_READING;
  for (const hit of hits.slice(kept, kept + MOST_READ)) {
    if (now() >= until) break;
    const reading = await encoder.read({ question, candidate: candidateOf(hit.passage) }, signal);
    read.push({ hit, leadsOn: reading.extends });
  }
  read.sort((a, b) => b.leadsOn - a.leadsOn);
  return [...hits.slice(0, kept), ...read.map(({ hit }) => hit), ...hits.slice(kept + read.length)];
}
