import { sigmoid } from '#base';
import { type IndexedPassage, type PassageIndex, toPassage } from '../../store/passage-index.ts';
import type { SearchHit } from '../../domain/passage-chain.ts';
import { weightByRole } from '../file-roles.ts';
import type { FusedPassage } from '../fuse.ts';
import { readFused } from '../hybrid-search.ts';
import { FoldedList } from '../same-text.ts';
import type { FoundChains } from './chain-search.ts';

/**
 * Reciprocal rank fusion of what the beam said of a passage and how the search with the question found it, beside the
 * chain: heads that learnt how passages lead on tell less of those that a question asks for alone.
 */
const BESIDE_THE_CHAIN = { k: 10, search: 0.5 };
/** Hits in whose order the beam has a say. Behind them hybrid search's order holds, so that nothing it has is lost. */
const BEAM_DECIDES = 15;

/**
 * The beam as a reranker: the chosen chain's passages first, then those that beam and hybrid search together put in
 * front, then the rest of the hybrid list, last what the beam alone found. What says the same as a better hit is folded
 * into it. Rows that hybrid search has not read are left out.
 */
export function rankHits(found: FoundChains, limit: number): SearchHit[] {
  const { list, rest } = headOfList(found, limit);
  for (const entry of rest) if (!list.add(entry)) break;
  return toHits(list);
}

/** As {@link rankHits}, with the rows of the hybrid list that are not read yet. */
export async function rankAllHits(index: PassageIndex, found: FoundChains, limit: number): Promise<SearchHit[]> {
  const { list, rest } = headOfList(found, limit);
  const listed = new Set(list.entries.flatMap(({ passage, folded }) => [passage.id, ...folded.map(({ id }) => id)]));
  const missing = found.others.filter(({ passage }) => !listed.has(passage.id));
  for (let at = 0; at < missing.length && !list.isFull;) {
    const next = missing.slice(at, at + limit - list.entries.length);
    at += next.length;
    for (const { passage, parts, query } of await readFused(index, next, { vectors: false }))
      list.add({ passage, score: 0, parts, ...(query !== undefined && { query }) });
  }
  for (const entry of rest) if (!list.add(entry)) break;
  return toHits(list);
}

/** The chain, the first of beam and hybrid search together, and the read rows of the hybrid list; then what is left. */
function headOfList(
  { question, ranked, others, result }: FoundChains,
  limit: number,
): { list: FoldedList<FusedPassage>; rest: FusedPassage[] } {
  const chosen = result.chains[0]?.passages ?? [];
  const inChain = new Set(chosen.map((passage) => passage.id));
  const weightOf = weightByRole(question.stems);
  const byBeam = marginals(result);
  const judged = [...byBeam.values()]
    .map(({ passage, score }) => ({ passage, score: score * weightOf(passage.path) }))
    .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1));
  const fused = new Map<string, { passage: IndexedPassage; score: number }>();
  const add = (passages: readonly { passage: IndexedPassage }[], weight: number): void =>
    passages.forEach(({ passage }, i) => {
      const entry = fused.get(passage.id) ?? { passage, score: 0 };
      fused.set(passage.id, { ...entry, score: entry.score + weight / (BESIDE_THE_CHAIN.k + i + 1) });
    });
  add(judged, 1);
  add(ranked, BESIDE_THE_CHAIN.search);
  const told = new Map([...ranked, ...others].map(({ passage, parts, query }) => [passage.id, { parts, query }]));
  const entryOf = (passage: IndexedPassage, score: number): FusedPassage => {
    const { parts, query } = told.get(passage.id) ?? {};
    return { passage, score, parts: { ...parts }, ...(query !== undefined && { query }) };
  };
  const beside = [...fused.values()]
    .filter(({ passage }) => !inChain.has(passage.id))
    .sort((a, b) => b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1))
    .map(({ passage, score }) => entryOf(passage, byBeam.has(passage.id) ? score : 0));
  const front = beside.slice(0, Math.max(0, BEAM_DECIDES - chosen.length));
  const inFront = new Set([...inChain, ...front.map(({ passage }) => passage.id)]);
  const behind = new Map(beside.map((entry) => [entry.passage.id, entry]));
  const hybrid = ranked.flatMap(({ passage: { id } }) => (inFront.has(id) ? [] : (behind.get(id) ?? [])));
  const list = new FoldedList<FusedPassage>(limit);
  for (const [i, passage] of chosen.entries())
    // The trail is shown as it is, also where somebody had it begin with two that say the same.
    if (!list.isFull) list.addAnyway(entryOf(passage, 1 + (chosen.length - i)));
  for (const entry of [...front, ...hybrid]) if (!list.add(entry)) break;
  const ids = new Set([...inFront, ...hybrid.map(({ passage }) => passage.id)]);
  return { list, rest: beside.filter(({ passage }) => !ids.has(passage.id)) };
}

const toHits = ({ entries }: FoldedList<FusedPassage>): SearchHit[] =>
  entries.map(({ passage, score, parts, query, folded }, i) => ({
    passage: toPassage(passage),
    score,
    ...(query !== undefined && { query }),
    folded: folded.map(toPassage),
    parts: { ...parts, ...(score > 0 ? { beam: { rank: i + 1, score } } : {}) },
  }));

/**
 * Per passage the largest probability that some chain with it is right: that of the chain before it times that of the
 * hop.
 */
function marginals({ extensions }: FoundChains['result']): Map<string, { passage: IndexedPassage; score: number }> {
  const best = new Map<string, { passage: IndexedPassage; score: number }>();
  for (const { passage, logit, chainScore } of extensions) {
    const score = sigmoid(logit) * Math.exp(chainScore);
    const known = best.get(passage.id);
    if (known === undefined || known.score < score) best.set(passage.id, { passage, score });
  }
  return best;
}
