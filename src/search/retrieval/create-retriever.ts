import { toPassage } from '../store/passage-index.ts';
import { findReferences } from '../references/find-references.ts';
import type { SearchHit } from '../domain/passage-chain.ts';
import { lookedAt } from '../domain/question.ts';
import { connectFiles } from './chain/connect-files.ts';
import { findChains } from './chain/find-chains.ts';
import { PassageProfiles } from './features/passage-profile.ts';
import { foldPassages } from './fuse.ts';
import { asAsked, furtherQueries, readInTurn, searchQueries } from './hybrid-search.ts';
import { readQuestion } from './question.ts';
import { readPassages } from './reader/read-passages.ts';
import type { Retriever, SearchOptions } from './retriever.ts';
import type { RetrieverPorts } from './retriever-ports.ts';

const LISTS = { text: ['text'], vector: ['vector'], hybrid: ['text', 'vector', 'link'] } as const;

/**
 * The retriever of one index. Runs in the index process; every loop makes way for other work and stops on abort. Only
 * the beginning of a very long query is looked at.
 */
export function createRetriever({ profiles = new PassageProfiles(), ...given }: RetrieverPorts): Retriever {
  const ports = { ...given, profiles };
  const { index, embedder, reader, encoder, unread } = ports;
  return {
    async search(query: string, options: SearchOptions, signal?: AbortSignal) {
      const { retriever, limit, filter, soon, queries = [] } = options;
      if (retriever === 'beam') {
        const { hits, coverage } = await findChains(ports, query, { filter, queries }, limit, signal);
        return { hits, coverage };
      }
      const question = readQuestion(lookedAt(query));
      // Folding takes hits away, so more are asked for than wanted.
      const depth = Math.max(40, limit * 2);
      const [{ ranked, vector, moved }, coverage] = await Promise.all([
        searchQueries(index, embedder, [question, ...furtherQueries(question, queries)], {
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
      ports.found?.(folded.map(({ passage }) => passage.id));
      return {
        hits: folded.map((entry): SearchHit => ({
          passage: toPassage(entry.passage),
          score: entry.score,
          ...(entry.query !== undefined && { query: entry.query }),
          parts: asAsked(entry, vector).parts,
          folded: entry.folded.map(toPassage),
        })),
        coverage,
      };
    },
    chains: (question, options, signal) => findChains(ports, question, options, undefined, signal),
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
    read: async (question, passageIds, signal) =>
      readPassages(
        { index, embedder, profiles, now: ports.now, encoder: await encoder?.(), ...(unread && { unread }) },
        reader,
        lookedAt(question),
        passageIds,
        signal,
      ),
    references: (query, signal) => findReferences(index, query, signal),
  };
}
